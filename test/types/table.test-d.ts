import {
  bool,
  bucket,
  bytes,
  desc,
  dictionary,
  hashPrefix,
  int32,
  int64,
  nullable,
  random,
  reversed,
  text,
  timestamp,
  uuid,
  type ColumnType,
} from 'rowkey/codec'
import {
  defineTable,
  type InferInsert,
  type InferKey,
  type InferPatch,
  type InferRow,
  type InferWhere,
  renameTable,
  schemaFromJSON,
  type TableSchema,
} from 'rowkey'
import type { InferFullWhere, InferWrites } from 'rowkey/internal'
import { same } from './same.js'

// What a repository of the table will take.
declare const key: (key: InferKey<M>) => void
declare const insert: (row: InferInsert<M>) => void
declare const patch: (patch: InferPatch<M>) => void
declare const scan: (where: InferWhere<M>) => void
declare const fullScan: (where: InferFullWhere<M>) => void

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
    shop: dictionary({ taobao: 'tb', tmall: 'tm' }),
    rev: reversed(text()),
    revn: nullable(reversed(int32())),
  },
  key: ['host', 'event', 'at', 'seq'],
  salt: bucket({ of: ['host', 'event'], count: 16 }),
})
type M = typeof LogEvents
same<
  InferRow<M>,
  {
    host: string
    event: string
    at: Date
    seq: bigint
    message: string | null
    level: 'info' | 'warn'
    raw: Uint8Array | null
    ok: boolean
    shop: 'taobao' | 'tmall'
    rev: string
    revn: number | null
  }
>(true)
same<InferKey<M>, { host: string; event: string; at: Date; seq: bigint }>(true)
same<InferWrites<M>, 'conditional'>(true)

// ---- keys
const whole = { host: 'h', event: 'e', at: new Date(), seq: 1n }
key(whole)
// @ts-expect-error part of the key
key({ host: 'h', event: 'e' })
// @ts-expect-error unknown key column
key({ ...whole, hots: 'x' })
// @ts-expect-error wrong type
key({ ...whole, seq: 1 })

// ---- rows
const row = { host: 'h', event: 'e', at: new Date(), level: 'info', ok: true, shop: 'tmall', rev: 'x' } as const
insert(row) // seq is generated, nullable columns may be left out
insert({ ...row, message: null, seq: 4n })
// @ts-expect-error undefined is not null
insert({ ...row, message: undefined })
// @ts-expect-error not a level
insert({ ...row, level: 'warning' })
// @ts-expect-error missing required column
insert({ host: 'h', event: 'e', at: new Date(), level: 'info', ok: true, shop: 'tmall' })
// @ts-expect-error unknown column
insert({ ...row, mesage: 'x' })
// @ts-expect-error null in a required column
insert({ ...row, rev: null })

patch({ message: 'x', level: 'warn' })
// @ts-expect-error a key column cannot be patched
patch({ host: 'x' })
// @ts-expect-error unknown column
patch({ mesage: 'x' })
// @ts-expect-error wrong type
patch({ ok: 'yes' })

// ---- predicates
const d = new Date()
scan({ host: 'h', event: { in: ['a', 'b'] }, at: { gte: d, lt: d }, message: { isNull: true } })
scan({ host: { startsWith: 'web-' } })
scan({ host: { gte: 'a' } })
scan({ host: 'h', event: { gt: 'a', lte: 'b' }, seq: { in: [1n] }, message: null, revn: { isNull: false } })
scan({
  host: 'h',
  shop: 'tmall',
  rev: { in: ['a'] },
  level: { in: ['info'] },
  message: { startsWith: 'x' },
  raw: { gt: new Uint8Array(1) },
})
fullScan({ message: { startsWith: 'x' } })
fullScan({})
// @ts-expect-error the first column is not bound
scan({ message: { startsWith: 'x' } })
// @ts-expect-error the first column is not bound
scan({})
// @ts-expect-error a later column does not bind the first
scan({ event: 'login' })
// @ts-expect-error unknown column
fullScan({ hots: 'h' })
// @ts-expect-error unknown column
scan({ host: 'h', hots: 'h' })
// @ts-expect-error wrong value
scan({ host: 5 })
// @ts-expect-error bigint column
scan({ host: 'h', seq: { gt: 5 } })
// @ts-expect-error Date column
scan({ host: 'h', at: { gte: '2026' } })
// @ts-expect-error startsWith is for text
scan({ host: 'h', at: { startsWith: '2026' } })
// @ts-expect-error startsWith is for text
scan({ host: 'h', seq: { startsWith: '2' } })
// @ts-expect-error not nullable
scan({ host: { isNull: true } })
// @ts-expect-error not nullable
scan({ host: null })
// @ts-expect-error null is not found by in
scan({ host: 'h', message: { in: [null] } })
// @ts-expect-error range on a dictionary column
scan({ host: 'h', shop: { gt: 'taobao' } })
// @ts-expect-error range on a reversed column
scan({ host: 'h', rev: { gte: 'a' } })
// @ts-expect-error startsWith on a reversed column
scan({ host: 'h', rev: { startsWith: 'a' } })
// @ts-expect-error range on a nullable reversed column
scan({ host: 'h', revn: { lt: 4 } })
// @ts-expect-error misspelt operator
scan({ host: { gtt: 'a' } })
// @ts-expect-error in takes a list
scan({ host: { in: 'a' } })
// @ts-expect-error a list needs in
scan({ host: ['a'] })
// @ts-expect-error undefined would widen the scan silently
scan({ host: undefined })
// @ts-expect-error undefined would widen the scan silently
scan({ host: 'h', at: { gte: undefined } })
// @ts-expect-error not in the dictionary
scan({ host: 'h', shop: 'jd' })
// @ts-expect-error not a level
scan({ host: 'h', level: { in: ['x'] } })

// ---- partition columns must be bound, by = or in
const Orders = defineTable('orders', {
  columns: { no: uuid(), placedAt: desc(timestamp('ms')), buyer: text(), total: nullable(int64()) },
  partition: ['buyer'],
  key: ['placedAt', 'no'],
  salt: hashPrefix({ of: 'buyer', digits: 4 }),
  writes: 'plain',
})
declare const orders: (where: InferWhere<typeof Orders>) => void
declare const allOrders: (where: InferFullWhere<typeof Orders>) => void
same<InferKey<typeof Orders>, { no: string; placedAt: Date; buyer: string }>(true)
same<InferPatch<typeof Orders>, { total?: bigint | null | undefined }>(true)
same<InferWrites<typeof Orders>, 'plain'>(true)
orders({ buyer: 'b', placedAt: { gt: d } })
orders({ buyer: { in: ['b', 'c'] } })
// @ts-expect-error partition column missing
orders({ placedAt: { gt: d } })
// @ts-expect-error partition column missing, which a full scan does not lift
allOrders({ placedAt: { gt: d } })
// @ts-expect-error partition column bound by a range
orders({ buyer: { startsWith: 'x' } })
// @ts-expect-error an empty condition binds nothing
orders({ buyer: {} })

// ---- definitions
const twoSalts = [bucket({ of: 'a', count: 4 }), hashPrefix({ of: 'b' })]
defineTable('abc', { columns: { a: text(), b: text() }, partition: ['b'], key: ['a'], salt: twoSalts })
// @ts-expect-error no such column for the partition
defineTable('abc', { columns: { a: text() }, partition: ['b'], key: ['a'] })
// @ts-expect-error no such column for the key
defineTable('abc', { columns: { a: text() }, key: ['a', 'b'] })
// @ts-expect-error a column is partition or key, not both
defineTable('abc', { columns: { a: text(), b: text() }, partition: ['a'], key: ['a', 'b'] })
// @ts-expect-error a key has a column
defineTable('abc', { columns: { a: text() }, key: [] })
// @ts-expect-error also after a partition without columns
defineTable('abc', { columns: { a: text() }, partition: [], key: [] })
const ById = defineTable('abc', { columns: { a: text(), b: text(), c: int32() }, partition: ['a', 'b'], key: [] })
same<InferKey<typeof ById>, { a: string; b: string }>(true)
same<InferPatch<typeof ById>, { c?: number | undefined }>(true)
// @ts-expect-error all of the id is needed
const _someOfId: InferWhere<typeof ById> = { a: 'x' }
// @ts-expect-error salt over an unknown column
defineTable('abc', { columns: { a: text() }, key: ['a'], salt: bucket({ of: 'b', count: 4 }) })
// @ts-expect-error salt over a column that is not in the key
defineTable('abc', { columns: { a: text(), b: text() }, key: ['a'], salt: bucket({ of: 'b', count: 4 }) })
// @ts-expect-error in a list of salts
defineTable('abc', { columns: { a: text(), b: text() }, key: ['a'], salt: [bucket({ of: 'a', count: 4 }), hashPrefix({ of: 'b' })] })
// @ts-expect-error unknown property
defineTable('abc', { columns: { a: text() }, key: ['a'], clumns: { b: text() } })
// @ts-expect-error a key is needed
defineTable('abc', { columns: { b: text() } })
// @ts-expect-error columns are needed
defineTable('abc', { key: ['a'] })
// @ts-expect-error not a column type
defineTable('abc', { columns: { a: 'text' }, key: ['a'] })
// @ts-expect-error not a way to write
defineTable('abc', { columns: { a: text() }, key: ['a'], writes: 'fast' })

// ---- names that are only known at run time
const someColumns: Record<string, ColumnType> = {}
const someNames: [string, ...string[]] = ['a']
const Dynamic: TableSchema = defineTable('abc', { columns: someColumns, partition: [...someNames], key: someNames })
same<InferRow<typeof Dynamic>, Record<string, unknown>>(true)

// ---- a version is read, may be left out of rows, and is neither patched nor asked for
const Stocks = defineTable('stocks', { columns: { sku: text(), count: int32() }, key: ['sku'], version: 'rev', ttl: '90m' })
type S = typeof Stocks
declare const stock: (row: InferInsert<S>) => void
declare const stockPatch: (row: InferPatch<S>) => void
declare const stocks: (where: InferWhere<S>) => void
same<InferRow<S>, { sku: string; count: number; rev: string | null }>(true)
same<InferInsert<S>, { sku: string; count: number; rev?: string | null }>(true)
same<InferKey<S>, { sku: string }>(true)
same<InferPatch<S>, { count?: number | undefined }>(true)
stock({ sku: 'x', count: 1, rev: null })
// @ts-expect-error the version is the core's
stockPatch({ rev: 'x' })
// @ts-expect-error no predicate on versions
stocks({ sku: 'x', rev: 'x' })
// @ts-expect-error no unit of that name
defineTable('abc', { columns: { a: text() }, key: ['a'], ttl: '30y' })
// @ts-expect-error checks of an unknown column
defineTable('abc', { columns: { a: text() }, key: ['a'], checks: { b: [] } })
export const anyStock: TableSchema = Stocks

// ---- a table of keys only
const Bare = defineTable('bare', { columns: { a: text() }, key: ['a'] })
declare const bareInsert: (row: InferInsert<typeof Bare>) => void
declare const barePatch: (row: InferPatch<typeof Bare>) => void
same<InferRow<typeof Bare>, { a: string }>(true)
bareInsert({ a: 'x' })
// @ts-expect-error no such column
bareInsert({ a: 'x', b: 1 })
// @ts-expect-error nothing to patch
barePatch({ a: 'y' })

// ---- schemas that the compiler does not know
const anySchema: TableSchema = LogEvents
const read = schemaFromJSON(anySchema.toJSON())
same<typeof read, TableSchema>(true)
same<InferRow<typeof read>['host'], unknown>(true)
const renamed = renameTable(LogEvents, 'dev_log_events')
same<typeof renamed, typeof LogEvents>(true)
