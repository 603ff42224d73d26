import type { Row, TypeData, Value } from 'rowkey/codec'
import { type SchemaColumn, type Storage, textWidth, typeFacts } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import { computedIn } from './computed-in.js'

/** Texts of many forms. A column has the first one that it can hold. */
const texts: readonly string[] = ['web-1', 'web1', '018f3a5e-7d21-7c4a-9b12-3c4d5e6f7081', '01HXX5WZ8GABCDEFGHJKMNPQRS', 'w', '']

/** 2026-01-01T00:00:00Z. */
const instant = 1_767_225_600_000
const dayMs = 86_400_000

/**
 * The key that examples show: the same in each run, and made only of the types of the columns.
 *
 * @param variant another key for each number from 0, as far as the types have other values
 * @throws Error for a type that can hold none of the examples
 */
export function exampleKey(schema: TableSchema, variant = 0): Row {
  const { columns, keyLength } = schema
  const key = columns.slice(0, keyLength).map((column) => (column.type.of === undefined ? exampleValue(column, variant) : null))
  computedIn(schema)?.fill(key)
  return key
}

function exampleValue({ name, type }: SchemaColumn, variant: number): Value {
  const facts = typeFacts(type)
  const found = candidates(type, facts.storage, variant).find((value) => facts.accepts(value))
  if (found === undefined) throw new Error(`there is no example for column '${name}'`)
  return found
}

function candidates(type: TypeData, storage: Storage, variant: number): readonly Value[] {
  switch (storage.class) {
    case 'boolean':
      return [variant % 2 === 0]
    case 'int':
      return [...timesOf(storage.counts, variant).map(Number), ...counted(variant).map(Number)]
    case 'bigint':
      return [...timesOf(storage.counts, variant), ...counted(variant)]
    case 'float':
      return [1.5 + variant]
    case 'decimal':
      return [String(1 + variant), '1', '0'].map((whole) => (storage.scale === 0 ? whole : `${whole}.${'5'.padEnd(storage.scale, '0')}`))
    case 'bytes':
      return [new Uint8Array(Array.from({ length: storage.length ?? 4 }, (_, at) => at + 1 + variant))]
    case 'json':
      return []
    case 'text': {
      const codes = (type.codes ?? type.inner?.codes ?? []).map(([value]) => value)
      const rotated = [...codes.slice(variant % Math.max(codes.length, 1)), ...codes]
      const numbered = texts.map((text) => text.replace(/1$/, () => String(1 + variant)))
      const width = textWidth(type) ?? 1
      const filled = variant === 0 ? 'w'.repeat(width) : `${'w'.repeat(width)}${1 + variant}`.slice(-width)
      return [...rotated, ...numbered, ...texts, filled]
    }
  }
}

/** Times of today. */
function timesOf(counts: 'ms' | 'us' | 'ns' | 'days' | undefined, variant: number): readonly bigint[] {
  switch (counts) {
    case 'ms':
      return [BigInt(instant + variant * 1000), BigInt(instant + variant * dayMs)] // text of digits may end with the day
    case 'us':
      return [BigInt(instant + variant * 1000) * 1000n]
    case 'ns':
      return [BigInt(instant + variant * 1000) * 1_000_000n]
    case 'days':
      return [BigInt(instant / dayMs + variant)]
    case undefined:
      return []
  }
}

/** Small numbers, for those that are counted and for times of few digits. */
const counted = (variant: number): readonly bigint[] => [7n + BigInt(variant), BigInt(variant % 10), BigInt(variant % 2), 0n]
