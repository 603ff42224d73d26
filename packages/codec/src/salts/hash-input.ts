import type { ColumnCodec } from '../encodings/column-codec.js'
import type { Encoding } from '../encodings/encoding.js'
import type { Row } from '../values/value.js'
import { utf8Length, writeUtf8 } from '../encodings/utf8.js'

/** The bytes that a salt hashes; overwritten by the next one. */
export let hashed: Uint8Array = new Uint8Array(256)

/** Writes the ascending encodings of some columns side by side into {@link hashed} and returns their length. */
export function hashInput(positions: readonly number[], encodings: readonly Encoding[]): (row: Row) => number {
  return (row) => {
    let size = 0
    for (let i = 0; i < positions.length; i++) size += (encodings[i] as Encoding).size(row[positions[i] as number] as never)
    if (size > hashed.length) hashed = new Uint8Array(2 * size)
    let at = 0
    for (let i = 0; i < positions.length; i++) at = (encodings[i] as Encoding).write(hashed, at, row[positions[i] as number] as never)
    return at
  }
}

/** A key column as Kudu writes it behind all others: text and bytes without escape and end. */
export function kuduLast({ type, ascending }: ColumnCodec): Encoding {
  if (type.kind === 'text')
    return { ...ascending, size: utf8Length, write: (target, at, text: string) => writeUtf8(target, at, text, false) }
  if (type.kind !== 'bytes') return ascending
  return {
    ...ascending,
    size: (bytes: Uint8Array) => bytes.length,
    write(target, at, bytes: Uint8Array) {
      target.set(bytes, at)
      return at + bytes.length
    },
  }
}
