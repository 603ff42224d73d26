import { bucket, date, defineTable, kuduHash, int64, random, text, timestamp, uint32, uint8, uuid } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, type Finding, type AdviceOptions, type SampleOptions } from '../src/index.js'
import { cassandra, dynamodb, hbase, kudu } from './cases.js'
import { found, scattered, statsOf, table, type Definition } from './judging.js'

// The whole key, the store and the load decide, and rows beat types.

const at = timestamp('ms')
const id = (i: number): string => `${scattered(i).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`

test.each([
  ['in order', (i: number) => i],
  ['two servers whose clocks differ by 5 rows', (i: number) => i + (i % 2) * 5],
  ['late by up to 100 rows', (i: number) => i - (scattered(i) % 100)],
])('times that arrive %s count up', (_, ms) => {
  const schema = table({ at, dev: text() }, ['at', 'dev'])
  const sample = statsOf(schema, (i) => ({ at: new Date(1e12 + ms(i) * 10), dev: `d${i % 7}` }), 1000, { order: 'written' })
  expect(found(schema, 'monotonic-first', { stats: sample })?.stage).toBe('data')
})

test('random ids that were exported in the order of their keys do not count up, and ids that begin with a time do', () => {
  const random = table({ id: uuid() }, ['id'])
  const sorted = Array.from({ length: 1000 }, (_, i) => id(i)).toSorted()
  expect(found(random, 'monotonic-first', { stats: statsOf(random, (i) => ({ id: sorted[i] })) })).toBeUndefined()
  const timed = table({ id: uuid({ order: 'time' }) }, ['id'])
  const v7 = (i: number): string =>
    `01890000-${(i >> 4).toString(16).padStart(4, '0')}-7000-8000-${scattered(i).toString(16).padStart(12, '0')}`
  expect(found(timed, 'monotonic-first', { stats: statsOf(timed, (i) => ({ id: v7(i) })) })?.severity).toBe('warning')
})

test.each([
  ['sorted by key', (i: number) => i, {}, undefined],
  ['sorted by key, from the end', (i: number) => 999 - i, {}, undefined],
  ['as they were written', (i: number) => i, { order: 'written' }, 'later values are larger in 100 % of 1,000 sampled rows'],
] as const)('names in their order count up only if rows are %s', (_, place, options, because) => {
  const schema = table({ user: text() }, ['user'])
  const names = Array.from({ length: 1000 }, (_, i) => scattered(i).toString(36)).toSorted()
  const sample = statsOf(schema, (i) => ({ user: names[place(i)] }), 1000, options)
  expect(found(schema, 'monotonic-first', { stats: sample })?.evidence.split(';')[0]).toBe(because)
})

test('times in a sample drawn by chance still are times; only rows as they were written silence them, or a sample of unknown order', () => {
  const schema = table({ at, dev: text() }, ['at', 'dev'])
  const stage = (options: SampleOptions): string | undefined =>
    found(schema, 'monotonic-first', {
      stats: statsOf(schema, (i) => ({ at: new Date(1e12 + (scattered(i) % 100_000)), dev: `d${i % 7}` }), 1000, options),
    })?.stage
  expect([stage({ order: 'other' }), stage({ order: 'written' }), stage({})]).toEqual(['model', undefined, undefined])
})

test('ids of version 7 in a column of any uuid count up if rows are as they were written', () => {
  const schema = table({ id: uuid() }, ['id'])
  const v7 = (i: number): string => `01890000-${(0x1000 + i).toString(16)}-7000-8000-000000000000`
  const finding = (options: SampleOptions): string | undefined =>
    found(schema, 'monotonic-first', { stats: statsOf(schema, (i) => ({ id: v7(i) }), 1000, options) })?.stage
  expect([finding({ order: 'written' }), finding({})]).toEqual(['data', undefined])
})

test('a text that by its name is a time is as hot as a time', () => {
  expect(found(table({ created_at: text(), id: uuid() }, ['created_at', 'id']), 'monotonic-first')?.evidence).toContain(
    'by its name a time',
  )
})

test('in Cassandra the queries make the partition; without them its own text says what there is', () => {
  const schema = table({ host: text(), at }, ['host', 'at'])
  const asked = found(schema, 'one-partition', { ...cassandra, queries: [{ table: 'rows', where: { host: '=', at: ['gte', 'lt'] } }] })
  expect(asked?.change).toEqual({ partition: ['host'], key: ['at'], salt: [] })
  const blind = found(schema, 'one-partition', cassandra)
  expect(blind?.change).toBeUndefined()
  expect(blind?.fix).toMatch(/^Give the table a partition column or a salt\./)
})

test('a salt of the partition itself spreads no partition', () => {
  const options: AdviceOptions = { ...dynamodb, writes: [{ table: 'rows', perSecond: { inserts: 30_000 }, distinct: { tenant: 100 } }] }
  const hot = (salt: Partial<Definition>): string | undefined =>
    found(table({ tenant: text(), id: uuid() }, ['id'], { partition: ['tenant'], ...salt }), 'hot-partition', options)?.evidence.split(
      ' ',
    )[0]
  expect(hot({})).toBe('5,783')
  expect(hot({ salt: bucket({ of: 'tenant', count: 16 }) })).toBe('5,783')
  expect(hot({ salt: bucket({ of: 'id', count: 4 }) })).toBe('1,446')
  expect(hot({ salt: bucket({ of: 'id', count: 16 }) })).toBeUndefined()
})

test('more buckets if there is a salt already; and never a day against writes of one moment', () => {
  const hot = (key: Definition['columns'], salt: Partial<Definition> = {}): Finding | undefined =>
    found(table({ user: text(), ...key }, Object.keys(key), { partition: ['user'], ...salt }), 'hot-partition', {
      ...dynamodb,
      writes: [{ table: 'rows', perSecond: { inserts: 100_000 }, distinct: { user: 10_000 } }],
    })
  expect(hot({ id: uuid() }, { salt: bucket({ of: 'id', count: 4 }) })?.change?.salt).toMatchObject([{ of: ['id'], count: 32 }])
  expect(hot({ status: text() })?.fix).toBe(
    'Add a column to the partition that differs between rows of the same moment, such as the number of a shard.',
  )
})

test('items of three kilobytes are three write units each', () => {
  const schema = table({ user: text(), id: uint32(), body: text() }, ['id'], { partition: ['user'] })
  const sample = statsOf(schema, (i) => ({ user: i % 2 === 0 ? 'a' : `u${i}`, id: i, body: 'x'.repeat(3000) }))
  const options = (inserts: number): AdviceOptions => ({ ...dynamodb, stats: sample, writes: [{ table: 'rows', perSecond: { inserts } }] })
  expect(found(schema, 'hot-partition', options(900))?.evidence).toMatch(/^1,350 of 2,700 write units a second/)
  expect(found(schema, 'hot-partition', options(600))).toBeUndefined()
})

test.each([
  [{}, ['id'], 'grows, so that 100,000 rows are there after 2 hours', /: 100,000 rows after 2 hours$/],
  [{ day: date() }, ['id'], 'of a day is too large', /: 100,000 rows after 2 hours$/],
  [{ hour: uint32() }, ['id'], 'of an hour ends before', undefined],
  [{ bucket: uint32() }, ['id'], 'of a window that nobody knows is left alone', undefined],
] as const)('a partition of a room and %j %s', (window, key, _, evidence) => {
  const schema = table({ room: text(), ...window, id: uuid() }, key, { partition: ['room', ...Object.keys(window)] })
  const options: AdviceOptions = { ...cassandra, writes: [{ table: 'rows', perSecond: { inserts: 100 }, distinct: { room: 1000 } }] }
  const finding = found(schema, 'large-partition', options)
  if (evidence === undefined) expect(finding).toBeUndefined()
  else {
    expect(finding?.evidence).toMatch(evidence)
    expect(finding?.fix).toContain('changes every hour')
  }
})

test('a partition of a day with 58,000 rows is fine; deletes and a time to live keep others small', () => {
  const daily = table({ room: text(), day: date(), id: uuid() }, ['id'], { partition: ['room', 'day'] })
  expect(
    found(daily, 'large-partition', { ...cassandra, writes: [{ table: 'rows', perSecond: { inserts: 5 }, distinct: { room: 1000 } }] }),
  ).toBeUndefined()
  const rooms = table({ room: text(), id: uuid() }, ['id'], { partition: ['room'] })
  const writes = (deletes: number): AdviceOptions => ({
    ...cassandra,
    writes: [{ table: 'rows', perSecond: { inserts: 100, deletes }, distinct: { room: 1000 } }],
  })
  expect(found(rooms, 'large-partition', writes(99))).toBeDefined()
  expect(found(rooms, 'large-partition', writes(100))).toBeUndefined()
})

test('long rows reach 100 MB before 100,000 rows', () => {
  const schema = table({ room: text(), id: uint32(), body: text() }, ['id'], { partition: ['room'] })
  const sample = statsOf(schema, (i) => ({ room: 'a', id: i, body: 'x'.repeat(10_000) }), 1000, { total: 50_000 })
  expect(found(schema, 'large-partition', { ...cassandra, stats: sample })?.evidence).toMatch(
    /^50,000 rows .* Cassandra advises 100 MB, which is 9,9\d\d$/,
  )
})

test('a giant tenant is hot where keys are in order, if the column after it counts up', () => {
  const giant = (key: readonly string[]): Finding | undefined => {
    const schema = table({ tenant: text(), at, id: uint32() }, key)
    const sample = statsOf(schema, (i) => ({ tenant: i % 5 < 3 ? 'acme' : `t${i}`, at: new Date(i * 1000), id: scattered(i) }))
    return found(schema, 'giant-tenant', { ...hbase, stats: sample })
  }
  expect(giant(['tenant', 'at', 'id'])?.evidence).toBe('1 value has 60 % of the rows, which go to 1 place')
  expect(giant(['tenant', 'id', 'at'])).toBeUndefined()
})

test.each([
  [0.19, false],
  [0.21, true],
])('a partition with %d of the rows is a giant: %j', (share, isGiant) => {
  const schema = table({ tenant: text(), id: uint32() }, ['id'], { partition: ['tenant'] })
  const sample = statsOf(schema, (i) => ({ tenant: i < 1000 * share ? 'acme' : `t${i}`, id: i }))
  expect(found(schema, 'giant-tenant', { ...cassandra, stats: sample }) !== undefined).toBe(isGiant)
})

test.each([
  [10, ['giant-tenant']],
  // Then the scans of all buckets would be the load.
  [500, []],
])('fixes that follow one another come to an end, also when the rows are sampled again: %d scans a second', (perSecond, expected) => {
  let schema = table({ tenant: text(), id: uint32() }, ['id'], { partition: ['tenant'] })
  const row = (i: number): Record<string, unknown> => ({ tenant: i % 3 === 0 ? 'acme' : `t${i}`, id: i })
  const rest: AdviceOptions = { ...cassandra, queries: [{ table: 'rows', where: { tenant: '=' }, perSecond }] }
  const applied: string[] = []
  for (;;) {
    const next = advise([schema], { ...rest, stats: statsOf(schema, row) }).findings.find(
      ({ change, severity }) => change !== undefined && severity !== 'info',
    )
    if (next === undefined) break
    applied.push(next.code)
    expect(applied.length, applied.join()).toBeLessThan(5)
    schema = applyFix(schema, next)
  }
  expect(applied).toEqual(expected)
})

test.each([
  [{}, 62, 'info'],
  [{}, 63, 'warning'],
  [{ ...hbase, servers: 60 }, 3000, 'info'],
  [{ store: 'lmdb' } as const, 3000, 'info'],
])('requests of a fan-out count for each server: %#', (store, perSecond, severity) => {
  const schema = table({ host: text(), at }, ['host', 'at'], {
    salt: bucket({ of: ['host', 'at'], count: 16 }),
    stores: { hbase: { splits: 16 } },
  })
  const options: AdviceOptions = {
    queries: [{ table: 'rows', where: { host: '=' }, perSecond }],
    ...store,
  }
  expect(found(schema, 'fan-out', options)?.severity).toBe(severity)
})

test('a query that leaves out a part of the partition is told which', () => {
  const schema = table({ tenant: text(), day: date(), at }, ['at'], { partition: ['tenant', 'day'] })
  const finding = found(schema, 'full-scan', { queries: [{ table: 'rows', where: { tenant: '=', at: ['gte', 'lt'] } }] })
  expect(finding?.evidence).toBe('1 of 2 partition columns missing: tenant =, at gte lt')
  expect(finding?.message).toBe(
    "The query gives no value for 'day', which is in the partition, so it would read all partitions and is refused.",
  )
})

test('a random last column is not dropped by a fix, because rows might need it', () => {
  const schema = table({ user: text(), at, r: uint8({ default: random(100) }) }, ['user', 'at', 'r'])
  expect(found(schema, 'random-suffix')?.change).toBeUndefined()
})

test('INVALID_OPTION: statistics of another key or salt', () => {
  const [before, after] = [table({ id: uint32() }, ['id']), table({ id: uint32() }, ['id'], { salt: bucket({ of: 'id', count: 4 }) })]
  const sample = statsOf(before, (i) => ({ id: i }))
  expect(() => advise([after], { stats: sample })).toThrow("INVALID_OPTION: the statistics of 'rows' are of another key or salt.")
})

test('names of 37 values get codes of two letters, of which none begins another', () => {
  const schema = table({ shop: text(), no: uint32() }, ['no', 'shop'])
  const finding = found(schema, 'name-as-text', { stats: statsOf(schema, (i) => ({ shop: `shop number ${i % 40}`, no: scattered(i) })) })
  expect(finding?.change).toBeDefined()
  expect(applyFix(schema, finding as Finding).columns[1]?.type.codes).toHaveLength(40)
})

test('what is ignored is only told as unused if what it needs was given', () => {
  const schema = table({ id: uuid() }, ['id'], { stores: { advisor: { ignore: { 'fan-out': 'few queries' } } } })
  expect(found(schema, 'unused-ignore')).toBeUndefined()
  expect(found(schema, 'unused-ignore', { queries: [{ table: 'rows', where: { id: '=' } }] })).toBeDefined()
  // A code that nobody has is misspelt.
  expect(advise([schema], { ignore: [{ code: 'fan-outt', reason: 'few queries' }] }).findings).toMatchObject([{ code: 'unused-ignore' }])
  const both = table({ at, id: int64() }, ['at', 'id'], { stores: { advisor: { ignore: { 'monotonic-first': 'a' } } } })
  expect(advise([both], { ignore: [{ code: 'monotonic-first', reason: 'b' }] })).toMatchObject({ findings: [], ignored: [{ reason: 'b' }] })
})

test('in Kudu new rows go to the last range, so only its hash buckets count', () => {
  const Metrics = defineTable('metrics', {
    columns: { host: text(), time: timestamp('us') },
    key: ['host', 'time'],
    salt: kuduHash({ of: 'host', count: 2 }),
  })
  const bounds = Array.from({ length: 12 }, (_, month): [number, number] => [month, month + 1])
  const finding = found(Metrics, 'kudu-tablets', { ...kudu, kudu: { ranges: { metrics: { column: 'time', bounds } } } })
  expect(finding?.evidence).toBe('2 hash buckets x 12 ranges = 24 tablets, of which 2 take new rows, on 6 servers')
  expect(finding?.change?.salt).toMatchObject([{ count: 6 }])
})

test('ranges of Kudu are of their table, in the order of numbers, and not empty', () => {
  const Metrics = defineTable('metrics', { columns: { host: text(), time: int64() }, key: ['host', 'time'] })
  const Users = defineTable('users', { columns: { id: int64() }, key: ['id'] })
  const codes = (...bounds: readonly (readonly [string | number | null, string | number | null])[]): readonly string[] =>
    advise([Metrics, Users], { ...kudu, kudu: { ranges: { metrics: { column: 'time', bounds } } } })
      .findings.filter(({ code }) => code === 'kudu-ranges')
      .map(({ table: name, evidence }) => `${name}: ${evidence}`)
  expect(codes(['9', '10'], ['10', '11'])).toEqual([])
  expect(codes([null, 10], [10, 20])).toEqual([])
  expect(codes([10, 5])).toEqual(['metrics: 1 of 1 range end where they begin, or before'])
  expect(codes([0, null], [5, 10])).toEqual(['metrics: 1 of 2 ranges overlap the one before'])
})
