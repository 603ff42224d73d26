import type { Bucket } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Predicate } from '../predicate/column-set.js'
import { storeError } from '../errors.js'
import { BucketPruner } from './buckets.js'
import { planLimits, type KeyRange, type Plan, type PlanLimits } from './plan.js'
import { prefixesOf, rangeBehind, walkKey } from './walk.js'

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
  const { points, range, residual } = walkKey(schema, predicate, options.maxRanges ?? planLimits.maxRanges)
  const prefixes = prefixesOf(points)
  if (points.length === schema.keyLength) return { kind: 'get', keys: prefixes, residual }

  const pruner = new BucketPruner(schema, predicate, options.maxFanOut ?? planLimits.maxFanOut)
  const streams = new Map<Bucket, KeyRange[]>()
  for (const prefix of prefixes) {
    const keys = rangeBehind(schema, prefix, range)
    for (const bucket of pruner.bucketsOf(prefix)) {
      const ranges = streams.get(bucket)
      if (ranges === undefined) streams.set(bucket, [keys])
      else ranges.push(keys)
    }
    pruner.check(streams.size)
  }
  if (streams.size === 0) return { kind: 'empty' } // a range without integers in it
  const sorted = [...streams].sort(([a], [b]) => a - b)
  return { kind: 'scan', streams: sorted.map(([bucket, ranges]) => ({ bucket, ranges })), residual }
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
