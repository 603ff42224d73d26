// Tested by decimals-and-ids.test.ts.
import type { ColumnType, NoDefault, TypeOptions } from '../type/column-type.js'
import type { Conversion, Encoding, TypeImpl } from '../type/type-impl.js'
import { compareDecimals } from '../compare.js'
import { show } from '../show.js'
import { invalidType, makeType } from '../type/make-type.js'

export const decimalImpl: TypeImpl = {
  conversion: ({ precision = 0, scale = 0 }) => decimalConversion(precision, scale),
  storage: ({ precision = 0, scale = 0 }) => ({ class: 'decimal', precision, scale }),
  encoding: ({ precision = 0, scale = 0 }) => decimalEncoding(precision, scale),
  fromJSON: (options, { precision, scale }) => decimal(precision as number, scale as number, options),
  positional: ['precision', 'scale'],
  parameters: ({ precision, scale }) => [String(precision), String(scale)],
  kudu: 'encoded',
}

function decimalConversion(precision: number, scale: number): Conversion {
  const shape = decimalShape(precision, scale)
  const example = scale === 0 ? '-12' : `-${precision === scale ? 0 : 1}.${'5'.padEnd(scale, '0')}`
  return {
    parse(given) {
      if (typeof given !== 'string') return undefined
      if (shape.test(given)) return given
      const text = decimalText(given, scale)
      return text !== undefined && shape.test(text) ? text : undefined
    },
    compare: compareDecimals,
    expected: `a decimal number as text, at most ${precision - scale} digits${scale === 0 ? ' and none after a point' : ` before the point and ${scale} after it`}, like '${example}'`,
  }
}

const number = /^([+-]?)(\d*)(?:\.(\d*))?$/

/**
 * The canonical text of a number with `scale` digits after the point; undefined if the text is not a number, or has more digits there than
 * zeros at its end. It may have a sign, zeros at both ends, and fewer digits after the point.
 *
 * @internal
 * @example
 * ```ts
 * decimalText('-01240', 2) //=> '-1240.00'
 * decimalText('1.555', 2)  //=> undefined
 * ```
 */
export function decimalText(given: string, scale: number): string | undefined {
  const [, sign, before = '', after = ''] = number.exec(given) ?? []
  if (sign === undefined || before.length + after.length === 0) return undefined
  const whole = before.slice(before.search(/[1-9]|$/))
  let end = after.length
  while (end > scale && after[end - 1] === '0') end--
  if (end > scale) return undefined
  const places = after.slice(0, end).padEnd(scale, '0')
  const isZero = whole === '' && /^0*$/.test(places)
  return `${sign === '-' && !isZero ? '-' : ''}${whole === '' ? '0' : whole}${scale === 0 ? '' : `.${places}`}`
}

/** The canonical form: no leading zeros, no plus, no minus before zero, all digits after the point. */
function decimalShape(precision: number, scale: number): RegExp {
  const whole = precision === scale ? '0' : `(?:0|[1-9]\\d{0,${precision - scale - 1}})`
  const fraction = scale === 0 ? '' : `\\.\\d{${scale}}`
  return new RegExp(`^(?!-[0.]*$)-?${whole}${fraction}$`)
}

/** A number of 16-bit digits, most significant first; the longest has eight. */
const limbs = /* @__PURE__ */ new Uint32Array(8)

function multiplyAdd(count: number, factor: number, add: number): void {
  let carry = add
  for (let i = count - 1; i >= 0; i--) {
    const product = (limbs[i] as number) * factor + carry
    limbs[i] = product & 0xffff
    carry = product >>> 16
  }
}

function divide(count: number, divisor: number): number {
  let rest = 0
  for (let i = 0; i < count; i++) {
    const part = rest * 0x10000 + (limbs[i] as number)
    limbs[i] = Math.floor(part / divisor)
    rest = part % divisor
  }
  return rest
}

function negate(count: number): void {
  for (let i = 0; i < count; i++) limbs[i] = (limbs[i] as number) ^ 0xffff
  multiplyAdd(count, 1, 1)
}

/** Decimals as scaled integers of 4, 8 or 16 bytes, sign bit flipped, without bigint. */
function decimalEncoding(precision: number, scale: number): Encoding<string> {
  const count = precision <= 9 ? 2 : precision <= 18 ? 4 : 8
  return {
    minBytes: 2 * count,
    maxBytes: 2 * count,
    size: () => 2 * count,
    write(target, at, value) {
      limbs.fill(0)
      for (let i = 0; i < value.length; i++) {
        const digit = value.charCodeAt(i) - 0x30
        if (digit >= 0) multiplyAdd(count, 10, digit) // '-' and '.' are below '0'
      }
      if (value.startsWith('-')) negate(count)
      limbs[0] = (limbs[0] as number) ^ 0x8000
      for (let i = 0; i < count; i++) {
        target[at++] = (limbs[i] as number) >>> 8
        target[at++] = limbs[i] as number
      }
      return at
    },
    read(reader) {
      const from = reader.advance(2 * count)
      for (let i = 0; i < count; i++) {
        const at = from + 2 * i
        limbs[i] = (reader.byteAt(at) << 8) | reader.byteAt(at + 1)
      }
      limbs[0] = (limbs[0] as number) ^ 0x8000
      const negative = limbs[0] >= 0x8000
      if (negative) negate(count)
      // 2^127 has 39 digits, and ten groups of four hold them.
      let digits = ''
      for (let group = 0; group < 10; group++) digits = String(divide(count, 10_000)).padStart(4, '0') + digits
      digits = digits.slice(digits.search(/[1-9]|$/)).padStart(scale + 1, '0')
      if (digits.length > Math.max(precision, scale + 1) || (precision === scale && !digits.startsWith('0'))) {
        return reader.fail(`the number has more than ${precision} digits`)
      }
      const point = digits.length - scale
      return (negative ? '-' : '') + digits.slice(0, point) + (scale === 0 ? '' : `.${digits.slice(point)}`)
    },
  }
}

/**
 * A decimal number of at most `precision` digits, `scale` of them after the point. It takes every text of a number that it holds exactly
 * (`'1240'`, `'650.5'`, `'-0.00'`; no exponent), and returns canonical text: exactly `scale` digits after the point, no leading zeros, no `-0`. Bytes: the number without its point as a signed integer of 4, 8 or 16 bytes (up to 9, 18, 38
 * digits), big-endian, sign bit flipped; the same as Kudu's DECIMAL.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `precision` is not from 1 to 38 or `scale` not from 0 to `precision`; `INVALID_VALUE` on
 * encoding a number that it does not hold exactly, such as `'1.555'` at scale 2.
 * @example
 * ```ts
 * const prices = keyLayout([['price', decimal(9, 2)]])
 * toHex(prices.encode({ price: '-1.50' }))  //=> '7fffff6a'
 * prices.decode(fromHex('80000096'))        //=> { price: '1.50' }
 * ```
 */
export function decimal(precision: number, scale?: number, options?: NoDefault): ColumnType<string, 'range'>
export function decimal(
  precision: number,
  scale: number,
  options: TypeOptions & { readonly default: string },
): ColumnType<string, 'range' | 'default'>
export function decimal(precision: number, scale = 0, options?: TypeOptions): ColumnType<string, 'range'> {
  const fits =
    Number.isInteger(precision) && Number.isInteger(scale) && precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision
  if (fits) return makeType({ kind: 'decimal', precision, scale }, decimalImpl, options)
  throw invalidType(
    'decimal',
    `decimal(${show(precision)}, ${show(scale)}) needs a precision from 1 to 38 and a scale from 0 to the precision.`,
  )
}
