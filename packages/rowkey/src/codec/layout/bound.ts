import type { Row } from '../type/column-type.js'
import { view } from '../built-in.js'
import { checkBytes } from '../check.js'

/**
 * All salt levels as one integer: mixed radix, first level most significant. A hash prefix counts as the value of its hex
 * digits. 0 without a salt.
 */
export type Bucket = number

/** Before or after every key that starts with these values, from position 0 (partition columns first, not the bucket). */
export interface Bound {
  readonly prefix: Row
  readonly edge: 'before' | 'after'
}

/** A half-open range of rowkeys. */
export interface RowkeyRange {
  /** Inclusive. */
  readonly from: Uint8Array
  /** Exclusive; null: the range has no upper end. */
  readonly to: Uint8Array | null
}

/**
 * The first byte string above all that start with `bytes`, in an array of its own; null if there is none.
 *
 * @throws RowkeyError `INVALID_VALUE` for anything but a Uint8Array.
 * @example
 * ```ts
 * toHex(successor(new Uint8Array([0x61, 0xff]))) //=> '62'
 * successor(new Uint8Array([0xff]))              //=> null
 * ```
 */
export function successor(bytes: Uint8Array): Uint8Array | null {
  checkBytes('successor()', bytes)
  return above(bytes)
}

/** The first byte string after `bytes`. */
export function next(bytes: Uint8Array): Uint8Array {
  const after = new Uint8Array(bytes.length + 1)
  after.set(bytes)
  return after
}

/** As {@link successor}; trusts its callers. */
export function above(bytes: Uint8Array): Uint8Array | null {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0xff) end--
  if (end === 0) return null
  const after = new Uint8Array(view(bytes, 0, end)) // the slice() of a Buffer would share the caller's memory
  after[end - 1] = (after[end - 1] as number) + 1
  return after
}
