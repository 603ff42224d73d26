import {
  bucket,
  defineTable,
  dictionary,
  float64,
  kuduHash,
  hashPrefix,
  int64,
  nullable,
  paddedText,
  random,
  reversed,
  separatedText,
  text,
  timestamp,
  uint8,
  type TableSchema,
} from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, type AdviceOptions } from '../src/index.js'
import { cassandra, dynamodb, kudu, lindorm } from './cases.js'
import { sampled, scattered } from './judging.js'

const at = timestamp('ms')
const kuduMetrics = (salt?: Parameters<typeof defineTable>[1]['salt']): TableSchema =>
  defineTable('metrics', {
    columns: { host: text(), metric: text(), time: int64(), value: float64() },
    key: ['host', 'metric', 'time'],
    ...(salt === undefined ? {} : { salt }),
  } as never)
const users = defineTable('orders', { columns: { userid: text(), orderid: text() }, key: ['userid', 'orderid'] })
const logs = defineTable('logs', { columns: { host: text(), event: text(), at }, key: ['host', 'event', 'at'] })
const years: AdviceOptions = { ...kudu, kudu: { ranges: { metrics: { column: 'time', bounds: [[0, 1], [1, 2], [2, 3]] } } } } // prettier-ignore

// What the guides call bad, or what follows from their words, each with the lines that say so.
const designs: readonly (readonly [name: string, ids: readonly string[], schema: TableSchema, options?: AdviceOptions])[] = [
  [
    'a time first',
    ['G-30', 'G-31'],
    defineTable('logs', { columns: { at, host: text(), event: text() }, key: ['at', 'host', 'event'] }),
    lindorm,
  ],
  ['an id that counts up first', ['G-30', 'G-31'], defineTable('items', { columns: { id: int64(), body: text() }, key: ['id'] }), lindorm],
  [
    'ids that count up, seen in rows',
    ['G-31'],
    defineTable('items', { columns: { number: int64() }, key: ['number'] }),
    sampled(defineTable('items', { columns: { number: int64() }, key: ['number'] }), (i) => ({ number: BigInt(i) }), 1000, {
      order: 'written',
    }),
  ],
  [
    'an order type first',
    ['G-32'],
    defineTable('orders', { columns: { order_type: text(), at, id: int64() }, key: ['order_type', 'at', 'id'] }),
    lindorm,
  ],
  [
    'an enumeration first',
    ['G-32'],
    defineTable('orders', { columns: { kind: dictionary({ buy: '1', sell: '2' }), at, id: int64() }, key: ['kind', 'at', 'id'] }),
  ],
  ['values with an obvious prefix', ['G-30', 'G-32'], users, sampled(users, (i) => ({ userid: `user-${scattered(i)}`, orderid: `x${i}` }))],
  [
    'five key columns',
    ['G-22', 'G-26', 'G-27'],
    defineTable('logs', { columns: { a: text(), b: text(), c: text(), d: text(), e: text() }, key: ['a', 'b', 'c', 'd', 'e'] }),
    { queries: [{ table: 'logs', where: { a: '=' } }] },
  ],
  [
    'long values',
    ['G-22', 'G-24', 'G-27'],
    users,
    sampled(users, (i) => ({ userid: 'u'.repeat(300) + String(scattered(i)), orderid: `x${i}` })),
  ],
  ['numbers as text', ['G-23', 'G-28'], users, sampled(users, (i) => ({ userid: String(2015122410 + scattered(i)), orderid: `x${i}` }))],
  [
    'names instead of codes',
    ['G-29'],
    users,
    sampled(users, (i) => ({ userid: ['taobao', 'tmall.com', 'alibaba'][i % 3], orderid: `x${scattered(i)}` })),
  ],
  ['keys that are not unique', ['G-04', 'G-05'], users, sampled(users, (i) => ({ userid: `u${i >> 1}`, orderid: 'x' }))],
  [
    'a query without the first column',
    ['G-11', 'G-12', 'G-14'],
    logs,
    { queries: [{ table: 'logs', where: { event: '=', at: ['gte', 'lt'] } }] },
  ],
  [
    'three queries on one table',
    ['G-48'],
    defineTable('trades', { columns: { buyer: text(), at, seller: text() }, key: ['buyer', 'at'] }),
    {
      queries: [
        { table: 'trades', where: { buyer: '=' } },
        { table: 'trades', where: { seller: '=' } },
      ],
    },
  ],
  [
    'conditions outside the key',
    ['G-15', 'G-16'],
    users,
    { queries: [{ table: 'orders', where: { userid: ['gte', 'lt'], orderid: '=' } }] },
  ],
  [
    'newest first against the stored order',
    ['G-17', 'G-19', 'G-20', 'G-21'],
    logs,
    { queries: [{ table: 'logs', where: { host: '=', event: '=' }, order: { at: 'desc' } }] },
  ],
  [
    'ranges over a prefix of MD5',
    ['G-35'],
    defineTable('orders', { columns: { userid: text(), orderid: text() }, key: ['userid', 'orderid'], salt: hashPrefix({ of: 'userid' }) }),
    { queries: [{ table: 'orders', where: { userid: ['gte', 'lt'] } }] },
  ],
  [
    'reversed ids of several lengths',
    ['G-36'],
    defineTable('orders', { columns: { userid: reversed(text()), orderid: text() }, key: ['userid', 'orderid'] }),
    sampled(defineTable('orders', { columns: { userid: reversed(text()), orderid: text() }, key: ['userid', 'orderid'] }), (i) => ({
      userid: String(scattered(i)),
      orderid: 'x',
    })),
  ],
  [
    'timestamp % 16 of whole seconds',
    ['G-37', 'G-44'],
    defineTable('logs', { columns: { at, host: text() }, key: ['at', 'host'], salt: bucket({ of: 'at', modulo: 16 }) }),
  ],
  [
    'random(100) at the end',
    ['G-38'],
    defineTable('orders', {
      columns: { userid: text(), orderid: text(), r: uint8({ default: random(100) }) },
      key: ['userid', 'orderid', 'r'],
    }),
  ],
  [
    "rpad(column, 'x', 20)",
    ['G-39', 'G-40'],
    defineTable('logs', { columns: { host: paddedText(20, { pad: 'x' }), at }, key: ['host', 'at'] }),
  ],
  ['column _ column', ['G-39', 'G-41'], defineTable('logs', { columns: { host: separatedText('_'), at }, key: ['host', 'at'] })],
  ['one partition', ['G-30', 'G-50'], logs, cassandra],
  ['one partition key of DynamoDB', ['G-30', 'G-50'], logs, dynamodb],
  [
    'partitions that grow for ever',
    ['G-51'],
    defineTable('rooms', { columns: { room: text(), at }, partition: ['room'], key: ['at'] }),
    { ...cassandra, writes: [{ table: 'rooms', perSecond: { inserts: 100 }, distinct: { room: 50 } }] },
  ],
  [
    'Kudu: a key column that may be null',
    ['G-53', 'G-64'],
    defineTable('metrics', {
      columns: { host: nullable(text()), time: int64() },
      key: ['host', 'time'],
      salt: kuduHash({ of: 'time', count: 8 }),
    }),
    kudu,
  ],
  [
    'Kudu: a floating-point key',
    ['G-64'],
    defineTable('metrics', {
      columns: { value: float64(), host: text() },
      key: ['value', 'host'],
      salt: kuduHash({ of: 'host', count: 8 }),
    }),
    kudu,
  ],
  ['Kudu: no partitions', ['G-76'], kuduMetrics(), kudu],
  ['Kudu: fewer tablets than servers', ['G-77', 'G-93'], kuduMetrics(kuduHash({ of: 'host', count: 2 })), kudu],
  ['Kudu: too many tablets', ['G-93'], kuduMetrics(kuduHash({ of: 'host', count: 500 })), kudu],
  [
    'Kudu: ranges of time alone',
    ['G-103', 'G-109'],
    defineTable('metrics', { columns: { host: text(), time: timestamp('us') }, key: ['host', 'time'] }),
    years,
  ],
  [
    'Kudu: hash alone',
    ['G-107', 'G-109'],
    defineTable('metrics', {
      columns: { host: text(), time: timestamp('us') },
      key: ['host', 'time'],
      salt: kuduHash({ of: 'host', count: 8 }),
    }),
    { ...kudu, writes: [{ table: 'metrics', perSecond: { inserts: 1000 } }] },
  ],
  ['Kudu: ranges that overlap', ['G-83', 'G-86'], kuduMetrics(), { ...kudu, kudu: { ranges: { metrics: { column: 'time', bounds: [[0, 10], [5, 20]] } } } }], // prettier-ignore
  ['Kudu: a last range without end', ['G-104'], kuduMetrics(), { ...kudu, kudu: { ranges: { metrics: { column: 'time', bounds: [[0, 10], [10, null]] } } } }], // prettier-ignore
  [
    'Kudu: an encoding that the type lacks',
    ['G-56'],
    kuduMetrics(),
    { ...years, kudu: { ...years.kudu, encodings: { metrics: { time: 'dictionary' } } } },
  ],
  [
    'another key',
    ['G-65', 'G-70', 'G-123'],
    logs,
    { existing: [defineTable('logs', { columns: { host: text(), event: text(), at }, key: ['host', 'at', 'event'] })] },
  ],
  [
    'another number of buckets',
    ['G-124', 'G-126'],
    kuduMetrics(kuduHash({ of: 'host', count: 16 })),
    { existing: [kuduMetrics(kuduHash({ of: 'host', count: 8 }))] },
  ],
  [
    'another type',
    ['G-125'],
    defineTable('items', { columns: { k: text(), n: int64() }, key: ['k'] }),
    { existing: [defineTable('items', { columns: { k: text(), n: text() }, key: ['k'] })] },
  ],
]

test.each(designs.map((each) => [...each] as [string, readonly string[], TableSchema, AdviceOptions?]))(
  '%s: %s',
  (_, ids, schema, options = {}) => {
    const all = advise([schema], options).findings
    for (const id of ids) {
      const named = all.filter(({ guides }) => guides.includes(id))
      expect(named, id).not.toEqual([])
      for (const finding of named) {
        if (finding.change === undefined) continue
        const { stats: _, ...rest } = options // they are of the schema before
        const count = (
          of: readonly { severity: string; code: string }[],
          is: (each: { severity: string; code: string }) => boolean,
        ): number => of.filter(is).length
        const [before, after] = [advise([schema], rest).findings, advise([applyFix(schema, finding)], rest).findings]
        expect(count(after, ({ code }) => code === finding.code)).toBe(0)
        expect(count(after, ({ severity }) => severity === 'error')).toBeLessThanOrEqual(
          count(before, ({ severity }) => severity === 'error'),
        )
        expect(count(after, ({ severity }) => severity !== 'info')).toBeLessThanOrEqual(
          count(before, ({ severity }) => severity !== 'info'),
        )
      }
    }
  },
)
