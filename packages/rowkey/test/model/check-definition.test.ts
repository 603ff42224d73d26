import { bucket, hashPrefix, isRowkeyError, json, nullable, text, timestamp, uint32, type Columns, type Salt } from '#codec'
import { defineTable, type InvalidSchemaDetails } from '#model'
import { expect, test } from 'vitest'
import { problemCodes, problemsOf } from './problems-of.js'

/** Untyped, as JavaScript calls it. */
const define = (name: unknown, definition: object): unknown =>
  (defineTable as unknown as (name: unknown, definition: object) => unknown)(name, definition)
const codes = (definition: object): string[] => problemCodes(() => define('abc', definition))
const columns = { a: text(), b: text() }

test.each(['', '-ab', '.ab', ':ab', 'a b', 'a/b', '{a}', 'a"b', 'a'.repeat(256), 'täble', 'abc\n', 7, undefined])(
  'INVALID_NAME: table %j',
  (name) => {
    expect(problemCodes(() => define(name, { columns, key: ['a'] }))).toEqual(['INVALID_NAME'])
  },
)

test.each(['a', '1', '_', 'abc', 'Abc_9', 'log-events', 'shop.orders', 'ns:table', 'a'.repeat(255)])('a table may be called %j', (name) => {
  expect(problemCodes(() => define(name, { columns, key: ['a'] }))).toEqual([])
})

test.each(['rk_expires', 'rk_version', 'a b', '-a', '', 'a"', 'a'.repeat(129), 'ä', 'a\n'])('INVALID_NAME: %j in the store', (name) => {
  expect(codes({ columns: { ...columns, c: text({ name }) }, key: ['a'] })).toEqual(['INVALID_NAME c'])
})

test.each(['p', 's', 'rk_x', 'rk', '_', 'user-agent', 'cf:q', 'a.b', '1a', 'a'.repeat(128)])('a column may be called %j', (name) => {
  expect(codes({ columns: { key: text(), [name]: text() }, key: ['key'] })).toEqual([])
})

test.each(['7', '0', '4294967295', 'constructor', 'toString', '__proto__', 'hasOwnProperty', 'prototype'])(
  'INVALID_NAME: property %j',
  (name) => {
    const named = Object.defineProperty({ ...columns }, name, { value: text({ name: 'fine' }), enumerable: true })
    expect(codes({ columns: named, key: ['a'] })).toEqual([`INVALID_NAME ${name}`])
  },
)

test('a property that no store takes needs a name', () => {
  expect(codes({ columns: { a: text(), 'user name': text() }, key: ['a'] })).toEqual(['INVALID_NAME user name'])
  expect(codes({ columns: { a: text(), 'user name': text({ name: 'user_name' }) }, key: ['user name', 'a'] })).toEqual([])
})

test('INVALID_TYPE', () => {
  expect(codes({ columns: { a: text(), b: 'text', c: null, d: { kind: 'text' }, e: { ...text() } }, key: ['a'] })).toEqual([
    'INVALID_TYPE b',
    'INVALID_TYPE c',
    'INVALID_TYPE d',
    'INVALID_TYPE e',
  ])
  expect(codes({ columns: { __proto__: { x: text() }, a: text() }, key: ['a'] })).toContain('INVALID_TYPE')
  expect(codes({ columns: [text()], key: ['a'] })).toContain('INVALID_TYPE')
  expect(codes({})).toEqual(['INVALID_TYPE', 'EMPTY_KEY'])
})

test('DUPLICATE_NAME', () => {
  expect(codes({ columns: { a: text({ name: 'x' }), b: text({ name: 'x' }), x: text() }, key: ['a'] })).toEqual([
    'DUPLICATE_NAME b',
    'DUPLICATE_NAME x',
  ])
})

test('TOO_MANY_COLUMNS: 250 fit', () => {
  const many = (count: number): Columns => Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, text()]))
  expect(codes({ columns: many(250), key: ['c0'] })).toEqual([])
  expect(codes({ columns: many(251), key: ['c0'] })).toEqual(['TOO_MANY_COLUMNS'])
})

test('EMPTY_KEY, UNKNOWN_COLUMN, REPEATED_COLUMN, NOT_A_KEY_TYPE', () => {
  expect(codes({ columns, key: [] })).toEqual(['EMPTY_KEY'])
  expect(codes({ columns, partition: [], key: [] })).toEqual(['EMPTY_KEY'])
  expect(codes({ columns, partition: ['a'], key: [] })).toEqual([])
  expect(codes({ columns, partition: ['x'], key: ['a', 'y'] })).toEqual(['UNKNOWN_COLUMN x', 'UNKNOWN_COLUMN y'])
  expect(codes({ columns, key: ['a', 'toString'] })).toEqual(['UNKNOWN_COLUMN toString'])
  expect(codes({ columns, key: ['a', 'a'] })).toEqual(['REPEATED_COLUMN a'])
  expect(codes({ columns, partition: ['a'], key: ['b', 'a'] })).toEqual(['REPEATED_COLUMN a'])
  expect(codes({ columns: { ...columns, c: json() }, partition: ['c'], key: ['a'] })).toEqual(['NOT_A_KEY_TYPE c'])
})

test('INVALID_SALT: every column that a salt cannot be of', () => {
  const table = { columns: { ...columns, c: nullable(text()), d: json(), t: timestamp('ms'), n: uint32() }, key: ['a', 'c', 't', 'n'] }
  const salted = (salt: unknown): string[] => codes({ ...table, salt })
  expect(salted(bucket({ of: ['x', 'a', 'c', 'b'], count: 4 }))).toEqual(['INVALID_SALT x', 'INVALID_SALT c', 'INVALID_SALT b'])
  expect(salted(hashPrefix({ of: 'd' }))).toEqual(['INVALID_SALT d'])
  expect(salted(bucket({ of: 'a', modulo: 4 }))).toEqual(['INVALID_SALT a'])
  expect(salted([bucket({ of: 't', modulo: 4 }), bucket({ of: 'n', modulo: 4 })])).toEqual([])
  expect(salted([{ kind: 'hash', of: ['a'], count: 4 }, 'bucket'])).toEqual(['INVALID_SALT', 'INVALID_SALT'])
})

test('INVALID_SALT: more buckets than numbers count', () => {
  const wide = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, text()]))
  const salt: Salt[] = ['a', 'b', 'c', 'd'].map((of) => bucket({ of, count: 65_536 }))
  expect(codes({ columns: wide, key: ['a', 'b', 'c', 'd'], salt })).toEqual(['INVALID_SALT'])
  expect(codes({ columns: wide, key: ['a', 'b', 'c', 'd'], salt: salt.slice(1) })).toEqual([])
})

test('SHARED_SALT_COLUMN', () => {
  const salt = [bucket({ of: ['a', 'b'], count: 4 }), hashPrefix({ of: 'b' })]
  expect(codes({ columns, key: ['a', 'b'], salt })).toEqual(['SHARED_SALT_COLUMN b'])
})

test('INVALID_OPTION', () => {
  const table = { columns, key: ['a'] }
  expect(codes({ ...table, writes: 'fast' })).toEqual(['INVALID_OPTION'])
  expect(codes({ ...table, colums: {} })).toEqual(['INVALID_OPTION'])
  for (const kudu of [new Date(), () => 1, 1n, NaN, undefined, new Map(), [undefined]]) {
    expect(codes({ ...table, stores: { kudu } })).toEqual(['INVALID_OPTION'])
  }
  const circle: Record<string, unknown> = {}
  circle['kudu'] = circle
  expect(codes({ ...table, stores: circle })).toEqual(['INVALID_OPTION'])
})

test('all problems at once, in one error', () => {
  const definition = {
    columns: { '7': text(), a: text({ name: 'rk_version' }), b: text({ name: 'c' }), c: json() },
    partition: ['x'],
    key: ['a', 'a', 'c'],
    salt: bucket({ of: 'b', count: 4 }),
    writes: 'x',
  }
  expect(problemCodes(() => define('x y', definition))).toEqual([
    'INVALID_NAME',
    'INVALID_NAME 7',
    'INVALID_NAME a',
    'DUPLICATE_NAME c',
    'UNKNOWN_COLUMN x',
    'REPEATED_COLUMN a',
    'NOT_A_KEY_TYPE c',
    'INVALID_SALT b',
    'INVALID_OPTION',
  ])
})

test('the error: code, details, and every message with a remedy', () => {
  const refused = (): unknown => define('a b', { columns: { a: text({ name: 'rk_version' }) }, key: ['a', 'b'] })
  expect(refused).toThrow(
    "INVALID_SCHEMA: table 'a b' has 3 problems:\n" +
      "- INVALID_NAME: the table cannot be called \"a b\". Use 1 to 255 letters, digits, '_', '-', '.' and ':', starting with a letter, a digit or '_'.\n" +
      '- INVALID_NAME: column \'a\', in the store "rk_version", has a reserved name: rk_expires and rk_version are the columns of ttl and version. Give it another name with { name }.\n' +
      "- UNKNOWN_COLUMN: key names 'b', which is not a column. The columns are 'a'.",
  )
  try {
    refused()
  } catch (error) {
    if (!isRowkeyError(error, 'INVALID_SCHEMA')) throw error
    const details = error.details as unknown as InvalidSchemaDetails
    expect(details.table).toBe('a b')
    expect(Object.isFrozen(details.problems)).toBe(true)
  }
  expect(problemsOf(refused).map(({ column }) => column)).toEqual([undefined, 'a', 'b'])
})
