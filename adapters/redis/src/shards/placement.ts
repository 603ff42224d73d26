import { murmur3, latin1String, type TableCatalog, type TableSchema } from 'rowkey/adapter'

/** What decides the shard of a row: its bucket, or the hash of its partition. */
type Placed = 'bucket' | 'murmur3'

/** Fixed when a table is created. */
export interface Placement {
  readonly placed: Placed
  readonly shards: number
}

/** With more buckets than this, partitions are hashed. */
const maxBuckets = 256

/** The maximum number of shards of a table. */
export const maxShards = 1024

/** The placement of a new table. */
export function newPlacement(schema: TableSchema, shards: number): Placement {
  const { buckets } = schema.layout
  // With a period the number of buckets may change, and that of shards does not.
  const isFixed = schema.columns.slice(0, schema.keyLength).every(({ type }) => type.of === undefined)
  return schema.partitionLength === 0 && buckets <= maxBuckets && isFixed
    ? { placed: 'bucket', shards: buckets }
    : { placed: 'murmur3', shards }
}

/** The placement of an existing table; undefined if the catalog has none. */
export function placementOf({ store }: TableCatalog): Placement | undefined {
  const { placed, shards } = store ?? {}
  if (typeof shards !== 'number' || !Number.isInteger(shards) || shards < 1) return undefined
  const isKnown = (placed === 'bucket' && shards <= maxBuckets) || (placed === 'murmur3' && shards <= maxShards)
  return isKnown ? { placed, shards } : undefined
}

/** A function that returns the number of the shard of a rowkey. The first `partitionBytes` of the rowkey are the partition. */
export function shardFinder(
  { layout }: TableSchema,
  { placed, shards }: Placement,
): (rowkey: Uint8Array, partitionBytes: number) => number {
  if (shards === 1) return () => 0
  if (placed === 'murmur3') return (rowkey, partitionBytes) => murmur3(rowkey, partitionBytes, 0) % shards
  const numbers = new Map(Array.from({ length: shards }, (_, bucket) => [latin1String(layout.partition(bucket, [])), bucket]))
  return (rowkey, partitionBytes) => numbers.get(latin1String(rowkey.subarray(0, partitionBytes))) as number
}
