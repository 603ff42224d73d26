import type { Encoding } from './encoding.js'

/** A number of 16-bit digits, most significant first; the longest has eight. */
const limbs = new Uint32Array(8)

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
export function decimalEncoding(precision: number, scale: number): Encoding<string> {
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
    read(reader, flip) {
      const from = reader.take(2 * count)
      for (let i = 0; i < count; i++) {
        const at = from + 2 * i
        limbs[i] = (((reader.bytes[at] as number) ^ flip) << 8) | ((reader.bytes[at + 1] as number) ^ flip)
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
