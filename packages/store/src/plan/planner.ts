import type { Bucket } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Predicate } from '../predicate/column-set.js'
import { storeError } from '../errors.js'
import { BucketPruner } from './buckets.js'
import { planLimits, type KeyRange, type Plan, type PlanLimits } from './plan.js'
import { prefixesOf, rangeBehind, walkKey, type Walk } from './walk.js'

/** What a query may ask of its plan. */
export interface PlanOptions extends Partial<PlanLimits> {
  /** Lifts FULL_SCAN_REFUSED. */
  readonly allowFullScan?: boolean
}

/**
 * Plans a query: which keys to get, or which ranges of which buckets to scan, and what is left to filter.
 *
 * @throws RowkeyError `PARTITION_REQUIRED`, `FULL_SCAN_REFUSED`, `TOO_MANY_RANGES`, `FAN_OUT_EXCEEDED`
 */
export function planQuery(schema: TableSchema, predicate: Predicate, options: PlanOptions = {}): Plan {
  refuse(schema, predicate, options.allowFullScan === true)
  for (const set of predicate.sets.values()) if (set.kind === 'none') return { kind: 'empty' }
  const maxRanges = options.maxRanges ?? planLimits.maxRanges
  const pruner = new BucketPruner(schema, predicate, options.maxFanOut ?? planLimits.maxFanOut)
  const walk = walkKey(schema, predicate, maxRanges)
  if (walk.isGet) return { kind: 'get', keys: prefixesOf(walk.points), residual: walk.residual }
  return scanPlan(schema, predicate, walk, pruner, maxRanges)
}

/** Each prefix goes to the buckets of its own values. Where that makes too many ranges, one `in` less is walked, if that helps. */
function scanPlan(schema: TableSchema, predicate: Predicate, walk: Walk, pruner: BucketPruner, maxRanges: number): Plan {
  const prefixes = prefixesOf(walk.points)
  const streams = new Map<Bucket, KeyRange[]>()
  let ranges = 0
  for (const prefix of prefixes) {
    const keys = rangeBehind(schema, prefix, walk.range)
    for (const bucket of pruner.bucketsOf(prefix)) {
      const stream = streams.get(bucket)
      if (stream === undefined) streams.set(bucket, [keys])
      else stream.push(keys)
      ranges++
    }
    pruner.check(streams.size)
  }
  const mayCollapse = walk.points.slice(schema.partitionLength).some(({ values }) => values.length > 1)
  if (ranges > maxRanges && mayCollapse) {
    const shorter = walkKey(schema, predicate, maxRanges, prefixes.length - 1)
    const collapsed = scanPlan(schema, predicate, shorter, pruner, maxRanges)
    if (rangesOf(collapsed) < ranges) return collapsed
  }
  const sorted = [...streams].sort(([a], [b]) => a - b)
  return { kind: 'scan', streams: sorted.map(([bucket, stream]) => ({ bucket, ranges: stream })), residual: walk.residual }
}

function rangesOf(plan: Plan): number {
  return plan.kind === 'scan' ? plan.streams.reduce((sum, { ranges }) => sum + ranges.length, 0) : 0
}

/** Refusals look at which columns are bound, not at values, so that the same query is refused on every call and every store. */
function refuse(schema: TableSchema, predicate: Predicate, allowFullScan: boolean): void {
  const { name, columns, partitionLength } = schema
  for (let at = 0; at < partitionLength; at++) {
    const set = predicate.sets.get(at)
    if (set?.kind === 'points' || set?.kind === 'none') continue
    const column = columns[at]?.name ?? ''
    throw storeError(
      'PARTITION_REQUIRED',
      `the query on '${name}' does not bind partition column '${column}' by = or in, so it names no partition. Bind it.`,
      { table: name, column },
    )
  }
  if (partitionLength > 0 || predicate.bound.has(0) || allowFullScan) return
  const column = columns[0]?.name ?? ''
  const key = columns
    .slice(0, schema.keyLength)
    .map((each) => each.name)
    .join(', ')
  throw storeError(
    'FULL_SCAN_REFUSED',
    `the query on '${name}' does not bind '${column}', the first column of the key (${key}), so it would read the whole table. ` +
      `Bind '${column}' by a value, in, a range or startsWith, add a table whose key starts with what you ask by, or pass { allowFullScan: true }.`,
    { table: name, column },
  )
}
