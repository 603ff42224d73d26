import type { Salt } from '#codec'
import { byteOptions, cutItems, murmur3, saltOptions } from '#codec/internal'
import type { SchemaColumn } from '../schema.js'
import { typeInStore } from './type-in-store.js'

/**
 * `key` covers what the bytes of the columns depend on, `layout` also the salts. Types and salts themselves say what that is. Of lists that grow
 * they cover the first item: a cursor is still good after a table has got another one.
 */
export function fingerprintsOf(
  key: readonly SchemaColumn[],
  partitionLength: number,
  salt: readonly Salt[],
): { readonly key: string; readonly layout: string } {
  // The names in the store, because a property can be renamed without changing the table.
  const physicalOf = new Map(key.map(({ name, physical }) => [name, physical]))
  const columns = key.map(({ physical, type }) => [physical, byteOptions(typeInStore(key, cutItems(type, 0)))])
  const levels = salt.map((level) => saltOptions(cutItems(level, 0), (name) => physicalOf.get(name)))
  return Object.freeze({ key: hash([partitionLength, columns]), layout: hash([partitionLength, columns, levels]) })
}

/** 64 bits in hex: enough to tell layouts apart by accident, not against malice. */
function hash(data: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(data))
  return [0x726f776b, 0x6b657973].map((seed) => murmur3(bytes, bytes.length, seed).toString(16).padStart(8, '0')).join('')
}
