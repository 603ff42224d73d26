import type { Encoding } from '../encodings/encoding.js'
import type { Reader } from '../encodings/reader.js'
import { readUtf8, utf8Length, writeUtf8 } from '../encodings/utf8.js'

/** All bytes up to the end of the key: only what is last can be written so. */
export const rawBytes: Encoding<Uint8Array> = {
  minBytes: 0,
  maxBytes: Infinity,
  size: (value) => value.length,
  write(target, at, value) {
    target.set(value, at)
    return at + value.length
  },
  read: rest,
}

/** UTF-8 up to the end of the key. */
export const rawText: Encoding<string> = {
  minBytes: 0,
  maxBytes: Infinity,
  size: utf8Length,
  write: (target, at, value) => writeUtf8(target, at, value, false),
  read: (reader, flip) => readUtf8(rest(reader, flip)) ?? reader.fail('the text is not UTF-8'),
}

function rest(reader: Reader, flip: number): Uint8Array {
  return reader.cut(reader.take(reader.bytes.length - reader.at), flip)
}
