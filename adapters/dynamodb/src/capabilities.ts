import type { Capabilities } from '@rowkey/store'
import { longestPartition, longestSort } from './keys.js'

/** What the DynamoDB adapter can do; `transactions`: whether the server has them, as Amazon's has. */
export function capabilitiesOf(transactions: boolean): Capabilities {
  return Object.freeze({
    reverse: true,
    conditions: 'version',
    // A get of several rows is not isolated from transactions: it may see one of two rows that are written together.
    atomic: Object.freeze(
      transactions ? { scope: 'store', max: mostInTransaction, isolated: false } : { scope: 'row', max: 1, isolated: true },
    ),
    eventual: true,
    // An item has 400 KB with its names.
    limits: Object.freeze({ partitionBytes: longestPartition - 1, restBytes: longestSort - 1, valueBytes: 400_000 }),
  })
}

const mostInTransaction = 100
