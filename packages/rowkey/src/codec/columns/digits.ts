// Tested by guide-formulas.test.ts.
import type { ColumnType, Trait, TypeData, Value } from '../type/column-type.js'
import { checkOptions } from '../check.js'
import { compareText } from '../compare.js'
import { quoted, show } from '../show.js'
import { invalidType, withData } from '../type/make-type.js'
import { lastEnd } from '../type/open-end.js'
import { rawText } from '../type/raw-encoding.js'
import { attachImpl, derived, typeImpl, type Encoding, type Spelling, type Storage, type TypeImpl } from '../type/type-impl.js'
import { typeText } from '../type/describe.js'
import { isOneUnit, separatedTextEncoding } from './delimited-text.js'
import { bigintOf, numberSpelling, type NumberStorage } from './number-spelling.js'
import { checkWrapped, notWrapped } from './wrappers.js'

const innerOf = ({ inner }: TypeData): TypeData => inner as TypeData
const innerStorage = (type: TypeData): NumberStorage => typeImpl(innerOf(type)).storage(innerOf(type)) as NumberStorage
const valueIn = ({ class: stored }: NumberStorage, number: bigint): Value => (stored === 'bigint' ? number : Number(number))

const allFields = 'yyyyMMddHHmmssSSS'
const formats: readonly string[] = ['yyyyMMdd', 'yyyyMMddHH', 'yyyyMMddHHmm', 'yyyyMMddHHmmss', allFields]
const dayMs = 86_400_000
/** The years 1 to 9999. */
const [firstMs, lastMs] = [-62_135_596_800_000, 253_402_300_799_999]

/** The number that the digits of a fixed width write, and the value of such a number; undefined for what has none. */
interface Numbering {
  readonly width: number
  readonly max: bigint
  numberOf(value: Value): bigint | undefined
  valueOf(number: bigint): Value | undefined
}

/** Undefined for digits without a fixed width. */
function numbering(type: TypeData): Numbering | undefined {
  const storage = innerStorage(type)
  const { width = type.format?.length ?? type.max?.length, format } = type
  if (width === undefined) return undefined
  const max = type.max === undefined ? 10n ** BigInt(width) - 1n : BigInt(type.max)
  if (format !== undefined) return { width, max, ...calendar(format, storage.counts === 'days' ? dayMs : 1) }
  return {
    width,
    max,
    numberOf: (value) => (Number(value) < 0 || BigInt(value as number) > max ? undefined : BigInt(value as number)),
    valueOf: (number) => (number <= max && number <= storage.max ? valueIn(storage, number) : undefined),
  }
}

/** The fields of a calendar in UTC, with everything after them at its lowest. */
function calendar(format: string, unitMs: number): Pick<Numbering, 'numberOf' | 'valueOf'> {
  const rest = '0'.repeat(allFields.length - format.length)
  const numberOf = (value: Value): bigint | undefined => {
    const ms = (value as number) * unitMs
    if (!(ms >= firstMs && ms <= lastMs)) return undefined
    const fields = new Date(ms).toISOString().replaceAll(/\D/g, '')
    return fields.endsWith(rest) ? BigInt(fields.slice(0, format.length)) : undefined
  }
  const valueOf = (number: bigint): Value | undefined => {
    const at = (String(number).padStart(format.length, '0') + rest).replace(/^(....)(..)(..)(..)(..)(..)(...)$/, '$1-$2-$3T$4:$5:$6.$7Z')
    const value = Date.parse(at) / unitMs
    return numberOf(value) === number ? value : undefined
  }
  return { numberOf, valueOf }
}

/** Exactly so many ASCII digits. In descending order they write the greatest number minus this one. */
function fixedDigits(type: TypeData, numbers: Numbering): Encoding {
  const { width, max, numberOf, valueOf } = numbers
  const form = (turn: (number: bigint) => bigint): Encoding => ({
    minBytes: width,
    maxBytes: width,
    size: () => width,
    write(target, at, value) {
      const digits = String(turn(numberOf(value) as bigint)).padStart(width, '0')
      for (let i = 0; i < width; i++) target[at + i] = digits.charCodeAt(i)
      return at + width
    },
    read(reader) {
      const digits = String.fromCharCode(...reader.copyFrom(reader.advance(width)))
      const number = /^\d+$/.test(digits) ? turn(BigInt(digits)) : -1n
      return (number < 0n ? undefined : valueOf(number)) ?? reader.fail(`this is not ${typeText(type)}`)
    },
  })
  return { ...form((number) => number), descending: form((number) => max - number) }
}

/** As many digits as the number has, with a separator after them or the end of the key. */
function freeDigits(type: TypeData): Spelling {
  const storage = innerStorage(type)
  const { separator } = type
  return numberSpelling(storage, separator === undefined ? { ...rawText, minBytes: 1, openEnd: lastEnd } : separatedTextEncoding(separator))
}

function spelled({ write, read, encoding }: Spelling, type: TypeData): Encoding {
  return {
    ...encoding,
    minBytes: encoding.minBytes + (type.separator === undefined ? 0 : 1),
    size: (value) => encoding.size(write(value)),
    write: (target, at, value) => encoding.write(target, at, write(value)),
    read: (reader) => read(encoding.read(reader)) ?? reader.fail(`this is not ${typeText(type)}`),
  }
}

function spelling(type: TypeData): Spelling {
  const numbers = numbering(type)
  if (numbers === undefined) return freeDigits(type)
  const { width, numberOf, valueOf } = numbers
  return {
    write: (value) => String(numberOf(value)).padStart(width, '0'),
    read: (text) => (/^\d+$/.test(text) ? valueOf(BigInt(text)) : undefined),
    encoding: {
      ...rawText,
      minBytes: width,
      maxBytes: width,
      read: (reader) => String.fromCharCode(...reader.copyFrom(reader.advance(width))),
    },
  }
}

/** Values are those of the type inside, as far as the digits can write them. */
export const digitsImpl: TypeImpl = {
  conversion(type, column) {
    const inner = typeImpl(innerOf(type)).conversion(innerOf(type), column)
    const numbers = numbering(type)
    if (numbers === undefined) return inner
    const { max, numberOf } = numbers
    return {
      ...inner,
      parse(given) {
        const value = inner.parse(given)
        return value === undefined || numberOf(value) === undefined ? undefined : value
      },
      expected:
        type.format === undefined
          ? `${inner.expected}, and as a number from 0 to ${max}`
          : `${inner.expected} in the years 1 to 9999 (UTC) of which ${quoted(type.format)} keeps everything`,
    }
  },
  storage(type): Storage {
    const storage = innerStorage(type)
    const numbers = numbering(type)
    if (numbers === undefined) return storage
    if (type.format !== undefined) {
      const unit = storage.counts === 'days' ? dayMs : 1
      return { ...storage, min: firstMs / unit, max: Math.floor(lastMs / unit) } as Storage
    }
    const max = numbers.max < storage.max ? numbers.max : storage.max
    return { ...storage, min: valueIn(storage, 0n), max: valueIn(storage, BigInt(max)) } as Storage
  },
  canonical: (type) => derived(type, { inner: typeImpl(innerOf(type)).canonical?.(innerOf(type)) ?? innerOf(type) }),
  encoding(type) {
    const numbers = numbering(type)
    return numbers === undefined ? spelled(freeDigits(type), type) : fixedDigits(type, numbers)
  },
  spelling,
  compareEncoded:
    ({ separator = '' }) =>
    (a, b) =>
      compareText(`${String(a)}${separator}`, `${String(b)}${separator}`),
  fromJSON: (options, { inner, width, max, format, separator }, read) =>
    digits(
      read(inner, options),
      Object.fromEntries(Object.entries({ width, max, format, separator }).filter(([, given]) => given !== undefined)),
    ),
  positional: ['inner'],
  parameters({ inner, width, max, format, separator }) {
    const form = [
      width === undefined ? '' : `width: ${width}`,
      max === undefined ? '' : `max: ${max}`,
      format === undefined ? '' : `format: ${quoted(format)}`,
      separator === undefined ? '' : `separator: ${quoted(separator)}`,
    ].filter((option) => option !== '')
    return [typeText(inner as TypeData), ...(form.length === 0 ? [] : [`{ ${form.join()} }`])]
  },
  jsType: (type) => typeImpl(innerOf(type)).jsType?.(innerOf(type)),
  hashesAsText: (type) => numbering(type) === undefined,
}

/**
 * A number or a time as decimal text, as programs write it into text keys:
 *
 * - `{ width: 13 }`: exactly so many digits, with leading zeros, as `String.format("%013d", ts)`.
 * - `{ max: 2n ** 63n - 1n }`: as many digits as `max` has.
 * - `{ format: 'yyyyMMddHHmmss' }`: the time in UTC. Other formats end earlier (`'yyyyMMdd'`, `…HH`, `…HHmm`) or with `SSS`.
 * - `{ separator: '_' }`: the number as it is, then the separator.
 * - without a form: the number as it is, at the end of the key.
 *
 * The first three have the order of their values, and ranges. {@link desc} around them writes digits too: `max` minus the number, as in
 * `Long.MAX_VALUE - ts`, or for a width and a format all nines minus it. The last two have neither order nor ranges, because "10" is
 * before "9". A value that does not fit is refused: a number below 0, one with more digits, a time finer than the format.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` for a type that is not an integer, a timestamp or a date, or a form that does not fit it.
 * @example
 * ```ts
 * const at = desc(digits(timestamp('ms'), { max: 2n ** 63n - 1n }))
 * const layout = keyLayout([['host', separatedText('_')], ['at', at]])
 * layout.encode({ host: 'web', at: new Date(1700000000000) }).toString() === String(new TextEncoder().encode('web_9223370336854775807')) //=> true
 * ```
 */
export function digits<V, T extends Trait>(
  type: ColumnType<V, T>,
  form: DigitsForm & ({ readonly width: number } | { readonly max: bigint | string } | { readonly format: string }),
): ColumnType<V, T>
export function digits<V, T extends Trait>(type: ColumnType<V, T>, form?: DigitsForm): ColumnType<V, Exclude<T, 'range' | 'prefix'>>
export function digits(type: ColumnType, form: DigitsForm = {}): ColumnType {
  checkWrapped('digits', type)
  const impl = typeImpl(type)
  const storage = impl.storage(type)
  const isNumber = (storage.class === 'int' || storage.class === 'bigint') && type.inner === undefined
  if (!isNumber) throw notWrapped('digits', type, 'Use it on integers, timestamps and dates.')
  if (type.desc || type.nullable) throw notWrapped('digits', type, 'Put desc() and nullable() around digits(), not inside.')
  if (type.followedBy !== undefined) throw notWrapped('digits', type, 'Put followedBy() around digits(), not inside.')
  checkOptions('digits()', form, ['width', 'max', 'format', 'separator'], (message) => invalidType('digits', message))
  const checked = checkForm(form, storage)
  const { name, default: initial, ...data } = type
  const inner = attachImpl(data, impl)
  const ordered = checked.separator === undefined && Object.keys(checked).length > 0
  const outer = attachImpl<TypeData>({ kind: 'digits', desc: false, nullable: false, ordered, inner, ...checked }, digitsImpl)
  if (initial !== undefined) checkDefault(outer, initial)
  return withData(outer, { ...(name === undefined ? {} : { name }), ...(initial === undefined ? {} : { default: initial }) })
}

/** How {@link digits} writes a number; one of them, or none. */
export interface DigitsForm {
  /** Exactly so many digits, 1 to 20. */
  readonly width?: number
  /** The greatest number, up to 2^64 - 1. JSON has it as text. */
  readonly max?: bigint | string
  /** A time in UTC. */
  readonly format?: 'yyyyMMdd' | 'yyyyMMddHH' | 'yyyyMMddHHmm' | 'yyyyMMddHHmmss' | 'yyyyMMddHHmmssSSS'
  /** One character that follows the number. */
  readonly separator?: string
}

function checkForm(form: DigitsForm, storage: NumberStorage): Pick<TypeData, 'width' | 'max' | 'format' | 'separator'> {
  const { width, max, format, separator } = form
  const fail = (message: string): Error => invalidType('digits', message)
  if (Object.values(form).filter((given) => given !== undefined).length > 1)
    throw fail('digits() takes one of { width }, { max }, { format } and { separator }. Leave the others out.')
  if (width !== undefined) {
    if (Number.isInteger(width) && width >= 1 && width <= 20) return { width }
    throw fail(`digits() cannot have the width ${show(width)}. Give 1 to 20.`)
  }
  if (max !== undefined) {
    const number = typeof max === 'bigint' ? max : bigintOf(max)
    if (number !== undefined && number >= 1n && number < 2n ** 64n) return { max: String(number) }
    throw fail(`digits() cannot have the max ${show(max)}. Give a bigint from 1n to 2n ** 64n - 1n, such as 2n ** 63n - 1n.`)
  }
  if (format !== undefined) {
    if (!formats.includes(format)) throw fail(`digits() cannot have the format ${show(format)}. Use ${formats.map(quoted).join(', ')}.`)
    if (storage.counts === 'ms' || storage.counts === 'days') return { format }
    throw fail(`digits() needs timestamp('ms') or date() for the format ${quoted(format)}. For others use { width }.`)
  }
  if (separator === undefined) return {}
  if (isOneUnit(separator) && !/[\d-]/.test(separator)) return { separator }
  throw fail(`digits() cannot use the separator ${show(separator)}. Give one character below U+10000 that is no digit and not '-'.`)
}

/** What is generated or constant must be a value that the digits write. */
function checkDefault(type: TypeData, initial: NonNullable<TypeData['default']>): void {
  const numbers = numbering(type)
  if (numbers === undefined) return
  const { counts } = innerStorage(type)
  const fits =
    initial.kind === 'constant'
      ? numbers.numberOf(initial.value) !== undefined
      : initial.kind === 'random'
        ? BigInt(initial.below) - 1n <= numbers.max
        : counts === 'days' || type.format === undefined || type.format === allFields
  if (fits) return
  throw invalidType('digits', `${typeText(type)} cannot have this default, because it does not write all of its values. Leave it out.`)
}
