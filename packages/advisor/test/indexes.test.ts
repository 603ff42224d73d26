import { defineTable, nullable, text, timestamp, uint32, type TableSchema } from 'rowkey'
import type { IndexJSON } from 'rowkey/internal'
import { describe, expect, test } from 'vitest'
import { advise, applyFix, type AdviceOptions, type Finding, type QueryShape } from '../src/index.js'

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

/** A table of orders without indexes. */
const bare = (more: object = {}, types: object = {}): TableSchema =>
  defineTable('orders', {
    columns: { no: text(), buyer: text(), at: timestamp('ms'), status: text(), note: text(), ...types },
    key: ['no'],
    ...more,
  } as never)

/** The finding of one query on it. */
const foundOn = (schema: TableSchema, query: Omit<QueryShape, 'table'>, options: AdviceOptions = {}): Finding | undefined =>
  advise(schema, { ...options, queries: [{ table: 'orders', ...query }] }).findings.find(({ stage }) => stage === 'queries')

describe('an index is proposed', () => {
  test.each<[string, Omit<QueryShape, 'table'>, Partial<IndexJSON>]>([
    ['for values and a range', { where: { buyer: '=', at: ['gte', 'lt'] } }, { name: 'byBuyerAt', partition: ['buyer'], key: ['at'] }],
    ['for a list', { where: { buyer: { in: 3 } } }, { name: 'byBuyer', partition: ['buyer'], key: [] }],
    ['for an order', { where: { buyer: '=' }, order: { at: 'desc' } }, { name: 'byBuyerAt', partition: ['buyer'], key: ['at'] }],
    [
      'for an order and a range of another column, which then is checked on entries',
      { where: { buyer: '=', note: 'startsWith' }, order: { at: 'desc' } },
      { name: 'byBuyerAtNote', partition: ['buyer'], key: ['at', 'note'] },
    ],
    [
      'with a salt where it would begin with a time',
      { where: { at: 'gte' } },
      { name: 'byAt', partition: [], key: ['at'], salt: [{ kind: 'hash', of: ['no'], count: 16, seed: 0 }] as never },
    ],
    [
      'with a salt where it would begin with few values and then a time',
      { where: { status: '=', at: 'gte' } },
      { name: 'byStatusAt', partition: ['status'], key: ['at'], salt: [{ kind: 'hash', of: ['no'], count: 16, seed: 0 }] as never },
    ],
  ])('%s, and cures', (_, query, index) => {
    const schema = bare()
    const finding = foundOn(schema, query)
    expect(finding).toMatchObject({ code: 'full-scan', severity: 'error' })
    expect(finding?.change).toEqual({ indexes: [{ salt: [], ...index }] })
    expect(finding?.fix).toContain(`and scan with { index: '${index.name}' }.`)
    const after = applyFix(schema, finding as Finding)
    expect(after.indexes.map(({ name }) => name)).toEqual([index.name])
    const left = advise(after, { queries: [{ table: 'orders', ...query }] }).findings
    expect(left.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(left.map(({ code }) => code)).not.toContain('monotonic-first')
  })

  test('for an order that the key does not have', () => {
    const Logs = defineTable('orders', { columns: { no: text(), at: timestamp('ms'), level: uint32() }, key: ['no', 'at'] })
    const query = { where: { no: '=' }, order: { level: 'asc' } } as const
    const finding = foundOn(Logs, query)
    expect(finding).toMatchObject({
      code: 'refused-query',
      change: { indexes: [{ name: 'byNoLevel', partition: ['no'], key: ['level'] }] },
    })
    expect(foundOn(applyFix(Logs, finding as Finding), query)).toBeUndefined()
  })

  test('for conditions that few rows pass; afterwards the query has to name it', () => {
    const Logs = defineTable('orders', { columns: { host: text(), at: timestamp('ms'), user: text() }, key: ['host', 'at'] })
    const query = { where: { host: '=', user: '=' } } as const
    const writes = (user: number): AdviceOptions => ({ writes: [{ table: 'orders', distinct: { user } }] })
    expect(foundOn(Logs, query)?.change).toBeUndefined() // nothing says how many pass
    expect(foundOn(Logs, query, writes(10))?.change).toBeUndefined()
    const finding = foundOn(Logs, query, writes(11))
    expect(finding).toMatchObject({ code: 'filter', severity: 'warning', change: { indexes: [{ name: 'byHostUser' }] } })
    const after = applyFix(Logs, finding as Finding)
    expect(foundOn(after, query, writes(11))).toMatchObject({
      code: 'filter',
      severity: 'info',
      fix: "Index 'byHostUser' answers it without: scan with { index: 'byHostUser' }.",
    })
    expect(foundOn(after, { ...query, index: 'byHostUser' }, writes(11))).toBeUndefined()
  })

  test('under a name that is free', () => {
    const schema = bare({ indexes: { byBuyer: { key: ['note', 'buyer'] } } })
    expect(foundOn(schema, { where: { buyer: '=' } })?.change?.indexes?.map(({ name }) => name)).toEqual(['byBuyer2'])
  })

  test('with its splits where buckets need them, and without a salt where nothing is gained', () => {
    const query = { where: { at: 'gte' } } as const
    const indexes = (options: AdviceOptions): unknown => foundOn(bare(), query, options)?.change?.indexes
    expect(indexes({ store: 'hbase' })).toMatchObject([{ salt: [{ count: 16 }], stores: { hbase: { splits: 16 } } }])
    expect(indexes({ store: 'lmdb' })).toEqual([{ name: 'byAt', partition: [], key: ['at'], salt: [] }])
    expect(indexes({ writes: [{ table: 'orders', perSecond: { inserts: 1 } }] })).toMatchObject([{ salt: [] }])
    expect(indexes({ writes: [{ table: 'orders', perSecond: { inserts: 1, updates: 2000 } }] })).toMatchObject([{ salt: [{ count: 16 }] }])
  })
})

describe('no index is proposed', () => {
  const query = { where: { buyer: '=' } } as const
  const change = (schema: TableSchema, asked: Omit<QueryShape, 'table'> = query, options: AdviceOptions = {}): unknown => {
    const finding = foundOn(schema, asked, options)
    expect(finding?.severity).toBe('error')
    return finding?.change
  }

  test('if rows expire and have no version, unless writes are plain', () => {
    expect(change(bare({ ttl: '1d' }))).toBeUndefined()
    expect(change(bare({ ttl: '1d', version: 'rev' }))).toBeDefined()
    expect(change(bare({ ttl: '1d', writes: 'plain' }))).toBeDefined()
  })

  test('for a store that cannot write its entries', () => {
    expect(change(bare(), query, { store: 'kudu' })).toBeUndefined()
  })

  test('if it would lack rows that the query returns', () => {
    const types = { at: nullable(timestamp('ms')) }
    expect(change(bare({}, types), { where: { buyer: '=' }, order: { at: 'asc' } })).toBeUndefined()
    expect(change(bare({}, types), { where: { buyer: '=', at: 'gte' }, order: { at: 'asc' } })).toBeDefined()
    expect(change(bare({}, types), { where: { at: 'isNull' } })).toBeUndefined()
  })

  test('if its entries would be hot all the same, and the fix says so', () => {
    const options: AdviceOptions = {
      store: 'dynamodb',
      writes: [{ table: 'orders', perSecond: { inserts: 20_000 }, distinct: { buyer: 100 } }],
    }
    const finding = foundOn(bare(), query, options)
    expect(finding?.change).toBeUndefined()
    expect(finding?.fix).toMatch(/That alone would bring hot-partition, so decide which of them matters more\.$/)
  })
})

test('a fix of entries changes the index', () => {
  const found = advise(Events, { store: 'hbase' }).findings.find(
    ({ table, code }) => table === 'events_byTime' && code === 'monotonic-first',
  )
  const after = applyFix(Events, found as Finding)
  expect(after.indexes.map(({ name }) => name)).toEqual(['byTime', 'byStatus', 'byHost'])
  expect(after.indexes[0]?.definition).toMatchObject({ key: ['at'], salt: [{ kind: 'hash', of: ['id'], count: 16 }] })
  expect(advise(after, { store: 'hbase' }).findings.filter(({ table }) => table === 'events_byTime')).toEqual([])
})
