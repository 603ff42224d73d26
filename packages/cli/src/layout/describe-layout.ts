// Tested by layout.test.ts.
import type { TableSchema } from 'rowkey'
import { toEscapedText, toHex } from 'rowkey/codec'
import { columnCodec, derived, saltText, typeText } from 'rowkey/internal'
import { decoderOf, partsOf } from '../keys/decode-key.js'
import { keyColumns } from '../keys/key-of-values.js'
import { exampleKey } from '../values/example.js'
import { endMarker } from './end-marker.js'

/** One part of the keys of a table, as JSON. */
export interface LayoutPart {
  /** The column's name; `salt` for a salt. */
  readonly name: string
  readonly role: 'salt' | 'partition' | 'key'
  /** Where it begins, in bytes; the least if a column before it has no fixed width. */
  readonly offset: number
  readonly isOffsetFixed: boolean
  /** In bytes; null if it varies. */
  readonly width: number | null
  /** Without its direction. */
  readonly type: string
  readonly order: 'asc' | 'desc' | null
  /** The bytes that end it, as hex; empty if it needs none. */
  readonly end: string
  /** Of the example, as hex. */
  readonly hex: string
}

/** The bytes of the keys of a table, as JSON. */
export interface LayoutDescription {
  readonly table: string
  readonly buckets: number
  readonly minBytes: number
  /** Null if there is no limit. */
  readonly maxBytes: number | null
  readonly parts: readonly LayoutPart[]
  readonly example: { readonly key: unknown; readonly line: string; readonly hex: string; readonly escaped: string }
  readonly fingerprints: TableSchema['fingerprints']
}

/**
 * What the keys of a table look like, with an example that is the same in each run.
 *
 * @example
 * ```ts
 * const { parts } = describeLayout(Logs)
 * parts[0].width //=> null
 * ```
 */
export function describeLayout(schema: TableSchema): LayoutDescription {
  const key = exampleKey(schema)
  const bytes = schema.layout.rowkey(key)
  const examples = partsOf(schema, bytes)
  const { line, json } = decoderOf(schema)
  let offset = 0
  let isOffsetFixed = true
  let maxBytes = 0
  const add = (part: Pick<LayoutPart, 'name' | 'role' | 'type' | 'order' | 'end'>, min: number, max: number, at: number): LayoutPart => {
    const made = { ...part, offset, isOffsetFixed, width: min === max ? min : null, hex: examples[at]?.hex ?? '' }
    offset += min
    maxBytes += max
    isOffsetFixed &&= min === max
    return made
  }
  const salts = schema.salt.map((salt, at) => {
    const { length } = examples[at] as { readonly length: number }
    return add({ name: 'salt', role: 'salt', type: saltText(salt, (name) => name), order: null, end: '' }, length, length, at)
  })
  const columns = keyColumns(schema).map(({ name, type }, at) => {
    const { minBytes, maxBytes: max } = columnCodec(name, type)
    const role = at < schema.partitionLength ? 'partition' : 'key'
    const part = {
      name,
      role,
      type: typeText(derived(type, { desc: false })),
      order: type.desc ? 'desc' : 'asc',
      end: endMarker(type),
    } as const
    return add(part, minBytes, max, salts.length + at)
  })
  return {
    table: schema.name,
    buckets: schema.layout.buckets,
    minBytes: offset,
    maxBytes: Number.isFinite(maxBytes) ? maxBytes : null,
    parts: [...salts, ...columns],
    example: { key: JSON.parse(`{${json(key)}}`) as unknown, line: line(key), hex: toHex(bytes), escaped: toEscapedText(bytes) },
    fingerprints: schema.fingerprints,
  }
}
