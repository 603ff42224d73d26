// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { OracleCase, OracleRow } from './case.js'
import type { OracleColumn, OracleLayout } from './layout.js'
import { now, unlimited } from './case.js'
import { isNamed, valuesOf } from './periods.js'
import { isContradiction, passes, testsOf, type Row, type Where } from './conditions.js'
import { hasEntry, orderedBy } from './index-layout.js'
import { matches } from './query.js'
import { isBetween, scanCompare } from './scan-order.js'

/** What a query must return, and what it may cost at most, by definition instead of by planning. */
export interface Expectation {
  readonly refusal: 'PARTITION_REQUIRED' | 'FULL_SCAN_REFUSED' | 'TOO_MANY_RANGES' | undefined
  /** In the order of the scan. */
  readonly rows: readonly Row[]
  /** Rows that pass the conditions that a walk over the key can use; a complete scan examines exactly these. */
  readonly walked: number
  readonly isGet: boolean
  readonly maxBuckets: number
  readonly maxRanges: number
}

/** The definition of the right answer. @param entries of the index by which the query reads */
export function expectationOf(of: OracleCase, entries: readonly OracleRow[] = []): Expectation {
  const { index, rows: all, where, unbounded, maxRanges, reverse, merged, bounds } = of
  const layout = orderedBy(of)
  const { key, partitionLength } = layout
  const stored = index === undefined ? all : entries
  const rows = all
    .filter(({ values }) => index === undefined || hasEntry(layout, values))
    .filter(({ values, expires }) => (expires === null || expires > now) && matches(layout, values, where))
    .map(({ values }) => values)
    .filter(isBetween(layout, where, merged, reverse, bounds))
    .sort(scanCompare(layout, merged, reverse))
  const points = key.map((column) => valuesOf(key, column, where))
  const leading = points.findIndex((values) => values === undefined)
  const pointColumns = leading < 0 ? key.length : leading
  const next = key[pointColumns]
  const used = key.slice(0, pointColumns + (next !== undefined && narrows(next, where) ? 1 : 0))
  const walked = stored.filter(({ values }) =>
    used.every((column, at) => {
      const named = column.period === undefined ? undefined : points[at]
      if (named !== undefined) return named.some((value) => (value as Date).getTime() === (values[column.name] as Date).getTime())
      return !(column.name in where) || passes(column, values[column.name], where[column.name])
    }),
  ).length
  const prefixes = product(countsOf(layout, points.slice(0, pointColumns), 'all'))
  const { buckets, perRange } = bucketBounds(layout, where, pointColumns)
  return {
    refusal: refusalOf(),
    rows,
    walked,
    isGet: pointColumns === key.length,
    maxBuckets: Math.min(buckets, prefixes * perRange),
    maxRanges: prefixes * perRange,
  }

  function refusalOf(): Expectation['refusal'] {
    if (key.slice(0, partitionLength).some((column) => !isNamed(column, where))) return 'PARTITION_REQUIRED'
    const first = key[0] as OracleColumn
    if (partitionLength === 0 && !unbounded && !binds(first, where) && !isNamed(first, where)) return 'FULL_SCAN_REFUSED'
    // A contradiction anywhere needs no ranges; entries are planned by their own columns.
    if ([...key, ...(index === undefined ? layout.values : [])].some((column) => isContradiction(column, where))) return undefined
    const partitions = points.slice(0, partitionLength)
    const isMany = product(countsOf(layout, partitions, 'at once')) > maxRanges || product(countsOf(layout, partitions, 'all')) > unlimited
    return isMany ? 'TOO_MANY_RANGES' : undefined
  }
}

/**
 * How many values each column contributes. An instant has one period, so its period contributes none; periods are read one after the other.
 */
function countsOf({ key }: OracleLayout, points: readonly (readonly unknown[] | undefined)[], what: 'all' | 'at once'): readonly number[] {
  return points.map((values = [], at) => {
    const { period, name } = key[at] as OracleColumn
    if (period !== undefined)
      return values.length === 0
        ? 0
        : what === 'at once' || key.findIndex((column) => column.name === period.of) < points.length
          ? 1
          : values.length
    const own = key.slice(0, points.length).find((column) => column.period?.of === name)?.period
    if (own === undefined) return values.length
    // Instants whose period the query excludes are left out.
    const periods = points[key.findIndex((column) => column.period === own)]?.map((begin) => (begin as Date).getTime())
    const begins = values.map((value) => own.begin(value).getTime()).filter((begin) => periods?.includes(begin))
    return what === 'all' ? begins.length : Math.max(0, ...begins.map((begin) => begins.filter((other) => other === begin).length))
  })
}

const product = (factors: readonly number[]): number =>
  factors.includes(Infinity) ? Infinity : factors.reduce((all, factor) => all * factor, 1)

/** Whether conditions that are not points narrow the column: any except `startsWith: ''` on a column without nulls. */
function narrows(column: OracleColumn, where: Where): boolean {
  if (!(column.name in where)) return false
  return testsOf(where[column.name]).some(
    ([operator, operand]) => operator !== 'startsWith' || operand !== '' || column.nulls !== undefined,
  )
}

function binds(column: OracleColumn, where: Where): boolean {
  return column.name in where && testsOf(where[column.name]).some(([operator, operand]) => operator !== 'startsWith' || operand !== '')
}

/** How many buckets a query may read in total and per range. A level whose inputs are points is fixed by them. */
function bucketBounds(table: OracleLayout, where: Where, pointColumns: number): { readonly buckets: number; readonly perRange: number } {
  let buckets = 1
  let perRange = 1
  for (const salt of table.salts) {
    const inputs = table.key.filter(({ name }) => salt.of.includes(name))
    const choices = product(inputs.map((column) => choicesOf(table, column, where)))
    buckets *= Math.min(salt.count, choices)
    const unpaired = inputs.filter((column) => table.key.indexOf(column) >= pointColumns)
    perRange *= Math.min(salt.count, product(unpaired.map((column) => choicesOf(table, column, where))))
  }
  return { buckets, perRange }
}

function choicesOf({ key }: OracleLayout, column: OracleColumn, where: Where): number {
  const points = valuesOf(key, column, where)
  if (points !== undefined) return points.length
  if (column.kind.isInteger !== true || !(column.name in where)) return Infinity
  const { gt, gte, lt, lte } = Object.fromEntries(testsOf(where[column.name])) as Record<string, number | bigint | undefined>
  const low = [gt === undefined ? undefined : BigInt(gt) + 1n, gte === undefined ? undefined : BigInt(gte)]
    .filter((limit) => limit !== undefined)
    .sort(descending)[0]
  const high = [lt === undefined ? undefined : BigInt(lt) - 1n, lte === undefined ? undefined : BigInt(lte)]
    .filter((limit) => limit !== undefined)
    .sort(descending)
    .at(-1)
  return low === undefined || high === undefined ? Infinity : Math.max(0, Number(high - low) + 1)
}

const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)
