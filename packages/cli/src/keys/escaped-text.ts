// Tested by pasted-forms.test.ts.
import { show } from 'rowkey/internal'
import type { Unread } from './unread.js'

/** Escapes that programs print besides `\xHH`: those of C. Python and Ruby have more of them. */
const named: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, a: 7, b: 8, f: 12, v: 11, e: 27, '\\': 92, '"': 34, "'": 39 }

/**
 * Text with `\xHH`, as `Bytes.toStringBinary` writes keys in the HBase shell and its logs. Undefined for text beyond ASCII; a fault for a backslash that begins
 * no escape.
 */
export function readEscaped(text: string): Uint8Array | Unread | undefined {
  // Logs in JSON double the backslash, and it is never in a key of HBase.
  return bytesOf(text.includes('\\\\x') ? text.replaceAll('\\\\', '\\') : text, undefined)
}

/** The inside of quotes, which also has the escapes of C, as redis-cli writes it, and those of JSON and of octal digits. */
export const readQuoted = (inside: string): Uint8Array | Unread | undefined => bytesOf(inside, named)

const digitOf = (unit: number): number =>
  unit >= 48 && unit <= 57 ? unit - 48 : unit >= 65 && unit <= 70 ? unit - 55 : unit >= 97 && unit <= 102 ? unit - 87 : -1

function bytesOf(text: string, escapes: typeof named | undefined): Uint8Array | Unread | undefined {
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x20 || unit > 0x7e) return undefined
    if (unit !== 0x5c) {
      bytes[length++] = unit
      continue
    }
    const [high, low] = [digitOf(text.charCodeAt(at + 2)), digitOf(text.charCodeAt(at + 3))]
    if (text.charCodeAt(at + 1) === 0x78 && high >= 0 && low >= 0) {
      bytes[length++] = (high << 4) | low
      at += 3
      continue
    }
    const other = escapes === undefined ? undefined : otherEscape(text, at + 1, escapes)
    if (other === undefined) return /^[\x20-\x7e]+$/.test(text) ? { fault: faultOf(text, at) } : undefined
    bytes[length++] = other.code
    at += other.length
  }
  return length === 0 ? undefined : bytes.subarray(0, length)
}

/** `\u00HH` of ASCII, octal digits, and the escapes with a name. */
function otherEscape(text: string, at: number, escapes: typeof named): { readonly code: number; readonly length: number } | undefined {
  const [, unit, octal] = /^(?:u(00[0-7][0-9a-f])|([0-3][0-7]{2}))/i.exec(text.slice(at, at + 5)) ?? []
  if (unit !== undefined) return { code: parseInt(unit, 16), length: 5 }
  if (octal !== undefined) return { code: parseInt(octal, 8), length: 3 }
  const code = escapes[text[at] ?? '']
  return code === undefined ? undefined : { code, length: 1 }
}

function faultOf(text: string, at: number): string {
  const isUnit = /^\\u[0-9a-f]{4}/i.test(text.slice(at))
  const place = `${show(text.slice(at, at + (isUnit ? 6 : 4)))} at character ${at + 1}`
  if (isUnit) return `${place} is a character and not a byte`
  const isCut = at + 4 > text.length && /^\\(?:x[0-9a-f]?)?$/i.test(text.slice(at))
  return isCut ? `it is cut off in the escape ${place}` : `${place} is not an escape \\xHH`
}
