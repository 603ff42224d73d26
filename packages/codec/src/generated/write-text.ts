import { writeUtf8 } from '../encodings/utf8.js'

const encoder = new TextEncoder()

/** In UTF-16 units: from here on the platform's encoder is faster than a loop, in spite of the view that it needs. */
const long = 24

/**
 * Writes text in the escape of KEY-6 with its end, every byte XORed with `flip`; there is room for 3 bytes per unit and 2 more.
 * Returns the offset behind, or -1 at a lone surrogate.
 */
export function writeText(target: Uint8Array, at: number, text: string, flip: number): number {
  const { length } = text
  if (length > long) return writeLong(target, at, text, flip)
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0 || unit >= 0x80) return writeUnusual(target, at + i, text, i, flip)
    target[at + i] = unit ^ flip
  }
  at += length
  target[at] = flip
  target[at + 1] = flip
  return at + 2
}

/** From the first character on that is not one byte. */
function writeUnusual(target: Uint8Array, at: number, text: string, from: number, flip: number): number {
  const { length } = text
  for (let i = from; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      target[at++] = unit ^ flip
      if (unit === 0) target[at++] = 1 ^ flip
    } else if (unit < 0x800) {
      target[at] = (0xc0 | (unit >> 6)) ^ flip
      target[at + 1] = (0x80 | (unit & 0x3f)) ^ flip
      at += 2
    } else if ((unit & 0xf800) !== 0xd800) {
      target[at] = (0xe0 | (unit >> 12)) ^ flip
      target[at + 1] = (0x80 | ((unit >> 6) & 0x3f)) ^ flip
      target[at + 2] = (0x80 | (unit & 0x3f)) ^ flip
      at += 3
    } else {
      const low = i + 1 < length ? text.charCodeAt(++i) : 0
      if (unit >= 0xdc00 || (low & 0xfc00) !== 0xdc00) return -1
      const point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff)
      target[at] = (0xf0 | (point >> 18)) ^ flip
      target[at + 1] = (0x80 | ((point >> 12) & 0x3f)) ^ flip
      target[at + 2] = (0x80 | ((point >> 6) & 0x3f)) ^ flip
      target[at + 3] = (0x80 | (point & 0x3f)) ^ flip
      at += 4
    }
  }
  target[at] = flip
  target[at + 1] = flip
  return at + 2
}

function writeLong(target: Uint8Array, at: number, text: string, flip: number): number {
  if (!text.isWellFormed()) return -1
  const end = text.includes('\0') ? writeUtf8(target, at, text, true) : at + encoder.encodeInto(text, target.subarray(at)).written
  if (flip !== 0) for (let i = at; i < end; i++) target[i] = (target[i] as number) ^ flip
  target[end] = flip
  target[end + 1] = flip
  return end + 2
}

/** Bytes in the escape of KEY-7; there is room. */
export function writeBytes(target: Uint8Array, at: number, value: Uint8Array, flip: number): number {
  const { length } = value
  for (let i = 0; i < length; i++) {
    const byte = value[i] as number
    target[at++] = byte ^ flip
    if (byte === 0) target[at++] = 1 ^ flip
  }
  target[at] = flip
  target[at + 1] = flip
  return at + 2
}
