import { codecError } from './error.js'
import { hexOf } from './hex-of.js'
import { isBytes } from './values/built-in.js'
import { show } from './values/show.js'

/**
 * Bytes as lower-case hex.
 *
 * @throws RowkeyError `INVALID_VALUE` for anything but a Uint8Array.
 * @example
 * ```ts
 * toHex(new Uint8Array([0, 255])) //=> '00ff'
 * ```
 */
export function toHex(bytes: Uint8Array): string {
  if (isBytes(bytes)) return hexOf(bytes)
  const value = show(bytes)
  throw codecError('INVALID_VALUE', `toHex() takes a Uint8Array, not ${value}.`, { column: '', value })
}
