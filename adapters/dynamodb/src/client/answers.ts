// Tested by hostile-answers.test.ts.
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { tableNotFound, type Progress } from 'rowkey/adapter'
import { badAnswer } from '../errors.js'
import { addressOf, otherForm, type Item, type KeyParts, type RowForm } from '../keys.js'

// The client passes on what it gets, whatever the types say. So every answer is checked when it is read.

/** Whether it is a JSON object. */
export const isMap = (given: unknown): given is object => typeof given === 'object' && given !== null && !Array.isArray(given)

/** Whether it is a JSON list. */
export const isList = (given: unknown): given is readonly unknown[] => Array.isArray(given)

/** The bytes of a key attribute: at least one; undefined for anything else. */
const keyBytesOf = (given: AttributeValue | undefined): Uint8Array | undefined =>
  isMap(given) && given.B instanceof Uint8Array && given.B.length > 0 ? given.B : undefined

/** The key of what names an item; undefined for anything else. */
export function keyIn({ partition, sort }: RowForm, given: unknown): KeyParts | undefined {
  if (!isMap(given)) return undefined
  const p = keyBytesOf((given as Item)[partition])
  const s = keyBytesOf((given as Item)[sort])
  return p === undefined || s === undefined ? undefined : { p, s }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Whether both name the same item. */
export const isSameKey = (a: KeyParts, b: KeyParts): boolean => isSame(a.s, b.s) && isSame(a.p, b.p)

/** The key of an item of an answer. @throws RowkeyError `TABLE_NOT_FOUND`, `ADAPTER_FAULT` */
export function checkedKey(table: string, form: RowForm, given: unknown): KeyParts {
  const key = keyIn(form, given)
  if (key !== undefined) return key
  // Another process has dropped the table and created it in the other form.
  throw keyIn(otherForm(form), given) === undefined ? badAnswer(table, 'an item without a key') : tableNotFound(table)
}

/** An item of an answer, which has this key. @throws RowkeyError `ADAPTER_FAULT` */
export function checkedItem(table: string, form: RowForm, given: unknown, key: KeyParts): Item {
  if (!isSameKey(checkedKey(table, form, given), key)) throw badAnswer(table, 'an item that was not requested')
  return given as Item
}

/**
 * Where a walk over a whole table goes on; undefined at its end. Partition keys have no order that is known, so `progress` finds a walk that goes in
 * a circle. Pages without items may be many: compatible servers end a page after so many deleted items, at the key of one of them.
 *
 * @param given `LastEvaluatedKey` of a page
 * @throws RowkeyError `ADAPTER_FAULT`
 */
export function nextStart(table: string, form: RowForm, given: unknown, progress: Progress): KeyParts | undefined {
  if (given === undefined) return undefined
  const key = keyIn(form, given)
  if (key === undefined) throw badAnswer(table, 'a page that ends at something that is not a key')
  if (progress.returnsTo(addressOf(key))) throw badAnswer(table, 'a page that ends where an earlier one did')
  return key
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
