import { readUtf8 } from '../encodings/utf8.js'
import { latin1 } from '../one-byte-string.js'

/** One call of fromCharCode with as many arguments as there are units: several times faster than a loop. */
type ShortText = (units: Uint8Array | Uint16Array, from: number, length: number) => string
const shortest = 24

/** Generated too, so made by the first layout that is. Two of them: one for bytes, one for UTF-16 units, so that each sees one type. */
function shortText(): ShortText {
  const cases = Array.from({ length: shortest + 1 }, (_, length) => {
    const units = Array.from({ length }, (_, i) => `a[p+${i}]`)
    return `case ${length}:return ${length === 0 ? '""' : `f(${units.join()})`};`
  })
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- text of our own, constant
  return new Function('f', `"use strict";return function(a,p,n){switch(n){${cases.join('')}}}`)(String.fromCharCode) as ShortText
}

/** Text from the bytes `[from, to)` of an escape whose end is known. */
export interface TextReader {
  /** All of them are ASCII and not flipped. */
  ascii(bytes: Uint8Array, from: number, to: number): string
  /** All others; undefined where they are not UTF-8. */
  other(bytes: Uint8Array, from: number, to: number, flip: number): string | undefined
}

const units = new Uint16Array(96)

export function textReader(): TextReader {
  const ofBytes = shortText()
  const ofUnits = shortText()
  return {
    ascii: (bytes, from, to) => (to - from <= shortest ? ofBytes(bytes, from, to - from) : latin1(bytes, from, to)),
    other(bytes, from, to, flip) {
      if (to - from > units.length) return readUtf8(unescaped(bytes, from, to, flip))
      const length = readUnits(bytes, from, to, flip)
      if (length < 0) return undefined
      if (length <= shortest) return ofUnits(units, 0, length)
      return String.fromCharCode.apply(undefined, units.subarray(0, length) as unknown as number[])
    },
  }
}

/**
 * Escaped UTF-8 into {@link units}; how many, or -1. Every byte of a character is looked at, so one that is cut off meets the 00 of
 * the end, which is no continuation: none is read beyond it.
 */
function readUnits(bytes: Uint8Array, from: number, to: number, flip: number): number {
  let count = 0
  let bad = 0
  for (let at = from; at < to;) {
    const lead = (bytes[at] as number) ^ flip
    if (lead < 0x80) {
      units[count++] = lead
      at += lead === 0 ? 2 : 1
      continue
    }
    const second = (bytes[at + 1] as number) ^ flip
    bad |= (second & 0xc0) ^ 0x80
    if (lead < 0xe0) {
      if (lead < 0xc2) return -1
      units[count++] = ((lead & 0x1f) << 6) | (second & 0x3f)
      at += 2
      continue
    }
    const third = (bytes[at + 2] as number) ^ flip
    bad |= (third & 0xc0) ^ 0x80
    if (lead < 0xf0) {
      const point = ((lead & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f)
      if (point < 0x800 || (point & 0xf800) === 0xd800) return -1
      units[count++] = point
      at += 3
      continue
    }
    const fourth = (bytes[at + 3] as number) ^ flip
    bad |= (fourth & 0xc0) ^ 0x80
    const point = ((lead & 0x0f) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f)
    if (point < 0x10000 || point > 0x10ffff) return -1
    units[count++] = 0xd800 | ((point - 0x10000) >> 10)
    units[count++] = 0xdc00 | (point & 0x3ff)
    at += 4
  }
  return bad === 0 ? count : -1
}

function unescaped(bytes: Uint8Array, from: number, to: number, flip: number): Uint8Array {
  const plain = new Uint8Array(to - from)
  let length = 0
  for (let at = from; at < to; at++) {
    const byte = (bytes[at] as number) ^ flip
    plain[length++] = byte
    if (byte === 0) at++
  }
  return plain.subarray(0, length)
}
