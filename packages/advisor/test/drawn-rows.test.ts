import { bucket, dictionary, hashPrefix, int64, period, text, timestamp, uint32, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, sampleStats, statsAfter, type TableStats } from '../src/index.js'
import { combinations } from '../src/data/drawn-rows.js'
import { scattered, table } from './judging.js'

const at = timestamp('ms')
const byUser = (more = {}): TableSchema => table({ user: text(), no: uint32(), at }, ['user', 'no', 'at'], more)
const row = (i: number): Record<string, unknown> => ({ user: `u${i % 7}`, no: i % 3, at: new Date(i * 1000) })
const rows = (count: number): object[] => Array.from({ length: count }, (_, i) => row(i))
const keysIn = ({ drawn = '' }: TableStats): readonly string[] => drawn.split(' ').filter((key) => key !== '')

test('up to 2,000 rows are all kept, in their order, and of more 2,000 that chance draws evenly', () => {
  expect(keysIn(sampleStats(byUser(), rows(2000)))).toHaveLength(2000)
  expect(keysIn(sampleStats(byUser(), []))).toEqual([])
  const schema = table({ no: uint32() }, ['no'])
  const many = Array.from({ length: 20_000 }, (_, no) => ({ no }))
  const drawn = keysIn(sampleStats(schema, many)).map((key) => Number.parseInt(key, 16))
  expect(drawn).toHaveLength(2000)
  expect(drawn).toEqual(drawn.toSorted((a, b) => a - b))
  for (const half of [drawn.filter((no) => no < 10_000), drawn.filter((no) => no % 2 === 0)]) {
    expect(half.length).toBeGreaterThan(900)
    expect(half.length).toBeLessThan(1100)
  }
  expect(sampleStats(schema, many).drawn).toBe(sampleStats(schema, many).drawn)
})

test('several columns are counted together', () => {
  const schema = byUser()
  const stats = sampleStats(schema, rows(2100).slice(0, 1050))
  const columns = schema.columns.slice(0, 2)
  expect(combinations(stats, schema, columns)).toEqual({ rows: 1050, distinct: 21, top: 50 })
  expect(combinations({ ...stats, drawn: '' }, schema, columns)).toBeUndefined()
})

test.each<[string, TableSchema]>([
  ['a salt', byUser({ salt: bucket({ of: ['user', 'no'], count: 16 }) })],
  ['a prefix', byUser({ salt: hashPrefix({ of: 'user' }) })],
  ['another order', table({ user: text(), no: uint32(), at }, ['no', 'at', 'user'])],
  ['fewer columns', table({ user: text(), no: uint32(), at }, ['user', 'at'])],
  ['a period', table({ user: text(), day: period('day', { of: 'at' }), no: uint32(), at }, ['at', 'no'], { partition: ['user', 'day'] })],
  ['a partition', table({ user: text(), no: uint32(), at }, ['no', 'at'], { partition: ['user'] })],
])('the statistics after %s are those of the same rows', (_, changed) => {
  const stats = sampleStats(byUser(), rows(1000), { order: 'written', total: 1e6 })
  const { rowBytes, ...after } = statsAfter(stats, byUser(), changed) as TableStats
  const { rowBytes: bytes, ...again } = sampleStats(changed, rows(1000), { order: 'written', total: 1e6 })
  expect(after).toEqual(again)
  expect(rowBytes).toBeLessThanOrEqual(bytes + 20)
})

test('a text becomes a number, a time or a code if all rows can', () => {
  const texts = table({ a: text(), b: text(), c: text() }, ['a', 'b', 'c'])
  const given = Array.from({ length: 200 }, (_, i) => ({ a: String(i), b: new Date(i * 1000).toISOString(), c: i % 2 === 0 ? 'x' : 'y' }))
  const stats = sampleStats(texts, given)
  const typed = table({ a: int64(), b: at, c: dictionary({ x: '0', y: '1' }) }, ['a', 'b', 'c'])
  expect(statsAfter(stats, texts, typed)?.keyBytes.max).toBe(17)
  expect(statsAfter(stats, texts, table({ a: int64(), b: int64(), c: text() }, ['a', 'b', 'c']))).toBeUndefined()
  expect(statsAfter({ ...stats, drawn: '' }, texts, typed)).toBeUndefined()
})

test('a changed table is judged with the same rows: a salt that leaves a third in one bucket is not offered', () => {
  const schema = table({ kind: text(), user: text() }, ['kind', 'user'], { salt: bucket({ of: 'kind', count: 16 }) })
  const stats = sampleStats(
    schema,
    Array.from({ length: 1000 }, (_, i) => ({ kind: `k${i % 3}`, user: i % 3 === 0 ? 'one' : `u${scattered(i)}` })),
  )
  const finding = advise(schema, { stats: [stats] }).findings.find(({ code }) => code === 'few-valued-salt')
  const after = finding?.change === undefined ? undefined : finding.change.salt
  expect(after).toMatchObject([{ of: ['kind', 'user'] }])
  const same = sampleStats(
    schema,
    Array.from({ length: 1000 }, (_, i) => ({ kind: `k${i % 3}`, user: `u${i % 3}` })),
  )
  expect(advise(schema, { stats: [same] }).findings.find(({ code }) => code === 'few-valued-salt')?.change).toBeUndefined()
})

test('rowkeys of another table are refused', () => {
  const stats = sampleStats(byUser(), rows(200))
  expect(() => advise(byUser(), { stats: [{ ...stats, drawn: '00ff' }] })).toThrow('have rowkeys that the table cannot have')
})

test('statistics that were asked for another table are still those of their own', () => {
  const schema = byUser()
  const stats = sampleStats(schema, rows(200))
  const other = table({ no: uint32() }, ['no'])
  const salted = byUser({ salt: bucket({ of: ['user', 'no'], count: 16 }) })
  expect(statsAfter(stats, other, other)).toBeUndefined()
  expect(statsAfter(stats, schema, salted)?.rows).toBe(200)
  expect(statsAfter(stats, other, other)).toBeUndefined()
})
