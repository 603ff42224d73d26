// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { OracleCase, OracleRow } from './case.js'
import { unlimited, withoutTwins } from './case.js'
import { areComplete, mayMerge, type Bounds } from './scan-order.js'
import { indexesOf, needsVersion, orderedBy } from './index-layout.js'
import { columnOf, type OracleColumn, type OracleLayout, type OracleIndex } from './layout.js'

/** The failure of a smaller case; undefined if it does not fail. */
export type FailureOf = (smaller: OracleCase) => Promise<string | undefined>

const maxAttempts = 400

/** Makes a failing case smaller as long as it still fails, and as there is time: fewer rows, conditions, columns, comparisons. */
export async function shrink(
  found: OracleCase,
  message: string,
  failureOf: FailureOf,
  ms = Infinity,
): Promise<{ smallest: OracleCase; message: string }> {
  const begin = performance.now()
  let smallest = found
  let last = message
  let attempts = 0
  for (let shrunk = true; shrunk;) {
    shrunk = false
    for (const smaller of smallerCases(smallest)) {
      if (++attempts > maxAttempts || performance.now() - begin > ms) return { smallest, message: last }
      const failure = await failureOf(consistent(smaller))
      if (failure === undefined) continue
      smallest = consistent(smaller)
      last = failure
      shrunk = true
      break
    }
  }
  return { smallest, message: last }
}

/** A query that lost the conditions for its merged order or for its bounds loses these too. */
function consistent(of: OracleCase): OracleCase {
  const { where, merged, bounds } = of
  const layout = orderedBy(of)
  const canMerge = merged === 0 || mayMerge(layout.key, where, merged)
  return canMerge && areComplete(layout, where, merged, bounds) ? of : { ...of, merged: 0, bounds: {} }
}

/** Every way to make a case a little smaller, the largest steps first. */
function* smallerCases(of: OracleCase): Generator<OracleCase> {
  const { rows, comparisons, layout, where } = of
  if (comparisons.length > 1) for (const comparison of comparisons) yield { ...of, comparisons: [comparison] }
  for (let size = rows.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < rows.length; at += size) yield { ...of, rows: rows.toSpliced(at, size) }
  }
  for (let i = 0; i < of.former.length; i++) yield { ...of, former: of.former.toSpliced(i, 1) }
  for (const name of Object.keys(where)) {
    for (const smaller of smallerConditions(where[name])) yield { ...of, where: { ...where, [name]: smaller } }
    const { [name]: _, ...rest } = where
    yield { ...of, where: rest }
  }
  for (const index of layout.indexes)
    if (index.name !== of.index?.name) yield withLayout(of, { ...layout, indexes: layout.indexes.filter((other) => other !== index) })
  for (const smaller of smallerLayouts(layout)) yield withLayout(of, smaller)
  if (of.maxRanges !== unlimited) yield { ...of, maxRanges: unlimited }
  if (of.merged > 0) yield { ...of, merged: 0 }
  for (const option of Object.keys(of.bounds)) {
    const { [option as keyof Bounds]: _, ...rest } = of.bounds
    yield { ...of, bounds: rest }
  }
  if (of.reverse) yield { ...of, reverse: false }
}

function* smallerConditions(condition: unknown): Generator<object> {
  if (typeof condition !== 'object' || condition === null || Object.getPrototypeOf(condition) !== Object.prototype) return
  const operators = Object.entries(condition)
  if (operators.length > 1) for (const [name] of operators) yield Object.fromEntries(operators.filter(([other]) => other !== name))
  const { in: list } = condition as { readonly in?: readonly unknown[] }
  if (list !== undefined && list.length > 1) for (let i = 0; i < list.length; i++) yield { ...condition, in: list.toSpliced(i, 1) }
}

function* smallerLayouts(layout: OracleLayout): Generator<OracleLayout> {
  const { key, values, salts, otherSalts, partitionLength } = layout
  for (let i = 0; i < values.length; i++) yield { ...layout, values: values.toSpliced(i, 1) }
  for (let i = key.length - 1; i >= 0 && key.length > 1; i--) if (!isSource(layout, i)) yield withKey(layout, key.toSpliced(i, 1))
  if (partitionLength > 0) yield { ...layout, partitionLength: partitionLength - 1 }
  for (let i = 0; i < salts.length; i++) yield { ...layout, salts: salts.toSpliced(i, 1) }
  if (otherSalts.length > 0) yield { ...layout, otherSalts: [] }
  for (const [i, index] of layout.indexes.entries()) {
    const withIndex = (smaller: Partial<OracleIndex>): OracleLayout => ({
      ...layout,
      indexes: layout.indexes.with(i, { ...index, ...smaller }),
    })
    if (index.salts.length + index.otherSalts.length > 0) yield withIndex({ salts: [], otherSalts: [] })
    if (index.partition.length > 0) yield withIndex({ partition: [], key: [...index.partition, ...index.key] })
    for (let at = 0; at < index.key.length && index.key.length > 1; at++)
      yield withIndex({ key: index.key.toSpliced(at, 1), salts: [], otherSalts: [] })
  }
  if (layout.expires) yield { ...layout, expires: false }
  if (layout.versioned && !needsVersion(layout)) yield { ...layout, versioned: false }
  if (layout.plain && !needsVersion({ ...layout, plain: false })) yield { ...layout, plain: false }
  for (const [i, column] of key.entries())
    if (column.period === undefined && !isSource(layout, i))
      for (const simpler of simplerColumns(column)) yield { ...layout, key: key.with(i, simpler) }
}

const isSource = ({ key }: OracleLayout, at: number): boolean => key.some(({ period }) => period?.of === key[at]?.name)

function* simplerColumns({ name, kind, desc, nulls }: OracleColumn): Generator<OracleColumn> {
  if (desc) yield columnOf(name, kind, false, nulls)
}

/** A layout with fewer key columns, without the salts that use a removed one. */
function withKey(layout: OracleLayout, key: readonly OracleColumn[]): OracleLayout {
  const names = new Set(key.map(({ name }) => name))
  const isById = layout.partitionLength === layout.key.length
  const kept = (salts: OracleLayout['salts']): OracleLayout['salts'] => salts.filter(({ of }) => of.every((name) => names.has(name)))
  return {
    ...layout,
    key,
    partitionLength: Math.min(layout.partitionLength, isById ? key.length : key.length - 1),
    salts: kept(layout.salts),
    otherSalts: kept(layout.otherSalts),
  }
}

/**
 * The case on a smaller layout, in the order of its key: without bounds, without conditions on removed columns, and without rows whose keys are
 * now equal.
 */
function withLayout(of: OracleCase, smaller: OracleLayout): OracleCase {
  const names = new Set([...smaller.key, ...smaller.values].map(({ name }) => name))
  const layout = { ...smaller, indexes: indexesOf(smaller.indexes, names) }
  const known = (row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)))
  const rowOf = <T extends OracleRow>(row: T): T => ({ ...row, values: known(row.values), expires: layout.expires ? row.expires : null })
  const index = layout.indexes.find(({ name }) => name === of.index?.name)
  const [rows, former] = [withoutTwins(layout, of.rows.map(rowOf)), withoutTwins(layout, of.former.map(rowOf))]
  return { ...of, layout, index, rows, former: former as OracleCase['former'], where: known(of.where), merged: 0, bounds: {} }
}
