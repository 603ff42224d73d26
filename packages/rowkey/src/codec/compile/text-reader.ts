import { readUtf8 } from '../utf8.js'
import { latin1 } from '../latin1-string.js'
import { view } from '../built-in.js'
import { makeCode } from './make-code.js'

/** One call of fromCharCode with as many arguments as there are units: several times faster than a loop. */
type ShortText = (units: Uint8Array | Uint16Array, from: number, length: number) => string
const shortest = 24

/** Generated too, so made by the first layout that is. Two of them: one for bytes, one for UTF-16 units, so that each sees one type. */
function shortText(): ShortText | undefined {
  const cases = Array.from({ length: shortest + 1 }, (_, length) => {
    const units = Array.from({ length }, (_, i) => `a[p+${i}]`)
    return `case ${length}:return ${length === 0 ? '""' : `f(${units.join()})`};`
  })
  return makeCode({ f: String.fromCharCode }, `return function(a,p,n){switch(n){${cases.join('')}}}`) as ShortText | undefined
}

/** Reads the text of an escape. */
export interface TextReader {
  /** The bytes `[from, to)`, all of them ASCII and none an escape. */
  ascii(bytes: Uint8Array, from: number, to: number): string
  /** All others: the text that begins at `from`, undefined if it is malformed; else {@link end} is after it. */
  other(bytes: Uint8Array, from: number, flip: number): string | undefined
  end: number
}

const units = /* @__PURE__ */ new Uint16Array(96)

/** Undefined if the host forbids code from text. */
export function textReader(): TextReader | undefined {
  const ofBytes = shortText()
  const ofUnits = shortText()
  if (ofBytes === undefined || ofUnits === undefined) return undefined
  const reader: TextReader = {
    end: 0,
    ascii: (bytes, from, to) => (to - from <= shortest ? ofBytes(bytes, from, to - from) : latin1(bytes, from, to)),
    other(bytes, from, flip) {
      const length = readUnits(bytes, from, flip, reader)
      if (length >= 0 && length <= shortest) return ofUnits(units, 0, length)
      if (length >= 0) return String.fromCharCode.apply(undefined, units.subarray(0, length) as unknown as number[])
      return length === tooLong ? readLong(bytes, from, flip, reader) : undefined
    },
  }
  return reader
}

const malformed = -1
const tooLong = -2

/**
 * Escaped UTF-8 into {@link units}; how many, or one of the two above. After the end of `bytes` no byte continues a
 * character: `undefined ^ flip` has none of the bits.
 */
function readUnits(bytes: Uint8Array, from: number, flip: number, reader: TextReader): number {
  let count = 0
  let bad = 0
  for (let at = from; at < bytes.length;) {
    const lead = (bytes[at] as number) ^ flip
    if (count > units.length - 2) return tooLong
    if (lead < 0x80) {
      units[count++] = lead
      at++
      if (lead !== 0) continue
      if (at >= bytes.length) return malformed
      const mark = (bytes[at++] as number) ^ flip
      if (mark === 1) continue
      reader.end = at
      return mark === 0 && bad === 0 ? count - 1 : malformed
    }
    const second = (bytes[at + 1] as number) ^ flip
    bad |= (second & 0xc0) ^ 0x80
    if (lead < 0xe0) {
      if (lead < 0xc2) return malformed
      units[count++] = ((lead & 0x1f) << 6) | (second & 0x3f)
      at += 2
      continue
    }
    const third = (bytes[at + 2] as number) ^ flip
    bad |= (third & 0xc0) ^ 0x80
    if (lead < 0xf0) {
      const point = ((lead & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f)
      if (point < 0x800 || (point & 0xf800) === 0xd800) return malformed
      units[count++] = point
      at += 3
      continue
    }
    const fourth = (bytes[at + 3] as number) ^ flip
    bad |= (fourth & 0xc0) ^ 0x80
    const point = ((lead & 0x0f) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f)
    if (point < 0x10000 || point > 0x10ffff) return malformed
    units[count++] = 0xd7c0 + (point >> 10) // d800 - (10000 >> 10)
    units[count++] = 0xdc00 | (point & 0x3ff)
    at += 4
  }
  return malformed
}

/** By the platform: finds the end, and copies only what is escaped or flipped. */
function readLong(bytes: Uint8Array, from: number, flip: number, reader: TextReader): string | undefined {
  let escapes = 0
  let end = from
  for (; end + 1 < bytes.length; end++) {
    if (((bytes[end] as number) ^ flip) !== 0) continue
    if (((bytes[end + 1] as number) ^ flip) === 0) break
    escapes++ // whether 01 follows is checked below
    end++
  }
  if (end + 1 >= bytes.length) return undefined
  reader.end = end + 2
  if (escapes === 0 && flip === 0) return readUtf8(view(bytes, from, end))
  const plain = new Uint8Array(end - from - escapes)
  for (let at = from, to = 0; at < end; at++) {
    const byte = (bytes[at] as number) ^ flip
    plain[to++] = byte
    if (byte === 0 && ((bytes[++at] as number) ^ flip) !== 1) return undefined
  }
  return readUtf8(plain)
}
