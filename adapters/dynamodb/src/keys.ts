// Tested by bounds.test.ts.
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { latin1String, type EncodedKey } from 'rowkey/adapter'

/** Max bytes of the key attributes. */
export const maxPartitionBytes = 2048
export const maxSortKeyBytes = 1024

/**
 * The first byte of both key attributes. Without it, an empty P or K would be refused. Other first bytes are for items of the adapter
 * itself.
 */
const rowTag = 0x01
const systemTag = 0x00

/** An item in the form of the client. */
export type Item = Record<string, AttributeValue>

/** The key of an item. */
export type ItemKey = Readonly<Record<'p' | 's', { readonly B: Uint8Array }>>

/** The item that holds the table's catalog; no row has this key. */
export const catalogKey: ItemKey = Object.freeze({
  p: Object.freeze({ B: Uint8Array.of(systemTag) }),
  s: Object.freeze({ B: Uint8Array.of(systemTag) }),
})

/** Whether a partition key is of an item of the adapter itself. */
export const isSystem = (p: Uint8Array): boolean => p[0] === systemTag

/** The first byte and a part of `bytes`. */
export function tagged(bytes: Uint8Array, from = 0, to: number = bytes.length): Uint8Array {
  const key = new Uint8Array(1 + to - from)
  key[0] = rowTag
  for (let i = from; i < to; i++) key[1 + i - from] = bytes[i] as number
  return key
}

/** The key of the item of a rowkey; undefined if it is too long for any item. */
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

/** A range of sort keys for BETWEEN. Both ends are inclusive. */
export interface SortRange {
  readonly low: Uint8Array
  readonly high: Uint8Array
}

/** Greater than all sort keys of rows. */
const end = Uint8Array.of(0x02)

/**
 * The sort keys from `from` (inclusive) to `to` (exclusive); undefined if there are none. DynamoDB allows one condition on a sort key, and
 * both ends of its BETWEEN are inclusive. So the upper end is the last possible key before `to`. It also refuses ends that are in the wrong
 * order or longer than a key.
 *
 * @param from K of the lower bound; null = after all keys
 * @param to K of the upper bound; null = after all keys
 */
export function sortRange(from: Uint8Array | null, to: Uint8Array | null): SortRange | undefined {
  if (from === null) return undefined
  const low = firstFrom(tagged(from))
  const high = lastBelow(to === null ? end : tagged(to))
  return Buffer.compare(low, high) > 0 ? undefined : { low, high }
}

/** The first possible sort key that is not before a bound. A bound longer than a key is cut, because no key can be that long. */
function firstFrom(bound: Uint8Array): Uint8Array {
  if (bound.length <= maxSortKeyBytes) return bound
  let length = maxSortKeyBytes
  while (bound[length - 1] === 0xff) length--
  const key = bound.slice(0, length) // its first byte is not 0xff
  key[length - 1] = (key[length - 1] as number) + 1
  return key
}

/** The last possible sort key before a bound. It exists because the length of keys is limited. */
function lastBelow(bound: Uint8Array): Uint8Array {
  if (bound.length > maxSortKeyBytes) return bound.slice(0, maxSortKeyBytes)
  const before = bound.length - 1
  if (bound[before] === 0) return bound.slice(0, before)
  const key = new Uint8Array(maxSortKeyBytes).fill(0xff)
  key.set(bound)
  key[before] = (bound[before] as number) - 1
  return key
}

/** Identifies an item. Partition keys are prefix-free, so the concatenation is unique. */
export const addressOf = (p: Uint8Array, s: Uint8Array): string => latin1String(p) + latin1String(s)
