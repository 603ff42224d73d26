import type { Encoding } from './type-impl.js'
import { readUtf8, utf8Length, writeUtf8 } from '../utf8.js'

/** All bytes up to the end of the key. Only the last column can have this form. */
export const rawBytes: Encoding<Uint8Array> = {
  minBytes: 0,
  maxBytes: Infinity,
  size: (value) => value.length,
  write(target, at, value) {
    target.set(value, at)
    return at + value.length
  },
  read: (reader) => reader.copyFrom(reader.advance(reader.left)),
}

/** UTF-8 up to the end of the key. Only the last column can have this form. */
export const rawText: Encoding<string> = {
  minBytes: 0,
  maxBytes: Infinity,
  size: utf8Length,
  write: (target, at, value) => writeUtf8(target, at, value, false),
  read: (reader) => readUtf8(rawBytes.read(reader)) ?? reader.fail('the text is not UTF-8'),
}
