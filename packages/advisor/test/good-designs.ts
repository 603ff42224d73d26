import {
  bucket,
  date,
  defineTable,
  desc,
  kuduHash,
  hashPrefix,
  int32,
  int64,
  lastText,
  nullable,
  reversed,
  text,
  timestamp,
  uint16,
  uint32,
  uuid,
  float64,
  bytes,
  fixedBytes,
} from 'rowkey'
import type { QueryShape } from '../src/index.js'
import { cassandra, dynamodb, hbase, kudu, lindorm, redis, type Design } from './cases.js'

/** A design that is known to work, and who says so. */
export interface GoodDesign extends Design {
  readonly name: string
  readonly source: string
}

const at = timestamp('ms')
const value = nullable(float64())
const ask = (table: string, ...where: QueryShape['where'][]): readonly QueryShape[] => where.map((each) => ({ table, where: each }))

export const goodDesigns: readonly GoodDesign[] = [
  {
    name: 'orders of a user',
    source: 'guides, G-07',
    schema: defineTable('orders', { columns: { userid: int64(), orderid: int64(), cents: uint32() }, key: ['userid', 'orderid'] }),
    options: { queries: ask('orders', { userid: '=', orderid: '=' }, { userid: '=', orderid: ['gte', 'lt'] }) },
  },
  {
    name: 'latest orders of a user',
    source: 'guides, G-20',
    schema: defineTable('orders', { columns: { userid: int64(), orderid: desc(int64()) }, key: ['userid', 'orderid'] }),
    options: { queries: [{ table: 'orders', where: { userid: '=' }, order: { orderid: 'desc' }, limit: 10 }] },
  },
  {
    name: 'a prefix of MD5',
    source: 'guides, G-35',
    schema: defineTable('orders', {
      columns: { userid: text(), orderid: int64() },
      key: ['userid', 'orderid'],
      salt: hashPrefix({ of: 'userid', digits: 4 }),
    }),
    options: { queries: ask('orders', { userid: '=', orderid: ['gte', 'lt'] }) },
  },
  {
    name: 'an incrementing text behind its hash',
    source: 'guides, G-33',
    schema: defineTable('items', { columns: { pk: text(), body: text() }, key: ['pk'], salt: hashPrefix({ of: 'pk', digits: 4 }) }),
    options: { queries: ask('items', { pk: '=' }) },
  },
  {
    name: 'a reversed user id',
    source: 'guides, G-36',
    schema: defineTable('orders', { columns: { userid: reversed(text()), orderid: int64() }, key: ['userid', 'orderid'] }),
    options: { queries: ask('orders', { userid: '=' }) },
  },
  {
    name: 'a log of hosts and events',
    source: 'guides, G-42',
    schema: defineTable('logs', {
      columns: { hostname: text(), event: text(), at, seq: uint16() },
      key: ['hostname', 'event', 'at', 'seq'],
      stores: { hbase: { splits: ['6a', '74'] } },
    }),
    options: { ...lindorm, queries: ask('logs', { hostname: '=', event: '=', at: ['gte', 'lt'] }) },
  },
  {
    name: 'the latest of a log',
    source: 'guides, G-43',
    schema: defineTable('logs', { columns: { hostname: text(), event: text(), at: desc(at) }, key: ['hostname', 'event', 'at'] }),
    options: { queries: [{ table: 'logs', where: { hostname: '=', event: '=' }, order: { at: 'desc' }, limit: 10 }] },
  },
  {
    name: 'a log by time',
    source: 'guides, G-44, with a hash for the modulo',
    schema: defineTable('logs', {
      columns: { at, hostname: text(), event: text() },
      key: ['at', 'hostname', 'event'],
      salt: bucket({ of: ['hostname', 'event'], count: 16 }),
      stores: { hbase: { splits: 16 } },
    }),
    options: { ...hbase, queries: ask('logs', { at: ['gte', 'lt'] }) },
  },
  {
    name: 'transactions of a seller',
    source: 'guides, G-45',
    schema: defineTable('by_seller', {
      columns: { seller_id: int64(), at, order_number: int64() },
      key: ['seller_id', 'at', 'order_number'],
    }),
    options: { queries: ask('by_seller', { seller_id: '=', at: ['gte', 'lt'] }) },
  },
  {
    name: 'transactions of a buyer',
    source: 'guides, G-46',
    schema: defineTable('by_buyer', { columns: { buyer_id: text(), at, order_number: int64() }, key: ['buyer_id', 'at', 'order_number'] }),
    options: { queries: ask('by_buyer', { buyer_id: '=', at: ['gte', 'lt'] }) },
  },
  {
    name: 'an index of order numbers',
    source: 'guides, G-47',
    schema: defineTable('by_number', { columns: { order_number: text(), buyer_id: text() }, key: ['order_number'] }),
    options: { queries: ask('by_number', { order_number: '=' }) },
  },
  {
    name: 'metrics of Kudu: hash and range',
    source: 'guides, G-110',
    schema: defineTable('metrics', {
      columns: { host: text(), metric: text(), time: timestamp('us'), value },
      key: ['host', 'metric', 'time'],
      salt: kuduHash({ of: ['host', 'metric'], count: 4 }),
    }),
    options: {
      ...kudu,
      servers: 4,
      kudu: { ranges: { metrics: { column: 'time', bounds: [[0, 1], [1, 2], [2, 3]] } } }, // prettier-ignore
      queries: ask('metrics', { host: '=', metric: '=', time: ['gte', 'lt'] }),
    },
  },
  {
    name: 'metrics of Kudu: two hash levels',
    source: 'guides, G-111',
    schema: defineTable('metrics', {
      columns: { host: text(), metric: text(), time: timestamp('us'), value },
      key: ['host', 'metric', 'time'],
      salt: [kuduHash({ of: 'host', count: 4 }), kuduHash({ of: 'metric', count: 3 })],
    }),
    options: { ...kudu, queries: ask('metrics', { host: '=', metric: '=', time: ['gte', 'lt'] }) },
  },
  {
    name: 'OpenTSDB: metric, hour, tags, behind a salt',
    source: 'OpenTSDB 2.4 documentation, "Row key schema" and "Salting"',
    schema: defineTable('tsdb', {
      columns: { metric: fixedBytes(3), hour: uint32(), tags: bytes(), values: bytes() },
      key: ['metric', 'hour', 'tags'],
      salt: bucket({ of: ['metric', 'tags'], count: 20 }),
      stores: { hbase: { splits: 20 } },
    }),
    options: { ...hbase, queries: ask('tsdb', { metric: '=', hour: ['gte', 'lt'] }) },
  },
  {
    name: 'devices of Bigtable',
    source: 'Google Cloud Bigtable documentation, "Schema design best practices": device id, then time',
    schema: defineTable('readings', { columns: { device: text(), at: desc(at), value }, key: ['device', 'at'] }),
    options: { queries: [{ table: 'readings', where: { device: '=' }, order: { at: 'desc' }, limit: 100 }] },
  },
  {
    name: 'reversed domains',
    source: 'Google, "Bigtable: a distributed storage system" (2006): the web table, com.cnn.www',
    schema: defineTable('webtable', { columns: { url: lastText(), contents: text() }, key: ['url'] }),
    options: { queries: ask('webtable', { url: '=' }, { url: 'startsWith' }) },
  },
  {
    name: 'rooms of a hotel by day',
    source: 'Apache Cassandra documentation, "Data modeling": available_rooms_by_hotel_date',
    schema: defineTable('available_rooms', {
      columns: { hotel_id: text(), day: date(), room: uint16(), is_available: nullable(text()) },
      partition: ['hotel_id'],
      key: ['day', 'room'],
      writes: 'plain',
    }),
    options: { ...cassandra, queries: ask('available_rooms', { hotel_id: '=', day: ['gte', 'lt'] }) },
  },
  {
    name: 'hotels near a point of interest',
    source: 'Apache Cassandra documentation, "Data modeling": hotels_by_poi',
    schema: defineTable('hotels_by_poi', {
      columns: { poi_name: text(), hotel_id: text(), phone: text() },
      partition: ['poi_name'],
      key: ['hotel_id'],
      writes: 'plain',
    }),
    options: { ...cassandra, queries: ask('hotels_by_poi', { poi_name: '=' }) },
  },
  {
    name: 'messages of a channel, in buckets of ten days',
    source: 'Discord engineering, "How Discord stores billions of messages" (2017): ((channel_id, bucket), message_id)',
    schema: defineTable('messages', {
      columns: { channel_id: int64(), period: int32(), message_id: desc(int64()), content: text() },
      partition: ['channel_id', 'period'],
      key: ['message_id'],
      writes: 'plain',
    }),
    options: {
      ...cassandra,
      queries: [{ table: 'messages', where: { channel_id: '=', period: '=' }, order: { message_id: 'desc' }, limit: 50 }],
    },
  },
  {
    name: 'a journal of events',
    source: 'Akka Persistence Cassandra 1.2 documentation: ((persistence_id, partition_nr), sequence_nr)',
    schema: defineTable('journal', {
      columns: { persistence_id: text(), partition_nr: int64(), sequence_nr: int64(), event: bytes() },
      partition: ['persistence_id', 'partition_nr'],
      key: ['sequence_nr'],
      writes: 'plain',
    }),
    options: { ...cassandra, queries: ask('journal', { persistence_id: '=', partition_nr: '=', sequence_nr: 'gte' }) },
  },
  {
    name: 'traces',
    source: 'Jaeger 1.60, Cassandra schema v004: ((trace_id), span_id, span_hash)',
    schema: defineTable('traces', {
      columns: { trace_id: fixedBytes(16), span_id: int64(), span_hash: int64(), start_time: int64() },
      partition: ['trace_id'],
      key: ['span_id', 'span_hash'],
      writes: 'plain',
      ttl: '2d',
    } as never),
    options: { ...cassandra, queries: ask('traces', { trace_id: '=' }) },
  },
  {
    name: 'points of a series and day',
    source: 'DataStax, "Getting started with time series data modeling" (pattern 2): ((weatherstation_id, date), event_time)',
    schema: defineTable('temperature_by_day', {
      columns: { station: text(), day: date(), at, temperature: float64() },
      partition: ['station', 'day'],
      key: ['at'],
      writes: 'plain',
    }),
    options: { ...cassandra, queries: ask('temperature_by_day', { station: '=', day: '=', at: ['gte', 'lt'] }) },
  },
  {
    name: 'scores of a game',
    source: 'Amazon DynamoDB developer guide, GameScores: UserId, GameTitle',
    schema: defineTable('game_scores', {
      columns: { user: text(), title: text(), score: uint32() },
      partition: ['user'],
      key: ['title'],
    }),
    options: { ...dynamodb, queries: ask('game_scores', { user: '=' }, { user: '=', title: '=' }) },
  },
  {
    name: 'replies of a thread',
    source: 'Amazon DynamoDB developer guide, Reply: Id, ReplyDateTime',
    schema: defineTable('reply', { columns: { thread: text(), at, message: text() }, partition: ['thread'], key: ['at'] }),
    options: { ...dynamodb, queries: ask('reply', { thread: '=', at: ['gte', 'lt'] }) },
  },
  {
    name: 'votes, sharded by a calculated suffix',
    source: 'Amazon DynamoDB developer guide, "Using write sharding to distribute workloads evenly"',
    schema: defineTable('votes', {
      columns: { candidate: text(), voter: uuid() },
      partition: ['candidate'],
      key: ['voter'],
      salt: bucket({ of: 'voter', count: 200 }),
    }),
    options: {
      ...dynamodb,
      writes: [{ table: 'votes', perSecond: { inserts: 10_000 }, distinct: { candidate: 2 } }],
      queries: [{ table: 'votes', where: { candidate: '=', voter: '=' }, perSecond: 10 }],
    },
  },
  {
    name: 'customers and their orders in one table',
    source: 'AWS, "The DynamoDB book" style: PK customer, SK order with time',
    schema: defineTable('shop', {
      columns: { customer: uuid(), at: desc(at), order: uuid() },
      partition: ['customer'],
      key: ['at', 'order'],
    }),
    options: { ...dynamodb, queries: [{ table: 'shop', where: { customer: '=' }, order: { at: 'desc' }, limit: 20 }] },
  },
  {
    name: 'viewing history',
    source: 'Netflix technology blog, "Scaling time series data storage, part I" (2018): a row per member, newest first',
    schema: defineTable('viewing', {
      columns: { member: int64(), at: desc(at), title: int32() },
      partition: ['member'],
      key: ['at'],
      writes: 'plain',
    }),
    options: { ...cassandra, queries: [{ table: 'viewing', where: { member: '=' }, order: { at: 'desc' }, limit: 20 }] },
  },
  {
    name: 'words of a mailbox',
    source: 'Facebook engineering, "The underlying technology of Messages" (2010): user, word, message',
    schema: defineTable('mail_index', {
      columns: { user: int64(), word: text(), message: int64() },
      key: ['user', 'word', 'message'],
      salt: bucket({ of: 'user', count: 64 }),
      stores: { hbase: { splits: 16 } },
    }),
    options: { ...hbase, queries: ask('mail_index', { user: '=', word: '=' }, { user: '=', word: 'startsWith' }) },
  },
  {
    name: 'ids that count up behind a salt',
    source: 'Apache HBase reference guide, "Rowkey design: hotspotting, salting"',
    schema: defineTable('items', {
      columns: { id: int64(), body: text() },
      key: ['id'],
      salt: bucket({ of: 'id', count: 16 }),
      stores: { hbase: { splits: 16 } },
    }),
    options: { ...hbase, queries: ask('items', { id: '=' }, { id: ['gte', 'lt'] }) },
  },
  {
    name: 'sessions by a random id',
    source: 'Redis documentation, "Session store": a key per session',
    schema: defineTable('sessions', {
      columns: { id: uuid({ default: 'uuid' }), part: text(), data: text() },
      partition: ['id'],
      key: ['part'],
    }),
    options: { ...redis, queries: ask('sessions', { id: '=', part: '=' }) },
  },
  {
    name: 'an id of version 7 where partitions are hashed',
    source: 'RFC 9562, section 6.11, and Amazon DynamoDB: partition keys are hashed',
    schema: defineTable('uploads', { columns: { id: uuid({ order: 'time' }), part: uint16() }, partition: ['id'], key: ['part'] }),
    options: { ...dynamodb, queries: ask('uploads', { id: '=' }) },
  },
]
