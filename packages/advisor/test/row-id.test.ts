import { bucket, date, defineTable, int64, text, timestamp, uint32, ulid, uuid, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, sampleStats, type Finding, type AdviceOptions, type QueryShape } from '../src/index.js'
import { found, scattered, statsOf, table } from './judging.js'

// Which column tells rows apart by itself: equal-keys is silent then, and many-key-columns warns of what follows it.

const at = timestamp('ms')
type Columns = Parameters<typeof defineTable>[1]['columns']
const declared = (name: string, columns: Columns, partition: number): TableSchema => {
  const names = Object.keys(columns)
  return defineTable(name, {
    columns,
    ...(partition === 0 ? {} : { partition: names.slice(0, partition) }),
    key: names.slice(partition),
  } as never)
}
const equalKeys = (schema: TableSchema, options: AdviceOptions = {}): Finding | undefined =>
  advise([schema], options).findings.find(({ code }) => code === 'equal-keys')

test.each([
  // The id of the row itself: two rows of one moment differ in it.
  ['orders', { order_id: uuid(), at }, false],
  ['orders', { orderId: ulid(), at }, false],
  ['orders', { orderid: int64(), at }, false],
  ['shop_orders', { user: text(), order_id: text(), at }, false],
  ['orders_by_user', { user_id: uuid(), order_id: uuid(), at }, false],
  ['deliveries', { delivery_id: uuid({ order: 'time' }), day: date() }, false],
  ['addresses', { address_id: uuid(), at }, false],
  ['anything', { id: uuid(), at }, false],
  ['anything', { uuid: uuid({ order: 'time' }), at }, false],
  ['visits', { user_id: uuid({ default: 'uuid' }), at }, false],
  // The id of something else, which has many rows.
  ['orders', { user_id: uuid(), at }, true],
  ['orders', { user: ulid(), at }, true],
  ['order_events', { order_id: uuid(), at }, true],
  ['order_status', { orderId: uuid(), at }, true],
  ['readings', { device_id: uuid({ order: 'time' }), at }, true],
  ['readings', { id: uint32(), at }, true],
  ['paid', { paid: text(), at }, true],
] as const)('in %s the key %j may have equal rows: %j', (name, columns, isFound) => {
  for (const partition of [0, 1]) expect(equalKeys(declared(name, columns, partition)) !== undefined).toBe(isFound)
})

test('the evidence says that an id comes again', () => {
  expect(equalKeys(declared('visits', { user_id: uuid(), at }, 1))?.evidence).toBe(
    "1 row for each value of the other key columns and ms of 'at'; 'user_id' is an id that by its name may come again",
  )
  expect(equalKeys(declared('visits', { host: text(), at }, 1))?.evidence).toBe(
    "1 row for each value of the other key columns and ms of 'at'",
  )
})

test.each([
  ['all of it', { id: '=' }, {}, false],
  ['a row', { id: '=', at: '=' }, {}, false],
  ['a range of it', { id: '=', at: ['gte', 'lt'] }, {}, true],
  ['its newest', { id: '=' }, { order: { at: 'desc' } }, true],
  ['some of it', { id: '=' }, { limit: 10 }, true],
  ['one of it', { id: '=' }, { limit: 1 }, false],
] as const)('whether an id comes again of which queries read %s', (_, where, more, isFound) => {
  const queries = [{ table: 'readings', where, ...more } as QueryShape]
  expect(equalKeys(declared('readings', { id: uuid(), at }, 1), { queries }) !== undefined).toBe(isFound)
})

test('a sample decides, if it is large enough: what it has twice is no id of a row', () => {
  const Orders = declared('orders', { order_id: text(), at }, 0)
  const stats = (rows: number, isTwice: boolean): AdviceOptions => ({
    stats: [
      sampleStats(
        Orders,
        Array.from({ length: rows }, (_, i) => ({ order_id: `o${isTwice ? i >> 1 : i}`, at: new Date(scattered(i)) })),
      ),
    ],
  })
  expect(equalKeys(Orders, stats(99, true))).toBeUndefined() // it says too little, and the name decides
  expect(equalKeys(Orders, stats(100, true))).toBeUndefined() // no key is there twice
  const Visits = declared('visits', { user_id: uuid(), at }, 0)
  const few = [sampleStats(Visits, [{ user_id: '00000000-0000-4000-8000-000000000000', at: new Date(0) }])]
  expect(equalKeys(Visits, { stats: few })?.severity).toBe('info') // one row says nothing
})

const manyKeys = (columns: Columns, where: QueryShape['where'], more: AdviceOptions = {}, rest: object = {}): Finding | undefined =>
  advise([table(columns, Object.keys(columns), rest)], { queries: [{ table: 'rows', where }], ...more }).findings.find(
    ({ code }) => code === 'many-key-columns',
  )

test('many-key-columns: what comes after the id of the row and in no query is useless', () => {
  const columns = { tenant: text(), id: uuid({ default: 'uuid' }), kind: text(), note: text() }
  const finding = manyKeys(columns, { tenant: '=' })
  expect([finding?.severity, finding?.fix]).toEqual(['warning', "Make 'kind', 'note' value columns, unless 'id' comes again."])
  expect(finding?.evidence).toBe("4 key columns, 16 bytes and 3 of variable length; 2 in no query and after 'id'")
  expect(manyKeys(columns, { tenant: '=', id: '=', kind: '=' })?.fix).toBe("Make 'note' value columns, unless 'id' comes again.")
  expect(manyKeys(columns, { tenant: '=', id: '=', kind: '=', note: ['gte', 'lt'] })?.severity).toBe('info')
})

test('many-key-columns: an id that a sample has twice is not the id of a row', () => {
  const columns = { tenant: text(), id: text(), kind: text(), note: text() }
  const schema = table({ ...columns, id: uuid() }, Object.keys(columns))
  const severity = (times: number): string | undefined => {
    const id = (i: number): string =>
      `${scattered(Math.floor(i / times))
        .toString(16)
        .padStart(8, '0')}-0000-4000-8000-000000000000`
    const stats = statsOf(schema, (i) => ({ tenant: 'a', id: id(i), kind: `k${i}`, note: '' }))
    return found(schema, 'many-key-columns', { stats, queries: [{ table: 'rows', where: { tenant: '=' } }] })?.severity
  }
  expect([severity(1), severity(2)]).toEqual(['warning', 'info'])
})

test('many-key-columns: what may tell rows apart is an info', () => {
  const columns = { tenant: text(), day: date(), at, host: text(), seq: uint32() }
  const finding = manyKeys(columns, { tenant: '=', day: '=', at: ['gte', 'lt'] })
  expect([finding?.severity, finding?.fix]).toEqual(['info', "Make those of 'host', 'seq' value columns without which keys are unique."])
  expect(finding?.evidence).toContain('; 2 in no query')
  // One may be there to make keys unique, and what a salt is computed from is needed.
  expect(manyKeys(columns, { tenant: '=', day: '=', at: '=', host: '=' })?.fix).toBeUndefined()
  expect(
    manyKeys(columns, { tenant: '=', day: '=', at: ['gte', 'lt'] }, {}, { salt: bucket({ of: 'seq', count: 4 }) })?.evidence,
  ).not.toContain('in no query')
  // The first ones of a board are read in the order of its scores.
  const board = { game: text(), week: uint32(), score: uint32(), user: text() }
  const first = (more: object): string | undefined =>
    manyKeys(board, {}, { queries: [{ table: 'rows', where: { game: '=', week: '=' }, ...more }] })?.fix
  expect([first({}) !== undefined, first({ limit: 10 })]).toEqual([true, undefined])
  // Without queries nobody knows what they need.
  expect(manyKeys(columns, {}, { queries: [] })?.evidence).not.toContain('in no query')
})

test('a table by id has partitions of one row, which do not grow', () => {
  const columns = { tenant: text(), user: uuid(), kind: text(), lang: text() }
  const byId = defineTable('profiles', { columns, partition: ['tenant', 'user', 'kind', 'lang'], key: [] })
  const writes = [{ table: 'profiles', perSecond: { inserts: 1e6 }, distinct: { tenant: 10, user: 10, kind: 1, lang: 1 } }]
  const queries = [{ table: 'profiles', where: { tenant: '=', user: '=', kind: '=', lang: '=' } }] as const
  const store = 'cassandra'
  const codes = advise([byId], { store, writes, queries }).findings.map(({ code }) => code)
  expect(codes).not.toContain('large-partition')
  const inKey = defineTable('profiles', { columns, partition: ['tenant'], key: ['user', 'kind', 'lang'] })
  expect(advise([inKey], { store, writes, queries }).findings.map(({ code }) => code)).toContain('large-partition')
})
