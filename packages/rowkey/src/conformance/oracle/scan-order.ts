// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { Order } from '#store'
import type { OracleColumn, OracleLayout } from './layout.js'
import type { Random } from './random.js'
import { valuesOf } from './periods.js'
import { isOperators, testsOf, type Row, type Where } from './conditions.js'
import { compareColumns, randomRow } from './query.js'

/** Where a scan starts and ends, as keys or their first columns in the order of the scan. */
export type Bounds = Readonly<Partial<Record<'from' | 'after' | 'to' | 'before', Row>>>

/** The key columns in the order in which they order the rows: the merged ones last. */
function orderColumns({ key }: OracleLayout, merged: number): readonly OracleColumn[] {
  return [...key.slice(merged), ...key.slice(0, merged)]
}

/** The order of a scan: negative if it returns `a` before `b`. */
export function scanCompare(layout: OracleLayout, merged: number, reverse: boolean): (a: Row, b: Row) => number {
  const columns = orderColumns(layout, merged)
  return (a, b) => (reverse ? compareColumns(columns, b, a) : compareColumns(columns, a, b))
}

/** How many leading columns a query could merge, picked at random: it names their values, and the column after them is ordered. */
export function randomMerged(random: Random, { key }: OracleLayout, where: Where): number {
  const candidates = key.map((_, at) => at).filter((at) => mayMerge(key, where, at))
  return candidates.length === 0 ? 0 : random.pick(candidates)
}

/** Whether a query names the values of the first columns, one of them by a list, and the column after them can be ordered by. */
export function mayMerge(key: OracleLayout['key'], where: Where, merged: number): boolean {
  const leading = key.slice(0, merged).map((column) => naming(column, where))
  const next = key[merged]
  const source = key.find(({ name }) => name === next?.period?.of)
  if (source !== undefined && naming(source, where) === 'value') return false
  // Periods are in the order of their source, so they are not merged before it.
  const isPassed = (between: OracleColumn): boolean => (valuesOf(key, between, where)?.length ?? 2) < 2
  if (key.some(({ period }, at) => at < merged && period?.of === next?.name && key.slice(at + 1, merged).every(isPassed))) return false
  return next?.type.ordered === true && naming(next, where) !== 'value' && leading.includes('list') && !leading.includes(undefined)
}

/** Whether conditions name the values of a column one by one. */
function naming({ name }: OracleColumn, where: Where): 'value' | 'list' | undefined {
  if (!(name in where)) return undefined
  const condition = where[name]
  if (isOperators(condition) && 'in' in condition) return 'list'
  return testsOf(condition).some(([operator, operand]) => operator === 'in' || (operator === 'isNull' && operand === true))
    ? 'value'
    : undefined
}

/** The option `order` that asks for a merged order, or for that of the key or its reverse. */
export function orderOption({ key }: OracleLayout, where: Where, merged: number, reverse: boolean): Order | undefined {
  const [first, second] = key.slice(merged)
  // Rows in the order of the source are in that of its period.
  const isBySource = second !== undefined && first?.period?.of === second.name && naming(second, where) !== 'value'
  const column = isBySource ? second : first
  if (merged === 0 || column === undefined) return reverse ? 'reverse' : undefined
  return { [column.name]: column.desc === reverse ? 'asc' : 'desc' }
}

/** Bounds from the keys of rows, cut to some columns; columns with one value may be left out. */
export function randomBounds(random: Random, layout: OracleLayout, where: Where, merged: number, rows: readonly Row[]): Bounds {
  const bounds: Record<string, Row> = {}
  for (const pair of [['from', 'after'] as const, ['to', 'before'] as const]) {
    if (!random.chance(0.5)) continue
    const row = rows.length > 0 && random.chance(0.7) ? random.pick(rows) : randomRow(random, layout)
    const columns = orderColumns(layout, merged).slice(0, 1 + random.below(layout.key.length))
    const needed = columns.filter((column) => valuesOf(layout.key, column, where)?.length !== 1 || random.chance(0.5))
    const kept = needed.filter((column) => !isFollowed(column, needed) || random.chance(0.5))
    if (kept.length > 0) bounds[random.pick(pair)] = Object.fromEntries(kept.map(({ name }) => [name, row[name]]))
  }
  return bounds
}

/** Whether each bound names the first columns of the order, except those that have one value. */
export function areComplete(layout: OracleLayout, where: Where, merged: number, bounds: Bounds): boolean {
  return Object.values(bounds).every((given) => {
    const columns = orderColumns(layout, merged)
    const last = columns.findLastIndex(({ name }) => name in given)
    return columns
      .slice(0, last)
      .every((column) => column.name in given || isGivenBySource(column, given) || valuesOf(layout.key, column, where)?.length === 1)
  })
}

const isFollowed = ({ period }: OracleColumn, columns: readonly OracleColumn[]): boolean => columns.some(({ name }) => name === period?.of)

const isGivenBySource = ({ period }: OracleColumn, given: Row): boolean => period !== undefined && period.of in given

/** Whether a row lies between bounds. */
export function isBetween(layout: OracleLayout, where: Where, merged: number, reverse: boolean, bounds: Bounds): (row: Row) => boolean {
  const columns = orderColumns(layout, merged)
  const tests = Object.entries(bounds).map(([option, given]) => {
    const prefix: Record<string, unknown> = {}
    for (const column of columns) {
      const points = valuesOf(layout.key, column, where)
      if (column.name in given) prefix[column.name] = given[column.name]
      else if (isGivenBySource(column, given)) prefix[column.name] = column.period?.begin(given[column.period.of])
      else if (points?.length === 1) prefix[column.name] = points[0]
      else break
    }
    const compared = columns.filter(({ name }) => name in prefix)
    return (row: Row): boolean => {
      const order = reverse ? compareColumns(compared, prefix, row) : compareColumns(compared, row, prefix)
      if (order === 0) return option === 'from' || option === 'to'
      return option === 'from' || option === 'after' ? order > 0 : order < 0
    }
  })
  return (row) => tests.every((passes) => passes(row))
}
