// Tested by rules.test.ts.
import type { StoreDescription } from '@rowkey/store/adapter'

/** The stores whose limits the advisor knows. */
export type StoreName = 'cassandra' | 'dynamodb' | 'hbase' | 'kudu' | 'lindorm' | 'lmdb' | 'memory' | 'redis'

/** The encodings of Kudu. */
export type KuduEncoding = 'plain' | 'bitshuffle' | 'runlength' | 'dictionary' | 'prefix'

/** A store, and how much of it there is. */
export interface StoreProfile {
  readonly name: StoreName
  /**
   * The description of the store, as `cassandraStore`: its own warnings of a table are then among the findings. The advisor imports no store, so
   * that it runs in a browser.
   */
  readonly description?: StoreDescription
  /** Options of its adapter, for the description; and `consistency: 'eventual'` for a store whose queries are such reads. */
  readonly options?: object
  /** Servers that hold data. */
  readonly servers?: number
  /** Kudu: replicas of a tablet, 3 by default. */
  readonly replicas?: number
  /** Kudu: the range partitions, by table. */
  readonly ranges?: Readonly<Record<string, KuduRanges>>
  /** Kudu: encodings that differ from the default, by table and column. */
  readonly encodings?: Readonly<Record<string, Readonly<Record<string, KuduEncoding>>>>
}

/** Range partitions by one key column. The lower end is inclusive, the upper end exclusive. */
export interface KuduRanges {
  readonly column: string
  /** Canonical values, 64-bit integers as text; null = no end. */
  readonly bounds: readonly (readonly [from: KuduBound, to: KuduBound])[]
}

/** One end of a range of Kudu. */
export type KuduBound = number | string | null

/** Stores that place a partition by the hash of its columns, so that their order does not matter. */
const hashing: readonly StoreName[] = ['cassandra', 'dynamodb', 'redis']
/** One process holds everything, so nothing can be spread. */
const inProcess: readonly StoreName[] = ['memory', 'lmdb']

/** How a store decides where a row goes: by the hash of its partition, by the order of keys, or not at all. */
export function placementOf(store: StoreProfile | undefined): 'hash' | 'order' | 'one place' {
  if (store === undefined) return 'order'
  return hashing.includes(store.name) ? 'hash' : inProcess.includes(store.name) ? 'one place' : 'order'
}

/** What one partition of a store can take, as its vendor says; absent: no figure is published. */
export interface PartitionLimits {
  readonly writesPerSecond?: number
  readonly readsPerSecond?: number
  readonly rows?: number
  readonly bytes?: number
}

/**
 * Sources: Amazon DynamoDB developer guide, "Designing partition keys" (1,000 write and 3,000 read units a second; its 10 GB
 * are those of tables with local secondary indexes, which rowkey does not make); Apache Cassandra documentation, "Data modeling: evaluating and refining" (100,000 rows and 100 MB); Redis documentation, "Redis benchmark":
 * one thread executes all commands of a node, about 100,000 a second.
 */
export const partitionLimits: Readonly<Partial<Record<StoreName, PartitionLimits>>> = {
  dynamodb: { writesPerSecond: 1000, readsPerSecond: 3000 },
  cassandra: { rows: 100_000, bytes: 100e6 },
  redis: { writesPerSecond: 100_000, readsPerSecond: 100_000 },
}

/** The names of stores as their vendors write them. */
export const storeTitle: Readonly<Record<StoreName, string>> = {
  cassandra: 'Cassandra',
  dynamodb: 'DynamoDB',
  hbase: 'HBase',
  kudu: 'Kudu',
  lindorm: 'Lindorm',
  lmdb: 'LMDB',
  memory: 'memory',
  redis: 'Redis',
}

/**
 * The stores whose limits the advisor knows, in alphabetical order: what a command offers as `--store`.
 *
 * @example
 * ```ts
 * storeNames.includes('kudu') //=> true
 * ```
 */
export const storeNames: readonly StoreName[] = Object.freeze(Object.keys(storeTitle).sort() as StoreName[])
