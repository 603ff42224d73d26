/** The keys of one shard of a table. */
export interface ShardKeys {
  /** The number in hex, as in the keys. */
  readonly name: string
  /** Sorted set: every rowkey, all with score 0, so that they are sorted by bytes. */
  readonly index: string
  /** Hash: rowkey to record. */
  readonly values: string
  /** Sorted set: rowkey by the epoch milliseconds at which the row expires. */
  readonly expiries: string
}

/** The key of a table's catalog. */
export const catalogKey = (table: string): string => `rk:{${table}}:catalog`

/**
 * The keys of a shard. The text in braces decides the slot of a Redis Cluster. So a shard is in one slot, and the shards of a table are
 * spread over slots. The text is the name of the table and a hex number, never bytes of a row, which may contain braces.
 */
export function shardKeys(table: string, number: number): ShardKeys {
  const name = number.toString(16).padStart(2, '0')
  const prefix = `rk:{${table}.${name}}:`
  return { name, index: `${prefix}z`, values: `${prefix}h`, expiries: `${prefix}x` }
}

/** The keys of a shard in the order of the KEYS of scripts. */
export const keysOf = ({ index, values, expiries }: ShardKeys): readonly string[] => [index, values, expiries]
