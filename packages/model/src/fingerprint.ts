import { murmur3, type Salt, type TypeData } from '@rowkey/codec'
import type { SchemaColumn } from './schema.js'

/** `key` over what the bytes of the columns depend on, `layout` with the salts. Fields are written in a fixed order. */
export function fingerprintsOf(
  key: readonly SchemaColumn[],
  partitionLength: number,
  salt: readonly Salt[],
): { readonly key: string; readonly layout: string } {
  // Names in the store: a property may be renamed without touching the table.
  const columns = key.map(({ physical, type }) => [physical, byteData(type)])
  const physicalOf = new Map(key.map(({ name, physical }) => [name, physical]))
  const levels = salt.map(({ kind, of, count, seed, digits }) => [
    kind,
    of.map((name) => physicalOf.get(name)),
    count,
    seed ?? null,
    digits ?? null,
  ])
  return Object.freeze({ key: hash([partitionLength, columns]), layout: hash([partitionLength, columns, levels]) })
}

/** Only what changes bytes: neither how values look in JavaScript nor defaults nor names. */
function byteData({ kind, desc, nulls, unit, width, pad, separator, codes, inner }: TypeData): unknown {
  return [
    kind,
    desc,
    nulls ?? null,
    unit ?? null,
    width ?? null,
    pad ?? null,
    separator ?? null,
    codes === undefined ? null : codes.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    inner === undefined ? null : byteData(inner),
  ]
}

/** 64 bits in hex: enough to tell layouts apart by accident, not against malice. */
function hash(data: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(data))
  return [0x726f776b, 0x6b657973].map((seed) => murmur3(bytes, bytes.length, seed).toString(16).padStart(8, '0')).join('')
}
