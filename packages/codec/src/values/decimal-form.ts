import type { Form } from './form.js'

/** Canonical decimal text; see {@link decimal}. */
export function decimalForm(precision: number, scale: number): Form {
  const shape = decimalShape(precision, scale)
  const example = scale === 0 ? '-12' : `-${precision === scale ? 0 : 1}.${'5'.padEnd(scale, '0')}`
  return {
    take: (given) => (typeof given === 'string' && shape.test(given) ? given : undefined),
    compare: compareDecimals,
    wants: `a decimal number as text, at most ${precision - scale} digits and then ${scale === 0 ? 'no point' : `exactly ${scale} behind the point`}, like '${example}'`,
  }
}

/** No leading zeros, no plus, no minus before zero. */
function decimalShape(precision: number, scale: number): RegExp {
  const whole = precision === scale ? '0' : `(?:0|[1-9]\\d{0,${precision - scale - 1}})`
  const fraction = scale === 0 ? '' : `\\.\\d{${scale}}`
  return new RegExp(`^(?!-[0.]*$)-?${whole}${fraction}$`)
}

/** Numeric order of canonical texts of one scale: of two positive ones the longer is greater. */
function compareDecimals(a: string, b: string): number {
  if (a === b) return 0
  const negative = a.startsWith('-')
  if (negative !== b.startsWith('-')) return negative ? -1 : 1
  const isLess = a.length === b.length ? a < b : a.length < b.length
  return isLess !== negative ? -1 : 1
}
