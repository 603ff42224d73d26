import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Outcome, Page } from '@rowkey/store/adapter'
import { bucket, bytes, decimal, desc, dictionary, int32, int64, json, nullable, text, timestamp } from '@rowkey/codec'
import { dynamodb } from '@rowkey/dynamodb'
import { lmdb } from '@rowkey/lmdb'
import { createMapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import { redis } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { always, page, pagesOf, wrapped, type Overrides } from '../store/wrapped.js'
import type { Provocation } from './provocation.js'

const Events = defineTable('events', {
  columns: {
    host: text(),
    kind: dictionary({ login: 'z', logout: 'a' }),
    at: desc(timestamp('ms')),
    note: nullable(text()),
    size: int64({ default: 0n }),
    level: int32(),
    data: nullable(json()),
  },
  key: ['host', 'kind', 'at'],
  salt: bucket({ of: ['host', 'kind'], count: 16 }),
})
const Twin = defineTable('twins', {
  columns: { host: text(), kind: dictionary({ login: 'z', logout: 'a' }), at: desc(timestamp('ms')) },
  key: ['host', 'kind', 'at'],
})
const Orders = defineTable('orders', {
  columns: { buyer: text(), no: int32(), cents: nullable(int32()) },
  partition: ['buyer'],
  key: ['no'],
  writes: 'plain',
})
const Unmade = defineTable('unmade', { columns: { id: text() }, key: ['id'] })
const Changed = defineTable('events', {
  columns: { host: bytes(), kind: text(), at: timestamp('us'), note: text(), more: text() },
  partition: ['host'],
  key: ['kind', 'at'],
  salt: bucket({ of: ['host', 'kind'], count: 32 }),
  writes: 'plain',
})

/** What differs is far behind the beginning. */
const valued = (scale: number, initial: string) =>
  defineTable('valued', {
    columns: { k: int32(), price: decimal(9, scale), note: text({ default: `${'a note that is long '.repeat(8)}${initial}` }) },
    key: ['k'],
  })
const hinted = (stores: object) => defineTable('hinted', { columns: { k: int32() }, key: ['k'], stores: { ...stores } })

const Wide = defineTable('wide', {
  columns: { k: text(), ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, text()])) },
  key: ['k'],
})
const wideRow = { k: 'x', ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 'x'.repeat(65_000)])) }

const store = memory()
const db = createMapper(store)
await db.ensureTables([Events, Orders, valued(2, 'A')])
const events = db.repository(Events)
const orders = db.repository(Orders)
const key = { host: 'web', kind: 'login', at: new Date(0) } as const
const row = { ...key, level: 1 }
await events.putMany([row, { ...row, at: new Date(1000) }, { ...row, at: new Date(2000) }])
await orders.putMany([1, 2, 3].map((no) => ({ buyer: 'ann', no })))

/** Nobody listens at port 1. */
const unreachable = new Redis({ port: 1, lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 })
unreachable.on('error', () => undefined)
const unused = new DynamoDBClient({ region: 'eu-central-1' })
const where = { host: 'web', kind: 'login' } as const
const with_ = (overrides: Overrides) => createMapper(wrapped(store, overrides), { retry: { attempts: 1 } }).repository(Events)
const outcome = (given: Outcome) => with_({ write: always(given) })
const pages = (...given: Page[]) =>
  with_({ scan: () => pagesOf(...given) })
    .scan(where)
    .page()
const rowAt = (ms: number, host = 'web'): [string, string, number, null, number, null, bigint] => [host, 'login', ms, null, 1, null, 0n]
const cause = new Error('connection reset by peer')
const closed = memory()
await closed.close()
const cursor = (await events.scan(where, { limit: 1 }).page()).cursor ?? ''
const signed = createMapper(store, { cursorSecret: '0123456789abcdef' }).repository(Events)
const scan =
  (predicate: unknown, options: object = {}) =>
  () =>
    events.scan(predicate as never, options as never).page()

export const storeErrors: readonly Provocation[] = [
  ['a table that does not exist', () => db.repository(Unmade).get({ id: 'x' })],
  ['a folder with files of something else', () => lmdb('test')],
  ['a store that is closed', () => createMapper(closed).repository(Events).get(key)],
  ['a model that does not match its table', () => db.repository(Changed).putMany([])],
  ['a model to which its table cannot grow', () => db.ensureTables([Changed])],
  ['a model that differs at the end of a long default, and in one option of a type', () => db.ensureTables([valued(3, 'B')])],
  [
    'a catalog of a newer version',
    () =>
      with_({ describeTable: async (_, inner) => ({ ...(await inner()), indexes: [] }) as never })
        .scan(where)
        .page(),
  ],
  ['a catalog that rowkey did not write', () => with_({ describeTable: async () => ({ schema: {}, values: [] }) as never }).get(key)],
  ['a hint that the store does not know', () => db.ensureTables([hinted({ memory: { size: 1 } })])],
  ['a hint with an invalid value', () => dynamodb(unused).ddl(hinted({ dynamodb: { provisioned: { read: 1 } } }))],
  ['hints that are not an object', () => dynamodb(unused).ddl(hinted({ dynamodb: 'fast' }))],
  ['an unknown hint of a store with hints', () => dynamodb(unused).ddl(hinted({ dynamodb: { provisoned: {} } }))],
  [
    'a store without reverse',
    () =>
      with_({ capabilities: { reverse: false } })
        .scan(where, { reverse: true })
        .page(),
  ],
  ['a store without conditions', () => with_({ capabilities: { conditions: 'none' } })],
  ['an insert of an existing row', () => events.insert(row)],
  ['an update of an absent row', () => events.update({ ...key, host: 'db' }, { note: 'x' })],
  ['a row that must exist', () => events.getOrThrow({ ...key, host: 'db' })],
  ['an update of a key column', () => events.update(key, { host: 'db' } as never)],
  ['an insert into a plain table', () => (orders as unknown as typeof events).insert(row)],
  ['a row with an unknown column', () => events.put({ ...row, nte: 'x' } as never)],
  ['something that is not a row', () => events.put(7 as never)],
  ['a row with a column missing', () => events.put({ ...key } as never)],
  ['a key with a column missing', () => events.get({ host: 'web' } as never)],
  ['a key with a column too many', () => events.get({ ...key, level: 1 } as never)],
  ['a selection of an unknown column', scan(where, { select: ['nte'] })],
  ['a rowkey that is too long', () => events.put({ ...row, host: 'x'.repeat(1000) })],
  ['a column that is too long', () => events.put({ ...row, note: 'x'.repeat(65_536) })],
  ['a column that is far too long', () => events.put({ ...row, note: 'x'.repeat(1_000_000) })],
  ['a row that is too long', () => db.repository(Wide).put(wideRow)],
  ['a partition that is too long for the store', () => small({ partitionBytes: 0 }).put(row)],
  ['a sort key that is too long for the store', () => small({ sortKeyBytes: 3 }).put(row)],
  ['a write with an unknown outcome', () => outcome({ kind: 'unknown', cause }).put(row)],
  ['a write that failed', () => outcome({ kind: 'failed', cause }).delete(key)],
  ['a write that was not tried', () => outcome({ kind: 'unprocessed' }).update(key, { note: 'x' })],
  ['several writes, some of which failed', () => outcome({ kind: 'failed', cause }).putMany([row, row])],
  ['a row that lacks a value', () => with_({ get: () => [rowAt(0).with(4, null)] }).get(key)],
  ['a client that adds a prefix to keys', () => redis(new Redis({ lazyConnect: true, keyPrefix: 'app:' }))],
  ['a server that does not answer', () => redis(unreachable).describeTable('events')],
  ['a store without table definitions', () => db.ddl(Events)],
  ['a store without row addresses', () => (events as unknown as { locate(given: object): Promise<unknown> }).locate(key)],
  ['a get that returns another row', () => with_({ get: () => [rowAt(5)] }).get(key)],
  ['a get that returns too few rows', () => with_({ get: () => [] }).get(key)],
  ['rows out of order', () => pages(page(rowAt(1), rowAt(2)))],
  ['a row outside its slice', () => pages(page(rowAt(1, 'zzz')))],
  ['a last key before its row', () => pages({ rows: [rowAt(1)], examined: 1, last: rowAt(2) })],
  ['a page that does not say how far it examined', () => pages({ rows: [], examined: 1 })],
  ['a scan that binds no first column', scan({ level: 1 })],
  ['a scan that binds no partition', () => orders.scan({ no: { gt: 1 } } as never).page()],
  ['a scan of too many buckets', scan({ host: 'web' }, { maxFanOut: 8 })],
  ['a scan of too many partitions', () => orders.scan({ buyer: { in: ['ann', 'bob', 'eve'] } }, { maxRanges: 2 }).page()],
  ['an order that the key does not have', scan(where, { order: { level: 'asc' } })],
  ['an order that leaves out a column', scan({ host: 'web' }, { order: { at: 'desc' } })],
  ['an order of an unordered column', scan({ host: 'web' }, { order: { kind: 'asc' } })],
  ['an order in an unknown direction', scan(where, { order: { at: 'up' } })],
  ['an order against reverse', scan(where, { order: { at: 'desc' }, reverse: true })],
  ['a limit of 0', scan(where, { limit: 0 })],
  ['more ranges than a plan can have', scan(where, { maxRanges: 100_001 })],
  ['an unknown option', scan(where, { limt: 3 })],
  ['an empty secret', () => createMapper(store, { cursorSecret: '' })],
  [
    'a clock that returns NaN',
    () =>
      createMapper(store, { clock: () => NaN })
        .repository(Events)
        .put(row),
  ],
  ['a scan that examines too much', () => events.scan(where, { maxExamined: 1 }).toArray()],
  ['a scan after its deadline', () => events.scan(where, { deadline: new Date(0) }).count()],
  ['a full scan after its deadline', () => events.fullScan({ deadline: 1 }).count()],
  ['a text that is not a checkpoint', () => events.fullScan({ checkpoint: 'page 2' }).count()],
  [
    'a checkpoint of another table',
    async () => orders.fullScan({ checkpoint: (await events.fullScan().pages().next()).value?.checkpoint }).count(),
  ],
  ['a text that is not a cursor', scan(where, { cursor: 'page 2' })],
  ['a cursor of another version', scan(where, { cursor: `Aw${cursor.slice(2)}` })],
  ['a cursor with a broken key', scan(where, { cursor: cursor.slice(0, -4) })],
  ['a cursor without its signature', () => signed.scan(where, { cursor }).page()],
  ['a cursor of another table', () => orders.scan({ buyer: 'ann' }, { cursor }).page()],
  ['a cursor of another table with the same key', () => createMapper(store).repository(Twin).scan(where, { cursor }).page()],
  ['a cursor of another predicate', scan({ ...where, level: 1 }, { cursor })],
  ['a cursor of the other direction', scan(where, { cursor, reverse: true })],
  ['an undefined predicate', scan(undefined)],
  ['a predicate on an unknown column', scan({ hots: 'web' })],
  ['an unknown operator', scan({ host: { gtt: 'web' } })],
  ['an operator object without operators', scan({ host: {} })],
  ['an undefined operand', scan({ host: undefined })],
  ['a null operand', scan({ host: 'web', note: { gt: null } })],
  ['null for a column that is not nullable', scan({ host: null })],
  ['an operand of another type', scan({ host: 5 })],
  ['an operand that is too long', scan({ host: { startsWith: 'x'.repeat(1001) } })],
  ['an operand that is far too long', scan({ host: 'x'.repeat(1_000_000) })],
  ['in without a list', scan({ host: { in: 'web' } })],
  ['isNull without a boolean', scan({ host: 'web', note: { isNull: 'yes' } })],
  ['startsWith on numbers', scan({ host: 'web', level: { startsWith: '1' } })],
  ['startsWith without text', scan({ host: { startsWith: 5 } })],
  ['a range on unordered bytes', scan({ host: 'web', kind: { gt: 'login' } })],
  ['a comparison of JSON', scan({ host: 'web', data: 'x' })],
]

function small(limits: object) {
  return with_({ capabilities: { limits: { ...store.capabilities.limits, ...limits } } })
}
