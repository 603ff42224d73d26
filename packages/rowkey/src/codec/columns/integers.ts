// Tested by key-format.test.ts and order.test.ts.
import type { ColumnCode, Emitter } from '../compile/column-code.js'
import type { ColumnType, NoDefault, RandomDefault, TypeData, TypeFactory, TypeOptions } from '../type/column-type.js'
import type { Reader } from '../type/reader.js'
import { byNumber } from '../compare.js'
import { plainCode } from '../compile/column-code.js'
import { codecError } from '../error.js'
import { show, showName } from '../show.js'
import { invalidType, makeType } from '../type/make-type.js'
import { derived, typeImpl, type Conversion, type Encoding, type JsType, type Spelling, type TypeImpl } from '../type/type-impl.js'
import { bigintOf, numberSpelling, type NumberStorage } from './number-spelling.js'
import { textEncoding } from './text.js'

/** Integers of 1, 2 or 4 bytes: a number. */
function smallInteger(kind: 'int8' | 'int16' | 'int32' | 'uint8' | 'uint16' | 'uint32', bytes: 1 | 2 | 4): TypeImpl {
  const signed = kind.startsWith('i')
  const count = 2 ** (8 * bytes)
  const [min, max] = signed ? [-count / 2, count / 2 - 1] : [0, count - 1]
  const encoding = smallEncoding(bytes, signed)
  const fits = (given: unknown): given is number => typeof given === 'number' && Number.isInteger(given) && given >= min && given <= max
  const impl: TypeImpl = {
    conversion: () => ({
      parse: (given) => (fits(given) ? given + 0 : undefined),
      compare: byNumber,
      expected: `an integer from ${min} to ${max}`,
    }),
    storage: () => ({ class: 'int', min, max }),
    encoding: () => encoding,
    compile: (_, emit) => smallCode(bytes, signed, emit),
    fromJSON: (options) => makeType({ kind }, impl, options),
    defaults: ['random'],
    spelling: integerSpelling,
    hashesAsText: () => true,
    ...(signed ? { kudu: 'encoded' } : {}),
  }
  return impl
}

/** Big-endian; signed ones with the sign bit flipped. */
export function smallEncoding(bytes: 1 | 2 | 4, signed: boolean): Encoding<number> {
  const bias = signed ? 2 ** (bytes * 8 - 1) : 0
  return {
    minBytes: bytes,
    maxBytes: bytes,
    size: () => bytes,
    write(target, at, value) {
      const unsigned = value + bias
      for (let i = 0; i < bytes; i++) target[at + i] = unsigned >>> (8 * (bytes - 1 - i))
      return at + bytes
    },
    read: (reader) => reader.unsigned(bytes) - bias,
  }
}

function smallCode(bytes: 1 | 2 | 4, signed: boolean, emit: Emitter): ColumnCode {
  const unused = 32 - 8 * bytes
  const sign = signed ? 1 << (8 * bytes - 1) : 0
  const cut = (x: string): string => (signed ? `(${x}<<${unused}>>${unused})` : `(${x}<<${unused}>>>${unused})`)
  return {
    ...plainCode,
    misfit: (v) => `typeof ${v}!=="number"||${cut(v)}!==${v}`,
    room: () => String(bytes),
    write: (v) => `${emit.put(`${v}^${sign}`, bytes)}p+=${bytes};`,
    read: (v) => emit.fixed(bytes, `t=${emit.get(bytes)}^${sign};${v}=${cut('t')};`),
    compare: emit.compareValues,
  }
}

/** Integers of 8 bytes: a bigint inside; outside too, or a safe integer, or decimal text. */
function largeInteger(kind: 'int64' | 'uint64'): TypeImpl {
  const signed = kind === 'int64'
  const impl: TypeImpl = {
    conversion: (type, column) => (type.as === 'number' ? safeConversion(kind, column) : wideConversion(type, signed)),
    storage: () => ({ class: 'bigint', ...bounds64(signed) }),
    canonical: (type) => derived(type, { as: 'bigint' }),
    encoding: () => bigintEncoding(signed),
    compile: (type, emit, shape) =>
      shape === 'key' && type.as === 'number' ? safeCode(signed, emit) : wideCode(shape === 'key' ? type.as : 'bigint', signed, emit),
    fromJSON: (options, { as }) => largeType(kind, impl, { ...options, as: as as 'bigint' }),
    jsType: jsTypeOf,
    defaults: ['random'],
    spelling: integerSpelling,
    hashesAsText: () => true,
    ...(signed ? { kudu: 'encoded' } : {}),
  }
  return impl
}

/** Its decimal digits, ended like text. */
function integerSpelling(type: TypeData): Spelling {
  const storage = typeImpl(type).storage(type) as NumberStorage
  const longest = Math.max(String(storage.min).length, String(storage.max).length)
  return numberSpelling(storage, { ...textEncoding, minBytes: textEncoding.minBytes + 1, maxBytes: textEncoding.minBytes + longest })
}

/** The least and the greatest integer of 64 bits. */
export function bounds64(signed: boolean): { readonly min: bigint; readonly max: bigint } {
  return signed ? { min: -(2n ** 63n), max: 2n ** 63n - 1n } : { min: 0n, max: 2n ** 64n - 1n }
}

/** What 64-bit values are in JavaScript. */
export const jsTypeOf = ({ as }: TypeData): JsType | undefined => (as === 'text' ? 'string' : as)

/** 64 bits that are a bigint for the application too, or decimal text. */
export function wideConversion({ as }: TypeData, signed: boolean): Conversion {
  const { min, max } = bounds64(signed)
  if (as === 'text') {
    return {
      parse(given) {
        const value = bigintOf(given)
        return value !== undefined && value >= min && value <= max ? value : undefined
      },
      format: String,
      compare: byNumber,
      expected: `a whole number as text, such as '5', from ${min} to ${max}, without leading zeros`,
    }
  }
  return {
    parse: (given) => (typeof given === 'bigint' && given >= min && given <= max ? given : undefined),
    fault: (given) => (bigintOf(given) === undefined ? undefined : "it is text, which a column declared with { as: 'text' } takes"),
    compare: byNumber,
    expected: `a bigint, such as 5n, from ${min} to ${max}`,
  }
}

function safeConversion(kind: 'int64' | 'uint64', column: string): Conversion {
  const least = kind === 'int64' ? -Infinity : 0
  return {
    parse: (given) => (typeof given === 'number' && Number.isSafeInteger(given) && given >= least ? BigInt(given) : undefined),
    format: (value) => safeNumber(value as bigint, kind, column),
    compare: byNumber,
    expected: `a number that is a safe integer${kind === 'int64' ? '' : ' from 0'}. To store larger ones, leave out { as: 'number' } and give a bigint`,
  }
}

/** What a stored 64-bit value looks like as a number; refuses to lose digits. */
function safeNumber(value: bigint, kind: string, column: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  const remedy = `Declare it without { as: 'number' } to read it as bigint.`
  throw codecError('INVALID_VALUE', `column '${showName(column)}' holds the ${kind} ${value}, which no number holds exactly. ${remedy}`, {
    column: showName(column),
    value: show(value),
  })
}

const memory = /* @__PURE__ */ new ArrayBuffer(8)
const eight = /* @__PURE__ */ new DataView(memory)
const eightBytes = /* @__PURE__ */ new Uint8Array(memory)

/** The next eight bytes as a view of one number. */
export function readEight(reader: Reader): DataView {
  reader.copyInto(eightBytes, reader.advance(8), 8)
  return eight
}

/** The sign bit is flipped in the bytes, not by bigint arithmetic. */
export function bigintEncoding(signed: boolean): Encoding<bigint> {
  const sign = signed ? 0x80 : 0
  return {
    minBytes: 8,
    maxBytes: 8,
    size: () => 8,
    write(target, at, value) {
      eight.setBigUint64(0, value) // takes the low 64 bits, so negative values come out in two's complement
      target[at] = (eightBytes[0] as number) ^ sign
      for (let i = 1; i < 8; i++) target[at + i] = eightBytes[i] as number
      return at + 8
    },
    read(reader) {
      const view = readEight(reader)
      eightBytes[0] = (eightBytes[0] as number) ^ sign
      return signed ? view.getBigInt64(0) : view.getBigUint64(0)
    },
  }
}

/** 64 bits as a bigint, or as decimal text. */
export function wideCode(as: TypeData['as'], signed: boolean, emit: Emitter): ColumnCode {
  const code = bigintCode(signed, emit)
  return as === 'text' ? { ...code, uses: { bigintOf }, parse: (x) => `bigintOf(${x})`, format: (v) => `String(${v})` } : code
}

/** A view of the same memory splits and joins bigints, without bigint arithmetic. */
function bigintCode(signed: boolean, emit: Emitter): ColumnCode {
  const sign = signed ? 0x80000000 : 0
  const [view, cut] = signed ? ['i64', 'BigInt.asIntN'] : ['u64', 'BigInt.asUintN']
  return {
    ...plainCode,
    misfit: (v) => `typeof ${v}!=="bigint"||${cut}(64,${v})!==${v}`,
    room: () => '8',
    write: (v) => `${view}[0]=${v};${emit.put(`w[H]^${sign}`, 4)}${emit.put('w[L]', 4, 4)}p+=8;`,
    read: (v) => emit.fixed(8, `w[H]=${emit.get(4)}^${sign};w[L]=${emit.get(4, 4)};${v}=${view}[0];`),
    compare: emit.compareValues,
  }
}

/** The bytes of a 64-bit integer from and to a number that is an integer within ±`limit`. */
export function numberCode(signed: boolean, limit: number, emit: Emitter): ColumnCode {
  const sign = signed ? 0x80000000 : 0
  const high = signed ? 't' : '(t>>>0)'
  const beyond = (v: string): string => `${v}>${limit}${signed ? `||${v}<-${limit}` : ''}`
  return {
    ...plainCode,
    misfit: (v) => `typeof ${v}!=="number"||!(${v}>=${signed ? -limit : 0}&&${v}<=${limit})||Math.floor(${v})!==${v}`,
    room: () => '8',
    write: (v) => `${emit.put(`Math.floor(${v}/4294967296)^${sign}`, 4)}${emit.put(`${v}|0`, 4, 4)}p+=8;`,
    // Beyond 2^53 the sum is rounded, but never to less than the limit.
    read: (v) => emit.fixed(8, `t=${emit.get(4)}^${sign};u=${emit.get(4, 4)};${v}=${high}*4294967296+(u>>>0);if(${beyond(v)})return;`),
    compare: emit.compareValues,
  }
}

function safeCode(signed: boolean, emit: Emitter): ColumnCode {
  return { ...numberCode(signed, Number.MAX_SAFE_INTEGER, emit), canonical: (v) => `BigInt(${v})` }
}

// Marked as pure, so that a bundle only contains those that it names.
export const int8Impl: TypeImpl = /* @__PURE__ */ smallInteger('int8', 1)
export const int16Impl: TypeImpl = /* @__PURE__ */ smallInteger('int16', 2)
export const int32Impl: TypeImpl = /* @__PURE__ */ smallInteger('int32', 4)
export const uint8Impl: TypeImpl = /* @__PURE__ */ smallInteger('uint8', 1)
export const uint16Impl: TypeImpl = /* @__PURE__ */ smallInteger('uint16', 2)
export const uint32Impl: TypeImpl = /* @__PURE__ */ smallInteger('uint32', 4)
export const int64Impl: TypeImpl = /* @__PURE__ */ largeInteger('int64')
export const uint64Impl: TypeImpl = /* @__PURE__ */ largeInteger('uint64')

/**
 * Signed 8-bit integer, a number. Bytes: 1, sign bit flipped.
 *
 * @throws RowkeyError `INVALID_VALUE` on encoding a fraction or a number out of range; so do all integer types.
 * @example
 * ```ts
 * toHex(keyLayout([['n', int8()]]).encode({ n: -1 })) //=> '7f'
 * ```
 */
export const int8: TypeFactory<number, 'range', RandomDefault> = (options?: object) => makeType({ kind: 'int8' }, int8Impl, options)
/**
 * Signed 16-bit integer, a number. Bytes: 2, big-endian, sign bit flipped.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', int16()]]).encode({ n: 1 })) //=> '8001'
 * ```
 */
export const int16: TypeFactory<number, 'range', RandomDefault> = (options?: object) => makeType({ kind: 'int16' }, int16Impl, options)
/**
 * Signed 32-bit integer, a number. Bytes: 4, big-endian, sign bit flipped.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', int32()]]).encode({ n: -1 })) //=> '7fffffff'
 * ```
 */
export const int32: TypeFactory<number, 'range', RandomDefault> = (options?: object) => makeType({ kind: 'int32' }, int32Impl, options)
/**
 * Unsigned 8-bit integer, a number. Bytes: 1.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', uint8()]]).encode({ n: 255 })) //=> 'ff'
 * ```
 */
export const uint8: TypeFactory<number, 'range', RandomDefault> = (options?: object) => makeType({ kind: 'uint8' }, uint8Impl, options)
/**
 * Unsigned 16-bit integer, a number. Bytes: 2, big-endian.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', uint16()]]).encode({ n: 1 })) //=> '0001'
 * ```
 */
export const uint16: TypeFactory<number, 'range', RandomDefault> = (options?: object) => makeType({ kind: 'uint16' }, uint16Impl, options)
/**
 * Unsigned 32-bit integer, a number. Bytes: 4, big-endian.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', uint32()]]).encode({ n: 1 })) //=> '00000001'
 * ```
 */
export const uint32: TypeFactory<number, 'range', RandomDefault> = (options?: object) => makeType({ kind: 'uint32' }, uint32Impl, options)

interface As {
  bigint: bigint
  number: number
  text: string
}

/**
 * Options of the 64-bit integers. `as: 'number'` reads and writes safe integers as numbers and refuses others; `as: 'text'` reads and writes
 * all of them as decimal text without leading zeros, so that `JSON.stringify()` takes a row and the row comes back from it.
 */
export interface Int64Options<A extends keyof As> extends TypeOptions {
  readonly as?: A
}

interface Int64Factory {
  <A extends 'bigint' | 'number' | 'text' = 'bigint'>(options?: Int64Options<A> & NoDefault): ColumnType<As[A], 'range'>
  <A extends 'bigint' | 'number' | 'text' = 'bigint'>(
    options: Int64Options<A> & { readonly default: As[NoInfer<A>] | RandomDefault },
  ): ColumnType<As[A], 'range' | 'default'>
}

function largeType(kind: 'int64' | 'uint64', impl: TypeImpl, options: Int64Options<keyof As> | undefined): never {
  const as = options?.as ?? 'bigint'
  if (as === 'bigint' || as === 'number' || as === 'text') return makeType({ kind, as }, impl, options, ['as']) as never
  throw invalidType(kind, `${kind}({ as: ${show(as)} }) is not supported. Use 'bigint', 'number' or 'text'.`)
}

/**
 * Signed 64-bit integer, a bigint (or a safe integer with `{ as: 'number' }`, or decimal text with `{ as: 'text' }`). Bytes: 8, big-endian,
 * sign bit flipped; `desc(int64())` of a non-negative value is the guides' `Long.MAX_VALUE - value`.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', int64()]]).encode({ n: 5n })) //=> '8000000000000005'
 * toHex(keyLayout([['n', int64({ as: 'text' })]]).encode({ n: '5' })) //=> '8000000000000005'
 * ```
 */
export const int64: Int64Factory = (options?: Int64Options<keyof As>) => largeType('int64', int64Impl, options)
/**
 * Unsigned 64-bit integer, a bigint (or a safe integer with `{ as: 'number' }`, or decimal text with `{ as: 'text' }`). Bytes: 8, big-endian.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', uint64()]]).encode({ n: 5n })) //=> '0000000000000005'
 * ```
 */
export const uint64: Int64Factory = (options?: Int64Options<keyof As>) => largeType('uint64', uint64Impl, options)
