import type { Value } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Predicate } from '../predicate/column-set.js'
import { murmur3, toHex } from '@rowkey/codec'
import { testOf } from '../predicate/column-set.js'

/** The predicate as stable text: equal for conditions that mean the same in another order. */
function predicateText(schema: TableSchema, predicate: Predicate): string {
  const parts = [...predicate.sets].map(([column, set]) => {
    const name = schema.columns[column]?.physical ?? ''
    return JSON.stringify([name, set.kind === 'none' ? 'none' : testOf(0, set)], (_, value: unknown) => plain(value as Value))
  })
  return parts.sort().join('\n')
}

// JSON has no bigint, no bytes, no NaN and no infinities; the tag keeps 1 and 1n apart.
function plain(value: Value): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) }
  if (value instanceof Uint8Array) return { bytes: toHex(value) }
  return value
}

/** 8 bytes over the predicate, operands included. */
export function predicateFingerprint(schema: TableSchema, predicate: Predicate): Uint8Array {
  const text = new TextEncoder().encode(predicateText(schema, predicate))
  const bytes = new Uint8Array(8)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, murmur3(text, text.length, 1))
  view.setUint32(4, murmur3(text, text.length, 2))
  return bytes
}
