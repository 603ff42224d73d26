import { checkForStore, knownStores, type Definition, type StoreWithDdl } from 'rowkey/adapter'
import type { HBaseCode } from './advice.js'
import { profiles } from './capabilities.js'
import { ddl } from './ddl.js'
import { checkOptions, hints, name, names, type HBaseOptions } from './options.js'
import { opening } from './url.js'
import { valueTypeOf } from './values.js'

/**
 * HBase without a client: what it can do and accepts, and the definition of a table as commands of its shell. An adapter with profile
 * `lindorm` has smaller limits.
 *
 * @example
 * ```ts
 * hbaseStore.ddl(Orders, { namespace: 'shop' }).text // create 'shop:orders', {NAME => 'f', …
 * ```
 */
export const hbaseStore: Required<StoreWithDdl<HBaseOptions, Definition<string, HBaseCode>>> = Object.freeze({
  name,
  capabilities: profiles.hbase.capabilities,
  hints,
  names,
  // Stored values keep their bytes, and an integer of 4 bytes is none of 8.
  widens: (stored, wider) => valueTypeOf(stored).java === valueTypeOf(wider).java,
  facts: knownStores.hbase,
  opening,
  ddl(schema, options = {}) {
    const { namespace, profile } = checkOptions(options)
    checkForStore(hbaseStore, schema)
    return ddl(schema, namespace, profiles[profile])
  },
} satisfies StoreWithDdl<HBaseOptions, Definition<string, HBaseCode>>)
