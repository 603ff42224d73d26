import type { Reader } from '../encodings/reader.js'
import { hexOf } from '../hex-of.js'
import { parseBigDecimal, printBigDecimal, type BigDecimal } from './big-decimal.js'
import { bytesForm, type BytesForm } from './bytes-form.js'

/**
 * `Bytes.toBytes(BigDecimal)`: the scale in 4 bytes, then the unscaled number in two's complement, as short as can be. Not ordered: the
 * scale comes first. Values are text as `BigDecimal.toString()` prints it, so that 1.0 and 1.00 stay apart, as their bytes do.
 *
 * @example
 * ```ts
 * toHex(bytesDecimal.encode('-0.01')) //=> '00000002ff'
 * toHex(bytesDecimal.encode('1E+22')) //=> 'ffffffea01'
 * bytesDecimal.encode('01')           //=> throws INVALID_VALUE
 * ```
 */
export const bytesDecimal: BytesForm<string> = bytesForm<string>('bytesDecimal', {
  ordered: false,
  fits: (given): given is string => typeof given === 'string' && parseBigDecimal(given) !== undefined,
  wants: "a decimal number as text, as Java's BigDecimal prints it, like '-12.50' or '1E+22'",
  write(value) {
    const { unscaled, scale } = parseBigDecimal(value) as BigDecimal
    const width = widthOf(unscaled)
    const bytes = new Uint8Array(4 + width)
    new DataView(bytes.buffer).setInt32(0, scale)
    const hex = BigInt.asUintN(8 * width, unscaled)
      .toString(16)
      .padStart(2 * width, '0')
    for (let i = 0; i < width; i++) bytes[4 + i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16)
    return bytes
  },
  read(reader) {
    const from = reader.take(4)
    const scale = new DataView(reader.bytes.buffer, reader.bytes.byteOffset + from, 4).getInt32(0)
    return printBigDecimal({ unscaled: readInteger(reader), scale })
  },
})

/** Bytes of the number in two's complement, sign bit included. */
function widthOf(integer: bigint): number {
  const bits = (integer < 0n ? -integer - 1n : integer).toString(2)
  return Math.floor((bits === '0' ? 0 : bits.length) / 8) + 1
}

function readInteger(reader: Reader): bigint {
  const from = reader.take(Math.max(1, reader.bytes.length - reader.at))
  const width = reader.at - from
  const integer = BigInt.asIntN(8 * width, BigInt(`0x${hexOf(reader.cut(from, 0))}`))
  return widthOf(integer) === width ? integer : reader.fail('the number begins with a byte it does not need')
}
