import type { Capabilities } from 'rowkey/adapter'
import { maxPartitionBytes, maxSortKeyBytes } from './keys.js'

/** What the DynamoDB adapter can do; `transactions`: whether the server has transactions, as that of Amazon has. */
export function capabilitiesOf(transactions: boolean): Capabilities {
  return Object.freeze({
    reverse: true,
    conditions: 'columns',
    // A get of several rows is not isolated from transactions: it may see one of two rows that are written together.
    atomic: Object.freeze(
      transactions
        ? { scope: 'store', max: maxInTransaction, bytes: maxTransactionBytes, isolated: false }
        : { scope: 'row', max: 1, isolated: true },
    ),
    eventual: true,
    // An item has at most 400 KB, including the names of its attributes.
    limits: Object.freeze({ partitionBytes: maxPartitionBytes - 1, sortKeyBytes: maxSortKeyBytes - 1, valueBytes: 400_000 }),
  })
}

const maxInTransaction = 100

/** Max bytes of all items of a transaction: 4 MB. */
export const maxTransactionBytes: number = 4 * 1024 * 1024
