import { checkForStore, knownStores, type Definition, type StoreWithDdl } from 'rowkey/adapter'
import type { CassandraCode } from './advice.js'
import { capabilities } from './capabilities.js'
import { definition } from './ddl.js'
import { hints, keyspaceOf, name, names, type CassandraOptions } from './options.js'
import { opening } from './url.js'
import { valueTypeOf } from './values.js'

/**
 * Cassandra without a client: what it can do and accepts, and the definition of a table in it. Without a keyspace, the statements are for the
 * keyspace that is in use.
 *
 * @example
 * ```ts
 * cassandraStore.ddl(Orders, { keyspace: 'shop' }).text // CREATE TABLE IF NOT EXISTS "shop"."orders" …
 * ```
 */
export const cassandraStore: Required<StoreWithDdl<CassandraOptions, Definition<string, CassandraCode>>> = Object.freeze({
  name,
  capabilities,
  hints,
  names,
  // Columns have types, and CQL cannot change the type of a column.
  widens: (stored, wider) => valueTypeOf(stored).cql === valueTypeOf(wider).cql,
  facts: knownStores.cassandra,
  opening,
  ddl(schema, options = {}) {
    const keyspace = keyspaceOf(options)
    checkForStore(cassandraStore, schema)
    return definition(keyspace, schema)
  },
} satisfies StoreWithDdl<CassandraOptions, Definition<string, CassandraCode>>)
