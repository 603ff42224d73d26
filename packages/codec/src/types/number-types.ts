import type { ColumnType, RandomDefault, TypeFactory, TypeOptions } from './column-type.js'
import { codecError } from '../error.js'
import { show } from '../values/show.js'
import { boolKind, decimalKind, float32Kind, float64Kind, narrowKind, wideKind } from '../kinds/numbers.js'
import { make } from './make.js'

/**
 * `false` before `true`. Bytes: `00` or `01`.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['done', bool()]]).encode({ done: true })) //=> '01'
 * ```
 */
export const bool: TypeFactory<boolean, 'range'> = (options?: object) => make({ kind: 'bool' }, boolKind, options)

/**
 * Signed 8-bit integer, a number. Bytes: 1, sign bit flipped.
 *
 * @throws RowkeyError `INVALID_VALUE` on encoding a fraction or a number out of range; so do all integer types.
 * @example
 * ```ts
 * toHex(keyLayout([['n', int8()]]).encode({ n: -1 })) //=> '7f'
 * ```
 */
export const int8: TypeFactory<number, 'range', RandomDefault> = (options?: object) => make({ kind: 'int8' }, narrowKind, options)
/**
 * Signed 16-bit integer, a number. Bytes: 2, big-endian, sign bit flipped.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', int16()]]).encode({ n: 1 })) //=> '8001'
 * ```
 */
export const int16: TypeFactory<number, 'range', RandomDefault> = (options?: object) => make({ kind: 'int16' }, narrowKind, options)
/**
 * Signed 32-bit integer, a number. Bytes: 4, big-endian, sign bit flipped.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', int32()]]).encode({ n: -1 })) //=> '7fffffff'
 * ```
 */
export const int32: TypeFactory<number, 'range', RandomDefault> = (options?: object) => make({ kind: 'int32' }, narrowKind, options)
/**
 * Unsigned 8-bit integer, a number. Bytes: 1.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', uint8()]]).encode({ n: 255 })) //=> 'ff'
 * ```
 */
export const uint8: TypeFactory<number, 'range', RandomDefault> = (options?: object) => make({ kind: 'uint8' }, narrowKind, options)
/**
 * Unsigned 16-bit integer, a number. Bytes: 2, big-endian.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', uint16()]]).encode({ n: 1 })) //=> '0001'
 * ```
 */
export const uint16: TypeFactory<number, 'range', RandomDefault> = (options?: object) => make({ kind: 'uint16' }, narrowKind, options)
/**
 * Unsigned 32-bit integer, a number. Bytes: 4, big-endian.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', uint32()]]).encode({ n: 1 })) //=> '00000001'
 * ```
 */
export const uint32: TypeFactory<number, 'range', RandomDefault> = (options?: object) => make({ kind: 'uint32' }, narrowKind, options)

interface As {
  bigint: bigint
  number: number
}

/** Options of the 64-bit integers: `as: 'number'` reads and writes safe integers as numbers and refuses others. */
export interface WideOptions<A extends keyof As> extends TypeOptions {
  readonly as?: A
}

interface WideFactory {
  <A extends keyof As = 'bigint'>(
    options: WideOptions<A> & { readonly default: As[NoInfer<A>] | RandomDefault },
  ): ColumnType<As[A], 'range' | 'default'>
  <A extends keyof As = 'bigint'>(options?: WideOptions<A>): ColumnType<As[A], 'range'>
}

const wide =
  (kind: 'int64' | 'uint64') =>
  (options?: WideOptions<keyof As>): never => {
    const as = options?.as ?? 'bigint'
    if (as === 'bigint' || as === 'number') return make({ kind, as }, wideKind, options, ['as']) as never
    throw codecError('INVALID_COLUMN_TYPE', `${kind} as ${show(as)} cannot be. Use 'bigint' or 'number'.`, { type: kind })
  }

/**
 * Signed 64-bit integer, a bigint (or a safe integer with `{ as: 'number' }`). Bytes: 8, big-endian, sign bit flipped;
 * `desc(int64())` of a non-negative value is the guides' `Long.MAX_VALUE - value`.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', int64()]]).encode({ n: 5n })) //=> '8000000000000005'
 * ```
 */
export const int64: WideFactory = wide('int64')
/**
 * Unsigned 64-bit integer, a bigint (or a safe integer with `{ as: 'number' }`). Bytes: 8, big-endian.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['n', uint64()]]).encode({ n: 5n })) //=> '0000000000000005'
 * ```
 */
export const uint64: WideFactory = wide('uint64')

/**
 * 32-bit float; only numbers that it holds exactly. Bytes: IEEE 754 big-endian, sign bit flipped, negatives complemented; -0 is
 * written as 0, NaN as `ffc00000`, above Infinity.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['x', float32()]]).encode({ x: 1.5 })) //=> 'bfc00000'
 * ```
 */
export const float32: TypeFactory<number, 'range'> = (options?: object) => make({ kind: 'float32' }, float32Kind, options)
/**
 * 64-bit float. Bytes: as {@link float32} in 8 bytes; NaN is `fff8000000000000`.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['x', float64()]]).encode({ x: -1 })) //=> '400fffffffffffff'
 * ```
 */
export const float64: TypeFactory<number, 'range'> = (options?: object) => make({ kind: 'float64' }, float64Kind, options)

/**
 * A decimal number of at most `precision` digits, `scale` of them behind the point: canonical text with exactly `scale` of those,
 * without leading zeros, and no `-0`. Bytes: the number without its point as a signed integer of 4, 8 or 16 bytes (up to 9, 18, 38
 * digits), big-endian, sign bit flipped; the same as Kudu's DECIMAL.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `precision` is not from 1 to 38 or `scale` not from 0 to `precision`; `INVALID_VALUE` on
 * encoding another form of the number, such as `'1.5'` at scale 2: it would not come back as it was.
 * @example
 * ```ts
 * const prices = keyLayout([['price', decimal(9, 2)]])
 * toHex(prices.encode({ price: '-1.50' }))  //=> '7fffff6a'
 * prices.decode(fromHex('80000096'))        //=> { price: '1.50' }
 * ```
 */
export function decimal(
  precision: number,
  scale: number,
  options: TypeOptions & { readonly default: string },
): ColumnType<string, 'range' | 'default'>
export function decimal(precision: number, scale?: number, options?: TypeOptions): ColumnType<string, 'range'>
export function decimal(precision: number, scale = 0, options?: TypeOptions): ColumnType<string, 'range'> {
  const fits =
    Number.isInteger(precision) && Number.isInteger(scale) && precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision
  if (fits) return make({ kind: 'decimal', precision, scale }, decimalKind, options)
  throw codecError(
    'INVALID_COLUMN_TYPE',
    `decimal(${show(precision)}, ${show(scale)}) needs a precision from 1 to 38 and a scale from 0 to the precision.`,
    { type: 'decimal' },
  )
}
