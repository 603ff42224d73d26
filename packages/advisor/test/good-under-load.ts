import { bool, bucket, bytes, date, defineTable, desc, kuduHash, int32, int64, text, timestamp, uint16, uint32, uuid } from 'rowkey'
import { cassandra, dynamodb, hbase, kudu, redis } from './cases.js'
import type { GoodDesign } from './good-designs.js'

const at = timestamp('ms')

/** Designs that look like a mistake, and are none because of how they are read or how much is written. */
export const goodUnderLoad: readonly GoodDesign[] = [
  {
    name: 'the latest videos by day',
    source: 'DataStax, KillrVideo reference application: latest_videos, ((yyyymmdd), added_date, videoid); a video every two seconds',
    schema: defineTable('latest_videos', {
      columns: { day: date(), added: desc(at), videoid: uuid({ order: 'time' }), userid: uuid(), name: text() },
      partition: ['day'],
      key: ['added', 'videoid'],
      writes: 'plain',
    }),
    options: {
      ...cassandra,
      writes: [{ table: 'latest_videos', perSecond: { inserts: 0.5 } }],
      queries: [{ table: 'latest_videos', where: { day: '=' }, limit: 20, perSecond: 200 }],
    },
  },
  {
    name: 'the timeline of a user, whose old posts are deleted',
    source: 'Raffi Krikorian, "Timelines at scale" (QCon 2012): a timeline has its newest 800 posts',
    schema: defineTable('timeline', {
      columns: { user: int64(), at: desc(at), post: int64() },
      key: ['user', 'at', 'post'],
      salt: bucket({ of: 'user', count: 32 }),
      stores: { hbase: { splits: 16 } },
    }),
    options: {
      ...hbase,
      writes: [{ table: 'timeline', perSecond: { inserts: 20_000, deletes: 15_000 }, distinct: { user: 50_000_000 } }],
      queries: [{ table: 'timeline', where: { user: '=' }, limit: 50, perSecond: 5000 }],
    },
  },
  {
    name: 'the tasks of workflows: one run has few of them',
    source: 'Temporal 1.24, Cassandra schema: executions, ((shard_id), type, namespace, workflow, run, visibility, task)',
    schema: defineTable('executions', {
      columns: { shard: int32(), kind: int32(), namespace: uuid(), workflow: text(), run: uuid(), due: at, task: int64() },
      partition: ['shard'],
      key: ['kind', 'namespace', 'workflow', 'run', 'due', 'task'],
    }),
    options: {
      ...cassandra,
      writes: [
        {
          table: 'executions',
          perSecond: { inserts: 1000, deletes: 1000 },
          distinct: { shard: 4096, kind: 5, namespace: 10, workflow: 1_000_000, run: 1_000_000 },
          skew: 0,
        },
      ],
      queries: [
        {
          table: 'executions',
          where: { shard: '=', kind: '=', namespace: '=', workflow: '=', run: '=', due: 'lt' },
          limit: 100,
        },
      ],
    },
  },
  {
    name: 'a mailbox with a mark for deleted messages',
    source: 'soft deletes as frameworks make them, such as the gem paranoia: a filter by a flag that most rows pass',
    schema: defineTable('inbox', {
      columns: { user: uuid(), at: desc(at), message_id: uuid(), is_deleted: bool() },
      partition: ['user'],
      key: ['at', 'message_id'],
      writes: 'plain',
    }),
    options: {
      ...cassandra,
      writes: [{ table: 'inbox', perSecond: { inserts: 100, deletes: 80 } }],
      queries: [{ table: 'inbox', where: { user: '=', is_deleted: '=' }, limit: 50, perSecond: 200 }],
    },
  },
  {
    name: 'chunks of an object, read by key and deleted',
    source: 'Netflix, Astyanax, recipe "Chunked object store": chunks by object and number',
    schema: defineTable('chunks', {
      columns: { object: uuid(), seq: uint32(), data: bytes() },
      partition: ['object'],
      key: ['seq'],
      writes: 'plain',
    }),
    options: {
      ...cassandra,
      writes: [{ table: 'chunks', perSecond: { inserts: 1000, deletes: 1000 } }],
      queries: [{ table: 'chunks', where: { object: '=', seq: '=' }, perSecond: 1000 }],
    },
  },
  {
    name: 'a leaderboard of a week',
    source: 'Amazon DynamoDB developer guide, "Using global secondary indexes": GameTitle, TopScore, read from the top',
    schema: defineTable('leaderboard', {
      columns: { game: text(), week: uint16(), score: desc(uint32()), user: uuid() },
      partition: ['game', 'week'],
      key: ['score', 'user'],
    }),
    options: {
      ...dynamodb,
      writes: [{ table: 'leaderboard', perSecond: { inserts: 500, deletes: 450 }, distinct: { game: 50 } }],
      queries: [{ table: 'leaderboard', where: { game: '=', week: '=' }, limit: 10, perSecond: 2000 }],
    },
  },
  {
    name: 'countries: a small table of DynamoDB that is hardly written',
    source: 'Amazon DynamoDB developer guide, "Designing partition keys": 1,000 write and 3,000 read units of one key',
    schema: defineTable('countries', { columns: { code: text(), name: text() }, key: ['code'] }),
    options: {
      ...dynamodb,
      writes: [{ table: 'countries', perSecond: { inserts: 0 } }],
      queries: [{ table: 'countries', where: { code: '=' }, perSecond: 100 }],
    },
  },
  {
    name: 'feature flags: a small hash of Redis',
    source: 'Redis documentation, "Hashes": a hash for the settings of an application',
    schema: defineTable('flags', { columns: { flag: text(), isOn: bool() }, key: ['flag'] }),
    options: {
      ...redis,
      writes: [{ table: 'flags', perSecond: { updates: 0.01 } }],
      queries: [{ table: 'flags', where: { flag: '=' }, perSecond: 500 }],
    },
  },
  {
    name: 'an audit log of ten rows a second',
    source: 'Apache HBase reference guide, "Monotonically increasing row keys": a matter of load',
    schema: defineTable('audit', { columns: { at, actor: uuid(), action: text() }, key: ['at', 'actor'] }),
    options: {
      ...hbase,
      writes: [{ table: 'audit', perSecond: { inserts: 10 } }],
      queries: [{ table: 'audit', where: { at: ['gte', 'lt'] } }],
    },
  },
  {
    name: 'customers of a warehouse, with the time since when they are so',
    source:
      'Apache Kudu documentation, "Schema design": hash partitions for tables that are not scanned by time; Kimball, dimensions of type 2',
    schema: defineTable('customers', {
      columns: { id: int64(), valid_from: timestamp('us'), name: text() },
      key: ['id', 'valid_from'],
      salt: kuduHash({ of: 'id', count: 6 }),
    }),
    options: {
      ...kudu,
      writes: [{ table: 'customers', perSecond: { inserts: 0.1 } }],
      queries: [{ table: 'customers', where: { id: '=' } }],
    },
  },
  {
    name: 'carts: most users read their own',
    source: 'Redis, "How to build a shopping cart app": a hash for each cart',
    schema: defineTable('carts', {
      columns: { user: uuid(), sku: text(), pieces: uint16() },
      partition: ['user'],
      key: ['sku'],
    }),
    options: {
      ...redis,
      writes: [{ table: 'carts', perSecond: { updates: 20_000 }, distinct: { user: 1_000_000 } }],
      queries: [{ table: 'carts', where: { user: '=' }, perSecond: 30_000 }],
    },
  },
]
