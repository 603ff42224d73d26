// Tested by packages/advisor/test/known-stores.test.ts.
import type { StoreFacts } from './store-facts.js'

const lindorm: StoreFacts = {
  title: 'Lindorm',
  placement: 'order',
  options: ['namespace', 'profile'],
  tombstones: { days: 7, few: 100_000, fails: 'scans get slower with each' },
  splits: { store: 'hbase', hint: 'splits' },
}

/** The name of a store that tools know. */
export type KnownStore = 'cassandra' | 'dynamodb' | 'hbase' | 'kudu' | 'lindorm' | 'lmdb' | 'memory' | 'redis'

/**
 * The stores that tools know by their names alone: the one list of them. Each adapter's description has its entry from here, and nothing else in the
 * packages names a store. The description of a store that is not here has facts of its own.
 *
 * Sources: Amazon DynamoDB developer guide, "Designing partition keys" (1,000 write and 3,000 read units a second; its 10 GB
 * are those of tables with local secondary indexes, which rowkey does not make); Apache Cassandra documentation, "Data modeling: evaluating and
 * refining" (100,000 rows and 100 MB); Redis documentation, "Redis benchmark": one thread executes all commands of a node, about 100,000 a second.
 *
 * @example
 * ```ts
 * knownStores.redis.title //=> 'Redis'
 * ```
 */
export const knownStores: Readonly<Record<KnownStore, StoreFacts>> = Object.freeze({
  cassandra: {
    title: 'Cassandra',
    placement: 'hash',
    options: ['keyspace'],
    partition: { rows: 100_000, bytes: 100e6 },
    windows: { store: 'cassandra', hint: 'compaction', value: 'TimeWindow', size: 'compactionWindow' },
    tombstones: { days: 10, few: 1000, fails: 'the server refuses to read over 100,000' },
  },
  dynamodb: {
    title: 'DynamoDB',
    placement: 'hash',
    options: ['transactions', 'nativeTtl', 'segments'],
    partition: { writesPerSecond: 1000, readsPerSecond: 3000 },
    units: { writeBytes: 1024, readBytes: 4096, eventual: 0.5 },
    isFreeReverse: true,
  },
  hbase: {
    ...lindorm,
    title: 'HBase',
    formerValues: {
      seconds: 7 * 86_400,
      many: 10_000,
      measured: '8 ms after 10,000, 2 ms for a fresh row',
      hint: 'newVersionBehavior',
      until: 'since the last major compaction',
      fix:
        'Spread the counter over several rows, or run major_compact more often, which cures it until the row has changed as often again. ' +
        'stores: { hbase: { newVersionBehavior: false } } on a new table keeps changes cheap, but can lose two kinds of acknowledged writes: ' +
        'one to a row that another process writes and deletes in the meantime, and one by a process whose clock is slow to a row that was deleted.',
    },
    profiles: { lindorm },
  },
  kudu: { title: 'Kudu', placement: 'order', options: ['database', 'hash', 'replicas'] },
  lindorm,
  lmdb: {
    title: 'LMDB',
    placement: 'one place',
    options: ['sync'],
    isFreeReverse: true,
    noDefinitions: 'LMDB has no table definitions: ensureTables() writes a catalog, and rows are keys of one file.',
  },
  memory: {
    title: 'memory',
    placement: 'one place',
    isFreeReverse: true,
    noDefinitions: 'The memory store has no table definitions: a table is there when it is first used.',
  },
  redis: {
    title: 'Redis',
    placement: 'hash',
    options: ['shards'],
    partition: { writesPerSecond: 100_000, readsPerSecond: 100_000 },
    hasSharedGets: true,
    isOneThread: true,
    isFreeReverse: true,
  },
})
