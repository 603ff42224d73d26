import { hintsOf, type Hints, type TableSchema } from '@rowkey/store'

/** What a model may say about its table on this store: `stores: { dynamodb: { provisioned: { read: 10, write: 5 } } }`. */
export interface DynamoDBHints {
  /** Capacity units per second, paid for whether they are used or not. Without it the table is billed by request. */
  readonly provisioned?: { readonly read: number; readonly write: number }
}

export const name = 'dynamodb'

export const hints: Hints = Object.freeze({
  provisioned: { fits: isProvisioned, wants: '{ read, write }, both integers from 1' },
} satisfies Record<keyof DynamoDBHints, Hints[string]>)

/** @throws RowkeyError `INVALID_OPTION` */
export const dynamodbHints = (schema: TableSchema): DynamoDBHints => hintsOf({ name, hints }, schema)

function isProvisioned(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || Object.keys(given).sort().join() !== 'read,write') return false
  return Object.values(given).every((units) => Number.isSafeInteger(units) && units >= 1)
}
