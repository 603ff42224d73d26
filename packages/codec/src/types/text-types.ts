import type { ColumnType, TypeFactory, TypeOptions } from './column-type.js'
import { compareText } from '../compare.js'
import { codecError } from '../error.js'
import { isPlainObject } from '../values/built-in.js'
import { show } from '../values/show.js'
import { dictionaryKind, paddedKind, separatedKind, textKind, ulidKind, uuidKind } from '../kinds/texts.js'
import { make } from './make.js'

/**
 * Text, ordered by code point. Bytes: UTF-8 with `00` → `00 01`, then `00 00`. Any well-formed string, NUL included.
 *
 * @throws RowkeyError `INVALID_VALUE` on encoding a string with a lone surrogate.
 * @example
 * ```ts
 * toHex(keyLayout([['host', text()]]).encode({ host: 'web' })) //=> '7765620000'
 * ```
 */
export const text: TypeFactory<string, 'range' | 'prefix'> = (options?: object) => make({ kind: 'text' }, textKind, options)

/** Options of {@link uuid}: `order: 'time'` puts UUIDs with a clock in order of time. */
export interface UuidOptions extends TypeOptions {
  readonly order?: 'time'
}

/**
 * A UUID as lower-case text. Bytes: the 16 bytes in text order, so byte order is text order.
 *
 * With `{ order: 'time' }` the first eight bytes are turned: the version digit, then for version 1 the high, middle and low part of
 * its clock, for all others the other digits in text order. So those of version 1, 6 and 7 each sort by time, and predicates
 * compare in that order. The bytes are those of Cassandra's `uuid` in its byte-comparable form.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` for another order.
 * @example
 * ```ts
 * toHex(keyLayout([['id', uuid()]]).encode({ id: '00112233-4455-6677-8899-aabbccddeeff' })) //=> '00112233445566778899aabbccddeeff'
 * const timed = keyLayout([['id', uuid({ order: 'time' })]])
 * toHex(timed.encode({ id: '2a92d750-d8dc-11e6-a2de-cf8ecd4cf053' })) //=> '11e6d8dc2a92d750a2decf8ecd4cf053'
 * ```
 */
export function uuid(options: UuidOptions & { readonly default: string }): ColumnType<string, 'range' | 'default'>
export function uuid(options?: UuidOptions): ColumnType<string, 'range'>
export function uuid(options?: UuidOptions): ColumnType<string, 'range'> {
  const order = options?.order
  if (order === undefined) return make({ kind: 'uuid' }, uuidKind, options, ['order'])
  if (order === 'time') return make({ kind: 'uuid', order }, uuidKind, options, ['order'])
  throw refused('uuid', `uuid() cannot be in order of ${show(order)}. Use 'time', or leave it out for the order of the text.`)
}

/**
 * A ULID: 26 characters of Crockford's base 32 in upper case. Bytes: its 128 bits, 16 bytes, so byte order is text order, which is
 * order of time. `default: 'ulid'` makes one on insert and put.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['id', ulid()]]).encode({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })) //=> '01563e3ab5d3d6764c61efb99302bd5b'
 * ```
 */
export const ulid: TypeFactory<string, 'range', 'ulid'> = (options?: object) => make({ kind: 'ulid' }, ulidKind, options)

type PaddedTraits<W extends string> = W extends '\0' ? 'range' : never

/**
 * Vendor idiom `rpad(column, width, pad)`: text padded at its end to `width` UTF-16 units (as Java counts). A value may not end
 * in the pad character and may not be longer than `width`, else two values would share a key.
 *
 * Only with `'\0'` as padding does byte order equal value order; with any other only `=` and `in` use the column.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `width` is not from 1 to 1000 or `with` is not one UTF-16 unit.
 * @example
 * ```ts
 * toHex(keyLayout([['host', paddedText(6, { with: 'x' })]]).encode({ host: 'web1' })) //=> '776562317878'
 * ```
 */
export function paddedText<const W extends string>(
  width: number,
  options: TypeOptions & { readonly with: W; readonly default: string },
): ColumnType<string, PaddedTraits<W> | 'default'>
export function paddedText<const W extends string>(
  width: number,
  options: TypeOptions & { readonly with: W },
): ColumnType<string, PaddedTraits<W>>
export function paddedText(width: number, options: TypeOptions & { readonly with: string }): ColumnType<string, never> {
  const pad: unknown = options?.with
  if (!Number.isInteger(width) || width < 1 || width > 1000) {
    throw refused('paddedText', `paddedText(${show(width)}) needs a width from 1 to 1000.`)
  }
  if (!isOneUnit(pad)) {
    throw refused('paddedText', `paddedText cannot pad with ${show(pad)}. Give one character below U+10000.`)
  }
  return make({ kind: 'paddedText', width, pad, ordered: pad === '\0' }, paddedKind, options, ['with'])
}

/**
 * Vendor idiom `column + '_'`: text ended by a separator that no value may contain. Characters below the separator make byte
 * order differ from value order, so only `=` and `in` use the column.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if the separator is not one UTF-16 unit.
 * @example
 * ```ts
 * toHex(keyLayout([['host', separatedText('_')]]).encode({ host: 'web1' })) //=> '776562315f'
 * ```
 */
export function separatedText(separator: string, options: TypeOptions & { readonly default: string }): ColumnType<string, 'default'>
export function separatedText(separator: string, options?: TypeOptions): ColumnType<string, never>
export function separatedText(separator: string, options?: TypeOptions): ColumnType<string, never> {
  if (!isOneUnit(separator)) {
    throw refused('separatedText', `separatedText cannot end in ${show(separator)}. Give one character below U+10000.`)
  }
  return make({ kind: 'separatedText', separator, ordered: false }, separatedKind, options)
}

/**
 * Short codes instead of long names (the guides' `'taobao'` → `'tb'`). Codes are unique and prefix-free, so that none begins
 * another. Never change or reuse a code: the table is part of the format.
 *
 * Byte order is the order of the codes; ranges work only where that is also the order of the values, and only at run time.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if the table is empty, a code is empty, or one code begins another.
 * @example
 * ```ts
 * toHex(keyLayout([['shop', dictionary({ taobao: 'tb', tmall: 'tm' })]]).encode({ shop: 'tmall' })) //=> '746d'
 * ```
 */
export function dictionary<const D extends Readonly<Record<string, string>>>(
  codes: D,
  options: TypeOptions & { readonly default: keyof D & string },
): ColumnType<keyof D & string, 'default'>
export function dictionary<const D extends Readonly<Record<string, string>>>(
  codes: D,
  options?: TypeOptions,
): ColumnType<keyof D & string, never>
export function dictionary(codes: Readonly<Record<string, string>>, options?: TypeOptions): ColumnType<never, never> {
  if (!isPlainObject(codes)) throw refused('dictionary', `the codes of dictionary() cannot be ${show(codes)}. Give { value: code }.`)
  const table = Object.entries(codes)
  if (table.length === 0) throw refused('dictionary', 'dictionary({}) has no codes. Give at least one.')
  for (const [value, code] of table) checkCode(value, code)
  refusePrefixes(table)
  return make(
    { kind: 'dictionary', codes: Object.freeze(table.map((pair) => Object.freeze(pair))), ordered: inOrder(table) },
    dictionaryKind,
    options,
  )
}

/** Surrogates are halves of a character, so they are no unit to pad or separate with. */
function isOneUnit(given: unknown): given is string {
  return typeof given === 'string' && given.length === 1 && given.isWellFormed()
}

function checkCode(value: string, code: unknown): void {
  if (!value.isWellFormed() || typeof code !== 'string' || !code.isWellFormed() || code === '') {
    throw refused('dictionary', `dictionary code ${show(code)} of ${show(value)} is no code. Give well-formed text that is not empty.`)
  }
}

/** Sorted, a code that begins another one begins the next one. */
function refusePrefixes(table: readonly (readonly [value: string, code: string])[]): void {
  const sorted = table.toSorted(([, a], [, b]) => (a < b ? -1 : Number(a > b)))
  const prefixes = new Set(sorted.filter(([, code], i) => sorted[i + 1]?.[1].startsWith(code)))
  const first = table.find((entry) => prefixes.has(entry))
  if (first === undefined) return
  const [value, code] = first
  const [name, longer] = table.find((entry) => entry !== first && entry[1].startsWith(code)) as readonly [string, string]
  throw refused(
    'dictionary',
    longer === code
      ? `dictionary() gives both ${show(value)} and ${show(name)} the code ${show(code)}. Give each value its own.`
      : `in dictionary() the code ${show(longer)} of ${show(name)} starts with ${show(code)}, the code of ${show(value)}. ` +
          'Decoding could not tell them apart; give codes of one width.',
  )
}

function inOrder(table: readonly (readonly [string, string])[]): boolean {
  const byValue = table.toSorted(([a], [b]) => compareText(a, b))
  return byValue.every(([, code], i) => i === 0 || compareText((byValue[i - 1] as readonly [string, string])[1], code) < 0)
}

function refused(type: string, message: string): Error {
  return codecError('INVALID_COLUMN_TYPE', message, { type })
}
