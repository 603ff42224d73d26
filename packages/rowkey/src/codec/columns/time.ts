// Tested by properties.test.ts and strict.test.ts.
import type { ColumnCode, Emitter } from '../compile/column-code.js'
import type { ColumnType, NoDefault, TypeData, TypeOptions } from '../type/column-type.js'
import { timeOf } from '../built-in.js'
import { byNumber } from '../compare.js'
import { plainCode } from '../compile/column-code.js'
import { quoted, show } from '../show.js'
import { invalidType, makeType } from '../type/make-type.js'
import { derived, type Conversion, type Encoding, type TypeImpl } from '../type/type-impl.js'
import { bigintEncoding, bounds64, jsTypeOf, numberCode, readEight, smallEncoding, wideCode, wideConversion } from './integers.js'

/** The farthest instant a `Date` can hold, in ms from 1970. */
const lastInstant = 8.64e15
const isInstant = (ms: number): boolean => Number.isInteger(ms) && Math.abs(ms) <= lastInstant

/** What most programs have in place of a Date. */
const noDate = (given: unknown): string | undefined =>
  typeof given === 'string' || typeof given === 'number'
    ? `it is ${typeof given === 'string' ? 'text' : 'a number'}, and new Date(…) makes a Date of it`
    : undefined

/** Milliseconds are a number inside; microseconds and nanoseconds a bigint. */
function timestampConversion(type: TypeData): Conversion {
  if (type.unit !== 'ms') return wideConversion(type, true)
  if (type.as === 'number') {
    return {
      parse: (given) => (typeof given === 'number' && isInstant(given) ? given + 0 : undefined),
      compare: byNumber,
      expected: 'epoch milliseconds, an integer within ±8.64e15',
    }
  }
  if (type.as === 'bigint') {
    return {
      parse: (given) => (typeof given === 'bigint' && isInstant(Number(given)) ? Number(given) : undefined),
      format: (value) => BigInt(value as number),
      compare: byNumber,
      expected: 'epoch milliseconds as a bigint, such as 5n, within ±8.64e15',
    }
  }
  return {
    parse(given) {
      const ms = timeOf(given)
      return ms !== undefined && isInstant(ms) ? ms : undefined
    },
    format: (value) => new Date(value as number),
    compare: byNumber,
    fault: noDate,
    expected: 'a valid Date',
  }
}

const dayMs = 86_400_000
const lastDay = lastInstant / dayMs
const isDay = (days: number): boolean => Number.isInteger(days) && Math.abs(days) <= lastDay

/** Days since 1970-01-01 inside. */
function dateConversion(type: TypeData): Conversion {
  if (type.as === 'number') {
    return {
      parse: (given) => (typeof given === 'number' && isDay(given) ? given + 0 : undefined),
      compare: byNumber,
      expected: 'days since 1970-01-01, an integer within ±100,000,000',
    }
  }
  return {
    parse(given) {
      const days = (timeOf(given) ?? NaN) / dayMs
      return isDay(days) ? days : undefined
    },
    format: (value) => new Date((value as number) * dayMs),
    compare: byNumber,
    fault: noDate,
    expected: 'a Date at midnight UTC',
  }
}

const int32Encoding = /* @__PURE__ */ smallEncoding(4, true)

/** Epoch milliseconds as a number, in the bytes of an int64. */
const millisecondsEncoding: Encoding<number> = {
  minBytes: 8,
  maxBytes: 8,
  size: () => 8,
  write(target, at, value) {
    const high = Math.floor(value / 2 ** 32) ^ 0x80000000
    for (let i = 0; i < 4; i++) target[at + i] = high >>> (24 - 8 * i)
    for (let i = 0; i < 4; i++) target[at + 4 + i] = (value % 2 ** 32) >>> (24 - 8 * i)
    return at + 8
  },
  read(reader) {
    const view = readEight(reader)
    const value = (view.getInt32(0) ^ 0x80000000) * 2 ** 32 + view.getUint32(4)
    if (Math.abs(value) > lastInstant) reader.fail('the instant is beyond ±8.64e15 ms')
    return value
  },
}

/** Days since 1970-01-01 in the bytes of an int32. */
const dateEncoding: Encoding<number> = {
  ...int32Encoding,
  read(reader) {
    const days = int32Encoding.read(reader)
    if (Math.abs(days) > lastDay) reader.fail('the day is beyond ±100,000,000')
    return days
  },
}

/** Epoch milliseconds, a number inside. */
function millisecondsCode(as: TypeData['as'], emit: Emitter): ColumnCode {
  const code = numberCode(true, lastInstant, emit)
  if (as === 'Date') return { ...code, uses: { timeOf }, parse: (x) => `timeOf(${x})`, format: (v) => `new Date(${v})` }
  if (as === 'bigint') {
    return { ...code, parse: (x) => `(typeof ${x}==="bigint"?Number(${x}):undefined)`, format: (v) => `BigInt(${v})` }
  }
  return code
}

/** Days since 1970, a number inside. */
function dateCode(as: TypeData['as'], emit: Emitter): ColumnCode {
  const code: ColumnCode = {
    ...plainCode,
    misfit: (v) => `typeof ${v}!=="number"||(${v}|0)!==${v}||${v}>${lastDay}||${v}<-${lastDay}`,
    room: () => '4',
    write: (v) => `${emit.put(`${v}^-2147483648`, 4)}p+=4;`,
    read: (v) => emit.fixed(4, `${v}=${emit.get(4)}^-2147483648;if(${v}>${lastDay}||${v}<-${lastDay})return;`),
    compare: emit.compareValues,
  }
  if (as !== 'Date') return code
  return { ...code, uses: { timeOf }, parse: (x) => `timeOf(${x})/${dayMs}`, format: (v) => `new Date(${v}*${dayMs})` }
}

export const timestampImpl: TypeImpl = {
  conversion: timestampConversion,
  storage: ({ unit }) =>
    unit === 'us' || unit === 'ns'
      ? { class: 'bigint', ...bounds64(true), counts: unit }
      : { class: 'int', min: -lastInstant, max: lastInstant, counts: 'ms' },
  canonical: (type) => derived(type, { as: type.unit === 'ms' ? 'number' : 'bigint' }),
  encoding: ({ unit }) => (unit === 'ms' ? millisecondsEncoding : bigintEncoding(true)),
  compile: ({ unit, as }, emit, shape) =>
    unit === 'ms' ? millisecondsCode(shape === 'key' ? as : 'number', emit) : wideCode(shape === 'key' ? as : 'bigint', true, emit),
  fromJSON: (options, { unit, as }) => timestamp(unit as 'ms', { ...options, as: as as 'Date' }),
  positional: ['unit'],
  parameters: ({ unit = '' }) => [quoted(unit)],
  jsType: jsTypeOf,
  defaults: ['now', 'updatedAt'],
  kudu: 'encoded',
}

export const dateImpl: TypeImpl = {
  conversion: dateConversion,
  storage: () => ({ class: 'int', min: -lastDay, max: lastDay, counts: 'days' }),
  canonical: (type) => derived(type, { as: 'number' }),
  encoding: () => dateEncoding,
  compile: ({ as }, emit, shape) => dateCode(shape === 'key' ? as : 'number', emit),
  fromJSON: (options, { as }) => date({ ...options, as: as as 'Date' }),
  jsType: jsTypeOf,
  defaults: ['now', 'updatedAt'],
  kudu: 'encoded',
}

interface As {
  Date: Date
  bigint: bigint
  number: number
  text: string
}
interface InstantAs {
  ms: 'Date' | 'bigint' | 'number'
  us: 'bigint' | 'text'
  ns: 'bigint' | 'text'
}
interface InstantDefault {
  ms: 'Date'
  us: 'bigint'
  ns: 'bigint'
}

/** Options of {@link timestamp}: how its values look in JavaScript. */
export interface TimestampOptions<A> extends TypeOptions {
  readonly as?: A
}

/**
 * An instant, counted from 1970-01-01 UTC in milliseconds, microseconds or nanoseconds. Milliseconds are a `Date` (or number or
 * bigint by `as`), the finer ones a bigint (or its decimal text with `{ as: 'text' }`). Bytes: int64, big-endian, sign bit flipped. `default: 'now'` fills it on insert and put,
 * `default: 'updatedAt'` also on every change that gives no other value.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` for an unknown unit or an `as` that cannot hold it.
 * @example
 * ```ts
 * toHex(keyLayout([['at', desc(timestamp('ms'))]]).encode({ at: new Date(1700000000000) })) //=> '7ffffe74301a97ff'
 * ```
 */
export function timestamp<U extends 'ms' | 'us' | 'ns', A extends InstantAs[U] = InstantDefault[U]>(
  unit: U,
  options?: TimestampOptions<A> & NoDefault,
): ColumnType<As[A], 'range'>
export function timestamp<U extends 'ms' | 'us' | 'ns', A extends InstantAs[U] = InstantDefault[U]>(
  unit: U,
  options: TimestampOptions<A> & { readonly default: 'now' | 'updatedAt' | As[NoInfer<A>] },
): ColumnType<As[A], 'range' | 'default'>
export function timestamp(unit: keyof InstantAs, options?: TimestampOptions<keyof As>): ColumnType<never, 'range'> {
  const fine = unit === 'us' || unit === 'ns'
  const as = options?.as ?? (fine ? 'bigint' : 'Date')
  if ((!fine && unit !== 'ms') || !(fine ? ['bigint', 'text'] : ['Date', 'bigint', 'number']).includes(as)) {
    throw invalidType(
      'timestamp',
      `timestamp(${show(unit)}, { as: ${show(as)} }) is not supported. Use 'ms' as 'Date', 'number' or 'bigint', or 'us' and 'ns' as 'bigint' or 'text'.`,
    )
  }
  return makeType({ kind: 'timestamp', unit, as }, timestampImpl, options, ['as'])
}

/** Options of {@link date}. */
export interface DateOptions<A> extends TypeOptions {
  readonly as?: A
}

/**
 * A calendar day: a `Date` at midnight UTC, or days since 1970-01-01 with `{ as: 'number' }`. Bytes: int32 days, big-endian, sign
 * bit flipped.
 *
 * @throws RowkeyError `INVALID_VALUE` on encoding a Date that is not midnight UTC.
 * @example
 * ```ts
 * toHex(keyLayout([['day', date()]]).encode({ day: new Date('2026-01-01') })) //=> '80004fe6'
 * ```
 */
export function date<A extends 'Date' | 'number' = 'Date'>(options?: DateOptions<A> & NoDefault): ColumnType<As[A], 'range'>
export function date<A extends 'Date' | 'number' = 'Date'>(
  options: DateOptions<A> & { readonly default: 'now' | 'updatedAt' | As[NoInfer<A>] },
): ColumnType<As[A], 'range' | 'default'>
export function date(options?: DateOptions<'Date' | 'number'>): ColumnType<never, 'range'> {
  const as = options?.as ?? 'Date'
  if (as === 'Date' || as === 'number') return makeType({ kind: 'date', as }, dateImpl, options, ['as'])
  throw invalidType('date', `date({ as: ${show(as)} }) is not supported. Use 'Date' or 'number'.`)
}
