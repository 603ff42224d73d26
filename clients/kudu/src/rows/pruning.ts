import { inside } from '../refusal.js'
import type { Scan } from '../requests.js'
import type { KuduTable, TableHashLevel } from '../table.js'
import { conditionsOf, type Condition, type Conditions } from './conditions.js'
import { keyBound, nextOf, smallest, writeOrdered, type Ordered } from './keys.js'
import { layoutOf, type CellColumn } from './layout.js'
import { bucketOf } from './murmur2.js'
import { customRangesOf } from './partition-key.js'
import { Sink } from './sink.js'

/** Partition keys from `from`, inclusive, to `to`, exclusive; empty `to` = to the end. */
export interface KeyInterval {
  readonly from: Uint8Array
  readonly to: Uint8Array
}

/** A part of the range keys, and the hash levels of its rows. */
interface HashedRange extends KeyInterval {
  readonly hash: readonly TableHashLevel[]
}

/** What rows of a scan have in common; the keys are encoded. */
export interface KeyFacts {
  /** Undefined: no row can meet them all. */
  readonly conditions: Conditions | undefined
  readonly start: Uint8Array | undefined
  readonly stop: Uint8Array | undefined
  readonly after: Uint8Array | undefined
}

/** @throws Refusal that names what is wrong */
export const factsOf = (table: KuduTable, { where, start, stop, after }: Pick<Scan, 'where' | 'start' | 'stop' | 'after'>): KeyFacts => ({
  conditions: conditionsOf(table, where),
  start: start === undefined ? undefined : inside('start', () => keyBound(table, start)),
  stop: stop === undefined ? undefined : inside('stop', () => keyBound(table, stop)),
  after,
})

/** The partition keys that rows of a scan can have, in order. */
export function prunedRanges(
  table: KuduTable,
  { conditions, start = nothing, stop = nothing, after = nothing }: KeyFacts,
): readonly KeyInterval[] {
  const first = later(start, after)
  if (conditions === undefined || isEmpty(first, stop)) return []
  const { columns } = layoutOf(table.columns)
  const rangeColumns = table.range.map((position) => columns[position] as CellColumn)
  let from = lowerBound(rangeColumns, conditions)
  let to = upperBound(rangeColumns, conditions)
  if (isRangeOfKey(table)) {
    from = later(from, first)
    to = earlier(to, stop)
    if (isEmpty(from, to)) return []
  }
  const parts = hashedRanges(table, from, to).map((range) => bucketedRange(columns, range, conditions))
  if (parts.reduce((total, { count }) => total + count, 0) > maxIntervals) return [{ from: nothing, to: nothing }]
  return parts.flatMap(intervalsOf).sort((a, b) => Buffer.compare(a.from, b.from))
}

/** More than any table has tablets. All partition keys are one interval, and so it is that of a scan which would have more. */
const maxIntervals = 1_000_000

const nothing = new Uint8Array()

const isEmpty = (from: Uint8Array, to: Uint8Array): boolean => to.length > 0 && Buffer.compare(from, to) >= 0
const later = (a: Uint8Array, b: Uint8Array): Uint8Array => (Buffer.compare(a, b) < 0 ? b : a)
/** The earlier one of two ends, of which an empty one is none. */
const earlier = (a: Uint8Array, b: Uint8Array): Uint8Array => (b.length > 0 && (a.length === 0 || Buffer.compare(a, b) > 0) ? b : a)

/** Whether partition keys are the keys. */
const isRangeOfKey = ({ hash, customRanges, range, keyColumns }: KuduTable): boolean =>
  hash.length === 0 && customRanges.length === 0 && range.length === keyColumns && range.every((position, index) => position === index)

/** The least range key that conditions allow; empty = any. */
function lowerBound(columns: readonly CellColumn[], conditions: Conditions): Uint8Array {
  const values: Ordered[] = []
  for (const column of columns) {
    const value = leastOf(conditions.get(column))
    if (value === undefined) break
    values.push(value)
  }
  return rangeKey(columns, values)
}

function leastOf(condition: Condition | undefined): Ordered | undefined {
  if (condition?.type === 'equality') return condition.value
  if (condition?.type === 'inList') return condition.values[0]
  return condition?.type === 'range' ? condition.lower : undefined
}

/** The least range key after those that conditions allow; empty = none. */
function upperBound(columns: readonly CellColumn[], conditions: Conditions): Uint8Array {
  const values: Ordered[] = []
  for (const column of columns) {
    const condition = conditions.get(column)
    if (condition?.type === 'range') {
      if (condition.upper === undefined) break
      return rangeKey(columns, [...values, condition.upper])
    }
    const value = condition?.type === 'equality' ? condition.value : condition?.type === 'inList' ? condition.values.at(-1) : undefined
    if (value === undefined) break
    values.push(value)
  }
  // The bound is exclusive: the last value that can be counted up is, and those after it are the smallest.
  while (values.length > 0) {
    const next = nextOf(columns[values.length - 1] as CellColumn, values.pop() as Ordered)
    if (next !== undefined) return rangeKey(columns, [...values, next])
  }
  return nothing
}

/** A range key that begins with these values, and goes on with the smallest. */
function rangeKey(columns: readonly CellColumn[], values: readonly Ordered[]): Uint8Array {
  if (values.length === 0) return nothing
  const sink = new Sink(64)
  columns.forEach((column, index) => writeOrdered(sink, column, values[index] ?? smallest(column), index === columns.length - 1))
  return sink.written()
}

/** Range keys cut where the hash levels change. */
function hashedRanges(table: KuduTable, from: Uint8Array, to: Uint8Array): readonly HashedRange[] {
  const ranges: HashedRange[] = []
  let at = from
  for (const custom of customRangesOf(table)) {
    if (custom.to.length > 0 && Buffer.compare(custom.to, at) <= 0) continue
    if (to.length > 0 && Buffer.compare(custom.from, to) >= 0) break
    if (Buffer.compare(at, custom.from) < 0) ranges.push({ from: at, to: custom.from, hash: table.hash })
    const end = earlier(to, custom.to)
    ranges.push({ from: later(at, custom.from), to: end, hash: custom.hash })
    if (end.length === 0) return ranges
    at = end
  }
  if (!isEmpty(at, to) || ranges.length === 0) ranges.push({ from: at, to, hash: table.hash })
  return ranges
}

/** A part of the range keys, and the buckets of the levels before the last part that is bound. */
interface BucketedRange extends KeyInterval {
  /** Undefined: all. */
  readonly buckets: readonly (readonly number[] | undefined)[]
  readonly hash: readonly TableHashLevel[]
  /** How many combinations of buckets there are. */
  readonly count: number
}

function bucketedRange(columns: readonly CellColumn[], { from, to, hash }: HashedRange, conditions: Conditions): BucketedRange {
  const all = hash.map((level) => bucketsOf(columns, level, conditions))
  const isBound = from.length > 0 || to.length > 0
  const buckets = isBound ? all : all.slice(0, all.findLastIndex((each) => each !== undefined) + 1)
  const count = buckets.reduce((product, each, level) => product * (each?.length ?? (hash[level] as TableHashLevel).buckets), 1)
  return { from, to, buckets, hash, count }
}

/** Partition keys of a part of the range keys: one interval for each combination of buckets. */
function intervalsOf({ from, to, buckets, hash }: BucketedRange): KeyInterval[] {
  let prefixes: Buffer[] = [Buffer.alloc(0)]
  for (const [level, some] of buckets.entries()) {
    const each = some ?? Array.from({ length: (hash[level] as TableHashLevel).buckets }, (_, bucket) => bucket)
    prefixes = prefixes.flatMap((prefix) => each.map((bucket) => withBucket(prefix, bucket)))
  }
  return prefixes.map((prefix) => ({
    from: Buffer.concat([prefix, from]),
    to: to.length > 0 ? Buffer.concat([prefix, to]) : afterPrefix(prefix),
  }))
}

function withBucket(prefix: Uint8Array, bucket: number): Buffer {
  const bytes = Buffer.alloc(prefix.length + 4)
  bytes.set(prefix)
  bytes.writeUInt32BE(bucket, prefix.length)
  return bytes
}

/** The first partition key of the next bucket. */
function afterPrefix(prefix: Buffer): Buffer {
  if (prefix.length === 0) return prefix
  const last = prefix.length - 4
  return withBucket(prefix.subarray(0, last), prefix.readUInt32BE(last) + 1)
}

/** With more combinations of values, all buckets are read. */
const maxCombinations = 100_000

/** The buckets of a level that rows can have, in order. Undefined: all. */
function bucketsOf(columns: readonly CellColumn[], level: TableHashLevel, conditions: Conditions): readonly number[] | undefined {
  const hashed = level.columns.map((position) => columns[position] as CellColumn)
  const values = hashed.map((column) => valuesOf(conditions.get(column)))
  if (values.some((each) => each === undefined)) return undefined
  const found = new Set<number>()
  const sink = new Sink(64)
  let combinations = 0
  const visit = (index: number): void => {
    if (index === hashed.length) {
      combinations++
      found.add(bucketOf(sink.view, sink.length, level.seed, level.buckets))
      return
    }
    const start = sink.length
    for (const value of values[index] as readonly Ordered[]) {
      if (found.size === level.buckets || combinations > maxCombinations) return
      sink.length = start
      writeOrdered(sink, hashed[index] as CellColumn, value, index === hashed.length - 1)
      visit(index + 1)
    }
    sink.length = start
  }
  visit(0)
  if (combinations > maxCombinations || found.size === level.buckets) return undefined
  return [...found].sort((a, b) => a - b)
}

function valuesOf(condition: Condition | undefined): readonly Ordered[] | undefined {
  if (condition?.type === 'equality') return [condition.value]
  return condition?.type === 'inList' ? condition.values : undefined
}
