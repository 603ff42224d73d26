import type { TypeData, Value, Values } from '@rowkey/codec'
import type { Limit } from '../contract/reading.js'

interface Domain {
  readonly min: bigint
  readonly max: bigint
}

const instants: Domain = { min: -8_640_000_000_000_000n, max: 8_640_000_000_000_000n }
const days: Domain = { min: -100_000_000n, max: 100_000_000n }

/** The first and last value of a type that counts in whole steps; undefined for every other type. */
export function domainOf({ kind, unit }: TypeData, { range }: Values): Domain | undefined {
  if (kind === 'date') return days
  return kind === 'timestamp' && unit === 'ms' ? instants : range
}

/** Whether no whole step lies between the limits: `gt: 5, lt: 6`, or above the largest value. */
export function holdsNothing({ min, max }: Domain, low: Limit | undefined, high: Limit | undefined): boolean {
  const first = low === undefined ? min : firstStep(low)
  const last = high === undefined ? max : lastStep(high)
  return first > last || first > max || last < min
}

/** The whole steps from one limit to the other, undefined if there are more than `most`. */
export function stepsBetween(low: Limit, high: Limit, most: number): readonly Value[] | undefined {
  const first = firstStep(low)
  const width = lastStep(high) - first + 1n
  if (width > BigInt(most)) return undefined
  const wide = typeof low.value === 'bigint'
  return Array.from({ length: Number(width) }, (_, i) => (wide ? first + BigInt(i) : Number(first) + i))
}

const firstStep = ({ value, inclusive }: Limit): bigint => BigInt(value as number | bigint) + (inclusive ? 0n : 1n)
const lastStep = ({ value, inclusive }: Limit): bigint => BigInt(value as number | bigint) - (inclusive ? 0n : 1n)
