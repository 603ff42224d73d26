import {
  bucket,
  desc,
  dictionary,
  fixedBytes,
  int64,
  nullable,
  paddedText,
  random,
  reversed,
  separatedText,
  text,
  timestamp,
  toHex,
  uint32,
  type ColumnType,
} from '#codec'
import { defineTable, isTableSchema, type TableSchema } from '#model'
import { expect, test } from 'vitest'

const definition = {
  columns: { z: text(), host: text(), at: desc(timestamp('ms')), message: nullable(text({ name: 'zz_message' })), Upper: text() },
  partition: ['host'] as const,
  key: ['at'] as const,
}

test('defineTable: positions are partition, key, values by physical name', () => {
  const table = defineTable('events', definition)
  expect(table.columns.map(({ name, physical, role }) => `${role} ${name} ${physical}`)).toEqual([
    'partition host host',
    'key at at',
    'value Upper Upper',
    'value z z',
    'value message zz_message',
  ])
  const { partitionLength, keyLength, expiryIndex, versionIndex, writes, salt, stores } = table
  expect({ partitionLength, keyLength, expiryIndex, versionIndex, writes, salt, stores }).toEqual({
    partitionLength: 1,
    keyLength: 2,
    expiryIndex: -1,
    versionIndex: -1,
    writes: 'conditional',
    salt: [],
    stores: {},
  })
})

test('defineTable: property order is never a format', () => {
  const { columns } = definition
  const turned = defineTable('events', { ...definition, columns: Object.fromEntries(Object.entries(columns).reverse()) as typeof columns })
  expect(JSON.stringify(turned)).toBe(JSON.stringify(defineTable('events', definition)))
})

test('defineTable: the layout has the partition in P and the rest in K', () => {
  const { layout } = defineTable('events', { ...definition, salt: bucket({ of: 'host', count: 16 }) })
  const key = ['web', 1700000000000]
  expect(toHex(layout.partition(layout.bucketOf(key), key))).toBe('077765620000')
  expect(toHex(layout.sortKey(key))).toBe('7ffffe74301a97ff')
})

test('defineTable: the order of `of` plays no part', () => {
  const columns = { a: text(), b: text() }
  const of = (names: ('a' | 'b')[]): TableSchema => defineTable('abc', { columns, key: ['a', 'b'], salt: bucket({ of: names, count: 9 }) })
  expect(of(['b', 'a']).salt[0]?.of).toEqual(['a', 'b'])
  expect(JSON.stringify(of(['b', 'a']))).toBe(JSON.stringify(of(['a', 'b'])))
})

test('defineTable: frozen through and through', () => {
  const open: string[] = []
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return
    if (!Object.isFrozen(value)) open.push(path)
    for (const [name, inner] of Object.entries(value)) visit(inner, `${path}.${name}`)
  }
  const salt = bucket({ of: 'host', count: 16 })
  const table = defineTable('events', { ...definition, salt, stores: { kudu: { list: [{ a: 1 }] } } })
  expect(Object.isFrozen(table)).toBe(true)
  for (const [name, value] of Object.entries(table)) if (name !== 'layout') visit(value, name)
  expect(Object.isFrozen(table.layout)).toBe(true)
  visit(table.toJSON(), 'json')
  expect(open).toEqual([])
})

test('defineTable: what the caller changes afterwards does not reach the schema', () => {
  const columns: Record<string, ColumnType> = { a: text(), b: text() }
  const key: [string, ...string[]] = ['a']
  const partition: string[] = ['b']
  const salt = [bucket({ of: 'a', count: 4 })]
  const stores = { kudu: { list: [1] } }
  const table = defineTable('abc', { columns, key, partition, salt, stores })
  const before = JSON.stringify(table)
  columns['c'] = text()
  delete columns['a']
  key.push('c')
  partition.length = 0
  salt.pop()
  stores.kudu.list.push(2)
  expect(JSON.stringify(table)).toBe(before)
  expect(table.columns).toHaveLength(2)
})

test('isTableSchema: knows the schemas of another copy, and nothing else', () => {
  const table = defineTable('events', definition)
  expect(isTableSchema(table)).toBe(true)
  expect(isTableSchema({ ...table })).toBe(false)
  expect([null, undefined, 'x', class {}, {}].map(isTableSchema)).toEqual([false, false, false, false, false])
})

const print = (change: object): { readonly key: string; readonly layout: string } => {
  const table = {
    columns: { a: text(), b: uint32(), c: nullable(text()), v: text() },
    key: ['a', 'b', 'c'],
    salt: bucket({ of: 'a', count: 4 }),
  }
  const define = defineTable as unknown as (name: string, definition: object) => TableSchema
  const { name = 'abc', columns = {}, ...rest } = change as { readonly name?: string; readonly columns?: object }
  return define(name, { ...table, ...rest, columns: { ...table.columns, ...columns } }).fingerprints
}
const base = print({})

test('fingerprints: 16 hex digits, two kinds', () => {
  expect(base.key).toMatch(/^[0-9a-f]{16}$/)
  expect(base.layout).toMatch(/^[0-9a-f]{16}$/)
  expect(base.layout).not.toBe(base.key)
})

test.each([
  ['the name of the table', { name: 'other' }],
  ['a value column', { columns: { v: int64(), w: text() } }],
  ['a default', { columns: { b: uint32({ default: random(5) }) } }],
  ['hints for stores', { stores: { kudu: { replicas: 3 } } }],
  ['how it is written', { writes: 'plain' }],
])('fingerprints: %s changes neither', (_, change) => {
  expect(print(change)).toEqual(base)
})

test('fingerprints: a property may be renamed, also one of the salt', () => {
  const named = (property: string): unknown =>
    defineTable('table', {
      columns: { [property]: text({ name: 'host' }), n: uint32() },
      key: [property, 'n'],
      salt: bucket({ of: [property], count: 4 }),
    }).fingerprints
  expect(named('hostName')).toEqual(named('host'))
})

test('fingerprints: how values look in JavaScript plays no part', () => {
  const same = (a: ColumnType, b: ColumnType): void => expect(print({ columns: { b: a } })).toEqual(print({ columns: { b } }))
  same(int64(), int64({ as: 'number' }))
  same(timestamp('ms'), timestamp('ms', { as: 'bigint' }))
  same(reversed(int64()), reversed(int64({ as: 'number' })))
})

test.each([
  ['the order of the key', { key: ['b', 'a', 'c'] }],
  ['the physical name of a key column', { columns: { a: text({ name: 'a_name' }) } }],
  ['where the partition ends', { partition: ['a'], key: ['b', 'c'] }],
  ['another column', { key: ['a', 'b', 'v'] }],
  ['one column less', { key: ['a', 'b'] }],
  ['a type', { columns: { b: int64() } }],
  ['a direction', { columns: { b: desc(uint32()) } }],
  ['nullable', { columns: { b: nullable(uint32()) } }],
  ['where nulls sort', { columns: { c: nullable(text(), { nulls: 'last' }) } }],
  ['the unit', { columns: { b: timestamp('us') } }],
])('fingerprints: %s changes both', (_, change) => {
  const { key, layout } = print(change)
  expect(key).not.toBe(base.key)
  expect(layout).not.toBe(base.layout)
})

test('fingerprints: all that changes bytes counts', () => {
  const types = [
    reversed(text()),
    reversed(uint32()),
    reversed(int64()),
    fixedBytes(2),
    fixedBytes(3),
    timestamp('ms'),
    timestamp('us'),
    timestamp('ns'),
    separatedText('_'),
    separatedText('-'),
    paddedText(4, { pad: 'x' }),
    paddedText(5, { pad: 'x' }),
    paddedText(4, { pad: 'y' }),
    dictionary({ a: 'x', b: 'y' }),
    dictionary({ a: 'y', b: 'x' }),
    dictionary({ a: 'x' }),
    nullable(text()),
    nullable(text(), { nulls: 'last' }),
  ]
  const prints = types.map((b) => print({ columns: { b } }).key)
  expect(new Set(prints).size).toBe(types.length)
  expect(print({ columns: { b: dictionary({ b: 'y', a: 'x' }) } }).key).toBe(prints[13])
})

test.each([
  ['the number of buckets', { salt: bucket({ of: 'a', count: 5 }) }],
  ['the seed', { salt: bucket({ of: 'a', count: 4, seed: 1 }) }],
  ['the columns of the salt', { salt: bucket({ of: ['a', 'b'], count: 4 }) }],
  ['the kind of the salt', { salt: bucket({ of: 'b', modulo: 4 }) }],
  ['another level', { salt: [bucket({ of: 'a', count: 4 }), bucket({ of: 'b', count: 4 })] }],
  ['no salt', { salt: [] }],
])('fingerprints: %s changes only the layout', (_, change) => {
  const { key, layout } = print(change)
  expect(key).toBe(base.key)
  expect(layout).not.toBe(base.layout)
})
