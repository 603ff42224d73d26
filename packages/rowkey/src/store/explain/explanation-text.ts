import type { TableSchema } from '#model'
import type { Explanation } from './explanation.js'
import { counted, showNames, showSome } from '#codec/internal'
import { boundText } from '../advice/bound.js'
import { conditionText, type ExplainedCondition } from '../advice/condition.js'
import { periodsText } from '../advice/periods.js'
import { findingText } from '../contract/finding.js'

const maxHexLength = 28 // characters: 14 bytes
const shownSlices = 3

/** An explanation as a few lines for a terminal. @param keyed the table in whose order it reads, if that is not the table itself */
export function explanationText(schema: TableSchema, data: Omit<Explanation, 'text'>, keyed: TableSchema = schema): string {
  const { kind, table, order, key, keys, buckets, partitions = 1, periods = [] } = data
  const by = showNames(order.map(({ column, direction }) => `${column} ${direction}`))
  if (kind === 'EMPTY') return `EMPTY ${table}: no row can match the conditions, so nothing is read`
  const texts = (conditions: readonly ExplainedCondition[]): readonly string[] => conditions.map((each) => conditionText(schema, each))
  const lines = [`${kind} ${table}${kind === 'GET' ? '' : `, ordered by (${by})`}`]
  if (data.conditions.length > 0) lines.push(`├ where ${showSome(texts(data.conditions), ' and ')}`)
  if (data.bounds.length > 0) lines.push(`├ ${data.bounds.map((bound) => boundText(keyed, bound)).join(' ')}`)
  if (partitions > 1) lines.push(`├ ${counted(partitions, 'partition')}${periods.length === 0 ? ', named by in' : ''}`)
  for (const each of periods) lines.push(`├ ${periodsText(schema, each)}`)
  lines.push(
    `├ ${key.used} of ${key.of} key columns narrow the read${key.firstFree === undefined ? '' : `; '${key.firstFree}' is the first that does not`}`,
  )
  if (keys > 0) lines.push(`├ ${counted(keys, 'key')} requested`)
  else lines.push(...rangeLines(data, buckets))
  if (data.index !== undefined) lines.push(`├ ${indexText(data.index)}`)
  const filters = [...texts(data.residual), ...(data.codeFilter ? ['a filter in code'] : [])]
  lines.push(`└ ${filters.length === 0 ? 'no filter after reading' : `filter after reading: ${showSome(filters, ' and ')}`}`)
  return [...lines, ...data.warnings.map((warning) => `! ${findingText(warning)}`)].join('\n')
}

const indexText = ({ name, rows, fetches }: NonNullable<Explanation['index']>): string =>
  fetches
    ? `reads the row of each entry of index '${name}' from ${rows}, in batches, and leaves out those that have changed since`
    : `entries of index '${name}' have all columns, so no row of ${rows} is read`

function rangeLines(data: Omit<Explanation, 'text'>, buckets: Explanation['buckets']): readonly string[] {
  const merged = data.kind === 'MERGED SCAN' ? ', merged' : buckets.read > 1 ? ', merged in key order' : ''
  const { least, most } = data.requests
  // Without periods a page rarely meets a range that is empty.
  const requests = data.periods === undefined ? '' : `; a page takes ${least === most ? '' : `${least} to `}${counted(most, 'request')}`
  const lines = [`├ ${counted(data.ranges, 'range')} in ${buckets.read} of ${counted(buckets.of, 'bucket')}${merged}${requests}`]
  for (const { bucket, from, to } of data.slices.slice(0, shownSlices)) {
    lines.push(`│   bucket ${String(bucket).padStart(2)}  from ${shorten(from)}  to ${to === null ? 'the end' : shorten(to)}`)
  }
  const more = data.ranges - shownSlices
  return more > 0 ? [...lines, `│   … ${more} more like ${more === 1 ? 'it' : 'them'}`] : lines
}

function shorten(hex: string): string {
  if (hex === '') return 'the start'
  // Both ends of a range start with the same bytes and differ at their end.
  return hex.length > maxHexLength ? `${hex.slice(0, 10)}…${hex.slice(10 - maxHexLength)}` : hex
}
