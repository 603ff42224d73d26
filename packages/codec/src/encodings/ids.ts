import type { Encoding } from './encoding.js'
import type { Reader } from './reader.js'
import { hexOf } from '../hex-of.js'
import { timedHex, untimed } from '../values/timed-uuid.js'

const hexDigit = (unit: number): number => (unit <= 0x39 ? unit - 0x30 : unit - 0x57)

function sixteenBytes(
  write: (target: Uint8Array, at: number, text: string) => void,
  read: (bytes: Uint8Array, reader: Reader) => string,
): Encoding<string> {
  return {
    minBytes: 16,
    maxBytes: 16,
    size: () => 16,
    write(target, at, text) {
      write(target, at, text)
      return at + 16
    },
    read(reader, flip) {
      return read(reader.cut(reader.take(16), flip), reader)
    },
  }
}

/** Hex digits as bytes; dashes between two bytes are passed over. */
function writeHex(target: Uint8Array, at: number, digits: string): void {
  for (let i = 0; i < digits.length; i += 2) {
    if (digits.charCodeAt(i) === 0x2d) i++
    target[at++] = (hexDigit(digits.charCodeAt(i)) << 4) | hexDigit(digits.charCodeAt(i + 1))
  }
}

/** The 16 bytes of a UUID in text order. */
export const uuidEncoding: Encoding<string> = sixteenBytes(writeHex, (bytes) => {
  const hex = hexOf(bytes)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
})

/** Version first, clocks from high to low. */
export const timedUuidEncoding: Encoding<string> = sixteenBytes(
  (target, at, text) => {
    writeHex(target, at, timedHex(text))
  },
  (bytes) => untimed(hexOf(bytes)),
)

const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const valueOf32 = Object.fromEntries(Array.from(base32, (character, value) => [character, value]))

/** The 128 bits of a ULID. Its 26 characters hold 130: the first one has only three. Source: the ULID specification, binary layout. */
export const ulidEncoding: Encoding<string> = sixteenBytes(
  (target, at, text) => {
    let bits = 0
    let held = -2 // the two bits too many come first and are zero
    for (const character of text) {
      bits = (bits << 5) | (valueOf32[character] as number)
      held += 5
      if (held < 8) continue
      held -= 8
      target[at++] = bits >>> held
      bits &= (1 << held) - 1
    }
  },
  (bytes) => {
    let text = ''
    let bits = 0
    let held = 2
    for (const byte of bytes) {
      bits = (bits << 8) | byte
      held += 8
      for (; held >= 5; bits &= (1 << held) - 1) {
        held -= 5
        text += base32[bits >>> held] as string
      }
    }
    return text
  },
)
