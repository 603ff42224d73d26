import type { TypeData, Values } from '@rowkey/codec'
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
  const first = low === undefined ? min : BigInt(low.value as number | bigint) + (low.inclusive ? 0n : 1n)
  const last = high === undefined ? max : BigInt(high.value as number | bigint) - (high.inclusive ? 0n : 1n)
  return first > last || first > max || last < min
}
