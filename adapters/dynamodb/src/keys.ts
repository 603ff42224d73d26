// Tested by bounds.test.ts.
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { latin1String, type EncodedKey, type TableCatalog } from 'rowkey/adapter'

/** Max bytes of the key attributes. */
export const maxPartitionBytes = 2048
export const maxSortKeyBytes = 1024

/** How the items of a table are stored, which its catalog says. */
export interface RowForm {
  /** Names of the key attributes. */
  readonly partition: string
  readonly sort: string
  /** The first byte of both key attributes of a row. Without it, an empty P or K would be refused. */
  readonly rowTag: number
  /** The first byte of both key attributes of an item of the adapter itself. */
  readonly systemTag: number
}

/** The form of the tables that rowkey creates. No column of a user can have these names. */
export const rowkeyForm: RowForm = Object.freeze({ partition: 'rk_p', sort: 'rk_s', rowTag: 0x01, systemTag: 0x00 })

/** The form of the tables that were created before. */
export const firstForm: RowForm = Object.freeze({ ...rowkeyForm, partition: 'p', sort: 's' })

/** What the catalog of a table in {@link rowkeyForm} contains about it. */
const secondForm = { form: 2 } as const

/** The form of a table by its catalog. */
export const formOf = ({ store }: TableCatalog): RowForm => (store?.['form'] === secondForm.form ? rowkeyForm : firstForm)

export const otherForm = (form: RowForm): RowForm => (form === firstForm ? rowkeyForm : firstForm)

/** A catalog that says the form of its table. */
export const withForm = (catalog: TableCatalog, form: RowForm): TableCatalog =>
  form === firstForm ? catalog : { ...catalog, store: secondForm }

/** An item in the form of the client. */
export type Item = Record<string, AttributeValue>

/** The bytes of the key attributes of an item. */
export interface KeyParts {
  readonly p: Uint8Array
  readonly s: Uint8Array
}

/** The key attributes of an item, which requests contain. */
export const keyAttributes = ({ partition, sort }: RowForm, { p, s }: KeyParts): Item => ({ [partition]: { B: p }, [sort]: { B: s } })

/** The names of the key attributes in expressions. */
export const keyNames = ({ partition, sort }: RowForm): Record<'#p' | '#s', string> => ({ '#p': partition, '#s': sort })

/** The key of the item that holds the table's catalog; no row has it. */
export const catalogKey: KeyParts = Object.freeze({ p: Uint8Array.of(rowkeyForm.systemTag), s: Uint8Array.of(rowkeyForm.systemTag) })

/** Whether a key is of an item of the adapter itself. */
export const isSystem = ({ systemTag }: RowForm, { p }: KeyParts): boolean => p[0] === systemTag

/** The first byte and a part of `bytes`. */
export function tagged({ rowTag }: RowForm, bytes: Uint8Array, from = 0, to: number = bytes.length): Uint8Array {
  const key = new Uint8Array(1 + to - from)
  key[0] = rowTag
  for (let i = from; i < to; i++) key[1 + i - from] = bytes[i] as number
  return key
}

/** The key of the item of a rowkey; undefined if it is too long for any item. */
export function keyParts(form: RowForm, { bytes, partitionBytes }: EncodedKey): KeyParts | undefined {
  if (partitionBytes >= maxPartitionBytes || bytes.length - partitionBytes >= maxSortKeyBytes) return undefined
  return { p: tagged(form, bytes, 0, partitionBytes), s: tagged(form, bytes, partitionBytes) }
}

/** P‖K of an item's key. */
export function rowkeyOfItem({ p, s }: KeyParts): Uint8Array {
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

/**
 * The sort keys from `from` (inclusive) to `to` (exclusive); undefined if there are none. DynamoDB allows one condition on a sort key, and
 * both ends of its BETWEEN are inclusive. So the upper end is the last possible key before `to`. It also refuses ends that are in the wrong
 * order or longer than a key.
 *
 * @param from K of the lower bound; null = after all keys
 * @param to K of the upper bound; null = after all keys
 */
export function sortRange(form: RowForm, from: Uint8Array | null, to: Uint8Array | null): SortRange | undefined {
  if (from === null) return undefined
  const low = firstFrom(tagged(form, from))
  const high = lastBelow(to === null ? Uint8Array.of(form.rowTag + 1) : tagged(form, to)) // no sort key of a row is greater
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
export const addressOf = ({ p, s }: KeyParts): string => latin1String(p) + latin1String(s)
