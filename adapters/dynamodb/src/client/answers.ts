// Tested by hostile-answers.test.ts.
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Progress } from 'rowkey/adapter'
import { badAnswer } from '../errors.js'
import { addressOf, type Item, type ItemKey } from '../keys.js'

// The client passes on what it gets, whatever the types say. So every answer is checked when it is read.

/** Whether it is a JSON object. */
export const isMap = (given: unknown): given is object => typeof given === 'object' && given !== null && !Array.isArray(given)

/** Whether it is a JSON list. */
export const isList = (given: unknown): given is readonly unknown[] => Array.isArray(given)

/** Whether a key attribute has exactly the bytes that it must have: at least one. */
const isKeyAttribute = (given: AttributeValue | undefined): given is ItemKey['p'] =>
  isMap(given) && given.B instanceof Uint8Array && given.B.length > 0

/** Whether something names an item. */
export const isKey = (given: unknown): given is ItemKey => {
  if (!isMap(given)) return false
  const { p, s } = given as Item
  return isKeyAttribute(p) && isKeyAttribute(s)
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Whether both name the same item. */
export const isSameKey = (a: ItemKey, b: ItemKey): boolean => isSame(a.s.B, b.s.B) && isSame(a.p.B, b.p.B)

/**
 * An item of an answer, which has a key.
 *
 * @param key if given: its key
 * @throws RowkeyError `ADAPTER_FAULT`
 */
export function checkedItem(table: string, given: unknown, key?: ItemKey): Item & ItemKey {
  if (!isKey(given)) throw badAnswer(table, 'an item without a key')
  if (key !== undefined && !isSameKey(given, key)) throw badAnswer(table, 'an item that was not requested')
  return given
}

/**
 * Where a walk over a whole table goes on; undefined at its end. Partition keys have no order that is known, so `progress` finds a walk that goes in
 * a circle. Pages without items may be many: compatible servers end a page after so many deleted items, at the key of one of them.
 *
 * @param given `LastEvaluatedKey` of a page
 * @throws RowkeyError `ADAPTER_FAULT`
 */
export function nextStart(table: string, given: unknown, progress: Progress): ItemKey | undefined {
  if (given === undefined) return undefined
  if (!isKey(given)) throw badAnswer(table, 'a page that ends at something that is not a key')
  if (progress.returnsTo(addressOf(given.p.B, given.s.B))) throw badAnswer(table, 'a page that ends where an earlier one did')
  return given
}

/** Items that a page of a scan or query contains. @throws RowkeyError `ADAPTER_FAULT` */
export function checkedPage(table: string, { Items, Count, ScannedCount, ConsumedCapacity }: PageAnswer, isFiltered: boolean): Scanned {
  if (!isList(Items)) throw badAnswer(table, 'a page without items')
  const examined = ScannedCount ?? Items.length
  if (!Number.isSafeInteger(examined) || examined < Items.length || (!isFiltered && examined !== Items.length)) {
    throw badAnswer(table, 'a page with more or fewer items than it has read')
  }
  if (Count !== undefined && Count !== Items.length) throw badAnswer(table, 'a page with more or fewer items than it counts')
  const units = isMap(ConsumedCapacity) ? ConsumedCapacity.CapacityUnits : undefined
  if (units !== undefined && !(units >= 0 && units < Infinity)) throw badAnswer(table, 'units that are not a number')
  return { items: Items, examined, units }
}

interface PageAnswer {
  readonly Items?: readonly Item[] | undefined
  readonly Count?: number | undefined
  readonly ScannedCount?: number | undefined
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number | undefined } | undefined
}

interface Scanned {
  readonly items: readonly Item[]
  readonly examined: number
  readonly units: number | undefined
}
