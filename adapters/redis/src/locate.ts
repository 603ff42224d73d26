import type { Row, TableCatalog, TableSchema } from '@rowkey/store/adapter'
import { tableMissing } from './errors.js'
import { shardKeys } from './keys.js'
import { placementOf, shardFinder } from './shards/placement.js'

/** Where a row is in Redis, for other clients. */
export interface RedisAddress {
  /** Sorted set that has the rowkey as member. */
  readonly index: string
  /** Hash that has the record under the rowkey. */
  readonly values: string
  /** Sorted set that has the rowkey with the time at which the row expires, if it does. */
  readonly expiries: string
  /** Member and field. */
  readonly rowkey: Uint8Array
}

/** @throws RowkeyError `TABLE_NOT_FOUND` for a catalog of another store */
export function locate(schema: TableSchema, catalog: TableCatalog, key: Row): RedisAddress {
  const placement = placementOf(catalog)
  if (placement === undefined) throw tableMissing(schema.name)
  const { bytes, partitionBytes } = schema.layout.encodeKey(key)
  const { index, values, expiries } = shardKeys(schema.name, shardFinder(schema, placement)(bytes, partitionBytes))
  return { index, values, expiries, rowkey: bytes }
}
