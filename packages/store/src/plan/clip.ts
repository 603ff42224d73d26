import type { Bound, Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { KeyRange, Plan } from './plan.js'

/** The part of a plan behind `after`, in the direction of the scan; nothing outside the plan's own ranges can come in. */
export function resumePlan(schema: TableSchema, plan: Plan, after: Row, reverse: boolean): Plan {
  if (plan.kind === 'empty') return plan
  const key = after.slice(0, schema.keyLength)
  const { compareRows } = schema.layout
  if (plan.kind === 'get') {
    const keys = plan.keys.filter((each) => (reverse ? compareRows(each, key) < 0 : compareRows(each, key) > 0))
    return keys.length === 0 ? { kind: 'empty' } : { ...plan, keys }
  }
  const bound: Bound = { prefix: key, edge: reverse ? 'before' : 'after' }
  const streams = plan.streams
    .map(({ bucket, ranges }) => ({ bucket, ranges: ranges.flatMap((range) => clip(schema, range, bound, reverse)) }))
    .filter(({ ranges }) => ranges.length > 0)
  return streams.length === 0 ? { kind: 'empty' } : { ...plan, streams }
}

function clip(schema: TableSchema, { from, to }: KeyRange, bound: Bound, reverse: boolean): readonly KeyRange[] {
  const { compareBounds } = schema.layout
  if (reverse) {
    const end = compareBounds(bound, to) < 0 ? bound : to
    return compareBounds(from, end) < 0 ? [{ from, to: end }] : []
  }
  const start = compareBounds(bound, from) > 0 ? bound : from
  return compareBounds(start, to) < 0 ? [{ from: start, to }] : []
}
