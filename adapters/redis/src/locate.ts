import type { Row, TableCatalog, TableSchema } from 'rowkey/adapter'
import { tableMissing } from './errors.js'
import { shardKeys } from './keys.js'
import { placementOf, shardFinder } from './shards/placement.js'

/** Where a row is in Redis, for other clients. */
export interface RedisAddress {
  /** The sorted set with the rowkey as a member. */
  readonly index: string
  /** The hash with the record in the field of the rowkey. */
  readonly values: string
  /** The sorted set with the rowkey as a member, if the row expires. Its score is the time. */
  readonly expiries: string
  /** The member and the field. */
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
