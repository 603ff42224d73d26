// Tested by key-format.test.ts and idioms.test.ts.
import type { ColumnType, NoDefault, TypeOptions } from '../type/column-type.js'
import type { Encoding, TypeImpl } from '../type/type-impl.js'
import { isPlainObject } from '../built-in.js'
import { compareText } from '../compare.js'
import { quoted, show } from '../show.js'
import { invalidType, makeType } from '../type/make-type.js'
import { utf8Of } from '../utf8.js'
import { textConversion } from './text.js'

/** The codes of a dictionary; they are prefix-free, so the first that matches is the only one. */
function dictionaryEncoding(codes: readonly (readonly [value: string, code: string])[]): Encoding<string> {
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
    read(reader) {
      const found = table.find(({ bytes }) => reader.isNext(bytes))
      if (found === undefined) return reader.fail('the bytes are not a code of the dictionary')
      reader.advance(found.bytes.length)
      return found.value
    },
  }
}

export const dictionaryImpl: TypeImpl = {
  conversion({ codes = [] }) {
    const known = new Set(codes.map(([value]) => value))
    const listed = [...known].slice(0, 8).map((value) => show(value))
    const more = known.size > 8 ? ` and ${known.size - 8} more` : ''
    return textConversion(`one of ${listed.join(', ')}${more}`, (text) => known.has(text))
  },
  storage: () => ({ class: 'text', restricted: true }),
  encoding: ({ codes = [] }) => dictionaryEncoding(codes),
  compareEncoded({ codes = [] }) {
    const codeOf = new Map(codes)
    return (a, b) => compareText(codeOf.get(a as string) as string, codeOf.get(b as string) as string)
  },
  outgrows({ codes = [] }, older) {
    const own = new Map(codes)
    const changed = older.codes?.find(([value, code]) => own.get(value) !== code)
    if (changed === undefined) return undefined
    const [value, code] = changed
    const now = own.get(value)
    return `the code of ${show(value)} is ${show(code)} in the table, ${now === undefined ? 'none' : show(now)} in the model`
  },
  fromJSON: (options, { codes }) => dictionary(Object.fromEntries(codes as [string, string][]), options),
  positional: ['codes'],
  parameters: ({ codes = [] }) => codes.map(([value, code]) => `${plainName.test(value) ? value : quoted(value)}: ${quoted(code)}`).sort(),
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Short codes instead of long names (the guides' `'taobao'` → `'tb'`). Codes are unique and prefix-free, so that none begins
 * another. Never change or reuse a code: the table is part of the format.
 *
 * Byte order is the order of the codes. Ranges only work if that is also the order of the values, which is checked at run time.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if the table is empty, a code is empty, or one code begins another.
 * @example
 * ```ts
 * toHex(keyLayout([['shop', dictionary({ taobao: 'tb', tmall: 'tm' })]]).encode({ shop: 'tmall' })) //=> '746d'
 * ```
 */
export function dictionary<const D extends Readonly<Record<string, string>>>(
  codes: D,
  options?: NoDefault,
): ColumnType<keyof D & string, never>
export function dictionary<const D extends Readonly<Record<string, string>>>(
  codes: D,
  options: TypeOptions & { readonly default: keyof D & string },
): ColumnType<keyof D & string, 'default'>
export function dictionary(codes: Readonly<Record<string, string>>, options?: TypeOptions): ColumnType<never, never> {
  if (!isPlainObject(codes)) throw invalidType('dictionary', `the codes of dictionary() cannot be ${show(codes)}. Give { value: code }.`)
  const table = Object.entries(codes)
  if (table.length === 0) throw invalidType('dictionary', 'dictionary({}) has no codes. Give at least one.')
  for (const [value, code] of table) checkCode(value, code)
  refusePrefixes(table)
  return makeType(
    { kind: 'dictionary', codes: Object.freeze(table.map((pair) => Object.freeze(pair))), ordered: inOrder(table) },
    dictionaryImpl,
    options,
  )
}

function checkCode(value: string, code: unknown): void {
  if (!value.isWellFormed() || typeof code !== 'string' || !code.isWellFormed() || code === '') {
    throw invalidType(
      'dictionary',
      `dictionary() cannot use ${show(code)} as the code of ${show(value)}. Give well-formed text that is not empty.`,
    )
  }
}

/** In a sorted list, a code that begins another one begins the next one. */
function refusePrefixes(table: readonly (readonly [value: string, code: string])[]): void {
  const sorted = table.toSorted(([, a], [, b]) => (a < b ? -1 : Number(a > b)))
  const prefixes = new Set(sorted.filter(([, code], i) => sorted[i + 1]?.[1].startsWith(code)))
  const first = table.find((entry) => prefixes.has(entry))
  if (first === undefined) return
  const [value, code] = first
  const [name, longer] = table.find((entry) => entry !== first && entry[1].startsWith(code)) as readonly [string, string]
  throw invalidType(
    'dictionary',
    longer === code
      ? `dictionary() gives both ${show(value)} and ${show(name)} the code ${show(code)}. Give each value its own.`
      : `in dictionary() the code ${show(longer)} of ${show(name)} starts with ${show(code)}, the code of ${show(value)}. ` +
          'Decoding could not tell them apart. Give all codes the same width.',
  )
}

function inOrder(table: readonly (readonly [string, string])[]): boolean {
  const byValue = table.toSorted(([a], [b]) => compareText(a, b))
  return byValue.every(([, code], i) => i === 0 || compareText((byValue[i - 1] as readonly [string, string])[1], code) < 0)
}
