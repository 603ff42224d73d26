import { checkBytes } from './check.js'
import { codecError } from './error.js'
import { hexOf } from './built-in.js'
import { show } from './show.js'

/**
 * Bytes as the HBase shell prints them (`Bytes.toStringBinary`): printable ASCII as it is, every other byte and the backslash as
 * `\xHH` with upper-case digits. A command of the shell takes it between double quotes, after `"` and `#` in it are escaped for Ruby.
 *
 * @throws RowkeyError `INVALID_VALUE` for anything but a Uint8Array.
 * @example
 * ```ts
 * const key = keyLayout([['host', text()], ['n', uint8()]]).encode({ host: 'web\\1', n: 255 })
 * toEscapedText(key) === String.raw`web\x5C1\x00\x00\xFF` //=> true
 * ```
 */
export function toEscapedText(bytes: Uint8Array): string {
  checkBytes('toEscapedText()', bytes)
  let text = ''
  for (const byte of bytes) text += escaped[byte] as string
  return text
}

const escaped: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const printable = byte >= 0x20 && byte <= 0x7e && byte !== 0x5c
  return printable ? String.fromCharCode(byte) : String.raw`\x${hexOf(Uint8Array.of(byte)).toUpperCase()}`
})

/**
 * The bytes of such text, in an array of their own. Any byte may be escaped, and the digits may be lower-case; a backslash that
 * does not begin `\xHH` is refused, while HBase would keep or drop it.
 *
 * @throws RowkeyError `INVALID_VALUE`, naming the offset in the text.
 * @example
 * ```ts
 * fromEscapedText(String.raw`a\x5C\x00`) //=> Uint8Array(3) [ 97, 92, 0 ]
 * fromEscapedText('é')                   //=> throws INVALID_VALUE: fromEscapedText() cannot read "é": "é" at offset 0 is not printable ASCII.
 * ```
 */
export function fromEscapedText(text: string): Uint8Array {
  if (typeof text !== 'string') throw refused(text, 'it is not text')
  const bytes: number[] = []
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x20 || unit > 0x7e) {
      throw refused(text, `${show(String.fromCodePoint(text.codePointAt(at) as number))} at offset ${at} is not printable ASCII`)
    }
    if (unit !== 0x5c) {
      bytes.push(unit)
      continue
    }
    const digits = text.slice(at + 2, at + 4)
    if (text[at + 1] !== 'x' || !/^[0-9a-fA-F]{2}$/.test(digits))
      throw refused(text, `the backslash at offset ${at} is not the start of an escape \\xHH`)
    bytes.push(Number.parseInt(digits, 16))
    at += 3
  }
  return Uint8Array.from(bytes)
}

function refused(given: unknown, reason: string): Error {
  const value = show(given)
  const remedy = 'Give printable ASCII, and write the backslash and all other bytes as \\xHH.'
  return codecError('INVALID_VALUE', `fromEscapedText() cannot read ${value}: ${reason}. ${remedy}`, { column: '', value })
}
