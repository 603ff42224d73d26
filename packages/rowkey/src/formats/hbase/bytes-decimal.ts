// Tested by packages/rowkey/test/formats/hbase/vectors.test.ts.
import { toHex } from '#codec'
import type { Reader } from '#codec/internal'
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
    const scale = new DataView(reader.copyFrom(reader.advance(4)).buffer).getInt32(0)
    return printBigDecimal({ unscaled: readInteger(reader), scale })
  },
})

/** Bytes of the number in two's complement, sign bit included. */
function widthOf(integer: bigint): number {
  const bits = (integer < 0n ? -integer - 1n : integer).toString(2)
  return Math.floor((bits === '0' ? 0 : bits.length) / 8) + 1
}

function readInteger(reader: Reader): bigint {
  const from = reader.advance(Math.max(1, reader.left))
  const width = reader.at - from
  const integer = BigInt.asIntN(8 * width, BigInt(`0x${toHex(reader.copyFrom(from))}`))
  return widthOf(integer) === width ? integer : reader.fail('the number starts with an unnecessary byte')
}

/** `unscaled * 10^-scale`, as Java's BigDecimal holds it: 1.0 and 1.00 are different. */
interface BigDecimal {
  readonly unscaled: bigint
  readonly scale: number
}

const shape = /^(-?\d+)(?:\.(\d+))?(?:E([+-]\d+))?$/

/** Reads what `BigDecimal.toString()` prints, and nothing else: each number and scale has one text. */
function parseBigDecimal(text: string): BigDecimal | undefined {
  const [, whole, fraction = '', exponent = '0'] = shape.exec(text) ?? []
  if (whole === undefined) return undefined
  const decimal = { unscaled: BigInt(whole + fraction), scale: fraction.length - Number(exponent) }
  const fits = decimal.scale >= -(2 ** 31) && decimal.scale < 2 ** 31
  return fits && printBigDecimal(decimal) === text ? decimal : undefined
}

/** As `BigDecimal.toString()`: plain if the scale is not negative and few zeros follow the point, else with an exponent. */
function printBigDecimal({ unscaled, scale }: BigDecimal): string {
  const sign = unscaled < 0n ? '-' : ''
  const digits = String(unscaled < 0n ? -unscaled : unscaled)
  const exponent = digits.length - 1 - scale
  if (scale === 0) return sign + digits
  if (scale > 0 && exponent >= -6) {
    const padded = digits.padStart(scale + 1, '0')
    return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`
  }
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  return `${sign}${digits.slice(0, 1)}${fraction}${exponent === 0 ? '' : `E${exponent > 0 ? '+' : ''}${exponent}`}`
}
