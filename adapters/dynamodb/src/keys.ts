import type { EncodedKey } from '@rowkey/store/adapter'

/** What a key attribute may hold, in bytes. */
export const maxPartitionBytes = 2048
export const maxSortKeyBytes = 1024

/** Its first byte: an empty P or K would be refused, and items of the adapter's own have room. */
const rowTag = 0x01
const systemTag = 0x00

/** The key of an item. */
export type ItemKey = Readonly<Record<'p' | 's', { readonly B: Uint8Array }>>

/** The item that holds the table's catalog; no row has this key. */
export const catalogKey: ItemKey = Object.freeze({
  p: Object.freeze({ B: Uint8Array.of(systemTag) }),
  s: Object.freeze({ B: Uint8Array.of(systemTag) }),
})

/** Whether a partition key is one of the adapter's own items. */
export const isSystem = (p: Uint8Array): boolean => p[0] === systemTag

/** The tag and a part of `bytes`. */
export function tagged(bytes: Uint8Array, from = 0, to: number = bytes.length): Uint8Array {
  const key = new Uint8Array(1 + to - from)
  key[0] = rowTag
  for (let i = from; i < to; i++) key[1 + i - from] = bytes[i] as number
  return key
}

/** The key of an item by its rowkey; undefined: too long for any item to have it. */
export function itemKey({ bytes, partitionBytes }: EncodedKey): ItemKey | undefined {
  if (partitionBytes >= maxPartitionBytes || bytes.length - partitionBytes >= maxSortKeyBytes) return undefined
  return { p: { B: tagged(bytes, 0, partitionBytes) }, s: { B: tagged(bytes, partitionBytes) } }
}

/** P‖K of an item's key. */
export function rowkeyOfItem(p: Uint8Array, s: Uint8Array): Uint8Array {
  const rowkey = new Uint8Array(p.length + s.length - 2)
  rowkey.set(p.subarray(1))
  rowkey.set(s.subarray(1), p.length - 1)
  return rowkey
}

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
  if (bound.length <= maxSortKeyBytes) return bound
  let length = maxSortKeyBytes
  while (bound[length - 1] === 0xff) length--
  const key = bound.slice(0, length) // the tag is not 0xff
  key[length - 1] = (key[length - 1] as number) + 1
  return key
}

/** The last sort key below a bound: keys have an end, so there is one. */
function lastBelow(bound: Uint8Array): Uint8Array {
  if (bound.length > maxSortKeyBytes) return bound.slice(0, maxSortKeyBytes)
  const before = bound.length - 1
  if (bound[before] === 0) return bound.slice(0, before)
  const key = new Uint8Array(maxSortKeyBytes).fill(0xff)
  key.set(bound)
  key[before] = (bound[before] as number) - 1
  return key
}
