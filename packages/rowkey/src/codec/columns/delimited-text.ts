// Tested by idioms-combined.test.ts and malformed.test.ts.
import type { ColumnType, NoDefault, TypeOptions } from '../type/column-type.js'
import type { Encoding, TypeImpl } from '../type/type-impl.js'
import { isPlainObject } from '../built-in.js'
import { compareText } from '../compare.js'
import { counted, quoted, show } from '../show.js'
import { invalidType, makeType } from '../type/make-type.js'
import { splitEnd } from '../type/open-end.js'
import { readUtf8, utf8Length, utf8Of, writeUtf8 } from '../utf8.js'
import { longTextConversion, textConversion, textSpelling } from './text.js'

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
  positional: ['width'],
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
    read(reader) {
      const from = reader.at
      while (!reader.isNext(mark)) reader.advance(1) // which refuses at the end
      const text = readUtf8(reader.copyFrom(from))
      if (text === undefined) return reader.fail('the text is not UTF-8')
      reader.advance(mark.length)
      return text
    },
  }
}

/** The same where values may contain the separator: the one that ends it leaves room for the columns after it, and for nothing else. */
function splitTextEncoding(separator: string, after: number): Encoding<string> {
  const first = separatedTextEncoding(separator)
  const mark = utf8Of(separator)
  return {
    ...first,
    openEnd: splitEnd,
    read(reader) {
      const from = reader.at
      reader.advance(Math.max(0, reader.left - after - mark.length))
      const text = readUtf8(reader.copyFrom(from))
      if (text === undefined) return reader.fail('the text is not UTF-8')
      if (!reader.isNext(mark))
        return reader.fail(`the separator is not where it leaves ${counted(after, 'byte')} for the columns after it`)
      reader.advance(mark.length)
      return text
    },
  }
}

export const separatedTextImpl: TypeImpl = {
  conversion: ({ separator = '', split }) =>
    split === 'last'
      ? longTextConversion('well-formed text (no lone surrogate)', () => true)
      : longTextConversion(`text without ${show(separator)}, the separator`, (text) => !text.includes(separator)),
  storage: ({ split }) => ({ class: 'text', restricted: split !== 'last' }),
  encoding: ({ separator = '', split }, after) =>
    split === 'last' ? splitTextEncoding(separator, after) : separatedTextEncoding(separator),
  spelling: ({ separator = '', split }) => (split === 'last' ? undefined : textSpelling(separatedTextEncoding(separator))),
  // If one text begins the other, the separator of the shorter one is compared with a character of the longer one. If they are the same,
  // which only a column with { split } allows, the encoding of the shorter text begins the other one. As in the encoding, the texts are not
  // joined with their separators.
  compareEncoded({ separator = '' }) {
    return (one, other) => {
      const [a, b] = [one as string, other as string]
      if (a.length < b.length && b.startsWith(a)) return compareText(separator, b.charAt(a.length)) || -1
      if (b.length < a.length && a.startsWith(b)) return compareText(a.charAt(b.length), separator) || 1
      return compareText(a, b)
    }
  },
  fromJSON: (options, { separator, split }) =>
    separatedText(
      separator as string,
      { ...options, ...(split === undefined ? {} : { split: split as 'last' }) } as NoDefault & { split: 'last' },
    ),
  hashesAsText: () => true,
  positional: ['separator'],
  parameters: ({ separator = '', split }) => [quoted(separator), ...(split === undefined ? [] : [`{ split: '${split}' }`])],
}

type SeparatedTraits<W extends string> = W extends '\0' ? 'range' : never

/**
 * Vendor idiom `column + '_'`: text ended by a separator that no value may contain. Because of characters below the separator, byte
 * order differs from value order, so only `=` and `in` use the column. With `'\0'`, as in many Java programs and in Apache Phoenix, nothing
 * is below the separator: the column has the order of its values, and ranges.
 *
 * With `{ split: 'last' }` values may contain the separator, as in `md5(user).substring(0, 4) + '_' + user + '_' + orderId` with users such as
 * 'bob_7'. The columns after it must have a fixed number of bytes: the separator that leaves room for exactly these ends the text. Then the
 * range of keys of 'bob' also holds those of 'bob_7': they are read and dropped, and from this column on, keys have the order of their bytes.
 * The separator may then be `''`, as in `user + orderId` with order ids of one length: the range of 'bob' also holds the keys of 'bobby'.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if the separator is not one UTF-16 unit (or `''` with `split`), or `split` is neither 'first' nor 'last'.
 * @example
 * ```ts
 * toHex(keyLayout([['host', separatedText('_')]]).encode({ host: 'web1' })) //=> '776562315f'
 * const orders = keyLayout([['user', separatedText('_', { split: 'last' })], ['order', fixedText(4)]])
 * orders.decode(orders.encode({ user: 'bob_7', order: '0042' }))            //=> { user: 'bob_7', order: '0042' }
 * ```
 */
export function separatedText<const W extends string>(
  separator: W,
  options?: NoDefault & { readonly split?: 'first' },
): ColumnType<string, SeparatedTraits<W>>
export function separatedText<const W extends string>(
  separator: W,
  options: TypeOptions & { readonly split?: 'first'; readonly default: string },
): ColumnType<string, SeparatedTraits<W> | 'default'>
export function separatedText(separator: string, options: NoDefault & { readonly split: 'last' }): ColumnType<string, never>
export function separatedText(
  separator: string,
  options: TypeOptions & { readonly split: 'last'; readonly default: string },
): ColumnType<string, 'default'>
export function separatedText(separator: string, options?: TypeOptions & { readonly split?: 'first' | 'last' }): ColumnType<string, never> {
  const { split } = isPlainObject(options) ? options : { split: undefined } // text has a property of that name
  if (!isOneUnit(separator) && !((separator as unknown) === '' && split === 'last')) {
    throw invalidType(
      'separatedText',
      `separatedText() cannot use the separator ${show(separator)}. Give one character below U+10000, or '' with { split: 'last' }.`,
    )
  }
  if (split !== undefined && split !== 'first' && split !== 'last') {
    throw invalidType('separatedText', `separatedText() cannot have split ${show(split)}. Use 'first' or 'last'.`)
  }
  const ordered = separator === '\0' && split !== 'last'
  return makeType({ kind: 'separatedText', separator, ...(split === 'last' ? { split } : {}), ordered }, separatedTextImpl, options, [
    'split',
  ])
}

/** Surrogates are halves of a character, so they can neither pad nor separate. */
export function isOneUnit(given: unknown): given is string {
  return typeof given === 'string' && given.length === 1 && given.isWellFormed()
}
