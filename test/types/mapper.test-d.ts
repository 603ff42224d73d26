import {
  Column,
  copyTable,
  createMapper,
  defineTable,
  equals,
  type ReadAll,
  defined,
  type InferAmounts,
  type InferKey,
  type InferRow,
  KeyColumn,
  memory,
  type PlainRepository,
  type Repository,
  RowKey,
  type Scan,
  Table,
  type TableSchema,
} from 'rowkey'
import type { TableDigest } from 'rowkey/internal'
import {
  bool,
  bucket,
  bytes,
  decimal,
  desc,
  dictionary,
  int32,
  int64,
  json,
  nullable,
  random,
  reversed,
  text,
  timestamp,
  uuid,
} from 'rowkey/codec'
import { same } from './same.js'

const LogEvents = defineTable('log_events', {
  columns: {
    host: text(),
    event: text(),
    at: desc(timestamp('ms')),
    seq: int64({ default: random(100) }),
    message: nullable(text()),
    level: text<'info' | 'warn'>(),
    raw: nullable(bytes()),
    ok: bool(),
  },
  key: ['host', 'event', 'at', 'seq'],
  salt: bucket({ of: ['host', 'event'], count: 16 }),
})
type M = typeof LogEvents
type LogRow = InferRow<M>

const store = memory()
const db = createMapper(store, { prefix: 'dev_' })
const logs = db.repository(LogEvents)
same<typeof db.adapter, typeof store>(true)
same<typeof logs, Repository<M>>(true)
// @ts-expect-error not a model
db.repository({ name: 'log_events' })
// @ts-expect-error an instance is no model
db.repository(new Date())
// @ts-expect-error unknown option
createMapper(memory(), { prefx: 'dev_' })
await db.ensureTables([LogEvents])
await db.ensureTables([LogEvents] as const)

// ---- versions, expiry, operations
const Stocks = defineTable('stocks', { columns: { sku: text(), count: int64() }, key: ['sku'], version: 'rev', ttl: '30d' })
const stocks = db.repository(Stocks)
const stocked = await stocks.put({ sku: 'a', count: 1n }, { expires: '2h', if: { rev: 'x' } })
same<typeof stocked.version, string | undefined>(true)
void stocks.update({ sku: 'a' }, { count: 1n }, { if: { rev: null, count: { gt: 0n } }, timeout: '1s' })
void stocks.delete({ sku: 'a' }, { if: { rev: equals('x') } })
// @ts-expect-error a version can only be equal
void stocks.delete({ sku: 'a' }, { if: { rev: { in: ['x'] } } })
// @ts-expect-error no such column
void stocks.delete({ sku: 'a' }, { if: { ver: 'x' } })
void stocks.insert({ sku: 'a', count: 1n }, { expires: null })
void stocks.modify({ sku: 'a' }, ({ count, rev }) => (rev === null ? undefined : { count: count - 1n }))
void stocks.modify({ sku: 'a' }, async () => ({ count: 1n }), { attempts: 3 })
void stocks.putMany([{ sku: 'a', count: 1n }], { concurrency: 2, onProgress: ({ rows }) => rows })
const { results } = await db.write([stocks.ops.insert({ sku: 'a', count: 1n })])
same<(typeof results)[number]['version'], string | undefined>(true)
void db.write([stocks.ops.insert({ sku: 'a', count: 1n }), stocks.ops.update({ sku: 'a' }, { count: 2n }, { if: { rev: 'x' } })], {
  atomic: true,
})
void stocks.increment({ sku: 'a' }, { count: 1n }, { create: true })
const Prices = defineTable('prices', {
  columns: { sku: text(), eur: decimal(9, 2), note: nullable(text()), hits: nullable(int64()) },
  key: ['sku'],
})
const prices = db.repository(Prices)
void prices.increment({ sku: 'a' }, { eur: '1.50', hits: 1n }, { create: { note: 'new' } })
// @ts-expect-error nothing can be added to text
void prices.increment({ sku: 'a' }, { note: '1' })
// @ts-expect-error nor to a key
void prices.increment({ sku: 'a' }, { sku: '1' })
// @ts-expect-error a row has the key of its increment
void prices.increment({ sku: 'a' }, { hits: 1n }, { create: { sku: 'b' } })
const Kinds = defineTable('kinds', {
  columns: {
    id: text(),
    small: int32<1 | 2>(),
    down: desc(int64({ as: 'number' })),
    sum: nullable(decimal(9, 2, { default: '1.00' })),
    state: text<'open' | 'closed'>(),
    size: dictionary({ s: '1', m: '2' }),
    back: reversed(text()),
    data: json<number>(),
    at: timestamp('ms'),
    ok: bool(),
    raw: bytes(),
  },
  key: ['id'],
  version: 'rev',
})
same<InferAmounts<typeof Kinds>, { small?: number | undefined; down?: number | undefined; sum?: string | undefined }>(true)
void db.repository(Kinds).ops.increment({ id: 'a' }, { small: -1, down: 5, sum: '-0.50' }, { create: { state: 'open', sum: undefined } })
// @ts-expect-error the version is no value for a new row
void db.repository(Kinds).ops.increment({ id: 'a' }, { small: -1 }, { create: { rev: 'x' } })
class Account {
  declare [RowKey]?: {
    key: ['id']
    value: 'hits' | 'wide' | 'sum' | 'state' | 'both' | 'ok' | 'at'
    version: 'rev'
    other: 'label'
  }
  id!: string
  hits!: 0 | 1
  wide!: bigint | null
  sum!: string
  state!: 'open' | 'closed'
  both!: number | string
  ok!: boolean
  at!: Date
  rev!: string | null
  get label(): string {
    return this.id
  }
}
// A class does not say whether text is a decimal.
same<InferAmounts<typeof Account>, { hits?: number | undefined; wide?: bigint | undefined; sum?: string | undefined }>(true)
declare const accounts: Repository<Account>
void accounts.increment({ id: 'a' }, { hits: -1, sum: '0.50' }, { create: { state: 'open' } })
// @ts-expect-error a row has the key of its increment
void accounts.increment({ id: 'a' }, { hits: 1 }, { create: { id: 'b' } })
// @ts-expect-error not a column
void accounts.increment({ id: 'a' }, { label: 'x' })
// @ts-expect-error text of a few values is no decimal
void accounts.increment({ id: 'a' }, { state: 'open' })
// @ts-expect-error insert looks for the absence of a row, not at its version
void stocks.insert({ sku: 'a', count: 1n }, { if: { rev: 'x' } })
// @ts-expect-error not a duration
void stocks.put({ sku: 'a', count: 1n }, { expires: 'soon' })
// @ts-expect-error a condition that is undefined
void stocks.delete({ sku: 'a' }, { if: { rev: undefined } })
// @ts-expect-error the version is no column to change
void stocks.modify({ sku: 'a' }, () => ({ rev: 'x' }))
// @ts-expect-error not a row
void stocks.ops.put({ sku: 'a' })
const Plain = defineTable('plain', { columns: { sku: text() }, key: ['sku'], writes: 'plain' })
const plain = db.repository(Plain)
void db.write([plain.ops.put({ sku: 'a' }), plain.ops.delete({ sku: 'a' })])
same<'insert' extends keyof typeof plain.ops ? true : false, false>(true)
same<'modify' extends keyof typeof plain ? true : false, false>(true)

// ---- reads by key
const key: InferKey<M> = { host: 'h', event: 'e', at: new Date(), seq: 1n }
const row = await logs.get(key)
same<typeof row, LogRow | undefined>(true)
const certain = await logs.getOrThrow(key)
same<typeof certain, LogRow>(true)
const many = await logs.getMany([key, key] as const)
same<typeof many, (LogRow | undefined)[]>(true)
const there = await logs.exists(key, { consistency: 'eventual' })
same<typeof there, boolean>(true)
// @ts-expect-error part of the key
void logs.get({ host: 'h', event: 'e' })
// @ts-expect-error unknown key column
void logs.get({ ...key, hots: 'x' })
// @ts-expect-error wrong type
void logs.get({ ...key, seq: 1 })
// @ts-expect-error one of the keys is not whole
void logs.getMany([key, { host: 'h' }])
// @ts-expect-error not a consistency
void logs.get(key, { consistency: 'weak' })
same<ReturnType<typeof logs.encodeKey>, Uint8Array>(true)
same<ReturnType<typeof logs.decodeKey>, { host: string; event: string; at: Date; seq: bigint }>(true)

// ---- writes
const whole = { host: 'h', event: 'e', at: new Date(), level: 'info', ok: true } as const
const written = await logs.insert(whole) // seq is generated, nullable columns may be left out
same<typeof written.key, InferKey<M>>(true)
void logs.put({ ...whole, message: null, seq: 4n })
void logs.putMany([whole, { ...whole, raw: new Uint8Array() }])
// @ts-expect-error undefined is not null
void logs.insert({ ...whole, message: undefined })
// @ts-expect-error not a level
void logs.insert({ ...whole, level: 'warning' })
// @ts-expect-error missing required column
void logs.put({ host: 'h', event: 'e', at: new Date(), level: 'info' })
// @ts-expect-error unknown column
void logs.put({ ...whole, mesage: 'x' })
// @ts-expect-error null in a required column
void logs.putMany([{ ...whole, ok: null }])
void logs.update(key, { message: 'x', level: 'warn' })
void logs.update(key, {})
// @ts-expect-error a key column cannot be patched
void logs.update(key, { host: 'x' })
// @ts-expect-error unknown column
void logs.update(key, { mesage: 'x' })
// @ts-expect-error wrong type
void logs.update(key, { ok: 'yes' })
void logs.update(key, { message: undefined })
void logs.delete(await logs.getOrThrow(key))
void logs.update({ ...(await logs.getOrThrow(key)) }, {})
// @ts-expect-error a key that is written down has the key columns alone
void stocks.delete({ sku: 'a', count: 1n })
// @ts-expect-error neither a key nor a whole row
void logs.delete({ ...key, message: 'x' })
// @ts-expect-error a row with columns left out
void logs.delete(whole)
same<ReturnType<typeof logs.keyOf>, InferKey<M>>(true)

// ---- scans
for await (const each of logs.scan({ host: 'h' })) same<typeof each, LogRow>(true)
const page = await logs.scan({ host: 'h' }, { order: 'reverse' }).page({ size: 3 })
same<typeof page.rows, LogRow[]>(true)
const all = await logs.scan({ host: 'h' }, { order: { at: 'desc' }, filter: ({ level }) => level === 'warn' }).toArray()
same<typeof all, LogRow[]>(true)
same<Awaited<ReturnType<Scan<LogRow>['count']>>, number>(true)
// Paging: the cursor of a page as it is, absent or not.
void logs.scan({ host: 'h' }).page({ size: 3, cursor: page.cursor })
void logs.scan({ host: 'h' }).page({ size: 3, cursor: page.previous })
// @ts-expect-error a cursor belongs to a page
void logs.scan({ host: 'h' }, { cursor: page.cursor })
// @ts-expect-error the size of a page is not the limit of a scan
void logs.scan({ host: 'h' }).page({ limit: 3 })
same<Awaited<ReturnType<ReturnType<typeof logs.scan>['cursorOf']>>, string>(true)
void logs.scan({ host: 'h' }).cursorOf(key)
// @ts-expect-error not a whole key
void logs.scan({ host: 'h' }).cursorOf({ host: 'h' })
export const unannotated: Scan<LogRow> = logs.scan({ host: 'h' })
// Bounds: a row, a key, or its first columns.
void logs.scan({ host: 'h' }, { from: { at: new Date(0) }, before: key })
void logs.scan({ host: 'h' }, { after: await logs.getOrThrow(key), to: undefined })
// @ts-expect-error not a key column
void logs.scan({ host: 'h' }, { from: { message: 'x' } })
// What may be absent.
const from = new Date(0) as Date | undefined
const host = 'h' as string | undefined
void logs.scan(defined({ host: 'h', at: { gte: from, lt: from }, level: 'warn', message: undefined as string | null | undefined }))
// @ts-expect-error the first column may be absent
void logs.scan(defined({ host }))
// @ts-expect-error the first column may be absent
void logs.scan(defined({ host: { gte: host, lt: host } }))
void logs.scan(defined({ host: { gte: 'a', lt: host } }))
void logs.scan(defined({ host }), { unbounded: true })
// @ts-expect-error the end of a range is of another type
void logs.scan(defined({ host: 'h', at: { gte: 5 } }))

const selected = logs.scan({ host: 'h' }, { select: ['at', 'message'] })
same<typeof selected, Scan<Pick<LogRow, 'at' | 'message'>, InferKey<M>>>(true)
void logs.scan({ host: 'h' }, { select: ['at'] as const, filter: ({ at }) => at > new Date(0) })
// @ts-expect-error the filter sees what is selected
void logs.scan({ host: 'h' }, { select: ['at'], filter: ({ message }) => message === null })
// @ts-expect-error not a column
void logs.scan({ host: 'h' }, { select: ['att'] })
// @ts-expect-error unknown option
void logs.scan({ host: 'h' }, { limt: 3 })
// @ts-expect-error a direction is asc or desc
void logs.scan({ host: 'h' }, { order: { at: 'down' } })
// @ts-expect-error nor is it a word of its own
void logs.scan({ host: 'h' }, { order: 'desc' })
// @ts-expect-error rows have no order by a value column
void logs.scan({ host: 'h' }, { order: { message: 'asc' } })
// @ts-expect-error not in a page of some columns either
void logs.scan({ host: 'h' }, { order: { level: 'desc' }, select: ['at'] })
// @ts-expect-error nor without a first column
void logs.scan({}, { order: { ok: 'desc' }, unbounded: true })
// @ts-expect-error there is one word for the direction
void logs.scan({ host: 'h' }, { reverse: true })

// @ts-expect-error the first column is not bound
void logs.scan({ event: 'login' })
// @ts-expect-error nothing is bound
void logs.scan({})
// @ts-expect-error the first column is not bound, and it is not unbounded
void logs.scan({ event: 'login' }, { unbounded: false })
void logs.scan({ event: 'login' }, { unbounded: true })
void logs.scan({}, { unbounded: true, limit: 10 })
const loose = logs.scan({ message: { startsWith: 'x' } }, { unbounded: true, select: ['seq'] })
same<typeof loose, Scan<{ seq: bigint }, InferKey<M>>>(true)
// @ts-expect-error unknown column, also in an unbounded scan
void logs.scan({ hots: 'h' }, { unbounded: true })
// @ts-expect-error undefined would widen the scan silently
void logs.scan({ host: 'h', at: { gte: undefined } })

// ---- whole tables and their parts
const everything = logs.readAll()
same<typeof everything, ReadAll<LogRow>>(true)
const ofHosts = logs.readAll({ select: ['host'], filter: ({ host }) => host !== 'x', parallel: 4 })
same<typeof ofHosts, ReadAll<{ host: string }>>(true)
for await (const { rows, checkpoint, stats } of ofHosts.pages()) {
  same<typeof rows, { host: string }[]>(true)
  same<typeof checkpoint, string>(true)
  same<[typeof stats.examined, typeof stats.sent], [number, number]>(true)
}
for await (const row of ofHosts) same<typeof row, { host: string }>(true)
// A part is a checkpoint; one that was not saved yet is none.
const [part] = await logs.parts(8, { deadline: new Date() })
same<typeof part, string | undefined>(true)
void logs.readAll({ checkpoint: part })
// @ts-expect-error the filter sees what is selected
void logs.readAll({ select: ['host'], filter: ({ message }) => message === null })
// @ts-expect-error not a column
void logs.readAll({ select: ['hots'] })
// @ts-expect-error it has no order
void logs.readAll({ order: 'reverse' })
// @ts-expect-error nor a predicate
void logs.readAll({ host: 'h' })
// @ts-expect-error a number of parts is required
void logs.parts()
// @ts-expect-error which is a number
void logs.parts('8')
// @ts-expect-error a list of parts is no checkpoint
void logs.readAll({ checkpoint: await logs.parts(2) })

// ---- values from outside, of any type that they are said to have
type Parsed = ReturnType<typeof JSON.parse>
declare const body: { any: Parsed; unknown: unknown; text: string; query: string | string[] | Record<string, unknown> | undefined }
void logs.scan({ host: equals(body.any) })
void logs.scan({ host: equals(body.unknown), event: equals(body.query), at: { gte: new Date() } })
void logs.scan({ host: equals(body.text), level: equals(body.text), raw: equals(body.any), ok: equals(body.any) })
void logs.scan({ message: equals(body.unknown) }, { unbounded: true })
// @ts-expect-error without it they do not fit
void logs.scan({ host: body.unknown })
// @ts-expect-error without it they do not fit
void logs.scan({ host: body.query })
// @ts-expect-error it is a condition, no operand
void logs.scan({ host: { gte: equals(body.any) } })
// @ts-expect-error nor one of a list
void logs.scan({ host: { in: [equals(body.any)] } })
// @ts-expect-error nor a value of a key
void logs.get({ ...key, host: equals(body.any) })
// @ts-expect-error nor of a row
void logs.put({ ...whole, host: equals(body.any) })
// @ts-expect-error a column is unknown whatever it is compared with
void logs.scan({ hots: equals(body.any) }, { unbounded: true })

// ---- partition columns and plain tables
const Orders = defineTable('orders', {
  columns: { buyer: text(), placedAt: desc(timestamp('ms')), no: uuid(), total: nullable(int64()) },
  partition: ['buyer'],
  key: ['placedAt', 'no'],
  writes: 'plain',
})
const orders = db.repository(Orders)
void orders.scan({ buyer: 'b', placedAt: { gt: new Date() } })
void orders.scan({ buyer: equals(body.unknown), total: equals(body.any) })
void orders.put({ buyer: 'b', placedAt: new Date(), no: 'x' })
void orders.deleteMany([{ buyer: 'b', placedAt: new Date(), no: 'x' }])
// @ts-expect-error partition column missing
void orders.scan({ placedAt: { gt: new Date() } })
// @ts-expect-error which a full scan does not lift
void orders.scan({ placedAt: { gt: new Date() } }, { unbounded: true })
// A plain table has neither; a conditional one has both.
type Conditional<R> = Extract<keyof R, 'insert' | 'update'>
same<Conditional<typeof orders>, never>(true)
same<Conditional<typeof logs>, 'insert' | 'update'>(true)
same<typeof orders, PlainRepository<typeof Orders>>(true)

// ---- classes
@Table('readings')
class Reading {
  declare [RowKey]?: 'id' | 'at'
  @KeyColumn(1, text()) id!: string
  @KeyColumn(2, timestamp('ms')) at!: Date
  @Column(nullable(int64())) value!: bigint | null
  label(): string {
    return this.id
  }
}
const readings = db.repository(Reading)
same<typeof readings, Repository<Reading>>(true)
const reading = await readings.getOrThrow({ id: 'a', at: new Date() })
same<typeof reading, Reading>(true)
reading.label()
void readings.scan({ id: equals(body.unknown), value: equals(body.query) })
void readings.insert(new Reading())
void readings.insert({ id: 'a', at: new Date() })
void readings.update({ id: 'a', at: new Date() }, { value: null })
const values = readings.scan({ id: 'a' }, { select: ['value'] })
same<typeof values, Scan<Pick<Reading, 'value'>, InferKey<Reading>>>(true)
// @ts-expect-error not the full key
void readings.get({ id: 'a' })
// @ts-expect-error key column
void readings.update({ id: 'a', at: new Date() }, { id: 'b' })
void readings.scan({ id: 'a' }, { order: { at: 'desc' } })
// @ts-expect-error rows have no order by a value column
void readings.scan({ id: 'a' }, { order: { value: 'asc' } })
// @ts-expect-error methods are no columns
void readings.scan({ label: 'a' })

@Table('no_marker')
class NoMarker {
  @KeyColumn(1, text()) a!: string
  @Column(text()) b!: string
}
const free = db.repository(NoMarker)
void free.get({ a: 'x' })
void free.update({ a: 'x' }, { b: 'y' })
// @ts-expect-error unknown column
void free.get({ c: 'x' })

// ---- a table of keys only, and one that is known at run time only
const bare = db.repository(defineTable('bare', { columns: { a: text() }, key: ['a'] }))
void bare.put({ a: 'x' })
// @ts-expect-error no such column
void bare.put({ a: 'x', b: 1 })
// @ts-expect-error nothing to patch
void bare.update({ a: 'x' }, { a: 'y' })
declare const anySchema: TableSchema
const dynamic = db.repository(anySchema)
void dynamic.update({ a: 'x' }, { b: 1 })
void dynamic.scan({ a: { gt: 1 } })
void dynamic.scan({ a: equals(body.unknown) })

// ---- copies
const Wider = defineTable('wider', { columns: { sku: text(), count: int64(), note: nullable(text()) }, key: ['count', 'sku'] })
const Required = defineTable('required', { columns: { sku: text(), count: int64(), note: text() }, key: ['sku'] })
const [wider, required] = [db.repository(Wider), db.repository(Required)]
// The version that reads return is ignored, and columns that may be left out are.
const copied = await copyTable(stocks, wider)
same<typeof copied.rows, number>(true)
void copyTable(stocks, required, { map: (row) => ({ sku: row.sku, count: row.count, note: row.rev ?? '' }) })
void copyTable(stocks, required, { map: ({ sku, count }) => (count > 0n ? { sku, count, note: '' } : undefined), parallel: 4 })
// @ts-expect-error a required column is missing, so map is needed
void copyTable(stocks, required)
// @ts-expect-error map is needed
void copyTable(stocks, required, { parallel: 4 })
// @ts-expect-error map leaves out a required column
void copyTable(stocks, required, { map: ({ sku, count }) => ({ sku, count }) })
// @ts-expect-error not a column of the source
void copyTable(stocks, wider, { map: (row) => ({ sku: row.name, count: 1n }) })
// @ts-expect-error an unknown option
void copyTable(stocks, wider, { fast: true })
// @ts-expect-error a mapper is no repository
void copyTable(db, wider)
// The digest of a verification is absent if there was none.
same<typeof copied.verified, TableDigest | undefined>(true)
void copyTable(stocks, wider, { checkpoint: part, onProgress: ({ rows, checkpoint }) => [rows.toFixed(), checkpoint.trim()] })
// @ts-expect-error map cannot be async
void copyTable(stocks, wider, { map: async ({ sku, count }) => Promise.resolve({ sku, count }) })
// @ts-expect-error progress has rows and a checkpoint
void copyTable(stocks, wider, { onProgress: ({ percent }) => undefined })
