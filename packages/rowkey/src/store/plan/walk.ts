// Tested by shape.test.ts and test/oracle/part-1.test.ts.
import type { Row, Value } from '#codec'
import type { TableSchema } from '#model'
import { computedColumns, type ComputedColumn } from '#model/internal'
import type { ColumnSet, Predicate } from '../predicate/column-set.js'
import type { Conditions } from '../contract/reading.js'
import { storeError } from '../errors.js'
import { testOf } from '../predicate/column-set.js'
import { maxInPlan } from '../table/limits.js'
import type { KeyRange } from './plan.js'

type Points = Extract<ColumnSet, { kind: 'points' }>
type Range = Extract<ColumnSet, { kind: 'range' }>

/** What the walk over the key columns found: equality prefixes, at most one range after them, and the conditions that remain as a filter. */
export interface Walk {
  /** Points of the leading columns, one entry per column. */
  readonly points: readonly Points[]
  /** The range column after the points. */
  readonly range: Range | { readonly kind: 'hull'; readonly low: Value; readonly high: Value } | undefined
  readonly residual: Conditions
  /** All key columns are points, and not too many: the prefixes are full keys. */
  readonly isGet: boolean
  /** The ranges of one value may contain those of another one of the same column, which ends at its last separator. */
  readonly overlaps: boolean
}

/**
 * Walks the key columns from left to right: points multiply; the first range or unbound column ends the walk. The ranges represent what the
 * walk uses exactly, so it needs no filter; every other condition is residual.
 *
 * Beyond `maxPrefixes` the last `in` collapses to its hull and stays in the residual; an `in` on a partition column never does. Full keys
 * are made and requested in batches, so there may be many more of them.
 *
 * @throws RowkeyError `TOO_MANY_RANGES` if the partition columns alone make too many
 */
export function walkKey(schema: TableSchema, predicate: Predicate, maxRanges: number, maxPrefixes: number = maxInPlan): Walk {
  const points: Points[] = []
  const computed = computedColumns(schema)
  let range: Walk['range']
  for (let at = 0; at < schema.keyLength; at++) {
    const set = predicate.sets.get(at)
    if (set?.kind === 'points') points.push(set)
    else {
      if (set?.kind === 'range') range = set
      break
    }
  }
  if (schema.partitionLength > 0) refuseManyPartitions(points, schema, computed, maxRanges)
  const split = splitOf(schema, points)
  const overlaps = split !== undefined && split.outermost.length < split.values.length
  const isGet = points.length === schema.keyLength && countOf(points, computed) <= maxInPlan && !overlaps
  const collapsed = isGet ? undefined : collapse(points, schema, maxRanges, Math.min(maxPrefixes, maxInPlan), split)
  if (collapsed !== undefined) range = collapsed
  const used = points.length + (range === undefined || range.kind === 'hull' ? 0 : 1)
  // Keys that start with a value of a split column may have another value, so the condition stays; a full key has this value.
  const exact = split === undefined || isGet ? used : Math.min(used, split.column)
  const residual = residualOf(predicate, exact, overlaps ? exact : used)
  return { points, range, residual, isGet, overlaps }
}

/** The points of a column that ends at its last separator. */
interface Split {
  readonly column: number
  readonly values: readonly Value[]
  /** Those whose range of keys is not within that of another one, in key order. */
  readonly outermost: readonly Value[]
}

function splitOf({ layout, columns }: TableSchema, points: readonly Points[]): Split | undefined {
  const { splitColumn: column } = layout
  if (column === undefined || column >= points.length) return undefined
  const { values } = points[column] as Points
  const { separator = '' } = columns[column]?.type ?? {}
  const outermost: Value[] = []
  // In key order the values within the range of another one come right after it.
  for (const value of values)
    if (!String(value).startsWith(`${String(outermost.at(-1))}${separator}`) || outermost.length === 0) outermost.push(value)
  return { column, values, outermost }
}

/** Partitions of different periods are read one after the other, so only those that are open at the same time count. */
function refuseManyPartitions(
  points: readonly Points[],
  { name, partitionLength }: TableSchema,
  computed: readonly ComputedColumn[],
  maxRanges: number,
): void {
  const named = points.slice(0, partitionLength)
  const partitions = countOf(named, computed)
  if (partitions <= maxInPlan && openAtOnce(named, computed) <= maxRanges) return
  throw storeError(
    'TOO_MANY_RANGES',
    `the query on '${name}' names ${partitions} partitions, more than ${maxRanges}. Query fewer at a time${partitions <= maxInPlan ? ', or raise maxRanges' : ''}.`,
    { table: name, ranges: partitions, maxRanges },
  )
}

/**
 * Removes columns from `points` until they make at most `maxPrefixes` prefixes, or only those of the partition are left; returns the hull of the last
 * removed column.
 */
function collapse(points: Points[], schema: TableSchema, maxRanges: number, maxPrefixes: number, split: Split | undefined): Walk['range'] {
  const computed = computedColumns(schema)
  let hull: Walk['range']
  while (points.length > schema.partitionLength && (openAtOnce(points, computed) > maxRanges || countOf(points, computed) > maxPrefixes)) {
    const { values: all } = points.pop() as Points
    const values = points.length === split?.column ? split.outermost : all
    hull = { kind: 'hull', low: values[0] as Value, high: values.at(-1) as Value }
  }
  return hull
}

/** The number of prefixes. An instant has one period, so both together make as many as there are instants. */
function countOf(points: readonly Points[], computed: readonly ComputedColumn[]): number {
  let count = 1
  for (const { values } of points) count *= values.length
  for (const { position, source } of computed) if (source < points.length) count /= (points[position] as Points).values.length
  return count
}

/** The number of prefixes whose ranges are read at the same time: those of different periods are read one after the other. */
function openAtOnce(points: readonly Points[], computed: readonly ComputedColumn[]): number {
  let count = 1
  for (const [at, { values }] of points.entries()) {
    const period = computed.find(({ source }) => source === at)
    if (computed.some(({ position }) => position === at)) continue
    count *= period === undefined ? values.length : Math.max(...[...byPeriod(period, values).values()].map(({ length }) => length))
  }
  return count
}

/** The points of a source by the value of its period, both in key order. */
function byPeriod({ from }: ComputedColumn, values: readonly Value[]): ReadonlyMap<Value, readonly Value[]> {
  const groups = new Map<Value, Value[]>()
  for (const value of values) {
    const period = from(value)
    const group = groups.get(period)
    if (group === undefined) groups.set(period, [value])
    else group.push(value)
  }
  return groups
}

/** The conditions on columns from `used` on, and on the column before them that the ranges do not represent exactly, if there is one. */
function residualOf(predicate: Predicate, inexact: number, used: number): Conditions {
  const residual = []
  for (const [column, set] of predicate.given) {
    if ((column >= used || column === inexact) && set.kind !== 'none') residual.push(testOf(column, set))
  }
  return residual.sort((a, b) => a.column - b.column)
}

/** All combinations of the points, in key order; of an instant only with its own period. */
export function prefixesOf(schema: TableSchema, points: readonly Points[]): readonly Row[] {
  // Usually each column has one value, and every query comes through here.
  if (points.every(({ values }) => values.length === 1)) return [points.map(({ values }) => values[0] as Value)]
  const computed = computedColumns(schema)
  let prefixes: Row[] = [[]]
  for (const [at, { values }] of points.entries()) {
    const period = computed.find(({ source }) => source === at)
    const groups = period === undefined ? undefined : byPeriod(period, values)
    const valuesAfter = (prefix: Row): readonly Value[] =>
      period === undefined ? values : (groups?.get(prefix[period.position] as Value) ?? [])
    prefixes = prefixes.flatMap((prefix) => valuesAfter(prefix).map((value) => [...prefix, value]))
  }
  return prefixes
}

/** The keys that start with `prefix` and whose next column lies in the walk's range. */
export function rangeAfter(schema: TableSchema, prefix: Row, range: Walk['range']): KeyRange {
  if (range === undefined) return { from: { prefix, edge: 'before' }, to: { prefix, edge: 'after' } }
  if (range.kind === 'hull') {
    return { from: { prefix: [...prefix, range.low], edge: 'before' }, to: { prefix: [...prefix, range.high], edge: 'after' } }
  }
  const type = schema.columns[prefix.length]?.type
  const whole = valuesBut(type, prefix)
  const [first, last] = type?.desc === true ? [range.high, range.low] : [range.low, range.high]
  return {
    from: first === undefined ? whole.from : { prefix: [...prefix, first.value], edge: first.inclusive ? 'before' : 'after' },
    to: last === undefined ? whole.to : { prefix: [...prefix, last.value], edge: last.inclusive ? 'after' : 'before' },
  }
}

/** Everything after `prefix` except a null in the next column: an open end stops at the nulls, if the column has them. */
function valuesBut(type: { readonly nullable: boolean; readonly nulls?: 'first' | 'last' } | undefined, prefix: Row): KeyRange {
  const nulls = type?.nullable === true ? (type.nulls ?? 'first') : undefined
  return {
    from: nulls === 'first' ? { prefix: [...prefix, null], edge: 'after' } : { prefix, edge: 'before' },
    to: nulls === 'last' ? { prefix: [...prefix, null], edge: 'before' } : { prefix, edge: 'after' },
  }
}
