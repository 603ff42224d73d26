import type { TableSchema } from '@rowkey/model'
import type { Query } from '../query/query.js'
import type { Conditions } from '../contract/reading.js'
import { toHex } from '@rowkey/codec'
import { showNames, showSome } from '@rowkey/codec/internal'
import { testOf } from '../predicate/column-set.js'
import { conditionText } from './condition-text.js'
import { inOrder, type ScanOrder } from '../plan/order.js'
import { designWarnings } from '../table/design-warnings.js'
import { boundText } from './bound-text.js'
import type { Explanation } from './explanation.js'
import { explanationText } from './explanation-text.js'

/**
 * Explains a query.
 *
 * @param codeFilter whether the caller filters rows in code
 * @example
 * ```ts
 * console.log(explain(query).text)
 * ```
 */
export function explain(query: Query, codeFilter = false): Explanation {
  const { schema, plan, predicate, reverse, merged, partitions } = query
  const streams = plan.kind === 'scan' ? plan.streams : []
  const residual: Conditions = plan.kind === 'empty' ? [] : plan.residual
  const conditions = [...predicate.sets].flatMap(([column, set]) =>
    set.kind === 'none' ? [] : [conditionText(schema, testOf(column, set))],
  )
  const key = keyUse(query)
  const data = {
    kind: kindOf(query),
    table: schema.name,
    reverse,
    order: orderOf(schema, query),
    key,
    ...(partitions === undefined ? {} : { partitions }),
    buckets: {
      read: merged === 0 ? streams.length : new Set(streams.map(({ bucket }) => bucket)).size,
      of: schema.layout.buckets,
      unbound: unboundInputs(query),
    },
    keys: plan.kind === 'get' ? plan.keys.length : 0,
    ranges: streams.reduce((sum, { ranges }) => sum + ranges.length, 0),
    slices: slicesOf(query),
    conditions,
    bounds: query.bounds.map((bound) => boundText(query, bound)),
    residual: residual.map((test) => conditionText(schema, test)),
    codeFilter,
  }
  // A key column that narrows the read and is also filtered: its `in` made too many ranges, so it is read as one range.
  const hull = residual.filter(({ column }) => column < key.used).map((test) => conditionText(schema, test))
  const warned = { ...data, warnings: [...warningsOf(data, hull), ...openRange(query), ...saltWarnings(query)] }
  return { ...warned, text: explanationText(warned) }
}

type Data = Omit<Explanation, 'warnings' | 'text'>

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

function slicesOf({ schema, plan }: Query): Explanation['slices'] {
  if (plan.kind !== 'scan') return []
  return plan.streams.flatMap(({ bucket, ranges }) =>
    ranges.map(({ from, to }) => {
      const end = schema.layout.rowkeyBound(bucket, to)
      return { bucket, from: toHex(schema.layout.rowkeyBound(bucket, from) ?? new Uint8Array()), to: end === null ? null : toHex(end) }
    }),
  )
}

function warningsOf(data: Data, hull: readonly string[]): Explanation['warnings'] {
  const warnings: { code: Explanation['warnings'][number]['code']; message: string }[] = []
  if (data.kind === 'FULL SCAN') warnings.push({ code: 'full-scan', message: `it reads the whole table '${data.table}'` })
  if (data.buckets.read > 1 && data.buckets.unbound.length > 0 && data.kind !== 'FULL SCAN') {
    const unbound = showNames(data.buckets.unbound, "'")
    const message = `it reads ${data.buckets.read} of ${data.buckets.of} buckets, because the salt needs ${unbound}, which the query does not bind with = or in`
    warnings.push({ code: 'fan-out', message })
  }
  if (data.reverse && data.kind !== 'GET' && data.kind !== 'EMPTY') {
    warnings.push({
      code: 'reverse',
      message:
        'it reads against the stored order, which is slower in many stores. If most queries need this order, declare the column with desc()',
    })
  }
  for (const condition of hull) {
    const message = `${condition} makes more ranges than maxRanges, so everything between its lowest and highest value is read. Request fewer values in one query, or raise maxRanges`
    warnings.push({ code: 'hull', message })
  }
  if (data.residual.length > 0) {
    warnings.push({
      code: 'filter',
      message: `${showSome(data.residual, ' and ')} is checked after reading, so the scan may examine many more rows than it returns`,
    })
  }
  return warnings
}

/** A first column with one limit narrows the read only from one side: it grows with the table. */
function openRange({ schema, predicate, bounds, plan }: Query): Explanation['warnings'] {
  const set = predicate.sets.get(0)
  if (plan.kind !== 'scan' || schema.partitionLength > 0 || bounds.length > 0 || set?.kind !== 'range') return []
  if ((set.low === undefined) === (set.high === undefined)) return []
  const { name } = schema.columns[0] as TableSchema['columns'][number]
  const [side, end] = set.low === undefined ? ['lower', 'from the start'] : ['upper', 'to the end']
  const message = `'${name}' has no ${side} limit, so it reads ${end} of the table. Give it one, or a limit of rows`
  return [{ code: 'open-range', message }]
}

/** Only where rows are read by ranges of buckets. */
function saltWarnings({ schema, plan }: Query): Explanation['warnings'] {
  if (plan.kind !== 'scan') return []
  return designWarnings(schema).map(({ message }) => ({ code: 'modulo-seconds' as const, message: message.replace(/\.$/, '') }))
}
