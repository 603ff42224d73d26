import { hbaseStore, lindormSql } from '@rowkey/hbase'
import {
  bool,
  bucket,
  bytes,
  date,
  decimal,
  defineTable,
  desc,
  fixedBytes,
  fixedText,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  json,
  lastText,
  nullable,
  reversed,
  text,
  timestamp,
  uint64,
  uint8,
  uuid,
} from 'rowkey'
import { expect, test } from 'vitest'

const Everything = defineTable('every.thing-1', {
  columns: {
    host: text(),
    at: desc(timestamp('ms')),
    yes: bool(),
    i8: int8(),
    u8: uint8(),
    i16: int16(),
    i32: int32(),
    i64: int64(),
    u64: uint64(),
    day: date(),
    instant: timestamp('ms'),
    micros: timestamp('us'),
    f32: float32(),
    f64: float64(),
    price: decimal(10, 2),
    note: nullable(text({ name: 'a:b' })),
    id: uuid(),
    data: json(),
    raw: bytes(),
    digest: fixedBytes(16),
  },
  key: ['host', 'at'],
  salt: bucket({ of: 'host', count: 16 }),
  ttl: '30d',
  version: 'rev',
  stores: { hbase: { splits: 4, compression: 'ZSTD', bloomFilter: 'ROW', versions: 2 } },
})

test('the statements for a table with every type, and the table to compare', async () => {
  const { statements, createTable, text: shown } = lindormSql(Everything, { namespace: 'shop' })
  await expect(shown).toMatchFileSnapshot('lindorm.txt')
  for (const statement of statements) expect(shown.split('\n')).toContain(statement)
  expect(createTable.split('\n').every((line) => shown.includes(`--   ${line}\n`))).toBe(true)
})

test('what is no comment is what can be run', () => {
  const { statements, text: shown } = lindormSql(Everything)
  const lines = shown.split('\n').filter((line) => line !== '' && !line.startsWith('--'))
  expect(lines).toEqual(statements)
  expect(lines.every((line) => /^ALTER TABLE `every\.thing-1` MAP DYNAMIC COLUMN `f`:`[\w.:-]+` H[A-Z]+;$/.test(line))).toBe(true)
})

test('the types are those by which the bytes are read', () => {
  const { statements } = lindormSql(Everything)
  const types = Object.fromEntries(statements.map((statement) => /`f`:`(.+)` (\w+);$/.exec(statement)?.slice(1, 3) as [string, string]))
  expect(types).toEqual({
    ...{ yes: 'HBOOLEAN', i8: 'HINTEGER', u8: 'HINTEGER', i16: 'HINTEGER', i32: 'HINTEGER', i64: 'HLONG', u64: 'HSTRING', day: 'HINTEGER' },
    ...{
      instant: 'HLONG',
      micros: 'HLONG',
      f32: 'HFLOAT',
      f64: 'HDOUBLE',
      price: 'HSTRING',
      'a:b': 'HSTRING',
      id: 'HSTRING',
      data: 'HSTRING',
    },
    ...{ rk_expires: 'HLONG', rk_version: 'HSTRING' },
  })
})

const commentsOf = (columns: object, key: readonly string[], more: object = {}): string =>
  lindormSql(defineTable('t', { columns, key, ...more } as never)).text

test('a rowkey that is only text can be read as text', () => {
  const rowOf = (columns: object, key: readonly string[], more: object = {}): string =>
    commentsOf(columns, key, more)
      .split('\n')
      .find((line) => line.includes('`ROW`')) ?? ''
  const mapped = 'ALTER TABLE `t` MAP DYNAMIC COLUMN `ROW` HSTRING;'
  expect(rowOf({ a: lastText() }, ['a'])).toBe(mapped)
  const others = [
    ...[{ a: text() }, { a: int32() }, { a: uuid() }, { a: fixedText(5) }].map((columns) => rowOf(columns, ['a'])),
    rowOf({ a: lastText() }, ['a'], { salt: bucket({ of: 'a', count: 4 }) }),
    rowOf({ a: text(), b: lastText() }, ['a', 'b']),
  ]
  for (const other of others) expect(other).toMatch(/^-- `ROW` stays VARBINARY/)
})

test('what SQL cannot say is told', () => {
  expect(commentsOf({ a: bytes(), b: text() }, ['a', 'b'])).toContain('VARBINARY can only be the last key column')
  expect(commentsOf({ a: text(), b: bytes() }, ['a', 'b'])).not.toContain('VARBINARY can only')
  expect(commentsOf({ a: desc(int32()), b: text() }, ['a', 'b'])).toContain('`a`: the first key column cannot be DESC')
  expect(commentsOf({ a: int32(), b: nullable(text()) }, ['a', 'b'])).toContain('`b`: key columns are never null')
  expect(commentsOf({ a: reversed(text()) }, ['a'])).toContain('`a`: the model orders it as reversed(text)')
  expect(commentsOf({ a: int32() }, ['a'])).not.toContain('hash32')
  expect(commentsOf({ a: int32() }, ['a'], { stores: { hbase: { compression: 'GZ' } } })).toContain('options of HBase: compression.')
  expect(commentsOf({ a: int32() }, ['a'], { stores: { hbase: { timeToLive: 60 } } })).toContain("TTL='60'")
})

test('what the store does not accept is refused', () => {
  expect(() => lindormSql(Everything, { namespace: 'a`b' })).toThrow('INVALID_OPTION')
  expect(() => lindormSql(Everything, { nothing: 1 } as never)).toThrow('INVALID_OPTION')
  expect(() => lindormSql(defineTable('a:b', { columns: { k: text() }, key: ['k'] }))).toThrow('NOT_SUPPORTED')
})

test('keys that Lindorm or its SQL cannot have are findings of its profile alone', () => {
  const codesOf = (columns: object, profile: 'hbase' | 'lindorm'): readonly string[] => {
    const schema = defineTable('t', { columns, key: Object.keys(columns), stores: { hbase: { splits: ['80'] } } } as never)
    return hbaseStore.ddl(schema, { profile }).warnings.map(({ code }) => code)
  }
  const wide = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, int32()]))
  const { f: _, ...five } = wide
  expect(codesOf(wide, 'lindorm')).toEqual(['lindorm-key-columns'])
  expect(codesOf(five, 'lindorm')).toEqual([])
  expect(codesOf(wide, 'hbase')).toEqual([])
  expect(codesOf({ a: fixedBytes(1000), b: fixedText(1000), c: fixedBytes(49) }, 'lindorm')).toEqual(['lindorm-key-bytes'])
  expect(codesOf({ a: fixedBytes(1000), b: fixedText(1000), c: fixedBytes(48) }, 'lindorm')).toEqual([])
  expect(codesOf({ a: fixedBytes(1000), b: fixedText(1000), c: fixedBytes(49) }, 'hbase')).toEqual([])
})

test('the definition for Lindorm names its SQL, and remains commands of the shell', () => {
  const { text: shown, statements } = hbaseStore.ddl(Everything, { profile: 'lindorm' })
  expect(shown).toMatch(/\n# lindormSql\(\) .*\n$/)
  expect(statements.every((statement) => /^(?:create|put) '/.test(statement))).toBe(true)
  expect(hbaseStore.ddl(Everything).text).not.toContain('lindormSql')
})
