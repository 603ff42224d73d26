// Tested by packages/rowkey/test/formats/kudu/vectors.test.ts.
import { codecError, show } from '#codec/internal'

type Kind = 'INT8' | 'INT16' | 'INT32' | 'INT64' | 'UNIXTIME_MICROS' | 'DATE' | 'DECIMAL' | 'STRING' | 'VARCHAR' | 'BINARY'

declare const typing: unique symbol // type level only

/** The type of a Kudu key column: frozen data, with the JavaScript type `V` at the type level only. */
export interface KuduType<out V = unknown> {
  readonly store: 'kudu'
  readonly kind: Kind
  /** DECIMAL: all digits, and those after the point */
  readonly precision?: number
  readonly scale?: number
  /** VARCHAR: UTF-16 units */
  readonly length?: number
  readonly [typing]: V
}

/**
 * Signed 8-bit integer, a number. Bytes: 1, sign bit flipped.
 *
 * @example
 * ```ts
 * toHex(primaryKey([['n', INT8]]).encode({ n: -1 })) //=> '7f'
 * ```
 */
export const INT8: KuduType<number> = make({ kind: 'INT8' })
/**
 * Signed 16-bit integer, a number. Bytes: 2, big-endian, sign bit flipped.
 *
 * @example
 * ```ts
 * toHex(primaryKey([['n', INT16]]).encode({ n: 1 })) //=> '8001'
 * ```
 */
export const INT16: KuduType<number> = make({ kind: 'INT16' })
/**
 * Signed 32-bit integer, a number. Bytes: 4, big-endian, sign bit flipped.
 *
 * @example
 * ```ts
 * toHex(primaryKey([['n', INT32]]).encode({ n: -1 })) //=> '7fffffff'
 * ```
 */
export const INT32: KuduType<number> = make({ kind: 'INT32' })
/**
 * Signed 64-bit integer, a bigint. Bytes: 8, big-endian, sign bit flipped.
 *
 * @example
 * ```ts
 * toHex(primaryKey([['n', INT64]]).encode({ n: 5n })) //=> '8000000000000005'
 * ```
 */
export const INT64: KuduType<bigint> = make({ kind: 'INT64' })
/**
 * An instant in microseconds since 1970-01-01 UTC, a bigint. Bytes: 8, as INT64.
 *
 * @example
 * ```ts
 * toHex(primaryKey([['at', UNIXTIME_MICROS]]).encode({ at: 1700000000000000n })) //=> '80060a24181e4000'
 * ```
 */
export const UNIXTIME_MICROS: KuduType<bigint> = make({ kind: 'UNIXTIME_MICROS' })
/**
 * A calendar day from 0001-01-01 to 9999-12-31: a `Date` at midnight UTC. Bytes: the days since 1970-01-01, as INT32.
 *
 * @example
 * ```ts
 * toHex(primaryKey([['day', DATE]]).encode({ day: new Date('2026-01-01') })) //=> '80004fe6'
 * ```
 */
export const DATE: KuduType<Date> = make({ kind: 'DATE' })
/**
 * Text. Bytes: UTF-8. In the last column of a key as it is, elsewhere with each `00` as `00 01` and `00 00` after it.
 *
 * @example
 * ```ts
 * toHex(primaryKey([['a', STRING], ['b', STRING]]).encode({ a: 'foo', b: 'bar' })) //=> '666f6f0000626172'
 * ```
 */
export const STRING: KuduType<string> = make({ kind: 'STRING' })
/**
 * Bytes of any length, a Uint8Array. Bytes: as those of {@link STRING}.
 *
 * @example
 * ```ts
 * toHex(primaryKey([['a', BINARY], ['b', BINARY]]).encode({ a: new Uint8Array([0]), b: new Uint8Array([0]) })) //=> '0001000000'
 * ```
 */
export const BINARY: KuduType<Uint8Array> = make({ kind: 'BINARY' })

/**
 * A decimal number of at most `precision` digits: text with exactly `scale` digits after the point, without leading zeros, and no
 * `-0`. Bytes: the number without its point as a signed integer of 4, 8 or 16 bytes (up to 9, 18, 38 digits), big-endian, sign bit
 * flipped.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `precision` is not from 1 to 38 or `scale` not from 0 to `precision`.
 * @example
 * ```ts
 * toHex(primaryKey([['price', DECIMAL(9, 2)]]).encode({ price: '-1.50' })) //=> '7fffff6a'
 * primaryKey([['price', DECIMAL(9, 2)]]).encode({ price: '1.999' })        //=> throws INVALID_VALUE
 * ```
 */
export function DECIMAL(precision: number, scale: number): KuduType<string> {
  const whole = Number.isInteger(precision) && Number.isInteger(scale)
  if (whole && precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision) return make({ kind: 'DECIMAL', precision, scale })
  const remedy = 'Give a precision from 1 to 38 and a scale from 0 to the precision.'
  throw codecError('INVALID_COLUMN_TYPE', `DECIMAL(${show(precision)}, ${show(scale)}) is not a type of Kudu. ${remedy}`, {
    type: 'DECIMAL',
  })
}

/**
 * Text of at most `length` UTF-16 units. Bytes: as those of {@link STRING}.
 *
 * Longer text is refused. Kudu's clients cut it silently: the Java client by UTF-16 units, which can split a character, others by
 * characters. So two values would be one key, and text with characters beyond U+FFFF would be another key for each client. Text that
 * is accepted here is the same key for all of them.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `length` is not from 1 to 65,535.
 * @example
 * ```ts
 * toHex(primaryKey([['code', VARCHAR(3)]]).encode({ code: 'abc' })) //=> '616263'
 * primaryKey([['code', VARCHAR(3)]]).encode({ code: 'abcd' })       //=> throws INVALID_VALUE
 * ```
 */
export function VARCHAR(length: number): KuduType<string> {
  if (Number.isInteger(length) && length >= 1 && length <= 65_535) return make({ kind: 'VARCHAR', length })
  const message = `VARCHAR(${show(length)}) is not a type of Kudu. Give a length from 1 to 65,535.`
  throw codecError('INVALID_COLUMN_TYPE', message, { type: 'VARCHAR' })
}

function make<V>(data: {
  readonly kind: Kind
  readonly precision?: number
  readonly scale?: number
  readonly length?: number
}): KuduType<V> {
  return Object.freeze({ store: 'kudu', ...data }) as KuduType<V>
}

/** Whether `given` is a type of this module, also one of another copy of it. */
export function isKuduType(given: unknown): given is KuduType {
  return typeof given === 'object' && given !== null && Object.isFrozen(given) && 'store' in given && given.store === 'kudu'
}
