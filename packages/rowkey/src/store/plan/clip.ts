// Tested by key-bounds.test.ts and packages/rowkey/test/mapper/periods.test.ts.
import { type Bound, type Bucket, compareKeys, type Row } from '#codec'
import type { TableSchema } from '#model'
import { inOrder, type ScanOrder } from './order.js'
import type { KeyRange, Plan } from './plan.js'

/**
 * The part of a plan after a position of its scan. It never contains anything outside the plan's own ranges.
 *
 * @param bound in key order; a whole key if columns are merged
 */
export function resumePlan(schema: TableSchema, plan: Plan, bound: Bound, order: ScanOrder): Plan {
  return clipPlan(schema, plan, { ...bound, prefix: inOrder(bound.prefix, order.merged) }, order)
}

/** The same for a bound whose values are in the order of the scan, where they may be some of the columns. */
export function clipPlan(schema: TableSchema, plan: Plan, bound: Bound, { reverse, merged }: ScanOrder): Plan {
  if (plan.kind === 'empty') return plan
  if (plan.kind === 'get') {
    const keys = plan.keys.after(bound, reverse)
    return keys.length === 0 ? { kind: 'empty' } : { ...plan, keys }
  }
  const streams = plan.streams
    .map(({ bucket, ranges }) => {
      const own = merged === 0 ? bound : boundIn(schema, ranges[0]?.from.prefix ?? [], bound, merged)
      return { bucket, ranges: rangesFrom(schema, bucket, ranges, own, reverse) }
    })
    .filter(({ ranges }) => ranges.length > 0)
  return streams.length === 0 ? { kind: 'empty' } : { ...plan, streams }
}

/** A bound of the merged order in one of the merged ranges, which all start with the same values in the merged columns. */
function boundIn({ layout, keyLength }: TableSchema, start: Row, { prefix, edge }: Bound, merged: number): Bound {
  const rest = keyLength - merged
  const own = start.slice(0, merged)
  if (prefix.length <= rest) return { prefix: [...own, ...prefix], edge }
  let order = 0
  for (let at = rest; at < prefix.length && order === 0; at++) {
    order = layout.column(at - rest).compare(own[at - rest] as Row[number], prefix[at] as Row[number])
  }
  // Rows with equal values in the other columns come in the order of the merged ones.
  return { prefix: [...own, ...prefix.slice(0, rest)], edge: order === 0 ? edge : order < 0 ? 'after' : 'before' }
}

/** Sorted ranges from a bound on. There may be thousands, for each page of a scan, so the one that contains the bound is searched. */
function rangesFrom(schema: TableSchema, bucket: Bucket, ranges: readonly KeyRange[], bound: Bound, reverse: boolean): readonly KeyRange[] {
  const { compareBounds } = schema.layout
  const isPassed = ({ from, to }: KeyRange): boolean => (reverse ? compareBounds(bound, from) > 0 : compareBounds(bound, to) >= 0)
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isPassed(ranges[middle] as KeyRange)) low = middle + 1
    else high = middle
  }
  const at = reverse ? low - 1 : low
  const range = ranges[at]
  const clipped = range === undefined ? [] : clip(schema, bucket, range, bound, reverse)
  return reverse ? [...ranges.slice(0, Math.max(at, 0)), ...clipped] : [...clipped, ...ranges.slice(at + 1)]
}

function clip(schema: TableSchema, bucket: Bucket, range: KeyRange, bound: Bound, reverse: boolean): readonly KeyRange[] {
  const { compareBounds } = schema.layout
  const { from, to } = range
  if (reverse ? compareBounds(bound, to) >= 0 : compareBounds(bound, from) <= 0) return [range]
  const rest = reverse ? { from, to: bound } : { from: bound, to }
  return isEmptyRange(schema, bucket, rest) ? [] : [rest]
}

/** Whether no key lies between the bounds. After the last possible key of a prefix no bytes are left, although the bounds differ. */
export function isEmptyRange({ layout }: TableSchema, bucket: Bucket, { from, to }: KeyRange): boolean {
  if (layout.compareBounds(from, to) >= 0) return true
  const first = layout.rowkeyBound(bucket, from)
  const end = layout.rowkeyBound(bucket, to)
  return first === null || (end !== null && compareKeys(first, end) >= 0)
}
