import { Reader } from '#codec/internal'
import { encodeAll, encodingsOf, keyColumns, rowOf, type KuduColumns, type KuduKeyOf } from './key-columns.js'

/** The encoded primary key of a Kudu table. Its bytes sort as the store sorts the rows of a tablet. */
export interface KuduPrimaryKey<Key extends object = Record<string, unknown>> {
  /** The key, in an array of its own. @throws RowkeyError `INVALID_VALUE` */
  encode(key: Key): Uint8Array
  /** The exact inverse of `encode`. @throws RowkeyError `MALFORMED_KEY` for anything `encode` cannot have written */
  decode(bytes: Uint8Array): Key
}

/**
 * The primary key of these columns, byte for byte as Kudu's clients encode it: columns side by side, no header. Kudu refuses keys
 * above 16 KB; that is a setting of the server and not checked here.
 *
 * @throws RowkeyError `INVALID_LAYOUT` for no or duplicate columns, and for types that are not from this module.
 * @example
 * ```ts
 * const events = primaryKey([['host', STRING], ['at', UNIXTIME_MICROS]])
 * const key = events.encode({ host: 'web', at: 5n })
 * toHex(key)         //=> '77656200008000000000000005'
 * events.decode(key) //=> { host: 'web', at: 5n }
 * ```
 */
export function primaryKey<const E extends KuduColumns>(columns: E): KuduPrimaryKey<KuduKeyOf<E>> {
  const parts = keyColumns(columns)
  const toRow = rowOf(parts)
  const encodings = encodingsOf(parts)
  const key: KuduPrimaryKey = {
    encode: (given) => encodeAll(encodings, toRow(given)),
    decode(bytes) {
      const reader = new Reader(bytes)
      const entries = parts.map(({ name, fromValue }, i) => {
        reader.column = name
        return [name, fromValue((encodings[i] as (typeof encodings)[number]).read(reader))] as const
      })
      if (reader.left > 0) reader.fail(`it continues after the last column (remaining bytes: ${reader.left})`)
      return Object.fromEntries(entries)
    },
  }
  return Object.freeze(key) as KuduPrimaryKey<KuduKeyOf<E>>
}
