import {
  bucket,
  desc,
  dictionary,
  followedBy,
  kuduHash,
  int32,
  int64,
  text,
  timestamp,
  uint16,
  uint32,
  uuid,
  type TableSchema,
  decimal,
  uint64,
} from 'rowkey'
import { expect, test } from 'vitest'
import { applyFix, type AdviceOptions } from '../src/index.js'
import { dynamodb, hbase, kudu } from './cases.js'
import { found, sampled, scattered, table } from './judging.js'

// Each rule at the number where it begins to speak, or changes its severity.

const at = timestamp('ms')

test('open-range is an info with a limit of rows', () => {
  const schema = table({ page: text(), at }, ['page', 'at'])
  const severity = (limit?: number): string | undefined =>
    found(schema, 'open-range', { queries: [{ table: 'rows', where: { page: 'gte' }, ...(limit === undefined ? {} : { limit }) }] })
      ?.severity
  expect([severity(), severity(10)]).toEqual(['warning', 'info'])
})

test.each([
  [50, 'info', undefined],
  [51, 'warning', true],
] as const)('reverse: %d of 100 scans a second backwards are an %s', (perSecond, severity, isDesc) => {
  const schema = table({ host: text(), at, seq: uint16() }, ['host', 'at', 'seq'])
  const where = { host: '=', at: ['gte', 'lt'] } as const
  const queries = [
    { table: 'rows', where, order: { at: 'desc' }, perSecond } as const,
    { table: 'rows', where, perSecond: 100 - perSecond },
  ]
  const finding = found(schema, 'reverse', { queries })
  expect(finding?.severity).toBe(severity)
  expect(finding?.change?.types?.['at']?.['desc']).toBe(isDesc)
  expect(found(schema, 'reverse', { queries, ...dynamodb })?.severity).toBe('info')
})

test.each([
  [5, true],
  [6, false],
  [120, false],
  [121, true],
])('kudu-tablets: %d tablets of three replicas on 6 servers: %j', (count, isFound) => {
  const schema = table({ host: text(), no: int64() }, ['host', 'no'], { salt: kuduHash({ of: 'host', count }) })
  expect(found(schema, 'kudu-tablets', kudu) !== undefined).toBe(isFound)
})

test.each([
  [{}, ['10', '40'], 1],
  [{}, ['20', 'f5'], 2],
  [{ salt: bucket({ of: 'host', count: 300 }) }, ['01', '02'], 1],
  [{ salt: bucket({ of: 'host', count: 300 }) }, ['00', '01'], 1],
  [{ salt: bucket({ of: 'host', count: 300 }) }, ['0001', '01'], 0],
])('unreachable-split: %# ', (more, splits, outside) => {
  const schema = table({ host: text() }, ['host'], { ...more, stores: { hbase: { splits } } })
  expect(found(schema, 'unreachable-split', hbase)?.evidence.split(' ')[0]).toBe(outside === 0 ? undefined : String(outside))
})

test('key-changed: the same columns with another partition are another key', () => {
  const before = table({ host: text(), at }, ['host', 'at'])
  const after = table({ host: text(), at }, ['at'], { partition: ['host'] })
  expect(found(after, 'key-changed', { existing: [before] })?.severity).toBe('error')
})

test('type-changed: a wider type is allowed, but not by Kudu', () => {
  const [before, after] = [int32(), int64()].map((n) => table({ id: text(), n }, ['id'], { salt: kuduHash({ of: 'id', count: 8 }) }))
  const wider = table({ id: text(), n: uint32() }, ['id'])
  const narrow = table({ id: text(), n: uint16() }, ['id'])
  expect(found(wider, 'type-changed', { existing: [narrow] })).toBeUndefined()
  expect(found(wider, 'type-changed', { existing: [narrow], ...kudu })?.message).toContain('Kudu cannot change the type')
  expect(found(after as TableSchema, 'type-changed', { existing: [before as TableSchema], ...kudu })).toBeDefined()
})

test('number-as-text: one value that is no number silences it', () => {
  const schema = table({ user: text() }, ['user'])
  expect(
    found(
      schema,
      'number-as-text',
      sampled(schema, (i) => ({ user: String(scattered(i)) })),
    ),
  ).toBeDefined()
  expect(
    found(
      schema,
      'number-as-text',
      sampled(schema, (i) => ({ user: i === 500 ? 'x' : String(scattered(i)) })),
    ),
  ).toBeUndefined()
})

test.each([
  [50, 500, true],
  [51, 500, false],
  [64, 1000, true],
  [65, 1000, false],
])('name-as-text: %d names in %d rows: %j', (names, rows, isFound) => {
  const schema = table({ no: uint32(), shop: text() }, ['no', 'shop'])
  const options = sampled(schema, (i) => ({ no: scattered(i), shop: `shop number ${i % names}` }), rows)
  expect(found(schema, 'name-as-text', options) !== undefined).toBe(isFound)
})

test.each([
  [12, true],
  [13, false],
])('unused-buckets: %d of 16 used: %j', (used, isFound) => {
  const schema = table({ id: uint32() }, ['id'], { salt: bucket({ of: 'id', modulo: 16 }) })
  expect(
    found(
      schema,
      'unused-buckets',
      sampled(schema, (i) => ({ id: 16 * i + (i % used) })),
    ) !== undefined,
  ).toBe(isFound)
})

test.each([
  [3, false],
  [4, true],
])('few-valued-salt: three values in %d buckets: %j', (count, isFound) => {
  const schema = table({ kind: dictionary({ a: '1', b: '2', c: '3' }), id: uuid() }, ['kind', 'id'], {
    salt: bucket({ of: 'kind', count }),
  })
  expect(found(schema, 'few-valued-salt') !== undefined).toBe(isFound)
})

test.each([
  [50, true],
  [51, false],
])('low-cardinality-first: %d values in 1,000 rows: %j', (values, isFound) => {
  const schema = table({ kind: text(), at }, ['kind', 'at'])
  const options = sampled(schema, (i) => ({ kind: `k${scattered(i) % values}`, at: new Date(i) }))
  expect(found(schema, 'low-cardinality-first', options) !== undefined).toBe(isFound)
})

test('a salt has a bucket for each server, and for each thousand writes of DynamoDB twice as many', () => {
  const schema = table({ at, id: uuid() }, ['at', 'id'])
  const count = (options: AdviceOptions, code = 'monotonic-first'): number | undefined =>
    found(schema, code, options)?.change?.salt?.[0]?.count
  expect(count({})).toBe(16)
  expect(count({ store: 'hbase', servers: 17 })).toBe(32)
  expect(count({ store: 'hbase', servers: 1000 })).toBe(256)
  expect(count({ ...dynamodb, writes: [{ table: 'rows', perSecond: { inserts: 20_000 } }] }, 'one-partition')).toBe(64)
  expect(found(schema, 'monotonic-first', { store: 'hbase', servers: 40 })?.change?.stores).toEqual({ hbase: { splits: 16 } })
})

test('a partition of several columns is at most as full as the fullest value of each', () => {
  const schema = table({ tenant: text(), kind: text(), id: uint32() }, ['id'], { partition: ['tenant', 'kind'] })
  const options = sampled(schema, (i) => ({ tenant: i % 2 === 0 ? 'acme' : `t${i}`, kind: i % 4 === 0 ? 'a' : `k${i}`, id: i }))
  expect(found(schema, 'giant-tenant', { ...options, store: 'cassandra' })?.evidence).toBe(
    'the largest partition has 25 % of the rows in 1,000 sampled rows',
  )
})

test('a key column that a change makes a value has no direction and no text after it any more', () => {
  const schema = table({ a: text(), b: desc(followedBy(int64(), '_')), c: text() }, ['a', 'b', 'c'])
  const change = { code: 'any', table: 'rows', change: { key: ['a', 'c'] } }
  expect(
    applyFix(schema, change)
      .toJSON()
      .columns.map(({ name, role, type }) => [name, role, type['desc'], type['followedBy']]),
  ).toEqual([
    ['a', 'key', false, undefined],
    ['c', 'key', false, undefined],
    ['b', 'value', false, undefined],
  ])
})

test.each([
  [1.9, 'warning'],
  [2.1, 'error'],
])('hot-partition: %d times what DynamoDB takes is a %s', (times, severity) => {
  const schema = table({ user: text(), id: uuid() }, ['id'], { partition: ['user'] })
  const writes = [{ table: 'rows', perSecond: { inserts: 1000 * times }, distinct: { user: 1 } }]
  expect(found(schema, 'hot-partition', { ...dynamodb, writes })?.severity).toBe(severity)
})

test('filter: a sample says how many values a column has', () => {
  const schema = table({ host: text(), at, level: uint16() }, ['host', 'at', 'level'])
  const sample = sampled(schema, (i) => ({ host: `h${i % 5}`, at: new Date(i), level: i % 4 }))
  const queries = [{ table: 'rows', where: { host: '=', level: '=' } }] as const
  expect(found(schema, 'filter', { ...sample, queries })?.evidence).toBe('1 a second, which 1 of 4 values passes: host =, level =')
})

test('fan-out: of two levels of a salt none is changed alone', () => {
  const salt = [bucket({ of: 'a', count: 8 }), bucket({ of: 'b', count: 8 })]
  const schema = table({ a: text(), b: text(), c: text() }, ['a', 'b', 'c'], { salt })
  const finding = found(schema, 'fan-out', { queries: [{ table: 'rows', where: { a: '=' }, perSecond: 500 }] })
  expect([finding?.severity, finding?.change]).toEqual(['warning', undefined])
})

test.each([
  [16, 32, '50 %'],
  [16, 24, '67 %'],
  [16, 17, '94 %'],
])('salt-changed: of a hash from %d to %d buckets %s of the rows move', (from, to, share) => {
  const [before, after] = [from, to].map((count) => table({ id: uuid() }, ['id'], { salt: bucket({ of: 'id', count }) }))
  expect(found(after as TableSchema, 'salt-changed', { existing: [before as TableSchema] })?.evidence).toContain(
    `about ${share} of the rows`,
  )
})

test.each([
  [499, false],
  [500, true],
])('kudu-encoding: prefix for a first column with %d values in 1,000 rows: %j', (values, isFound) => {
  const schema = table({ host: text(), no: int64() }, ['host', 'no'], { salt: kuduHash({ of: 'host', count: 8 }) })
  const options = sampled(schema, (i) => ({ host: `h${i % values}`, no: BigInt(i) }))
  expect(found(schema, 'kudu-encoding', { ...options, ...kudu }) !== undefined).toBe(isFound)
})

test.each([
  [decimal(18, 2), false],
  [decimal(19, 2), true],
  [int64(), false],
  [uint64(), true],
])('kudu-encoding: run length for numbers of up to 8 bytes', (type, isFound) => {
  const schema = table({ id: int64(), v: type }, ['id'], { salt: kuduHash({ of: 'id', count: 8 }) })
  expect(found(schema, 'kudu-encoding', { ...kudu, kudu: { encodings: { [schema.name]: { v: 'runlength' } } } }) !== undefined).toBe(
    isFound,
  )
})

test('kudu-encoding: who has chosen an encoding in the model is not advised of another one', () => {
  const hinted = (hint: unknown): boolean => {
    const stores = { kudu: { columns: hint } }
    const schema = table({ host: text(), no: int64() }, ['host', 'no'], { salt: kuduHash({ of: 'host', count: 8 }), stores })
    return found(schema, 'kudu-encoding', { ...sampled(schema, (i) => ({ host: `h${i}`, no: BigInt(i) })), ...kudu }) !== undefined
  }
  expect([{ host: { encoding: 'dictionary' } }, { host: { encoding: 'prefix' } }].map(hinted)).toEqual([false, false])
  expect([{}, null, { host: null }, { host: { compression: 'lz4' } }, { no: { encoding: 'plain' } }].map(hinted)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ])
})
