import type { Encoding } from './encoding.js'
import { readUtf8, utf8Length, writeUtf8 } from './utf8.js'

/** Exactly `length` bytes. */
export function fixedBytesEncoding(length: number): Encoding<Uint8Array> {
  return {
    minBytes: length,
    maxBytes: length,
    size: () => length,
    write(target, at, value) {
      target.set(value, at)
      return at + length
    },
    read(reader, flip) {
      return reader.cut(reader.take(length), flip)
    },
  }
}

/** UTF-8 padded at its end to `width` UTF-16 units. Prefix-free because every encoding holds exactly `width` units. */
export function paddedTextEncoding(width: number, pad: string): Encoding<string> {
  return {
    minBytes: width,
    maxBytes: width * 3,
    size: (value) => utf8Length(value) + (width - value.length) * utf8Length(pad),
    write: (target, at, value) => writeUtf8(target, at, value.padEnd(width, pad), false),
    read(reader, flip) {
      const from = reader.at
      for (let units = 0; units < width;) {
        const lead = (reader.bytes[reader.take(1)] as number) ^ flip
        if (lead >= 0xc0) reader.take(lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1)
        units += lead >= 0xf0 ? 2 : 1
      }
      const padded = readUtf8(reader.cut(from, flip))
      if (padded?.length !== width) return reader.fail(`the text is not UTF-8 of ${width} units`)
      let end = width
      while (end > 0 && padded[end - 1] === pad) end--
      return padded.slice(0, end)
    },
  }
}

/** UTF-8 ended by a separator that the text does not contain. */
export function separatedTextEncoding(separator: string): Encoding<string> {
  const mark = utf8Of(separator)
  return {
    minBytes: mark.length,
    maxBytes: Infinity,
    size: (value) => utf8Length(value) + mark.length,
    // Not `value + separator`: where an engine joins them lazily, every unit that is read may join them again.
    write(target, at, value) {
      const end = writeUtf8(target, at, value, false)
      target.set(mark, end)
      return end + mark.length
    },
    read(reader, flip) {
      const from = reader.at
      // -1 ^ flip is no byte, so nothing matches behind the end and take() refuses there.
      while (!mark.every((byte, i) => byte === ((reader.bytes[reader.at + i] ?? -1) ^ flip))) reader.take(1)
      const text = readUtf8(reader.cut(from, flip))
      if (text === undefined) return reader.fail('the text is not UTF-8')
      reader.take(mark.length)
      return text
    },
  }
}

/** The codes of a dictionary; they are prefix-free, so the first that matches is the only one. */
export function dictionaryEncoding(codes: readonly (readonly [value: string, code: string])[]): Encoding<string> {
  const table = codes.map(([value, code]) => ({ value, bytes: utf8Of(code) }))
  const byValue = new Map(table.map((entry) => [entry.value, entry.bytes]))
  const codeOf = (value: string): Uint8Array => byValue.get(value) as Uint8Array
  const sizes = table.map(({ bytes }) => bytes.length)
  return {
    minBytes: Math.min(...sizes),
    maxBytes: Math.max(...sizes),
    size: (value) => codeOf(value).length,
    write(target, at, value) {
      target.set(codeOf(value), at)
      return at + codeOf(value).length
    },
    read(reader, flip) {
      const found = table.find(({ bytes }) => bytes.every((byte, i) => byte === ((reader.bytes[reader.at + i] ?? -1) ^ flip)))
      if (found === undefined) return reader.fail('no dictionary code is here')
      reader.take(found.bytes.length)
      return found.value
    },
  }
}

function utf8Of(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text))
  writeUtf8(bytes, 0, text, false)
  return bytes
}
