import { defineTable, text, timestamp, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, type AdviceOptions, type Finding } from '../src/index.js'

const Orders = defineTable('orders', {
  columns: { no: text(), buyer: text(), at: timestamp('ms'), status: text() },
  key: ['no'],
  indexes: { byBuyer: { partition: ['buyer'], key: ['at'] } },
})

/** What is said of queries and writes, as table, code and severity. */
const said = (options: AdviceOptions, schema = Orders): readonly string[] =>
  advise(schema, options).findings.map(({ table, code, severity }) => `${table} ${code} ${severity}`)

test('the entries of an index are judged as a table', () => {
  const Events = defineTable('events', {
    columns: { id: text(), host: text(), at: timestamp('ms') },
    key: ['id'],
    indexes: { byTime: { key: ['at'] }, byHost: { key: ['host', 'at'] } },
  })
  const found = advise(Events, { store: 'hbase', queries: [{ table: 'events_byHost', where: { host: '=' } }] }).findings
  expect(found.filter(({ code }) => code === 'monotonic-first').map(({ table }) => table)).toEqual(['events_byTime'])
})

test('a query that the table refuses and an index answers is no finding, with the name of the index or without', () => {
  const shape = { table: 'orders', where: { buyer: '=', at: ['gte', 'lt'] } } as const
  expect(said({ queries: [shape] })).toEqual([])
  expect(said({ queries: [{ ...shape, index: 'byBuyer' }] })).toEqual([])
  const Bare = defineTable('orders', { columns: { no: text(), buyer: text(), at: timestamp('ms'), status: text() }, key: ['no'] })
  expect(said({ queries: [shape] }, Bare)).toEqual(['orders full-scan error'])
  // An order that the table does not have.
  expect(said({ queries: [{ table: 'orders', where: { buyer: '=' }, order: { at: 'desc' }, perSecond: 2 }] })).toEqual([
    'orders_byBuyer reverse info',
  ])
})

test('what a query by an index reads is said of its entries, and names the index', () => {
  const [finding] = advise(Orders, { queries: [{ table: 'orders', where: { buyer: '=', status: '=' }, perSecond: 5 }] }).findings
  expect(finding).toMatchObject({
    table: 'orders_byBuyer',
    code: 'filter',
    column: 'status',
    evidence: '5 a second: buyer =, status =, by index byBuyer',
    fix: "If few rows pass, declare an index of 'orders' that begins with 'buyer', 'status', and scan by it.",
  })
})

test('a query by an index that does not answer it is refused with the words of the planner', () => {
  const [finding] = advise(Orders, { queries: [{ table: 'orders', where: { at: 'gte' }, index: 'byBuyer' }] }).findings
  expect(finding).toMatchObject({ table: 'orders', code: 'full-scan', severity: 'error', column: 'buyer' })
  expect(finding?.evidence).toBe("PARTITION_REQUIRED of 'orders_byBuyer': at gte, by index byBuyer")
})

test('an index that does not exist is refused, with those that do', () => {
  const asked =
    (index: string, schema = Orders): (() => unknown) =>
    () =>
      advise(schema, { queries: [{ table: 'orders', where: { no: '=' }, index } as never] })
  expect(asked('byBuyr')).toThrow(/^INVALID_OPTION: a query on 'orders': index is "byBuyr"\. Did you mean "byBuyer"\? Give 'byBuyer'\.$/)
  const Bare = defineTable('orders', { columns: { no: text() }, key: ['no'] })
  expect(asked('byBuyer', Bare as never)).toThrow(
    /^INVALID_OPTION: a query on 'orders': index is "byBuyer"\. 'orders' has no indexes, so leave it out\.$/,
  )
})

const Events = defineTable('events', {
  columns: { id: text(), at: timestamp('ms'), status: text(), host: text(), size: uint32() },
  key: ['id'],
  indexes: { byTime: { key: ['at'] }, byStatus: { key: ['status', 'at'] }, byHost: { key: ['host', 'at'] } },
})

test('inserts and updates of rows are inserts of entries, so a hot index is found with its load', () => {
  const findings = (inserts: number, updates: number): readonly Finding[] =>
    advise(Events, {
      store: 'hbase',
      writes: [{ table: 'events', perSecond: { inserts, updates, deletes: 9 }, distinct: { status: 5, host: 1000 } }],
    }).findings.filter(({ code }) => code === 'monotonic-first' || code === 'low-cardinality-first')
  expect(findings(400, 300).map(({ table, code, severity, evidence }) => [table, code, severity, evidence])).toEqual([
    ['events_byTime', 'monotonic-first', 'warning', 'a time in ms; all 700 new rows a second go to 1 place'],
    ['events_byStatus', 'low-cardinality-first', 'warning', '5 different values: new rows go to 5 places'],
  ])
  expect(findings(4000, 3000).map(({ severity }) => severity)).toEqual(['error', 'warning'])
  expect(findings(3, 2).map(({ severity }) => severity)).toEqual(['info', 'info'])
})

test('writes that are given for entries themselves count, and not those of the rows', () => {
  const options: AdviceOptions = {
    store: 'hbase',
    writes: [
      { table: 'events', perSecond: { inserts: 5000 } },
      { table: 'events_byTime', perSecond: { inserts: 1 } },
    ],
  }
  const found = advise(Events, options).findings.filter(({ code, table }) => code === 'monotonic-first' && table === 'events_byTime')
  expect(found.map(({ severity }) => severity)).toEqual(['info'])
})

test('queries by an index are load of its partitions', () => {
  const options: AdviceOptions = {
    store: 'dynamodb',
    writes: [{ table: 'orders', distinct: { buyer: 10 } }],
    queries: [{ table: 'orders', where: { buyer: '=' }, perSecond: 50_000 }],
  }
  expect(said(options)).toContain('orders_byBuyer hot-partition error')
})
