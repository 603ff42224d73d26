import { viewForm, type BytesForm } from './bytes-form.js'

const [min, max] = [-(2n ** 63n), 2n ** 63n - 1n]

/**
 * `Bytes.toBytes(long)`: a bigint in 8 bytes, two's complement, big-endian. Not ordered: negative values sort after positive ones.
 *
 * @example
 * ```ts
 * toHex(bytesLong.encode(5n))  //=> '0000000000000005'
 * toHex(bytesLong.encode(-1n)) //=> 'ffffffffffffffff'
 * bytesLong.ordered            //=> false
 * ```
 */
export const bytesLong: BytesForm<bigint> = viewForm<bigint>('bytesLong', 8, {
  fits: (given): given is bigint => typeof given === 'bigint' && given >= min && given <= max,
  wants: `a bigint from ${min} to ${max}`,
  set: (view, value) => {
    view.setBigInt64(0, value)
  },
  get: (view) => view.getBigInt64(0),
})

/**
 * `Bytes.toBytes(int)`: a number in 4 bytes, two's complement, big-endian. Not ordered: negative values sort after positive ones.
 *
 * @example
 * ```ts
 * toHex(bytesInt.encode(-257)) //=> 'fffffeff'
 * ```
 */
export const bytesInt: BytesForm<number> = viewForm<number>('bytesInt', 4, {
  fits: (given): given is number => isInteger(given, 2 ** 31),
  wants: 'an integer from -2147483648 to 2147483647',
  set: (view, value) => {
    view.setInt32(0, value)
  },
  get: (view) => view.getInt32(0),
})

/**
 * `Bytes.toBytes(short)`: a number in 2 bytes, two's complement, big-endian. Not ordered: negative values sort after positive ones.
 *
 * @example
 * ```ts
 * toHex(bytesShort.encode(256)) //=> '0100'
 * ```
 */
export const bytesShort: BytesForm<number> = viewForm<number>('bytesShort', 2, {
  fits: (given): given is number => isInteger(given, 2 ** 15),
  wants: 'an integer from -32768 to 32767',
  set: (view, value) => {
    view.setInt16(0, value)
  },
  get: (view) => view.getInt16(0),
})

const isInteger = (given: unknown, beyond: number): boolean =>
  Number.isInteger(given) && (given as number) >= -beyond && (given as number) < beyond
