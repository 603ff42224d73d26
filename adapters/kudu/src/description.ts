import type { TableDefinition } from '@rowkey/kudu-client'
import { checkForStore, knownStores, type Definition, type StoreWithDdl } from 'rowkey/adapter'
import type { KuduCode } from './advice.js'
import { capabilities } from './capabilities.js'
import { definition } from './ddl.js'
import { checkOptions, hints, name, names, type KuduOptions } from './options.js'
import { opening } from './url.js'
import { sqlType, valueTypeOf } from './values.js'

/**
 * Kudu without a client: what it can do and accepts, and the definition of a table in it, as calls of the client and in the SQL of Impala.
 *
 * @example
 * ```ts
 * kuduStore.ddl(Orders).text // CREATE TABLE `orders` …
 * ```
 */
export const kuduStore: Required<StoreWithDdl<KuduOptions, Definition<TableDefinition, KuduCode>>> = Object.freeze({
  name,
  capabilities,
  hints,
  names,
  // Columns have types, and Kudu cannot change the type of a column.
  widens: (stored, wider) => sqlType(valueTypeOf(stored).kudu) === sqlType(valueTypeOf(wider).kudu),
  facts: knownStores.kudu,
  opening,
  ddl(schema, options = {}) {
    const checked = checkOptions(options)
    checkForStore(kuduStore, schema)
    return definition(schema, checked)
  },
} satisfies StoreWithDdl<KuduOptions, Definition<TableDefinition, KuduCode>>)
