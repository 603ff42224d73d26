// Also tested by rules.test.ts.
import type { TableSchema } from '#model'
import type { ReadFacts } from '../advice/read-facts.js'
import type { Conditions } from '../contract/reading.js'
import type { Predicate } from '../predicate/column-set.js'
import type { IndexQuery } from '../query/index-query.js'
import type { Query } from '../query/query.js'
import type { Explanation } from './explanation.js'
import { toHex } from '#codec'
import { explainedBound } from '../advice/bound.js'
import { explainedCondition } from '../advice/condition.js'
import { explainedPeriods } from '../advice/periods.js'
import { readRules } from '../advice/rules.js'
import { findingsOf } from '../contract/finding.js'
import { inOrder, type ScanOrder } from '../plan/order.js'
import { testOf } from '../predicate/column-set.js'
import { explanationText } from './explanation-text.js'

/**
 * Explains a query.
 *
 * @param codeFilter whether the caller filters rows in code
 * @param limit the maximum number of rows that the caller wants
 * @example
 * ```ts
 * console.log(explain(query).text)
 * ```
 */
export function explain(query: Query, codeFilter = false, limit?: number): Explanation {
  const { schema } = query
  const read = { ...factsOf(query, codeFilter), ...(limit === undefined ? {} : { limit }) }
  const warnings = findingsOf(readRules, { schema, read })
  return { ...read, warnings, text: explanationText(schema, { ...read, warnings }) }
}

/**
 * Explains a query by an index, as {@link explain} does: its ranges are those of the entries.
 *
 * @param isCovered whether no rows are read
 */
export function explainIndex(
  schema: TableSchema,
  { index, query, residual, predicate }: IndexQuery,
  isCovered: boolean,
  codeFilter: boolean,
  limit?: number,
): Explanation {
  const facts = factsOf(query, codeFilter)
  const read: ReadFacts = {
    ...facts,
    index: { name: index.name, rows: schema.name, fetches: !isCovered },
    conditions: conditionsOf(schema, predicate),
    residual: [...facts.residual, ...(facts.kind === 'EMPTY' ? [] : residual.map((test) => explainedCondition(schema, test)))],
    ...(limit === undefined ? {} : { limit }),
  }
  const warnings = findingsOf(readRules, { schema: query.schema, read })
  return { ...read, warnings, text: explanationText(schema, { ...read, warnings }, query.schema) }
}

const conditionsOf = (schema: TableSchema, predicate: Predicate): ReadFacts['conditions'] =>
  [...predicate.given].flatMap(([column, set]) => (set.kind === 'none' ? [] : [explainedCondition(schema, testOf(column, set))]))

function factsOf(query: Query, codeFilter: boolean): ReadFacts {
  const { schema, plan, predicate, reverse, merged, partitions } = query
  const streams = plan.kind === 'scan' ? plan.streams : []
  const ranges = streams.reduce((sum, stream) => sum + stream.ranges.length, 0)
  const periods = plan.kind === 'empty' ? [] : explainedPeriods(schema, predicate)
  const residual: Conditions = plan.kind === 'empty' ? [] : plan.residual
  return {
    kind: kindOf(query),
    table: schema.name,
    reverse,
    order: orderOf(schema, query),
    key: keyUse(query),
    ...(partitions === undefined ? {} : { partitions }),
    ...(periods.length === 0 ? {} : { periods }),
    buckets: {
      read: merged === 0 ? streams.length : new Set(streams.map(({ bucket }) => bucket)).size,
      of: schema.layout.buckets,
      unbound: unboundInputs(query),
    },
    keys: plan.kind === 'get' ? plan.keys.length : 0,
    ranges,
    requests: { least: streams.length, most: ranges },
    slices: slicesOf(query),
    conditions: conditionsOf(schema, predicate),
    bounds: query.bounds.map((bound) => explainedBound(query, bound)),
    residual: residual.map((test) => explainedCondition(schema, test)),
    codeFilter,
  }
}

function kindOf({ plan, merged, predicate, schema }: Query): Explanation['kind'] {
  if (plan.kind === 'empty') return 'EMPTY'
  if (plan.kind === 'get') return plan.keys.length === 1 ? 'GET' : 'MULTI-GET'
  if (!predicate.bound.has(0) && schema.partitionLength === 0) return 'FULL SCAN'
  if (merged > 0) return 'MERGED SCAN'
  if (plan.streams.length > 1) return 'FAN-OUT SCAN'
  return (plan.streams[0]?.ranges.length ?? 0) > 1 ? 'SKIP SCAN' : 'SCAN'
}

function orderOf({ columns, keyLength }: TableSchema, { reverse, merged }: ScanOrder): Explanation['order'] {
  return inOrder(columns.slice(0, keyLength), merged).map(({ name, type }) => ({
    column: name,
    direction: type.desc === reverse ? 'asc' : 'desc',
  }))
}

/** Bounds narrow the read too, but they are not conditions on columns. */
function keyUse({ schema, whole: plan }: Query): Explanation['key'] {
  const { keyLength, columns } = schema
  if (plan.kind === 'empty') return { used: 0, of: keyLength }
  if (plan.kind === 'get') return { used: keyLength, of: keyLength }
  const [range] = plan.streams[0]?.ranges ?? []
  const used = range === undefined ? 0 : Math.max(range.from.prefix.length, range.to.prefix.length)
  const firstFree = columns[used]
  return { used, of: keyLength, ...(used < keyLength && firstFree !== undefined ? { firstFree: firstFree.name } : {}) }
}

function unboundInputs({ schema, predicate }: Query): readonly string[] {
  const inputs = new Set(schema.layout.salts.flatMap(({ columns }) => columns))
  return [...inputs].filter((column) => predicate.sets.get(column)?.kind !== 'points').map((column) => schema.columns[column]?.name ?? '')
}

/** Years of hours in many buckets are millions of ranges. */
const maxSlices = 10_000

function slicesOf({ schema, plan }: Query): Explanation['slices'] {
  const slices: Explanation['slices'][number][] = []
  for (const { bucket, ranges } of plan.kind === 'scan' ? plan.streams : []) {
    for (const { from, to } of ranges.slice(0, maxSlices - slices.length)) {
      const end = schema.layout.rowkeyBound(bucket, to)
      const begin = schema.layout.rowkeyBound(bucket, from) ?? new Uint8Array()
      slices.push({ bucket, from: toHex(begin), to: end === null ? null : toHex(end) })
    }
  }
  return slices
}
