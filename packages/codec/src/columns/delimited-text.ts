// Tested by idioms-combined.test.ts and malformed.test.ts.
import type { ColumnType, NoDefault, TypeOptions } from '../type/column-type.js'
import type { Reader } from '../type/reader.js'
import type { Encoding, TypeImpl } from '../type/type-impl.js'
import { compareText } from '../compare.js'
import { quoted, show } from '../show.js'
import { invalidType, makeType } from '../type/make-type.js'
import { readUtf8, utf8Length, utf8Of, writeUtf8 } from '../utf8.js'
import { longTextConversion, textConversion } from './text.js'

/** UTF-8 padded at its end to `width` UTF-16 units. Prefix-free because every encoding holds exactly `width` units. */
function paddedTextEncoding(width: number, pad: string): Encoding<string> {
  return {
    minBytes: width,
    maxBytes: width * 3,
    size: (value) => utf8Length(value) + (width - value.length) * utf8Length(pad),
    write: (target, at, value) => writeUtf8(target, at, value.padEnd(width, pad), false),
    read(reader) {
      const from = reader.at
      for (let units = 0; units < width;) {
        const lead = reader.byte()
        if (lead >= 0xc0) reader.advance(lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1)
        units += lead >= 0xf0 ? 2 : 1
      }
      const padded = readUtf8(reader.copyFrom(from))
      if (padded?.length !== width) return reader.fail(`the text is not UTF-8 of ${width} units`)
      let end = width
      while (end > 0 && padded[end - 1] === pad) end--
      return padded.slice(0, end)
    },
  }
}

export const paddedTextImpl: TypeImpl = {
  conversion({ width = 0, pad = '' }) {
    const expected = `text of at most ${width} UTF-16 units that does not end in ${show(pad)}, the padding`
    return textConversion(expected, (text) => text.length <= width && !text.endsWith(pad))
  },
  storage: () => ({ class: 'text', restricted: true }),
  encoding: ({ width = 0, pad = '' }) => paddedTextEncoding(width, pad),
  compareEncoded:
    ({ width = 0, pad }) =>
    (a, b) =>
      compareText((a as string).padEnd(width, pad), (b as string).padEnd(width, pad)),
  fromJSON: (options, { width, pad }) => paddedText(width as number, { ...options, pad: pad as string }),
  hashesAsText: () => true,
  parameters: ({ width, pad = '' }) => [String(width), quoted(pad)],
}

type PaddedTraits<W extends string> = W extends '\0' ? 'range' : never

/**
 * Vendor idiom `rpad(column, width, pad)`: text padded at its end to `width` UTF-16 units (as Java counts). A value may neither end
 * in the pad character nor be longer than `width`, because then two values would have one key.
 *
 * Byte order equals value order only if the padding is `'\0'`. With any other padding only `=` and `in` use the column.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `width` is not from 1 to 1000 or `pad` is not one UTF-16 unit.
 * @example
 * ```ts
 * toHex(keyLayout([['host', paddedText(6, { pad: 'x' })]]).encode({ host: 'web1' })) //=> '776562317878'
 * ```
 */
export function paddedText<const W extends string>(
  width: number,
  options: NoDefault & { readonly pad: W },
): ColumnType<string, PaddedTraits<W>>
export function paddedText<const W extends string>(
  width: number,
  options: TypeOptions & { readonly pad: W; readonly default: string },
): ColumnType<string, PaddedTraits<W> | 'default'>
export function paddedText(width: number, options: TypeOptions & { readonly pad: string }): ColumnType<string, never> {
  const pad: unknown = options?.pad
  if (!Number.isInteger(width) || width < 1 || width > 1000) {
    throw invalidType('paddedText', `paddedText(${show(width)}) needs a width from 1 to 1000.`)
  }
  if (!isOneUnit(pad)) {
    throw invalidType(
      'paddedText',
      `paddedText() cannot pad with ${show(pad)}. Give { pad }, one character below U+10000, such as { pad: ' ' }.`,
    )
  }
  return makeType({ kind: 'paddedText', width, pad, ordered: pad === '\0' }, paddedTextImpl, options, ['pad'])
}

/** Whether these bytes come next. */
export const isNext = (reader: Reader, expected: Uint8Array): boolean => expected.every((byte, i) => byte === reader.byteAt(reader.at + i))

/** UTF-8 ended by a separator that the text does not contain. */
function separatedTextEncoding(separator: string): Encoding<string> {
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
    read(reader) {
      const from = reader.at
      while (!isNext(reader, mark)) reader.advance(1) // which refuses at the end
      const text = readUtf8(reader.copyFrom(from))
      if (text === undefined) return reader.fail('the text is not UTF-8')
      reader.advance(mark.length)
      return text
    },
  }
}

export const separatedTextImpl: TypeImpl = {
  conversion: ({ separator = '' }) =>
    longTextConversion(`text without ${show(separator)}, the separator`, (text) => !text.includes(separator)),
  storage: () => ({ class: 'text', restricted: true }),
  encoding: ({ separator = '' }) => separatedTextEncoding(separator),
  // If one text begins the other, the separator of the shorter one is compared with a character of the longer one. As in the encoding,
  // the texts are not joined with their separators.
  compareEncoded({ separator = '' }) {
    return (one, other) => {
      const [a, b] = [one as string, other as string]
      if (a.length < b.length && b.startsWith(a)) return compareText(separator, b.charAt(a.length))
      if (b.length < a.length && a.startsWith(b)) return compareText(a.charAt(b.length), separator)
      return compareText(a, b)
    }
  },
  fromJSON: (options, { separator }) => separatedText(separator as string, options),
  hashesAsText: () => true,
  parameters: ({ separator = '' }) => [quoted(separator)],
}

type SeparatedTraits<W extends string> = W extends '\0' ? 'range' : never

/**
 * Vendor idiom `column + '_'`: text ended by a separator that no value may contain. Because of characters below the separator, byte
 * order differs from value order, so only `=` and `in` use the column. With `'\0'`, as in many Java programs and in Apache Phoenix, nothing
 * is below the separator: the column has the order of its values, and ranges.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if the separator is not one UTF-16 unit.
 * @example
 * ```ts
 * toHex(keyLayout([['host', separatedText('_')]]).encode({ host: 'web1' })) //=> '776562315f'
 * ```
 */
export function separatedText<const W extends string>(separator: W, options?: NoDefault): ColumnType<string, SeparatedTraits<W>>
export function separatedText<const W extends string>(
  separator: W,
  options: TypeOptions & { readonly default: string },
): ColumnType<string, SeparatedTraits<W> | 'default'>
export function separatedText(separator: string, options?: TypeOptions): ColumnType<string, never> {
  if (!isOneUnit(separator)) {
    throw invalidType('separatedText', `separatedText() cannot use the separator ${show(separator)}. Give one character below U+10000.`)
  }
  return makeType({ kind: 'separatedText', separator, ordered: separator === '\0' }, separatedTextImpl, options)
}

/** Surrogates are halves of a character, so they can neither pad nor separate. */
function isOneUnit(given: unknown): given is string {
  return typeof given === 'string' && given.length === 1 && given.isWellFormed()
}
