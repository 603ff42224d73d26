import { knownStores, type StoreDescription } from 'rowkey/adapter'
import { capabilities } from './capabilities.js'
import { opening } from './url.js'

/**
 * LMDB without a file: what it can do.
 *
 * @example
 * ```ts
 * lmdbStore.capabilities.limits.partitionBytes // 1973
 * ```
 */
export const lmdbStore: StoreDescription = Object.freeze({ name: 'lmdb', capabilities, facts: knownStores.lmdb, opening })
