import {
  bucket,
  date,
  desc,
  dictionary,
  hashPrefix,
  int64,
  kuduHash,
  period,
  reversed,
  text,
  timestamp,
  uint32,
  uint64,
  uint8,
  uuid,
  type TableSchema,
} from 'rowkey'
import type { AdviceOptions, QueryShape, WriteLoad } from '../src/index.js'
import { cassandra, dynamodb, hbase, kudu, lindorm, redis } from './cases.js'
import { scattered, table } from './judging.js'

/** A design, and the codes of which one at least has to be told; none: nothing may be warned of. */
export interface Judged {
  readonly name: string
  readonly schema: TableSchema
  readonly options: AdviceOptions
  /** Rows of a sample, as they were written. */
  readonly row?: (i: number) => Record<string, unknown>
  readonly rows?: number
  readonly total?: number
  readonly faults?: readonly string[]
}

const at = timestamp('ms')
const us = timestamp('us')
const hex = (i: number): string => scattered(i).toString(16).padStart(8, '0')
const uuidOf = (i: number): string => `${hex(i)}-0000-4000-8000-${hex(i * 7 + 1)}0000`
const time = (i: number): Date => new Date(1_767_600_000_000 + 250 * i)
const micros = (i: number): bigint => BigInt(time(i).getTime()) * 1000n
const load = (perSecond: WriteLoad['perSecond'], more: Partial<WriteLoad> = {}): AdviceOptions => ({
  writes: [{ table: 'rows', ...(perSecond === undefined ? {} : { perSecond }), ...more }],
})
const inserts = (rate: number, distinct: Record<string, number> = {}): AdviceOptions => load({ inserts: rate }, { distinct })
const ask = (where: QueryShape['where'], more: Partial<QueryShape> = {}): QueryShape => ({ table: 'rows', where, perSecond: 20, ...more })
const asked = (...queries: readonly QueryShape[]): AdviceOptions => ({ queries })
const cut = (splits: number | readonly string[]) => ({ stores: { hbase: { splits } } })
/** A value of few that a tenth, a third or more of all rows have. */
const mostly = (i: number, share: number, prefix = 't'): string => (i % 100 < share ? 'acme' : `${prefix}${scattered(i) % 5000}`)
const span = { host: '=', at: ['gte', 'lt'] } as const

export const sound: readonly Judged[] = [
  {
    name: 'users behind a prefix of a hash, a few hundred of them in the sample',
    schema: table({ user: text(), at, id: uuid() }, ['user', 'at', 'id'], { salt: hashPrefix({ of: 'user' }), ...cut(16) }),
    options: { ...hbase, ...inserts(3000), ...asked(ask({ user: '=' }, { limit: 20 })) },
    row: (i) => ({ user: `u${scattered(i) % 700}`, at: time(i), id: uuidOf(i) }),
    total: 1e9,
  },
  {
    name: 'partition of a region, a kind, a day and a device: hundreds together',
    schema: table({ region: text(), kind: text(), day: text(), device: uint32(), at }, ['at'], {
      partition: ['region', 'kind', 'day', 'device'],
      writes: 'plain',
      ttl: '30d',
    }),
    options: { ...cassandra, ...inserts(200) },
    row: (i) => ({ region: ['eu', 'us'][i & 1], kind: ['a', 'b', 'c'][i % 3], day: '20260105', device: scattered(i) % 300, at: time(i) }),
  },
  {
    name: 'objects with versions, of which the sample sees few twice',
    schema: table({ object: uuid(), version: uint32() }, ['version'], { partition: ['object'], writes: 'plain' }),
    options: cassandra,
    row: (i) => ({ object: uuidOf(scattered(i) % 1500), version: i }),
    total: 5e8,
  },
  {
    name: 'salt by the device that every query binds',
    schema: table({ device: text(), at }, ['device', 'at'], { salt: bucket({ of: 'device', count: 32 }), ...cut(16) }),
    options: { ...hbase, ...inserts(20_000, { device: 1e6 }), ...asked(ask({ device: '=', at: ['gte', 'lt'] }, { perSecond: 500 })) },
  },
  {
    name: 'five hashed columns of a metric in Kudu, with ranges of time',
    schema: table(
      { region: text(), type: text(), level: text(), status: text(), kind: text(), at: us },
      ['region', 'type', 'level', 'status', 'kind', 'at'],
      {
        salt: kuduHash({ of: ['region', 'type', 'level', 'status', 'kind'], count: 8 }),
        stores: { kudu: { range: { of: 'at', every: 'month' } } },
      },
    ),
    options: {
      ...kudu,
      ...inserts(2000),
      ...asked(ask({ region: '=', type: '=', level: '=', status: '=', kind: '=', at: ['gte', 'lt'] })),
    },
  },
  {
    name: 'metrics of Kudu by the guide: a hash of two columns and ranges of time',
    schema: table({ host: text(), metric: text(), time: int64() }, ['host', 'metric', 'time'], {
      salt: kuduHash({ of: ['host', 'metric'], count: 8 }),
    }),
    options: {
      ...kudu,
      kudu: { ranges: { rows: { column: 'time', bounds: [[0, 10], [10, 20], [20, 30]] } } }, // prettier-ignore
      ...inserts(5000),
      ...asked(ask({ host: '=', metric: '=', time: ['gte', 'lt'] })),
    },
  },
  {
    name: 'a day and a shard of sixteen as the partition of DynamoDB',
    schema: table({ day: date(), at, id: uuid() }, ['at', 'id'], { partition: ['day'], salt: bucket({ of: 'id', count: 32 }) }),
    options: { ...dynamodb, ...inserts(5000), ...asked(ask({ day: '=' }, { perSecond: 1, limit: 100 })) },
  },
  {
    name: 'containers in hourly partitions',
    schema: table({ container: text(), hour: period('hour', { of: 'at' }), at, id: uuid() }, ['at', 'id'], {
      partition: ['container', 'hour'],
      writes: 'plain',
      ttl: '7d',
    }),
    options: { ...cassandra, ...inserts(100, { container: 500 }), ...asked(ask({ container: '=', at: ['gte', 'lt'] })) },
  },
  {
    name: 'a bucket number that the application computes, and few rows',
    schema: table({ bucket: uint8(), user: text(), id: uuid() }, ['id'], { partition: ['bucket', 'user'], writes: 'plain' }),
    options: { ...cassandra, ...load({ inserts: 50 }, { distinct: { bucket: 16, user: 100_000 }, skew: 0 }) },
  },
  {
    name: 'random ids first',
    schema: table({ id: uuid(), at }, ['id', 'at'], cut(['40', '80', 'c0'])),
    options: { ...hbase, ...inserts(9000), ...asked(ask({ id: '=' })) },
    row: (i) => ({ id: uuidOf(i), at: time(i) }),
  },
  {
    name: 'cuts at hexadecimal digits',
    schema: table({ user: text(), no: uint64() }, ['user', 'no'], {
      salt: hashPrefix({ of: 'user' }),
      ...cut(['32', '34', '36', '38', '61', '63', '65']),
    }),
    options: { ...lindorm, ...inserts(2000), ...asked(ask({ user: '=' })) },
  },
  {
    name: 'tenants of which none has a tenth',
    schema: table({ tenant: text(), at, id: uuid() }, ['tenant', 'at', 'id'], { salt: bucket({ of: 'tenant', count: 16 }), ...cut(16) }),
    options: { ...hbase, ...inserts(5000), ...asked(ask({ tenant: '=', at: ['gte', 'lt'] })) },
    row: (i) => ({ tenant: mostly(i, 5), at: time(i), id: uuidOf(i) }),
    total: 1e9,
  },
  {
    name: 'sequence numbers within an account, few of them',
    schema: table({ account: text(), seq: uint32() }, ['account', 'seq'], cut(['67', '6e', '74'])),
    options: { ...hbase, ...inserts(2000, { account: 1e6, seq: 500 }), ...asked(ask({ account: '=' })) },
  },
  {
    name: 'orders by a shop, newest first',
    schema: table({ shop: text(), at: desc(timestamp('ms')), id: uuid() }, ['at', 'id'], {
      partition: ['shop'],
      writes: 'plain',
      ttl: '30d',
    }),
    options: {
      ...cassandra,
      ...load({ inserts: 5 }, { distinct: { shop: 100_000 }, skew: 0.5 }),
      ...asked(ask({ shop: '=' }, { order: { at: 'desc' }, limit: 50 })),
    },
  },
  {
    name: 'sessions in Redis',
    schema: table({ user: uuid(), id: uuid() }, ['id'], { partition: ['user'] }),
    options: {
      ...redis,
      servers: 3,
      ...load({ inserts: 2000, updates: 8000 }, { distinct: { user: 1e6 } }),
      ...asked(ask({ user: '=' }, { perSecond: 5000 })),
    },
  },
  {
    name: 'a phone number, reversed, of one length',
    schema: table({ phone: reversed(text()), at }, ['phone', 'at'], cut(['33', '36'])),
    options: { ...hbase, ...inserts(3000), ...asked(ask({ phone: '=' })) },
    row: (i) => ({ phone: `1${String(scattered(i)).padStart(10, '0')}`, at: time(i) }),
  },
  {
    name: 'a queue that is read from the last row on',
    schema: table({ queue: text(), day: period('day', { of: 'at' }), at, id: uuid() }, ['at', 'id'], {
      partition: ['queue', 'day'],
      writes: 'plain',
      ttl: '2d',
    }),
    options: {
      ...cassandra,
      ...load({ inserts: 20, deletes: 20 }, { distinct: { queue: 200 } }),
      ...asked(ask({ queue: '=', at: ['gte', 'lt'] }, { limit: 50 })),
    },
  },
  {
    name: 'a week of a sensor in daily partitions',
    schema: table({ sensor: text(), day: period('day', { of: 'at' }), at }, ['at'], {
      partition: ['sensor', 'day'],
      writes: 'plain',
      ttl: '30d',
    }),
    options: {
      ...cassandra,
      ...load({ inserts: 500 }, { distinct: { sensor: 10_000 }, skew: 0 }),
      ...asked(ask({ sensor: '=', at: ['gte', 'lt'] }, { span: '7d' })),
    },
  },
  {
    name: 'kinds by a dictionary before a user, in Kudu by a hash of the user',
    schema: table({ kind: dictionary({ a: '1', b: '2', c: '3' }), user: int64(), at: us }, ['user', 'kind', 'at'], {
      salt: kuduHash({ of: 'user', count: 12 }),
      stores: { kudu: { range: { of: 'at', every: 'month' } } },
    }),
    options: { ...kudu, ...inserts(4000), ...asked(ask({ user: '=' })) },
    row: (i) => ({ kind: ['a', 'b', 'c'][i % 3], user: BigInt(scattered(i) % 40_000), at: micros(i) }),
  },
  {
    name: 'a hash of a giant tenant and its rows',
    schema: table({ tenant: text(), id: uuid(), at }, ['tenant', 'id', 'at'], {
      salt: bucket({ of: ['tenant', 'id'], count: 16 }),
      ...cut(16),
    }),
    options: { ...hbase, ...inserts(9000), ...asked(ask({ tenant: '=', id: '=' })) },
    row: (i) => ({ tenant: mostly(i, 70), id: uuidOf(i), at: time(i) }),
    total: 1e9,
  },
]

export const faulty: readonly Judged[] = [
  {
    name: 'an epoch in seconds comes first',
    schema: table({ event_ts: uint64(), id: uuid() }, ['event_ts', 'id'], cut(['40', '80'])),
    options: { ...hbase, ...inserts(8000) },
    faults: ['monotonic-first'],
  },
  {
    name: 'a year by name of which there are 300',
    schema: table({ year: text(), path: text() }, ['path'], { partition: ['year'], writes: 'plain' }),
    options: { ...cassandra, ...inserts(200, { year: 300 }) },
    faults: ['large-partition'],
  },
  {
    name: 'a salt by the time, while queries bind the host',
    schema: table({ host: text(), at }, ['host', 'at'], { salt: bucket({ of: 'at', count: 64 }), ...cut(16) }),
    options: { ...hbase, ...inserts(5000, { host: 10_000 }), ...asked(ask(span, { perSecond: 500 })) },
    faults: ['fan-out'],
  },
  {
    name: 'a salt of 500 that no query binds',
    schema: table({ host: text(), at }, ['host', 'at'], { salt: bucket({ of: 'at', count: 500 }), ...cut(16) }),
    options: { ...hbase, ...inserts(5000, { host: 10_000 }), ...asked(ask(span)) },
    faults: ['refused-query'],
  },
  {
    name: 'a partition of a sensor that grows for ever',
    schema: table({ sensor: text(), at }, ['at'], { partition: ['sensor'], writes: 'plain' }),
    options: { ...cassandra, ...inserts(50, { sensor: 100 }), ...asked(ask({ sensor: '=', at: ['gte', 'lt'] }, { span: '1h' })) },
    faults: ['large-partition'],
  },
  {
    name: 'a tenant with 60 % of the rows, in the order of time',
    schema: table({ tenant: text(), at, id: uuid() }, ['tenant', 'at', 'id'], cut(['67', '6e', '74'])),
    options: { ...lindorm, ...inserts(9000), ...asked(ask({ tenant: '=', at: ['gte', 'lt'] })) },
    row: (i) => ({ tenant: mostly(i, 60), at: time(i), id: uuidOf(i) }),
    total: 2e9,
    faults: ['giant-tenant'],
  },
  {
    name: 'a tenant with 60 % of the rows behind a hash of it',
    schema: table({ tenant: text(), at, id: uuid() }, ['tenant', 'at', 'id'], { salt: bucket({ of: 'tenant', count: 32 }), ...cut(16) }),
    options: { ...hbase, ...inserts(9000), ...asked(ask({ tenant: '=', at: ['gte', 'lt'] })) },
    row: (i) => ({ tenant: mostly(i, 60), at: time(i), id: uuidOf(i) }),
    total: 2e9,
    faults: ['giant-tenant'],
  },
  {
    name: 'a customer with half of all rows behind a hash of Kudu',
    schema: table({ customer: text(), at: us, no: int64() }, ['customer', 'at', 'no'], {
      salt: kuduHash({ of: 'customer', count: 12 }),
      stores: { kudu: { range: { of: 'at', every: 'month' } } },
    }),
    options: { ...kudu, ...inserts(9000), ...asked(ask({ customer: '=', at: ['gte', 'lt'] })) },
    row: (i) => ({ customer: mostly(i, 50), at: micros(i), no: BigInt(i) }),
    total: 2e9,
    faults: ['giant-tenant'],
  },
  {
    name: 'a shop with a third of all rows in a partition of DynamoDB',
    schema: table({ shop: text(), id: uuid() }, ['id'], { partition: ['shop'] }),
    options: { ...dynamodb, ...inserts(9000) },
    row: (i) => ({ shop: mostly(i, 35), id: uuidOf(i) }),
    faults: ['giant-tenant', 'hot-partition'],
  },
  {
    name: 'a region and a user, of whom one has 8 % of the rows',
    schema: table({ region: text(), user: text(), id: uuid() }, ['id'], { partition: ['region', 'user'], writes: 'plain' }),
    options: cassandra,
    row: (i) => ({ region: ['eu', 'us', 'ap'][i % 3], user: i % 24 < 6 && i % 3 === 0 ? 'ann' : `u${i}`, id: uuidOf(i) }),
    total: 3e7,
    faults: ['large-partition'],
  },
  {
    name: 'cuts at even bytes before a hexadecimal prefix',
    schema: table({ user: text(), no: uint64() }, ['user', 'no'], {
      salt: hashPrefix({ of: 'user' }),
      ...cut(['10', '20', '30', '40', '50', '60', '70', '80', '90', 'a0']),
    }),
    options: { ...hbase, ...inserts(3000), ...asked(ask({ user: '=' })) },
    faults: ['unreachable-split'],
  },
  {
    name: 'cuts beyond the buckets',
    schema: table({ id: uuid() }, ['id'], { salt: bucket({ of: 'id', count: 8 }), ...cut(['02', '04', '06', '08']) }),
    options: { ...lindorm, ...inserts(3000) },
    faults: ['unreachable-split'],
  },
  {
    name: 'ids in steps of 16 behind a modulo',
    schema: table({ id: uint64(), body: text() }, ['id'], { salt: bucket({ of: 'id', modulo: 16 }), ...cut(16) }),
    options: { ...hbase, ...inserts(3000) },
    row: (i) => ({ id: BigInt(16 * i), body: '' }),
    faults: ['unused-buckets'],
  },
  {
    name: 'a prefix of a hash of three kinds',
    schema: table({ kind: text(), at, id: uuid() }, ['kind', 'at', 'id'], { salt: hashPrefix({ of: 'kind' }), ...cut(16) }),
    options: { ...hbase, ...inserts(3000) },
    row: (i) => ({ kind: ['a', 'b', 'c'][i % 3], at: time(i), id: uuidOf(i) }),
    faults: ['few-valued-salt'],
  },
  {
    name: 'a range over a reversed id',
    schema: table({ phone: reversed(text()), at }, ['phone', 'at'], cut(['33', '36'])),
    options: { ...hbase, ...asked(ask({ phone: ['gte', 'lt'] })) },
    faults: ['refused-query'],
  },
  {
    name: 'a month of a sensor in hourly partitions',
    schema: table({ sensor: text(), hour: period('hour', { of: 'at' }), at }, ['at'], {
      partition: ['sensor', 'hour'],
      writes: 'plain',
      ttl: '30d',
    }),
    options: { ...cassandra, ...inserts(10, { sensor: 1000 }), ...asked(ask({ sensor: '=', at: ['gte', 'lt'] }, { span: '30d' })) },
    faults: ['period-ranges'],
  },
  {
    name: 'a month as text alone as the partition of DynamoDB',
    schema: table({ month: text(), id: uuid() }, ['id'], { partition: ['month'] }),
    options: { ...dynamodb, ...inserts(4000) },
    faults: ['hot-partition'],
  },
  {
    name: 'ranges of time alone in Kudu',
    schema: table({ at: us, host: text() }, ['at', 'host'], { stores: { kudu: { range: { of: 'at', every: 'month' } } } }),
    options: { ...kudu, ...inserts(9000) },
    faults: ['kudu-time', 'monotonic-first'],
  },
  {
    name: 'a level before the time',
    schema: table({ level: text(), at, id: uuid() }, ['level', 'at', 'id'], cut(['67', '6e'])),
    options: { ...hbase, ...inserts(9000) },
    row: (i) => ({ level: ['debug', 'info', 'warn', 'error'][scattered(i) % 4], at: time(i), id: uuidOf(i) }),
    faults: ['low-cardinality-first'],
  },
  {
    name: 'a queue that is read from its start',
    schema: table({ queue: text(), at, id: uuid() }, ['at', 'id'], { partition: ['queue'], writes: 'plain' }),
    options: {
      ...cassandra,
      ...load({ inserts: 20, deletes: 20 }, { distinct: { queue: 20 } }),
      ...asked(ask({ queue: '=' }, { limit: 50 })),
    },
    faults: ['tombstone-queue'],
  },
]
