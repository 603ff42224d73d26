import type { Encoding } from '../encodings/encoding.js'
import type { Row } from '../values/value.js'

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
