// Tested by cursor.test.ts.
import { toHex, type Value } from '#codec'
import type { TableSchema } from '#model'
import type { ColumnSet, Predicate } from '../predicate/column-set.js'
import { murmur3 } from '#codec/internal'

const utf8 = new TextEncoder()

/** What else decides which rows a scan returns, and in which order. */
interface Between {
  /** How many columns are merged. */
  readonly merged: number
  readonly bounds: readonly { readonly option: string; readonly bound: { readonly prefix: readonly Value[] } }[]
}

/**
 * 8 bytes over the predicate, operands included, and over the bounds and the merged order of a scan that has them: equal for conditions
 * that mean the same in another order.
 */
export function predicateFingerprint(schema: TableSchema, predicate: Predicate, { merged, bounds }: Between): Uint8Array {
  const text = predicateText(schema, predicate)
  const between = bounds.map(({ option, bound }) => `\n${option}${bound.prefix.map(valueText).join('')}`)
  return eightBytes(`${text}${merged === 0 ? '' : `\nmerged ${merged}`}${between.join('')}`)
}

const tables = new WeakMap<TableSchema, Uint8Array>()

/** 8 bytes over the declared name of a table, without a prefix, so that a program has the same cursors in every environment. */
export function tableFingerprint(schema: TableSchema): Uint8Array {
  let bytes = tables.get(schema)
  if (bytes === undefined) tables.set(schema, (bytes = eightBytes(schema.declaredName)))
  return bytes
}

/** Enough to detect accidental differences, not malicious ones. */
function eightBytes(given: string): Uint8Array {
  const text = utf8.encode(given)
  const bytes = new Uint8Array(8)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, murmur3(text, text.length, 1))
  view.setUint32(4, murmur3(text, text.length, 2))
  return bytes
}

function predicateText(schema: TableSchema, predicate: Predicate): string {
  const parts: string[] = []
  for (const [column, set] of predicate.given) parts.push(`${schema.columns[column]?.physical ?? ''} ${setText(set)}`)
  return parts.length === 1 ? (parts[0] as string) : parts.sort().join('\n')
}

function setText(set: ColumnSet): string {
  if (set.kind === 'none') return 'none'
  if (set.kind === 'points') return `in${set.values.map(valueText).join('')}`
  const { low, high } = set
  const from = low === undefined ? '' : `${low.inclusive ? '>=' : '>'}${valueText(low.value)}`
  return `range${from}${high === undefined ? '' : `${high.inclusive ? '<=' : '<'}${valueText(high.value)}`}`
}

/** Type and length come first, so that no text can be read as another list of values. */
function valueText(value: Value): string {
  switch (typeof value) {
    case 'string':
      return `s${value.length}:${value}`
    case 'number':
      return `n${value};`
    case 'bigint':
      return `i${value};`
    case 'boolean':
      return value ? 't' : 'f'
    default:
      return value === null ? '0' : `b${toHex(value)};`
  }
}
