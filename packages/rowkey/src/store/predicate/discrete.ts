import type { Value } from '#codec'
import type { Storage } from '#codec/internal'
import type { Endpoint } from '../contract/reading.js'

interface Domain {
  readonly min: bigint
  readonly max: bigint
}

/** The first and last value of a type that counts in whole steps; undefined for every other type. */
export function domainOf(storage: Storage): Domain | undefined {
  if (storage.class !== 'int' && storage.class !== 'bigint') return undefined
  return { min: BigInt(storage.min), max: BigInt(storage.max) }
}

/** Whether no whole step lies between the limits: `gt: 5, lt: 6`, or above the largest value. */
export function holdsNothing({ min, max }: Domain, low: Endpoint | undefined, high: Endpoint | undefined): boolean {
  const first = low === undefined ? min : firstStep(low)
  const last = high === undefined ? max : lastStep(high)
  return first > last || first > max || last < min
}

/** The whole steps from one limit to the other, undefined if there are more than `max`. */
export function stepsBetween(low: Endpoint, high: Endpoint, max: number): readonly Value[] | undefined {
  const first = firstStep(low)
  const width = lastStep(high) - first + 1n
  if (width > BigInt(max)) return undefined
  const isBigint = typeof low.value === 'bigint'
  return Array.from({ length: Number(width) }, (_, i) => (isBigint ? first + BigInt(i) : Number(first) + i))
}

const firstStep = ({ value, inclusive }: Endpoint): bigint => BigInt(value as number | bigint) + (inclusive ? 0n : 1n)
const lastStep = ({ value, inclusive }: Endpoint): bigint => BigInt(value as number | bigint) - (inclusive ? 0n : 1n)
