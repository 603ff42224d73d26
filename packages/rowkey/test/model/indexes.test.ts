import { bucket, defineTable, desc, nullable, period, renameTable, schemaFromJSON, text, timestamp, uint32, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { problemsOf } from './problems-of.js'

const columns = {
  no: uint32(),
  buyer: text({ name: 'b' }),
  at: desc(timestamp('ms')),
  seller: nullable(text()),
  total: uint32({ default: 0 }),
}
const untyped = defineTable as unknown as (name: string, definition: object) => TableSchema
const orders = (more: object, base: object = {}): TableSchema => untyped('orders', { columns, key: ['no'], ...base, ...more })

const shapeOf = ({ columns: all, keyLength, partitionLength }: TableSchema) => ({
  partition: all.slice(0, partitionLength).map(({ physical }) => physical),
  key: all.slice(partitionLength, keyLength).map(({ physical }) => physical),
  others: all.slice(keyLength).map(({ physical }) => physical),
})

test('entries are a table: the columns of the index, the rest of the key, and a version', () => {
  const { indexes } = orders({ indexes: { byBuyer: { partition: ['buyer'], key: ['at'] }, bySeller: { key: ['seller', 'no'] } } })
  const [byBuyer, bySeller] = indexes as [(typeof indexes)[number], (typeof indexes)[number]]
  expect(byBuyer.schema.name).toBe('orders_byBuyer')
  expect(shapeOf(byBuyer.schema)).toEqual({ partition: ['b'], key: ['at', 'no'], others: ['rk_version'] })
  expect(shapeOf(bySeller.schema)).toEqual({ partition: [], key: ['seller', 'no'], others: ['rk_version'] })
  expect(bySeller.schema.columns[0]?.type.nullable).toBe(false)
  expect(byBuyer.schema.columns[1]?.type.desc).toBe(true)
})

test('entries of rows that expire have the day in their key, unless they are written with their rows', () => {
  const ttl = { ttl: '1d', version: 'rev' }
  const [lazy] = orders({ indexes: { byBuyer: { key: ['buyer'] } } }, ttl).indexes
  expect(shapeOf(lazy?.schema as TableSchema)).toEqual({
    partition: [],
    key: ['b', 'no', 'expiry_day'],
    others: ['rk_expires', 'rk_version'],
  })
  const [exact] = orders({ indexes: { byBuyer: { key: ['buyer'], unique: true, include: ['total'] } } }, ttl).indexes
  expect(shapeOf(exact?.schema as TableSchema)).toEqual({ partition: [], key: ['b'], others: ['no', 'total', 'rk_expires', 'rk_version'] })
})

test('a period and its source: what is computed needs no place of its own', () => {
  const logs = untyped('logs', {
    columns: { host: text(), day: period('day', { of: 'at' }), at: timestamp('ms'), event: text() },
    partition: ['host', 'day'],
    key: ['at'],
    indexes: { byEvent: { key: ['event'] } },
  })
  expect(shapeOf(logs.indexes[0]?.schema as TableSchema).key).toEqual(['event', 'host', 'at'])
})

test('JSON, salts, hints and another name', () => {
  const salt = bucket({ of: 'buyer', count: 8 })
  const schema = orders({ indexes: { byBuyer: { partition: ['buyer'], key: ['at'], salt, unique: true, include: ['total'] } } })
  const again = schemaFromJSON(JSON.stringify(schema))
  expect(again.toJSON()).toEqual(schema.toJSON())
  expect(again.indexes[0]?.schema.fingerprints).toEqual(schema.indexes[0]?.schema.fingerprints)
  expect(again.indexes[0]?.schema.layout.buckets).toBe(8)
  expect(renameTable(schema, 'dev_orders').indexes[0]?.schema.name).toBe('dev_orders_byBuyer')
  expect(() => schemaFromJSON({ ...schema.toJSON(), indexes: [{ ...schema.toJSON().indexes?.[0], unique: 'yes' }] })).toThrow(
    /indexes\[0\]\.unique is "yes", not true or false/,
  )
})

test.each([
  [{ indexes: { i: { key: ['rev'] } } }, { version: 'rev' }, /names 'rev', the version of a row, which cannot be in an index/],
  [{ indexes: { i: { key: [] } } }, {}, /index 'i' has no columns/],
  [{ indexes: { i: { key: ['buyer', 'buyer'] } } }, {}, /index 'i': /],
  [{ indexes: { i: { key: ['buyer'], include: ['no'] } } }, {}, /includes 'no', which its entries have already/],
  [{ indexes: { i: { key: ['buyer'], include: ['total', 'total'] } } }, {}, /includes 'total'/],
  [{ indexes: { i: { key: ['buyer'], unique: 1 } } }, {}, /unique of index 'i' is 1\. Give true or false/],
  [{ indexes: { i: { key: ['buyer'], unique: true } } }, { writes: 'plain' }, /Leave one of them out/],
  [{ indexes: { i: { key: ['buyer'] } } }, { ttl: '1d' }, /Then it needs a version/],
  [{ indexes: { 'a b': { key: ['buyer'] } } }, {}, /index 'a b': the table cannot be called/],
  [{ indexes: { i: { key: ['buyer'], uniq: true } } }, {}, /uniq/],
  [{ indexes: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`i${n}`, { key: ['buyer'] }])) }, {}, /the maximum is 20/],
])('%j is refused', (more, base, message) => {
  const messages = problemsOf(() => orders(more, base)).map((problem) => problem.message)
  expect(messages.join('\n')).toMatch(message)
})
