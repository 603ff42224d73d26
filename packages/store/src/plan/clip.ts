import type { Bound, Bucket } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import { compareKeys } from '@rowkey/codec'
import type { KeyRange, Plan } from './plan.js'

/** The part of a plan after a bound, in the direction of the scan. It never contains anything outside the plan's own ranges. */
export function resumePlan(schema: TableSchema, plan: Plan, bound: Bound, reverse: boolean): Plan {
  if (plan.kind === 'empty') return plan
  if (plan.kind === 'get') {
    const keys = plan.keys.after(bound, reverse)
    return keys.length === 0 ? { kind: 'empty' } : { ...plan, keys }
  }
  const streams = plan.streams
    .map(({ bucket, ranges }) => ({ bucket, ranges: ranges.flatMap((range) => clip(schema, bucket, range, bound, reverse)) }))
    .filter(({ ranges }) => ranges.length > 0)
  return streams.length === 0 ? { kind: 'empty' } : { ...plan, streams }
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
