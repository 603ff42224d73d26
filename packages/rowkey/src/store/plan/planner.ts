// Tested by asynchronous.test.ts and test/oracle/part-1.test.ts.
import type { Bucket, Row, Value } from '#codec'
import type { SchemaColumn, TableSchema } from '#model'
import { showName, showNames, typeFacts } from '#codec/internal'
import { computedColumns } from '#model/internal'
import { maxInPlan } from '../table/limits.js'
import type { Predicate } from '../predicate/column-set.js'
import { storeError } from '../errors.js'
import { dateByHand, periodInstead } from './date-by-hand.js'
import { BucketPruner } from './buckets.js'
import { KeyProduct } from './key-product.js'
import { PeriodKeys } from './period-keys.js'
import { planLimits, type KeyRange, type Plan, type PlanLimits, type Stream } from './plan.js'
import { prefixesOf, rangeAfter, walkKey, type Walk } from './walk.js'

/** What a query may require of its plan. */
export interface PlanOptions extends Partial<PlanLimits> {
  /** Allows what is otherwise FULL_SCAN_REFUSED. */
  readonly unbounded?: boolean
}

/**
 * Plans a query: which keys to get, or which ranges of which buckets to scan, and which conditions remain as a filter.
 *
 * @throws RowkeyError `PARTITION_REQUIRED`, `FULL_SCAN_REFUSED`, `TOO_MANY_RANGES`, `FAN_OUT_EXCEEDED`
 */
export function planQuery(schema: TableSchema, predicate: Predicate, options: PlanOptions = {}): Plan {
  refuse(schema, predicate, options.unbounded === true)
  for (const set of predicate.sets.values()) if (set.kind === 'none') return { kind: 'empty' }
  const maxRanges = options.maxRanges ?? planLimits.maxRanges
  const walk = walkKey(schema, predicate, maxRanges)
  if (walk.isGet) return { kind: 'get', keys: keysOf(schema, valuesOf(walk)), residual: walk.residual }
  return scanPlan(schema, predicate, walk, maxRanges, options.maxFanOut ?? planLimits.maxFanOut)
}

const keysOf = (schema: TableSchema, points: readonly (readonly Value[])[]): KeyProduct =>
  computedColumns(schema).length === 0 ? new KeyProduct(schema, points) : new PeriodKeys(schema, points)

const valuesOf = ({ points }: Walk): readonly (readonly Value[])[] => points.map(({ values }) => values)

/** A key prefix and the buckets that can hold its rows. */
interface Target {
  readonly prefix: Row
  readonly buckets: readonly Bucket[]
}

/** Each prefix goes to the buckets of its own values. If that makes too many ranges, one `in` fewer is walked, if that helps. */
function scanPlan(schema: TableSchema, predicate: Predicate, widest: Walk, maxRanges: number, maxFanOut: number): Plan {
  const pruner = schema.layout.salts.length === 0 ? undefined : new BucketPruner(schema, predicate, maxFanOut)
  let walk = widest
  let targets: readonly Target[] = prefixesOf(schema, walk.points).map((prefix) => ({
    prefix,
    buckets: pruner?.bucketsOf(prefix) ?? unsalted,
  }))
  /** The ranges of different periods are open one after the other. */
  const most = Math.min(maxInPlan, maxRanges * periodsOf(schema, widest))
  while (rangesOf(targets) > most && walk.points.slice(schema.partitionLength).some(({ values }) => values.length > 1)) {
    const shorter = walkKey(schema, predicate, maxRanges, targets.length - 1)
    const fewer = shorten(schema, targets, shorter)
    if (rangesOf(fewer) >= rangesOf(targets)) break
    walk = shorter
    targets = fewer
  }
  const streams = streamsOf(schema, walk, targets)
  pruner?.check(streams.length)
  return { kind: 'scan', streams, residual: walk.residual }
}

/** How many values the computed columns have in the prefixes of a walk. */
function periodsOf(schema: TableSchema, { points }: Walk): number {
  return computedColumns(schema).reduce((product, { position }) => product * (points[position]?.values.length ?? 1), 1)
}

/** Without a salt there is one bucket. */
const unsalted: readonly Bucket[] = [0]

function rangesOf(targets: readonly Target[]): number {
  let ranges = 0
  for (const { buckets } of targets) ranges += buckets.length
  return ranges
}

/** The prefixes of a shorter walk: each replaces consecutive longer ones, and takes over their buckets. */
function shorten(schema: TableSchema, targets: readonly Target[], shorter: Walk): readonly Target[] {
  let next = 0
  return prefixesOf(schema, shorter.points).map((prefix) => {
    const from = next
    const isLonger = (target: Target | undefined): boolean =>
      target !== undefined && prefix.every((value, at) => target.prefix[at] === value)
    while (isLonger(targets[next])) next++
    return { prefix, buckets: union(new Set(targets.slice(from, next).map(({ buckets }) => buckets))) }
  })
}

/** Prefixes with the same buckets share one list. */
function union(lists: ReadonlySet<readonly Bucket[]>): readonly Bucket[] {
  const [first = [], second] = lists
  return second === undefined ? first : [...new Set([...lists].flat())]
}

/** By what a query can bind a column. */
function waysToBind({ type }: SchemaColumn): string {
  const ways = ['a value', 'in', ...(type.ordered ? ['a range'] : []), ...(typeFacts(type).startsWith ? ['startsWith'] : [])]
  return `${ways.slice(0, -1).join(', ')} or ${String(ways.at(-1))}`
}

/** By bucket, ascending; the ranges of each bucket in key order. */
function streamsOf(schema: TableSchema, walk: Walk, targets: readonly Target[]): readonly Stream[] {
  const [first] = targets
  // Mostly all prefixes are read in the same buckets, which then share their ranges.
  if (first !== undefined && targets.every(({ buckets }) => buckets === first.buckets)) {
    const all = targets.map(({ prefix }) => rangeAfter(schema, prefix, walk.range))
    const ranges = walk.overlaps ? joined(schema, all) : all
    return first.buckets.toSorted((a, b) => a - b).map((bucket) => ({ bucket, ranges }))
  }
  const streams = new Map<Bucket, KeyRange[]>()
  for (const { prefix, buckets } of targets) {
    const range = rangeAfter(schema, prefix, walk.range)
    for (const bucket of buckets) {
      const ranges = streams.get(bucket)
      if (ranges === undefined) streams.set(bucket, [range])
      else ranges.push(range)
    }
  }
  return [...streams]
    .sort(([a], [b]) => a - b)
    .map(([bucket, ranges]) => ({ bucket, ranges: walk.overlaps ? joined(schema, ranges) : ranges }))
}

/** The same keys as disjoint ranges in key order. */
function joined({ layout }: TableSchema, ranges: readonly KeyRange[]): readonly KeyRange[] {
  const { compareBounds } = layout
  const disjoint: KeyRange[] = []
  for (const range of ranges.toSorted((a, b) => compareBounds(a.from, b.from))) {
    const last = disjoint.at(-1)
    if (last === undefined || compareBounds(last.to, range.from) < 0) disjoint.push(range)
    else if (compareBounds(last.to, range.to) < 0) disjoint[disjoint.length - 1] = { from: last.from, to: range.to }
  }
  return disjoint
}

/** Refusals depend on which columns are bound, not on values, so that the same query is refused on every call and every store. */
function refuse(schema: TableSchema, predicate: Predicate, unbounded: boolean): void {
  const { name, columns, partitionLength } = schema
  for (let at = 0; at < partitionLength; at++) {
    if (predicate.named.has(at) || predicate.followed.some(({ position }) => position === at)) continue
    const column = columns[at]?.name ?? ''
    const of = columns[at]?.type.of
    throw storeError(
      'PARTITION_REQUIRED',
      `the query on '${name}' does not bind partition column '${column}' by = or in, so it names no partition. ` +
        (of === undefined ? 'Bind it.' : `Bind '${of}' at both ends, by = or by in, or '${column}'.`),
      { table: name, column },
    )
  }
  if (partitionLength > 0 || predicate.bound.has(0) || unbounded) return
  const column = columns[0]?.name ?? ''
  const of = columns[0]?.type.of
  const key = showNames(columns.slice(0, schema.keyLength).map((each) => each.name))
  throw storeError(
    'FULL_SCAN_REFUSED',
    `the query on '${name}' does not bind '${column}', the first column of the key (${key}), so it would read the whole table. ` +
      `Bind ${of === undefined ? '' : `'${of}' at both ends, or `}'${column}' by ${waysToBind(columns[0] as SchemaColumn)}, add an index that starts with the columns you query by, or ${schema.layout.buckets > planLimits.maxFanOut ? 'read all of it with readAll()' : 'pass { unbounded: true }'}.`,
    { table: name, column },
  )
}

/**
 * The plan whose rows come in the order of the columns after the first `merged` ones: every combination of the values of these columns
 * becomes a stream of its own, and streams are merged. So a page requests one page of each.
 *
 * @throws RowkeyError `FAN_OUT_EXCEEDED`
 */
export function mergedPlan(
  schema: TableSchema,
  predicate: Predicate,
  plan: Plan,
  merged: number,
  maxFanOut: number = planLimits.maxFanOut,
): Plan {
  if (plan.kind === 'empty') return plan
  if (plan.kind === 'get') return { ...plan, keys: plan.keys.inOrder(merged) }
  // If maxRanges made one range of several values, they cannot be merged.
  const isWhole = plan.streams.every(({ ranges }) => ranges.every((range) => fixes(schema, range, merged)))
  const streams = isWhole
    ? plan.streams.flatMap(({ bucket, ranges }) => alike(schema, ranges, merged).map((group) => ({ bucket, ranges: group })))
    : []
  if (isWhole && streams.length <= maxFanOut) return { ...plan, streams }
  const fanOut = isWhole ? streams.length : combinations(predicate, merged)
  const { name: table } = schema
  const remedy = fanOut <= maxFanOut ? 'raise maxRanges' : 'raise maxFanOut'
  throw storeError(
    'FAN_OUT_EXCEEDED',
    `the query on '${table}' would merge ${fanOut} key ranges, ${rangesOfEach(schema, predicate, merged)}, more than ${maxFanOut}. ` +
      `Name fewer values, ${periodRemedy(schema, predicate, merged)}or ${remedy}.`,
    { table, fanOut, maxFanOut },
  )
}

/** What there is a range for, such as `one for each of 365 values of 'day' and 4 buckets`. */
function rangesOfEach({ columns, layout }: TableSchema, { sets }: Predicate, merged: number): string {
  const several = columns.slice(0, merged).flatMap(({ name }, at) => {
    const set = sets.get(at)
    return set?.kind === 'points' && set.values.length > 1 ? [`${set.values.length} values of '${showName(name)}'`] : []
  })
  const salted = layout.salts.length === 0 ? '' : ', in each bucket that may have rows'
  return `one for each of ${several.join(' and ')}${salted}`
}

/** For a list of dates, which the application computes of an instant. */
function periodRemedy(schema: TableSchema, { sets }: Predicate, merged: number): string {
  const found = dateByHand(schema, merged)
  const set = found === undefined ? undefined : sets.get(schema.columns.indexOf(found.date))
  return found === undefined || set?.kind !== 'points' || set.values.length === 1
    ? ''
    : `declare ${periodInstead(found)} in a new table and query '${showName(found.of.name)}' alone, `
}

/** Ranges with the same values in the merged columns, such as the periods of one of them, stay one stream. */
function alike({ layout }: TableSchema, ranges: readonly KeyRange[], merged: number): readonly (readonly KeyRange[])[] {
  const groups: KeyRange[][] = []
  for (const range of ranges) {
    const group = groups.at(-1)
    const before = group?.[0]?.from.prefix
    let isAlike = before !== undefined
    for (let at = 0; at < merged && isAlike; at++)
      isAlike = layout.column(at).compare((before as Row)[at] as Value, range.from.prefix[at] as Value) === 0
    if (isAlike) (group as KeyRange[]).push(range)
    else groups.push([range])
  }
  return groups
}

/** Whether all keys of a range have the same values in the first columns. */
function fixes({ layout }: TableSchema, { from, to }: KeyRange, columns: number): boolean {
  for (let at = 0; at < columns; at++) {
    const [low, high] = [from.prefix[at], to.prefix[at]]
    if (low === undefined || high === undefined || layout.column(at).compare(low, high) !== 0) return false
  }
  return true
}

function combinations({ sets }: Predicate, columns: number): number {
  let product = 1
  for (let at = 0; at < columns; at++) {
    const set = sets.get(at)
    if (set?.kind === 'points') product *= set.values.length
  }
  return product
}
