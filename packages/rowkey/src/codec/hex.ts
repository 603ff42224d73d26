import { checkBytes } from './check.js'
import { codecError } from './error.js'
import { hexOf } from './built-in.js'
import { show } from './show.js'

/**
 * Bytes as lower-case hex, two digits per byte.
 *
 * @throws RowkeyError `INVALID_VALUE` for anything but a Uint8Array.
 * @example
 * ```ts
 * toHex(new Uint8Array([0, 255])) //=> '00ff'
 * ```
 */
export function toHex(bytes: Uint8Array): string {
  checkBytes('toHex()', bytes)
  return hexOf(bytes)
}

/**
 * The bytes of hex, in an array of their own: what {@link toHex} returns, also in upper case. Everything else is refused: `0x`, spaces
 * and half a byte.
 *
 * @throws RowkeyError `INVALID_VALUE`, naming the offset in the text.
 * @example
 * ```ts
 * fromHex('00fF')           //=> Uint8Array(2) [ 0, 255 ]
 * toHex(fromHex('7765620000')) //=> '7765620000'
 * fromHex('00 ff')          //=> throws INVALID_VALUE: fromHex() cannot read "00 ff": " " at offset 2 is not a hex digit.
 * ```
 */
export function fromHex(hex: string): Uint8Array {
  if (typeof hex !== 'string') throw refused(hex, 'it is not text')
  const wrong = hex.search(/[^0-9a-fA-F]/)
  if (wrong >= 0)
    throw refused(hex, `${show(String.fromCodePoint(hex.codePointAt(wrong) as number))} at offset ${wrong} is not a hex digit`)
  if (hex.length % 2 === 1) throw refused(hex, `the digit at offset ${hex.length - 1} is half a byte`)
  const bytes = new Uint8Array(hex.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = (digitAt(hex, 2 * i) << 4) | digitAt(hex, 2 * i + 1)
  return bytes
}

/** In ASCII, the low four bits of a digit are its value, and those of a letter are 1 to 6. */
function digitAt(hex: string, at: number): number {
  const unit = hex.charCodeAt(at)
  return (unit & 15) + 9 * (unit >> 6)
}

function refused(given: unknown, reason: string): Error {
  const value = show(given)
  return codecError('INVALID_VALUE', `fromHex() cannot read ${value}: ${reason}. Give two hex digits per byte.`, { column: '', value })
}
