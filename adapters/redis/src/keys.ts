/** The keys of one shard of a table. */
export interface ShardKeys {
  /** The number in hex, as it stands in the keys. */
  readonly name: string
  /** Sorted set: every rowkey, all with score 0, so that they are in the order of their bytes. */
  readonly index: string
  /** Hash: rowkey to record. */
  readonly values: string
  /** Sorted set: rowkey by the epoch milliseconds at which the row expires. */
  readonly expiries: string
}

/** The key of a table's catalog. */
export const catalogKey = (table: string): string => `rk:{${table}}:catalog`

/**
 * The keys of a shard. What stands in braces decides the slot of a Redis Cluster, so a shard is in one slot, and the shards of a table are
 * spread. It is a table's name and hex, never bytes of a row, which may have braces of their own.
 */
export function shardKeys(table: string, number: number): ShardKeys {
  const name = number.toString(16).padStart(2, '0')
  const prefix = `rk:{${table}.${name}}:`
  return { name, index: `${prefix}z`, values: `${prefix}h`, expiries: `${prefix}x` }
}

/** All keys of a table but its catalog, as a script takes them. */
export const keysOf = ({ index, values, expiries }: ShardKeys): readonly string[] => [index, values, expiries]

/** The same bytes as a Buffer, which ioredis sends as they are. */
export const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
