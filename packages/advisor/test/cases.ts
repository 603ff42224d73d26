import { cassandraStore } from '@rowkey/cassandra'
import { dynamodbStore } from '@rowkey/dynamodb'
import { hbaseStore } from '@rowkey/hbase'
import { kuduStore } from '@rowkey/kudu'
import { redisStore } from '@rowkey/redis'
import {
  bool,
  bucket,
  date,
  desc,
  dictionary,
  float64,
  kuduHash,
  hashPrefix,
  int64,
  nullable,
  paddedText,
  period,
  random,
  reversed,
  separatedText,
  text,
  timestamp,
  uint32,
  uint8,
  uuid,
  type TableSchema,
} from 'rowkey'
import type { AdviceOptions, KuduOptions } from '../src/index.js'
import { sampled, scattered, table, type Definition } from './judging.js'

/** A design and what is known of its use. */
export interface Design {
  readonly schema: TableSchema
  readonly options?: AdviceOptions
}

/** A rule, a design that it finds something in, and designs that it must not. */
export interface Case {
  readonly code: string
  readonly bad: Design
  readonly good: readonly Design[]
}

/** What options say of the store. */
export type Placed = Pick<AdviceOptions, 'store' | 'storeOptions' | 'servers' | 'kudu'>

export const cassandra: Placed = { store: cassandraStore, servers: 6 }
export const dynamodb: Placed = { store: dynamodbStore }
export const hbase: Placed = { store: hbaseStore, servers: 6 }
export const lindorm: Placed = { store: hbaseStore, storeOptions: { profile: 'lindorm' }, servers: 6 }
export const redis: Placed = { store: redisStore }
export const kudu: Placed = { store: kuduStore, servers: 6 }

const at = timestamp('ms')
const hexOf = (i: number): string => scattered(i).toString(16).padStart(8, '0')
const uuidOf = (i: number): string => `${hexOf(i)}-0000-4000-8000-${hexOf(i * 7 + 1)}0000`

const events = table({ at, host: text(), seq: uint32() }, ['at', 'host', 'seq'])
const byHost = table({ host: text(), at, level: uint32() }, ['host', 'at'])
const day = period('day', { of: 'at' })
/** Ten rows a second of so many hosts, in pages of 50. */
const rare = ({ day: column, host }: { readonly day: typeof day; readonly host: number }): Design => ({
  schema: table({ host: text(), day: column, at }, ['at'], { partition: ['host', 'day'] }),
  options: {
    queries: [{ table: 'rows', where: { host: '=', at: ['gte', 'lt'] }, size: 50 }],
    writes: [{ table: 'rows', perSecond: { inserts: 10 }, distinct: { host } }],
  },
})
const salted = (of: readonly string[], count = 16): Partial<Definition> => ({ salt: bucket({ of, count }) })
const ofHost = { table: 'rows', where: { host: '=' as const, at: ['gte', 'lt'] as const } }
/** So many columns that may be null. */
const nullables = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, nullable(text())]))

const tenants = table({ tenant: text(), id: uuid() }, ['id'], { partition: ['tenant'] })
const metrics = table({ host: text(), metric: text(), time: int64(), value: float64() }, ['host', 'metric', 'time'])
const kuduMetrics = (salt: Definition['salt']): TableSchema =>
  table({ host: text(), metric: text(), time: timestamp('us'), value: float64() }, ['host', 'metric', 'time'], { salt } as never)
const years = (...from: readonly (number | null)[]): NonNullable<KuduOptions['ranges']> => ({
  rows: {
    column: 'time',
    bounds: from.slice(1).map((end, i) => [from[i] as number, end]),
  },
})

export const cases: readonly Case[] = [
  {
    code: 'monotonic-first',
    bad: { schema: events },
    good: [
      { schema: byHost },
      { schema: table({ at, host: text(), seq: uint32() }, ['at', 'host', 'seq'], salted(['host', 'seq'])) },
      // A store that hashes the partition has no order.
      { schema: table({ id: uuid({ order: 'time' }), part: uint32() }, ['part'], { partition: ['id'] }), options: cassandra },
      // Birthdays are times and come in any order.
      {
        ...dataOf(table({ born: date(), id: uuid() }, ['born', 'id']), (i) => ({
          born: new Date(Date.UTC(1990, 0, 1 + (scattered(i) % 9000))),
          id: uuidOf(i),
        })),
      },
    ],
  },
  {
    code: 'period-hot',
    bad: { schema: table({ day, at, seq: uint32(), host: text() }, ['at', 'seq', 'host'], { partition: ['day'] }), options: cassandra },
    good: [
      { schema: table({ host: text(), day, at }, ['at'], { partition: ['host', 'day'] }), options: cassandra },
      { schema: table({ day, at, host: text() }, ['at', 'host'], { partition: ['day'], ...salted(['host']) }), options: cassandra },
      { schema: table({ host: text(), day, at }, ['host', 'day', 'at']) },
    ],
  },
  {
    code: 'period-hot',
    bad: { schema: table({ day, at, host: text() }, ['day', 'at', 'host']) },
    good: [{ schema: table({ day, at, host: text() }, ['day', 'at', 'host'], salted(['host'])) }],
  },
  {
    code: 'merged-periods',
    bad: {
      schema: table({ host: text(), day: date(), at }, ['at'], { partition: ['host', 'day'] }),
      options: { queries: [{ table: 'rows', where: { host: '=', day: { in: 30 } }, order: { at: 'asc' } }] },
    },
    good: [
      {
        schema: table({ host: text(), day, at }, ['at'], { partition: ['host', 'day'] }),
        options: { queries: [{ table: 'rows', where: { host: '=', day: { in: 30 } }, order: { at: 'asc' } }] },
      },
      {
        schema: table({ host: text(), day: date(), at }, ['at'], { partition: ['host', 'day'] }),
        options: { queries: [{ table: 'rows', where: { host: '=', day: { in: 30 } }, order: { day: 'asc', at: 'asc' } }] },
      },
    ],
  },
  {
    code: 'period-ranges',
    bad: rare({ day, host: 1_000_000 }),
    good: [
      rare({ day, host: 100 }),
      rare({ day: period('year', { of: 'at' }), host: 1_000_000 }),
      { ...rare({ day, host: 1_000_000 }), options: {} },
    ],
  },
  {
    code: 'period-retention',
    bad: { schema: table({ host: text(), day, at }, ['at'], { partition: ['host', 'day'] }), options: cassandra },
    good: [
      { schema: table({ host: text(), day, at }, ['at'], { partition: ['host', 'day'], ttl: '30d' }), options: cassandra },
      { schema: table({ host: text(), day, at }, ['at'], { partition: ['host', 'day'] }), options: hbase },
      {
        schema: table({ host: text(), day, at }, ['at'], {
          partition: ['host', 'day'],
          stores: { cassandra: { compaction: 'TimeWindow' } },
        }),
        options: cassandra,
      },
    ],
  },
  {
    code: 'low-cardinality-first',
    bad: { schema: table({ order_type: text(), at, id: uuid() }, ['order_type', 'at', 'id']) },
    good: [
      { schema: byHost },
      { schema: table({ kind: dictionary({ a: '1', b: '2' }), at, id: uuid() }, ['kind', 'at', 'id'], salted(['id'])) },
      { ...dataOf(table({ status: text(), id: uuid() }, ['status', 'id']), (i) => ({ status: hexOf(i), id: uuidOf(i) })) },
      {
        schema: table({ isPaid: bool(), user: text(), id: uuid() }, ['id'], { partition: ['isPaid', 'user'] }),
        options: cassandra,
      },
    ],
  },
  {
    code: 'shared-prefix-first',
    bad: dataOf(table({ user: text() }, ['user']), (i) => ({ user: `user-${hexOf(i)}` })),
    good: [
      dataOf(table({ user: text() }, ['user']), (i) => ({ user: hexOf(i) })),
      dataOf(table({ user: text() }, ['user'], salted(['user'])), (i) => ({ user: `user-${hexOf(i)}` })),
    ],
  },
  {
    code: 'many-key-columns',
    bad: {
      schema: table({ a: text(), b: text(), id: uuid(), d: text(), e: text() }, ['a', 'b', 'id', 'd', 'e']),
      options: { queries: [{ table: 'rows', where: { a: '=', b: ['gte', 'lt'] } }] },
    },
    good: [{ schema: byHost }, { schema: table({ a: text(), b: text(), c: text() }, ['a', 'b', 'c']) }],
  },
  {
    code: 'long-key',
    bad: dataOf(table({ url: text() }, ['url']), (i) => ({ url: `${hexOf(i)}/${'path/'.repeat(20)}` })),
    good: [dataOf(table({ url: text() }, ['url']), (i) => ({ url: `${hexOf(i)}/path` })), { schema: table({ url: text() }, ['url']) }],
  },
  {
    code: 'number-as-text',
    bad: dataOf(table({ user: text(), no: text() }, ['user', 'no']), (i) => ({ user: hexOf(i), no: String(2015122410 + scattered(i)) })),
    good: [
      dataOf(table({ user: text(), no: text() }, ['user', 'no']), (i) => ({ user: hexOf(i), no: `0${i}` })),
      { schema: table({ user: text(), at }, ['user', 'at']) },
    ],
  },
  {
    code: 'name-as-text',
    bad: dataOf(table({ user: text(), shop: text() }, ['user', 'shop']), (i) => ({
      user: hexOf(i),
      shop: ['taobao', 'amazon.com', 'ebay.com'][i % 3],
    })),
    good: [
      dataOf(table({ user: text(), shop: text() }, ['user', 'shop']), (i) => ({ user: hexOf(i), shop: ['tb', 'am', 'eb'][i % 3] })),
      dataOf(table({ user: text(), shop: text() }, ['user', 'shop']), (i) => ({ user: hexOf(i), shop: `shop ${i}` })),
    ],
  },
  {
    code: 'modulo-seconds',
    bad: { schema: table({ at, host: text() }, ['at', 'host'], { salt: bucket({ of: 'at', modulo: 16 }) }) },
    good: [
      { schema: table({ at, host: text() }, ['at', 'host'], { salt: bucket({ of: 'at', modulo: 17 }) }) },
      // Rows beat the model: these are not whole seconds.
      dataOf(table({ at, host: text() }, ['at', 'host'], { salt: bucket({ of: 'at', modulo: 16 }) }), (i) => ({
        at: new Date(i * 977),
        host: 'a',
      })),
    ],
  },
  {
    code: 'unused-buckets',
    bad: dataOf(table({ id: uint32(), body: text() }, ['id'], { salt: bucket({ of: 'id', modulo: 16 }) }), (i) => ({
      id: i * 8,
      body: '',
    })),
    good: [
      dataOf(table({ id: uint32(), body: text() }, ['id'], { salt: bucket({ of: 'id', modulo: 16 }) }), (i) => ({ id: i, body: '' })),
      // Too few rows to say.
      dataOf(
        table({ id: uint32(), body: text() }, ['id'], { salt: bucket({ of: 'id', modulo: 16 }) }),
        (i) => ({ id: i * 8, body: '' }),
        50,
      ),
    ],
  },
  {
    code: 'few-valued-salt',
    bad: { schema: table({ kind: dictionary({ a: '1', b: '2', c: '3' }), id: uuid() }, ['kind', 'id'], salted(['kind'])) },
    good: [{ schema: table({ kind: dictionary({ a: '1', b: '2' }), id: uuid() }, ['kind', 'id'], salted(['kind', 'id'])) }],
  },
  {
    code: 'random-suffix',
    bad: { schema: table({ user: text(), order: text(), r: uint8({ default: random(100) }) }, ['user', 'order', 'r']) },
    good: [{ schema: table({ user: text(), order: text(), r: uint8({ default: random(100) }) }, ['user', 'order']) }],
  },
  {
    code: 'equal-keys',
    bad: dataOf(byHost, (i) => ({ host: 'a', at: new Date(i >> 1), level: 1 })),
    good: [
      dataOf(byHost, (i) => ({ host: 'a', at: new Date(i), level: 1 })),
      { schema: table({ host: text(), at, seq: uint32() }, ['host', 'at', 'seq']) },
    ],
  },
  {
    code: 'unordered-text',
    bad: { schema: table({ host: paddedText(20, { pad: 'x' }), at }, ['host', 'at']) },
    good: [{ schema: table({ host: paddedText(20, { pad: '\0' }), at }, ['host', 'at']) }, { schema: byHost }],
  },
  {
    code: 'unordered-text',
    bad: { schema: table({ host: separatedText('_'), at }, ['host', 'at']) },
    good: [{ schema: table({ host: separatedText('\0'), at }, ['host', 'at']) }],
  },
  {
    code: 'split-text',
    bad: { schema: table({ host: separatedText('_', { split: 'last' }), at }, ['host', 'at']) },
    good: [{ schema: byHost }],
  },
  {
    code: 'reversed-variable',
    bad: dataOf(table({ user: reversed(text()), no: uint32() }, ['user', 'no']), (i) => ({ user: String(scattered(i)), no: i })),
    good: [dataOf(table({ user: reversed(text()), no: uint32() }, ['user', 'no']), (i) => ({ user: hexOf(i), no: i }))],
  },
  {
    code: 'personal-key',
    bad: { schema: table({ email: text() }, ['email']) },
    good: [
      { schema: table({ userId: uuid(), email: text() }, ['userId']) },
      { schema: table({ telephoneExchange: text() }, ['telephoneExchange']) },
    ],
  },
  {
    code: 'full-scan',
    bad: { schema: byHost, options: { queries: [{ table: 'rows', where: { at: ['gte', 'lt'] } }] } },
    good: [{ schema: byHost, options: { queries: [ofHost] } }],
  },
  {
    code: 'hash-prefix-range',
    bad: {
      schema: table({ user: text(), no: uint32() }, ['user', 'no'], { salt: hashPrefix({ of: 'user' }) }),
      options: { queries: [{ table: 'rows', where: { user: 'startsWith' } }] },
    },
    good: [
      {
        schema: table({ user: text(), no: uint32() }, ['user', 'no'], { salt: hashPrefix({ of: 'user' }) }),
        options: { queries: [{ table: 'rows', where: { user: '=', no: ['gte', 'lt'] } }] },
      },
    ],
  },
  {
    code: 'refused-query',
    bad: { schema: byHost, options: { queries: [{ table: 'rows', where: { host: '=' }, order: { level: 'asc' } }] } },
    good: [{ schema: byHost, options: { queries: [{ ...ofHost, order: { at: 'desc' } }] } }],
  },
  {
    code: 'fan-out',
    bad: {
      schema: table({ host: text(), at, level: uint32() }, ['host', 'at'], salted(['host', 'at'])),
      options: { queries: [{ ...ofHost, perSecond: 500 }] },
    },
    good: [
      {
        schema: table({ host: text(), at, level: uint32() }, ['host', 'at'], salted(['host'])),
        options: { queries: [{ ...ofHost, perSecond: 500 }] },
      },
    ],
  },
  {
    code: 'filter',
    bad: { schema: byHost, options: { queries: [{ table: 'rows', where: { host: '=', level: '=' } }] } },
    good: [{ schema: byHost, options: { queries: [ofHost] } }],
  },
  {
    code: 'hull',
    bad: {
      schema: table({ a: text(), b: text(), c: text() }, ['a', 'b', 'c']),
      options: { queries: [{ table: 'rows', where: { a: { in: 100 }, b: { in: 100 } } }] },
    },
    good: [
      {
        schema: table({ a: text(), b: text(), c: text() }, ['a', 'b', 'c']),
        options: { queries: [{ table: 'rows', where: { a: { in: 5 } } }] },
      },
    ],
  },
  {
    code: 'open-range',
    bad: { schema: events, options: { queries: [{ table: 'rows', where: { at: 'gte' } }] } },
    good: [{ schema: events, options: { queries: [{ table: 'rows', where: { at: ['gte', 'lt'] } }] } }],
  },
  {
    code: 'reverse',
    bad: { schema: byHost, options: { queries: [{ ...ofHost, order: { at: 'desc' }, perSecond: 50 }] } },
    good: [
      {
        schema: table({ host: text(), at: desc(timestamp('ms')), level: uint32() }, ['host', 'at']),
        options: { queries: [{ ...ofHost, order: { at: 'desc' } }] },
      },
    ],
  },
  {
    code: 'one-partition',
    bad: { schema: byHost, options: dynamodb },
    good: [{ schema: table({ host: text(), at }, ['at'], { partition: ['host'] }), options: dynamodb }],
  },
  {
    code: 'few-partitions',
    bad: { schema: table({ host: text(), at }, ['host', 'at'], salted(['host'])), options: cassandra },
    good: [{ schema: table({ host: text(), at }, ['at'], { partition: ['host'] }), options: cassandra }],
  },
  {
    code: 'lightweight-transactions',
    bad: { schema: tenants, options: cassandra },
    good: [{ schema: table({ tenant: text(), id: uuid() }, ['id'], { partition: ['tenant'], writes: 'plain' }), options: cassandra }],
  },
  {
    code: 'null-tombstones',
    bad: {
      schema: table({ tenant: text(), id: uuid(), ...nullables(50) }, ['id'], { partition: ['tenant'] }),
      options: cassandra,
    },
    good: [
      { schema: table({ tenant: text(), id: uuid(), ...nullables(49) }, ['id'], { partition: ['tenant'] }), options: cassandra },
      {
        schema: table({ tenant: text(), id: uuid(), ...nullables(50) }, ['id'], { partition: ['tenant'], writes: 'plain' }),
        options: cassandra,
      },
    ],
  },
  {
    code: 'one-shard',
    bad: { schema: byHost, options: redis },
    good: [{ schema: tenants, options: redis }],
  },
  {
    code: 'few-shards',
    bad: { schema: table({ host: text() }, ['host'], salted(['host'], 4)), options: redis },
    good: [{ schema: table({ host: text() }, ['host'], salted(['host'], 16)), options: redis }],
  },
  {
    code: 'shared-shards',
    bad: { schema: table({ host: text() }, ['host'], salted(['host'], 1000)), options: redis },
    good: [{ schema: table({ host: text() }, ['host'], salted(['host'], 16)), options: redis }],
  },
  {
    code: 'one-region',
    bad: { schema: byHost, options: hbase },
    good: [
      {
        schema: table({ host: text(), at }, ['host', 'at'], { stores: { hbase: { splits: ['67', '6e', '74'] } } }),
        options: hbase,
      },
      { schema: events, options: hbase }, // monotonic-first says it
    ],
  },
  {
    code: 'unsplit-buckets',
    bad: { schema: table({ host: text() }, ['host'], salted(['host'])), options: hbase },
    good: [{ schema: table({ host: text() }, ['host'], { ...salted(['host']), stores: { hbase: { splits: 16 } } }), options: hbase }],
  },
  {
    code: 'lindorm-key-columns',
    bad: {
      schema: table({ a: text(), b: text(), c: text(), d: text(), e: text(), f: text() }, ['a', 'b', 'c', 'd', 'e', 'f']),
      options: lindorm,
    },
    good: [{ schema: byHost, options: lindorm }],
  },
  {
    code: 'store-refuses',
    bad: { schema: table({ host: text() }, ['host'], { stores: { hbase: { splits: 'many' } } }), options: hbase },
    good: [{ schema: byHost, options: hbase }],
  },
  {
    code: 'few-buckets',
    bad: { schema: table({ at, id: uuid() }, ['at', 'id'], salted(['id'], 2)), options: hbase },
    good: [
      { schema: table({ at, id: uuid() }, ['at', 'id'], salted(['id'], 8)), options: hbase },
      {
        schema: table({ id: uuid() }, ['id'], salted(['id'], 4)),
        options: { ...dynamodb, writes: [{ table: 'rows', perSecond: { inserts: 4000 } }] },
      },
    ],
  },
  {
    code: 'few-buckets',
    bad: {
      schema: table({ id: uuid() }, ['id'], salted(['id'], 4)),
      options: { ...dynamodb, writes: [{ table: 'rows', perSecond: { inserts: 4001 } }] },
    },
    good: [{ schema: table({ id: uuid() }, ['id'], salted(['id'], 2)), options: { store: 'lmdb', servers: 6 } }],
  },
  {
    code: 'hot-partition',
    bad: {
      schema: tenants,
      options: { ...dynamodb, writes: [{ table: 'rows', perSecond: { inserts: 20_000 }, distinct: { tenant: 10_000 } }] },
    },
    good: [
      { schema: tenants, options: { ...dynamodb, writes: [{ table: 'rows', perSecond: { inserts: 500 }, distinct: { tenant: 10_000 } }] } },
      {
        schema: tenants,
        options: { ...dynamodb, writes: [{ table: 'rows', perSecond: { inserts: 20_000 }, distinct: { tenant: 10_000 }, skew: 0 }] },
      },
    ],
  },
  {
    code: 'hot-partition',
    bad: {
      schema: tenants,
      options: {
        ...dynamodb,
        writes: [{ table: 'rows', distinct: { tenant: 10_000 } }],
        queries: [{ table: 'rows', where: { tenant: '=', id: '=' }, perSecond: 60_000 }],
      },
    },
    good: [
      {
        schema: tenants,
        options: {
          ...dynamodb,
          writes: [{ table: 'rows', distinct: { tenant: 10_000 } }],
          queries: [{ table: 'rows', where: { tenant: '=' }, perSecond: 20_000 }],
        },
      },
      // Nobody knows how many tenants there are.
      { schema: tenants, options: { ...dynamodb, queries: [{ table: 'rows', where: { tenant: '=' }, perSecond: 60_000 }] } },
    ],
  },
  {
    code: 'giant-tenant',
    bad: dataOf(tenants, (i) => ({ tenant: i % 3 === 0 ? 'giant' : hexOf(i), id: uuidOf(i) }), 1000, cassandra),
    good: [dataOf(tenants, (i) => ({ tenant: hexOf(i % 300), id: uuidOf(i) }), 1000, cassandra)],
  },
  {
    code: 'large-partition',
    bad: {
      schema: tenants,
      options: { ...cassandra, writes: [{ table: 'rows', perSecond: { inserts: 100 }, distinct: { tenant: 1000 } }] },
    },
    good: [
      { schema: tenants, options: { ...cassandra, writes: [{ table: 'rows', perSecond: { inserts: 0.01 }, distinct: { tenant: 1000 } }] } },
      {
        schema: table({ tenant: text(), id: uuid() }, ['id'], { partition: ['tenant'], ttl: '1h' } as never),
        options: { ...cassandra, writes: [{ table: 'rows', perSecond: { inserts: 100 }, distinct: { tenant: 1000 } }] },
      },
    ],
  },
  {
    code: 'hot-row',
    bad: {
      schema: table({ name: text(), count: int64() }, ['name']),
      options: { ...hbase, writes: [{ table: 'rows', perSecond: { updates: 10 }, distinct: { name: 10 }, skew: 0 }] },
    },
    good: [
      {
        schema: table({ name: text(), count: int64() }, ['name']),
        options: { ...hbase, writes: [{ table: 'rows', perSecond: { inserts: 10 }, distinct: { name: 10 }, skew: 0 }] },
      },
      {
        schema: table({ name: text(), count: int64() }, ['name'], { stores: { hbase: { newVersionBehavior: false } } }),
        options: { ...hbase, writes: [{ table: 'rows', perSecond: { updates: 10 }, distinct: { name: 10 }, skew: 0 }] },
      },
    ],
  },
  {
    code: 'tombstone-queue',
    bad: {
      schema: table({ queue: text(), seq: uint32() }, ['seq'], { partition: ['queue'] }),
      options: {
        ...cassandra,
        writes: [{ table: 'rows', perSecond: { inserts: 10, deletes: 10 }, distinct: { queue: 4 } }],
        queries: [{ table: 'rows', where: { queue: '=' }, limit: 10 }],
      },
    },
    good: [
      {
        schema: table({ queue: text(), seq: uint32() }, ['seq'], { partition: ['queue'] }),
        options: {
          ...cassandra,
          writes: [{ table: 'rows', perSecond: { inserts: 10, deletes: 10 } }],
          queries: [{ table: 'rows', where: { queue: '=', seq: 'gte' }, limit: 10 }],
        },
      },
      { schema: tenants, options: { ...cassandra, writes: [{ table: 'rows', perSecond: { inserts: 10, deletes: 10 } }] } },
    ],
  },
  {
    code: 'one-thread',
    bad: { schema: tenants, options: { ...redis, writes: [{ table: 'rows', perSecond: { updates: 200_000 } }] } },
    good: [{ schema: tenants, options: { ...redis, servers: 6, writes: [{ table: 'rows', perSecond: { updates: 200_000 } }] } }],
  },
  {
    code: 'unreachable-split',
    bad: {
      schema: table({ host: text() }, ['host'], { ...salted(['host']), stores: { hbase: { splits: ['40', '80', 'c0'] } } }),
      options: hbase,
    },
    good: [
      {
        schema: table({ host: text() }, ['host'], { ...salted(['host']), stores: { hbase: { splits: ['04', '08', '0c'] } } }),
        options: hbase,
      },
    ],
  },
  {
    code: 'kudu-key-type',
    bad: {
      schema: table({ host: nullable(text()), at }, ['host', 'at'], { salt: kuduHash({ of: 'at', count: 8 }) }),
      options: kudu,
    },
    good: [{ schema: metrics, options: kudu }, { schema: table({ host: nullable(text()), at }, ['host', 'at']) }],
  },
  {
    code: 'kudu-no-partitions',
    bad: { schema: metrics, options: kudu },
    good: [
      { schema: kuduMetrics(kuduHash({ of: ['host', 'metric'], count: 8 })), options: kudu },
      { schema: metrics, options: { ...kudu, kudu: { ranges: years(2014, 2015, 2016) } } },
      { schema: metrics, options: { ...kudu, storeOptions: { hash: 8 } } },
    ],
  },
  {
    code: 'kudu-key-bytes',
    bad: {
      schema: table({ host: desc(text()), no: int64() }, ['host', 'no'], { salt: kuduHash({ of: 'no', count: 8 }) }),
      options: kudu,
    },
    good: [
      {
        schema: table({ host: text(), no: desc(int64()) }, ['host', 'no'], { salt: kuduHash({ of: 'host', count: 8 }) }),
        options: kudu,
      },
    ],
  },
  {
    code: 'kudu-bucket-column',
    bad: {
      schema: table({ host: text(), at: timestamp('ms') }, ['host', 'at'], { salt: kuduHash({ of: 'at', count: 8 }) }),
      options: kudu,
    },
    good: [
      {
        schema: table({ host: text(), at: timestamp('us') }, ['host', 'at'], { salt: kuduHash({ of: 'at', count: 8 }) }),
        options: kudu,
      },
    ],
  },
  {
    code: 'kudu-tablets',
    bad: { schema: kuduMetrics(kuduHash({ of: 'host', count: 4 })), options: kudu },
    good: [{ schema: kuduMetrics(kuduHash({ of: 'host', count: 8 })), options: kudu }],
  },
  {
    code: 'kudu-hash-levels',
    bad: { schema: kuduMetrics(bucket({ of: 'host', count: 8 })), options: kudu },
    good: [
      {
        schema: kuduMetrics([kuduHash({ of: 'host', count: 4 }), kuduHash({ of: 'metric', count: 3 })] as never),
        options: kudu,
      },
    ],
  },
  {
    code: 'kudu-time',
    bad: { schema: kuduMetrics(undefined), options: { ...kudu, kudu: { ranges: years(0, 10, 20) } } },
    good: [
      {
        schema: kuduMetrics(kuduHash({ of: ['host', 'metric'], count: 4 })),
        options: { ...kudu, kudu: { ranges: years(0, 10, 20) } },
      },
    ],
  },
  {
    code: 'kudu-ranges',
    bad: { schema: metrics, options: { ...kudu, kudu: { ranges: { rows: { column: 'time', bounds: [[0, 10], [5, 20]] } } } } }, // prettier-ignore
    good: [{ schema: metrics, options: { ...kudu, kudu: { ranges: years(0, 10, 20) } } }],
  },
  {
    code: 'kudu-encoding',
    bad: { schema: metrics, options: { ...kudu, kudu: { encodings: { rows: { value: 'dictionary' } } } } },
    good: [{ schema: metrics, options: { ...kudu, kudu: { encodings: { rows: { value: 'bitshuffle', host: 'prefix' } } } } }],
  },
  {
    code: 'key-changed',
    bad: { schema: byHost, options: { existing: [table({ host: text(), at, level: uint32() }, ['at', 'host'])] } },
    good: [
      { schema: byHost, options: { existing: [byHost] } },
      {
        schema: table({ kind: dictionary({ a: '1', b: '2' }), id: uuid() }, ['id', 'kind']),
        options: { existing: [table({ kind: dictionary({ a: '1' }), id: uuid() }, ['id', 'kind'])] },
      },
    ],
  },
  {
    code: 'salt-changed',
    bad: {
      schema: table({ id: uuid() }, ['id'], salted(['id'], 32)),
      options: { existing: [table({ id: uuid() }, ['id'], salted(['id'], 16))] },
    },
    good: [
      { schema: table({ id: uuid() }, ['id'], salted(['id'])), options: { existing: [table({ id: uuid() }, ['id'], salted(['id']))] } },
    ],
  },
  {
    code: 'type-changed',
    bad: { schema: table({ id: uuid(), n: uint32() }, ['id']), options: { existing: [table({ id: uuid(), n: text() }, ['id'])] } },
    good: [{ schema: table({ id: uuid(), n: uint32() }, ['id']), options: { existing: [table({ id: uuid(), n: uint8() }, ['id'])] } }],
  },
  {
    code: 'column-dropped',
    bad: { schema: table({ id: uuid() }, ['id']), options: { existing: [table({ id: uuid(), n: text() }, ['id'])] } },
    good: [
      { schema: table({ id: uuid() }, ['id'], { retired: ['n'] }), options: { existing: [table({ id: uuid(), n: text() }, ['id'])] } },
    ],
  },
]

function dataOf(schema: TableSchema, row: (i: number) => Record<string, unknown>, count = 1000, more: AdviceOptions = {}): Design {
  return { schema, options: { ...more, ...sampled(schema, row, count) } }
}
