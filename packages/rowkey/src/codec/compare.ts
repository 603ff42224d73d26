// Tested by order.test.ts and prefix.test.ts.
import { checkBytes } from './check.js'

/**
 * Order of two rowkeys, which is the order of every store: unsigned, byte by byte, a prefix before its extensions. Returns a
 * negative number, zero or a positive number, as `sort` needs it.
 *
 * @throws RowkeyError `INVALID_VALUE` for anything but two Uint8Arrays.
 * @example
 * ```ts
 * compareKeys(new Uint8Array([1]), new Uint8Array([1, 0])) < 0 //=> true
 * compareKeys(fromHex('7f'), fromHex('80')) < 0                //=> true
 * ```
 */
export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  checkBytes('compareKeys()', a)
  checkBytes('compareKeys()', b)
  return compareBytes(a, b)
}

/** As {@link compareKeys}; trusts its callers. @internal */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/**
 * Order of two strings by code point, which is the order of their UTF-8 bytes. JavaScript's `<` compares UTF-16 units and puts
 * U+1F600 before U+FF5E.
 *
 * @example
 * ```ts
 * compareText('\uff5e', '\u{1f600}') < 0 //=> true
 * '\uff5e' < '\u{1f600}'                 //=> false
 * ```
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

// Surrogates encode code points above U+FFFF, so they sort above every other unit.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** Order of two floats: -0 equals 0, NaN equals itself and is above Infinity. @internal */
export function compareFloats(a: number, b: number): number {
  if (a < b) return -1
  if (a > b) return 1
  if (a === b) return 0
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
}

/** The order of numbers that are never NaN. @internal */
export const byNumber = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** Numeric order of canonical texts of one scale: of two positive ones the longer is greater. @internal */
export function compareDecimals(a: string, b: string): number {
  if (a === b) return 0
  const negative = a.startsWith('-')
  if (negative !== b.startsWith('-')) return negative ? -1 : 1
  const isLess = a.length === b.length ? a < b : a.length < b.length
  return isLess !== negative ? -1 : 1
}
