/** A decimal number of DynamoDB in parts: its digits without leading and trailing zeros, and the power of ten of the last digit. */
interface Parts {
  readonly minus: '' | '-'
  readonly digits: string
  readonly exponent: number
}

const shape = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/** A number has at most 38 digits and 130 zeros before or after them. Of what is longer, nothing is read, because a server can send any text. */
const maxLength = 256

function partsOf(text: string): Parts | undefined {
  if (text.length > maxLength) return undefined
  const [, sign, whole, fraction = '', exponent = '0'] = shape.exec(text) ?? []
  if (whole === undefined || whole + fraction === '') return undefined
  const all = (whole + fraction).replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  if (digits === '') return { minus: '', digits: '0', exponent: 0 }
  return { minus: sign === '-' ? '-' : '', digits, exponent: Number(exponent) - fraction.length + all.length - digits.length }
}

/** Whether two texts mean the same number. Servers write 100 as 1E+2 and 1.50 as 1.5. */
export function isSameNumber(a: string, b: string): boolean {
  if (a === b) return true
  const [x, y] = [normalized(a), normalized(b)]
  return x !== undefined && x === y
}

function normalized(text: string): string | undefined {
  const parts = partsOf(text)
  return parts === undefined ? undefined : `${parts.minus}${parts.digits}e${parts.exponent}`
}

/** The number with exactly `scale` digits after the point, as in decimal columns; undefined if it has more digits, or is not a number. */
export function withScale(text: string, scale: number): string | undefined {
  const parts = partsOf(text)
  if (parts === undefined || parts.exponent + scale < 0) return undefined
  const digits = (parts.digits === '0' ? '' : parts.digits + '0'.repeat(parts.exponent + scale)).padStart(scale + 1, '0')
  const point = digits.length - scale
  return parts.minus + digits.slice(0, point) + (scale === 0 ? '' : `.${digits.slice(point)}`)
}
