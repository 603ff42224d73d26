import type { TableSchema } from '@rowkey/model'
import { showNames } from '@rowkey/codec/internal'
import type { Predicate } from '../predicate/column-set.js'
import { storeError } from '../errors.js'
import { planLimits, type KeyRange, type Plan } from './plan.js'

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
  if (merged === 0 || plan.kind === 'empty') return plan
  if (plan.kind === 'get') return { ...plan, keys: plan.keys.inOrder(merged) }
  // If maxRanges made one range of several values, they cannot be merged.
  const isWhole = plan.streams.every(({ ranges }) => ranges.every((range) => fixes(schema, range, merged)))
  const streams = isWhole ? plan.streams.flatMap(({ bucket, ranges }) => ranges.map((range) => ({ bucket, ranges: [range] }))) : []
  if (isWhole && streams.length <= maxFanOut) return { ...plan, streams }
  const fanOut = isWhole ? streams.length : combinations(predicate, merged)
  const { name, columns } = schema
  const names = showNames(
    columns.slice(0, merged).map((column) => column.name),
    "'",
  )
  const remedy = fanOut <= maxFanOut ? 'raise maxRanges' : 'raise maxFanOut'
  throw storeError(
    'FAN_OUT_EXCEEDED',
    `the query on '${name}' would merge ${fanOut} key ranges, one for each value of ${names}, more than ${maxFanOut}. Name fewer values, or ${remedy}.`,
    { table: name, fanOut, maxFanOut },
  )
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
