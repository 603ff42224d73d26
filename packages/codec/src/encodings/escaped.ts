import type { Encoding } from './encoding.js'
import type { Reader } from './reader.js'
import { readUtf8, utf8Length, writeUtf8 } from './utf8.js'

/** Bytes of any length: `00` → `00 01`, ended by `00 00`. */
export const bytesEncoding: Encoding<Uint8Array> = {
  minBytes: 2,
  maxBytes: Infinity,
  size(value) {
    const { length } = value
    let size = length + 2
    for (let i = 0; i < length; i++) if (value[i] === 0) size++
    return size
  },
  write(target, at, value) {
    const { length } = value
    for (let i = 0; i < length; i++) {
      const byte = value[i] as number
      target[at++] = byte
      if (byte === 0) target[at++] = 1
    }
    return end(target, at)
  },
  read: readEscaped,
}

/** UTF-8 in the same escape. */
export const textEncoding: Encoding<string> = {
  minBytes: 2,
  maxBytes: Infinity,
  size(value) {
    let size = utf8Length(value) + 2
    for (let i = value.indexOf('\0'); i >= 0; i = value.indexOf('\0', i + 1)) size++
    return size
  },
  write: (target, at, value) => end(target, writeUtf8(target, at, value, true)),
  read: (reader, flip) => readUtf8(readEscaped(reader, flip)) ?? reader.fail('the text is not UTF-8'),
}

function end(target: Uint8Array, at: number): number {
  target[at] = 0
  target[at + 1] = 0
  return at + 2
}

function readEscaped(reader: Reader, flip: number): Uint8Array {
  const { bytes } = reader
  const from = reader.at
  let escapes = 0
  for (;;) {
    const byte = (bytes[reader.take(1)] as number) ^ flip
    if (byte !== 0) continue
    const next = (bytes[reader.take(1)] as number) ^ flip
    if (next === 0) break
    if (next !== 1) reader.fail('00 is followed by 00 or 01')
    escapes++
  }
  const value = new Uint8Array(reader.at - from - 2 - escapes)
  for (let i = from, to = 0; to < value.length; i++, to++) {
    const byte = (bytes[i] as number) ^ flip
    value[to] = byte
    if (byte === 0) i++
  }
  return value
}
