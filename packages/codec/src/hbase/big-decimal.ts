/** `unscaled * 10^-scale`, as Java's BigDecimal holds it: 1.0 and 1.00 are different. */
export interface BigDecimal {
  readonly unscaled: bigint
  readonly scale: number
}

const shape = /^(-?\d+)(?:\.(\d+))?(?:E([+-]\d+))?$/

/** Reads what `BigDecimal.toString()` prints, and nothing else: each number and scale has one text. */
export function parseBigDecimal(text: string): BigDecimal | undefined {
  const [, whole, fraction = '', exponent = '0'] = shape.exec(text) ?? []
  if (whole === undefined) return undefined
  const decimal = { unscaled: BigInt(whole + fraction), scale: fraction.length - Number(exponent) }
  const fits = decimal.scale >= -(2 ** 31) && decimal.scale < 2 ** 31
  return fits && printBigDecimal(decimal) === text ? decimal : undefined
}

/** As `BigDecimal.toString()`: plain where the scale is not negative and few zeros are behind the point, else with an exponent. */
export function printBigDecimal({ unscaled, scale }: BigDecimal): string {
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
