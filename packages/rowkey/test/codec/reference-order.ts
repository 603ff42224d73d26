/** Orders written down again, in the plainest way, to check the codec's against. */
export type Order = (a: never, b: never) => number

export const byNumber = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0)
export const byTime = (a: Date, b: Date): number => a.getTime() - b.getTime()
export const byBool = (a: boolean, b: boolean): number => Number(a) - Number(b)
export const byBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b)

/** -0 equals 0, NaN equals itself and is above Infinity. */
export function byFloat(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return byNumber(a, b)
}

export function byCodePoint(a: string, b: string): number {
  const x = Array.from(a, (char) => char.codePointAt(0) as number)
  const y = Array.from(b, (char) => char.codePointAt(0) as number)
  const at = x.findIndex((point, i) => point !== y[i])
  if (at < 0) return x.length - y.length
  return at < y.length ? (x[at] as number) - (y[at] as number) : 1
}

export const backwards = (value: string | number | bigint): string => [...String(value)].reverse().join('')

/** The order of an idiom is the order of the text it writes. */
export const byText =
  <V>(written: (value: V) => string) =>
  (a: V, b: V): number =>
    byCodePoint(written(a), written(b))

export const sign = (order: number): -1 | 0 | 1 => (order < 0 ? -1 : order > 0 ? 1 : 0)

/** A column's order with its direction and the place of its nulls. */
export function keyOrder(order: Order, desc: boolean, nulls: 'first' | 'last'): (a: unknown, b: unknown) => number {
  return (a, b) => {
    if (a === null && b === null) return 0
    if (a === null) return nulls === 'first' ? -1 : 1
    if (b === null) return nulls === 'first' ? 1 : -1
    return desc ? order(b as never, a as never) : order(a as never, b as never)
  }
}

/** The order of byte strings; null is above all of them. */
export function byBoundBytes(a: Uint8Array | null, b: Uint8Array | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return Buffer.compare(a, b)
}
