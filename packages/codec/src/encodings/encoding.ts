import type { Value } from '../values/value.js'
import type { Reader } from './reader.js'

/**
 * The bytes of one kind's non-null values in ascending order. The law: no encoding of a value begins the encoding of another
 * value of the same type. Descending order, concatenation and prefix bounds rest on it.
 */
export interface Encoding<V extends Value = Value> {
  readonly minBytes: number
  /** Infinity where there is no limit. */
  readonly maxBytes: number
  size(value: V): number
  /** Writes at `at` and returns the offset behind; `value` is canonical and there is room. */
  write(target: Uint8Array, at: number, value: V): number
  /** Reads at the reader; every byte is XORed with `flip` (255 for a descending column). Accepts only what `write` gives. */
  read(reader: Reader, flip: number): V
}
