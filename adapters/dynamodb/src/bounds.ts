import { longestSort, tagged } from './keys.js'

/** A range of sort keys for BETWEEN, which takes both ends. */
export interface SortRange {
  readonly low: Uint8Array
  readonly high: Uint8Array
}

/** Above all sort keys of rows. */
const end = Uint8Array.of(0x02)

/**
 * The sort keys from `from` up to but without `to`, undefined if there are none: DynamoDB allows one condition on a sort key, refuses ends
 * that are out of order or longer than a key, and its BETWEEN takes in both ends. So the upper end is the last key below `to`.
 *
 * @param from K of the lower bound; null = above all
 * @param to K of the upper bound; null = above all
 */
export function sortRange(from: Uint8Array | null, to: Uint8Array | null): SortRange | undefined {
  if (from === null) return undefined
  const low = firstFrom(tagged(from))
  const high = lastBelow(to === null ? end : tagged(to))
  return Buffer.compare(low, high) > 0 ? undefined : { low, high }
}

/** The first sort key that is not below a bound: a key that begins with the whole of a longer one does not exist. */
function firstFrom(bound: Uint8Array): Uint8Array {
  if (bound.length <= longestSort) return bound
  let length = longestSort
  while (bound[length - 1] === 0xff) length--
  const key = bound.slice(0, length) // the tag is not 0xff
  key[length - 1] = (key[length - 1] as number) + 1
  return key
}

/** The last sort key below a bound: keys have an end, so there is one. */
function lastBelow(bound: Uint8Array): Uint8Array {
  if (bound.length > longestSort) return bound.slice(0, longestSort)
  const before = bound.length - 1
  if (bound[before] === 0) return bound.slice(0, before)
  const key = new Uint8Array(longestSort).fill(0xff)
  key.set(bound)
  key[before] = (bound[before] as number) - 1
  return key
}
