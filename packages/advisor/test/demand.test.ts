import { bucket, date, defineTable, text, timestamp, uint32, uuid, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, type Finding, type AdviceOptions, type QueryShape } from '../src/index.js'
import { cassandra, dynamodb, redis } from './cases.js'
import { found, scattered, statsOf, table, type Definition } from './judging.js'

// What the busiest partition is asked for, and what all tables together ask of one thread.

const users = (more: Partial<Definition> = {}): TableSchema =>
  table({ user: text(), id: uint32(), body: text() }, ['id'], { partition: ['user'], ...more })
const inUser = (perSecond: number, more: Partial<QueryShape> = {}): QueryShape => ({
  table: 'rows',
  where: { user: '=' },
  perSecond,
  ...more,
})
const row = { user: '=', id: '=' } as const
const distinct = [{ table: 'rows', distinct: { user: 10_000 } }]
const hot = (queries: readonly QueryShape[], more: AdviceOptions = {}, schema = users()): Finding | undefined =>
  found(schema, 'hot-partition', { ...dynamodb, writes: distinct, queries, ...more })

test.each([
  [29_300, undefined],
  [29_400, 'warning'],
  [58_600, 'warning'],
  [58_800, 'error'],
])('%d reads a second of 10,000 users: the first makes a tenth, and DynamoDB takes 3,000: %s', (perSecond, severity) => {
  expect(hot([inUser(perSecond)])?.severity).toBe(severity)
})

test('reads of several queries add up, and are told with the share, as what they are', () => {
  const finding = hot([inUser(20_000), inUser(20_000, { where: row })])
  expect(finding?.evidence).toBe(
    '4,087 of 40,000 reads a second go to the first partition among 10,000, with the usual skew; DynamoDB takes 3,000',
  )
  expect(finding?.message).toBe("The busiest value of 'user' gets more reads than one partition takes.")
})

test.each([
  ['nothing is known of how many users there are', { writes: [] }],
  ['all users are read equally often', { writes: [{ table: 'rows', distinct: { user: 10_000 }, skew: 0 }] }],
  ['no vendor publishes what a partition takes', cassandra],
  ['there is no store', { store: undefined as never }],
  ['queries are refused', { queries: [{ table: 'rows', where: { id: '=' as const }, perSecond: 1e6 }] }],
  ['reads are not counted', { queries: [{ table: 'rows', where: row }] }],
] as const)('no reads are hot if %s', (_, more) => {
  expect(hot([inUser(100_000)], more)).toBeUndefined()
})

test('eventually consistent reads cost half, and rows of more than 4 kB several units', () => {
  const eventual = { consistency: 'eventual' } as const
  expect(hot([inUser(50_000, eventual)])).toBeUndefined()
  expect(hot([inUser(60_000, eventual)])?.evidence).toMatch(/^3,065 of 30,000 read units a second/)
  const stats = (bytes: number, total?: number): AdviceOptions['stats'] =>
    statsOf(
      users(),
      (i) => ({ user: i % 10 === 0 ? 'a' : `u${scattered(i)}`, id: i, body: 'x'.repeat(bytes) }),
      1000,
      total === undefined ? {} : { total },
    )
  expect(hot([inUser(20_000, { where: row })], { stats: stats(5000) as never })?.evidence).toMatch(/^4,000 of 40,000 read units a second/)
  // How much a scan reads is known if it has a limit and the partition has as many rows.
  for (const most of [{ limit: 100 }, { size: 100 }, { limit: 5000, size: 100 }]) {
    const scan = inUser(1500, most)
    expect(hot([scan], { stats: stats(1000) as never })).toBeUndefined()
    expect(hot([scan], { stats: stats(1000, 1e6) as never })?.evidence).toMatch(/^3,750 of 37,500 read units/)
  }
})

test('buckets spread gets and no scans: the fix is a salt or a cache', () => {
  const gets = hot([inUser(60_000, { where: row })])
  expect(gets?.change?.salt).toMatchObject([{ of: ['id'], count: 8 }])
  expect(hot([inUser(60_000, { where: row })], {}, applyFix(users(), gets as Finding))).toBeUndefined()
  const scans = hot([inUser(60_000)])
  expect(scans?.change).toBeUndefined()
  expect(scans?.fix).toMatch(/^Answer most of these reads from a cache/)
  const salted = users({ salt: bucket({ of: 'id', count: 16 }) })
  expect(hot([inUser(60_000)], {}, salted)?.evidence).toMatch(/^6,130 of 960,000 reads/)
})

test('a list of users reads the first of them more often, and a list of keys takes a unit for each', () => {
  expect(hot([inUser(2000, { where: { user: { in: 20 } } })])).toBeUndefined()
  expect(hot([inUser(4000, { where: { user: { in: 20 } } })])?.evidence).toMatch(/^4,000 of 80,000 reads/)
  expect(hot([inUser(2000, { where: { user: '=', id: { in: 20 } } })])?.evidence).toMatch(/^4,087 of 40,000 reads/)
})

test('a day in the partition does not spread the reads of a moment', () => {
  const schema = table({ user: text(), day: date(), id: uuid() }, ['id'], { partition: ['user', 'day'] })
  expect(hot([inUser(60_000, { where: { user: '=', day: '=' } })], {}, schema)?.evidence).toMatch(/^6,130 of 60,000 reads/)
})

test('in Redis writes and reads of a partition are for one thread', () => {
  const load = (updates: number): AdviceOptions => ({
    ...redis,
    writes: [{ table: 'rows', perSecond: { updates }, distinct: { user: 10 } }],
  })
  const queries = [inUser(150_000)]
  expect(hot(queries, load(100_000))).toBeUndefined() // 85,000
  expect(hot(queries, load(150_000))?.evidence).toBe(
    '102,425 of 300,000 commands a second go to the first partition among 10, with the usual skew; Redis takes 100,000',
  )
  // Keys of one shard are one command.
  expect(hot([inUser(150_000, { where: { user: '=', id: { in: 20 } } })], load(150_000))?.evidence).toMatch(/^102,425 of 300,000/)
})

test('a sample in which each row has its own partition does not say how large one is, but that none has a tenth', () => {
  const stats = statsOf(users(), (i) => ({ user: `u${scattered(i)}`, id: i, body: '' }))
  expect(hot([inUser(10_000_000)], { stats, writes: [] })).toBeUndefined()
  expect(hot([inUser(60_000)], { stats })).toBeUndefined()
  const skew = [{ table: 'rows', distinct: { user: 10_000 }, skew: 0.5 }]
  expect(hot([inUser(1_000_000)], { stats, writes: skew })?.evidence).toContain('among 10,000')
})

const sessions = (name: string): TableSchema =>
  defineTable(name, { columns: { id: uuid(), part: text() }, partition: ['id'], key: ['part'] })
const oneThread = (loads: Readonly<Record<string, number>>, servers = 1): readonly Finding[] =>
  advise(Object.keys(loads).map(sessions), {
    ...redis,
    servers,
    writes: Object.entries(loads).map(([name, updates]) => ({ table: name, perSecond: { updates } })),
  }).findings.filter(({ code }) => code === 'one-thread')

test.each([
  [80_000, false],
  [80_001, true],
])('one-thread: %d commands a second: %j', (updates, isFound) => {
  expect(oneThread({ a: updates }).length > 0).toBe(isFound)
  expect(oneThread({ a: 3 * updates }, 3).length > 0).toBe(isFound)
})

test('one-thread: the tables of a call add up, and the busiest one says it for all', () => {
  expect(oneThread({ a: 20_000, b: 40_000, c: 20_000 })).toEqual([])
  expect(oneThread({ a: 20_000, b: 40_000, c: 20_001 })).toMatchObject([
    { table: 'b', evidence: "80,001 commands a second on 1 node ('b' 40,000, 'c' 20,001, 'a' 20,000); one takes about 100,000" },
  ])
  const [finding, ...others] = oneThread({ a: 30_000, b: 30_000, c: 30_000, d: 5000, e: 5000, f: 0 })
  expect(others).toEqual([])
  expect([finding?.table, finding?.evidence]).toEqual([
    'a',
    "100,000 commands a second on 1 node ('a' 30,000, 'b' 30,000, 'c' 30,000, 2 others 10,000); one takes about 100,000",
  ])
})

test('one-thread: a scan is a command for each bucket', () => {
  const schema = table({ host: text(), at: timestamp('ms') }, ['host', 'at'], { salt: bucket({ of: ['host', 'at'], count: 16 }) })
  const asked = (perSecond: number): AdviceOptions => ({ ...redis, queries: [{ table: 'rows', where: { host: '=' }, perSecond }] })
  expect(found(schema, 'one-thread', asked(5000))).toBeUndefined()
  expect(found(schema, 'one-thread', asked(5001))?.evidence).toMatch(/^80,016 commands a second on 1 node/)
})

test('a fix that would make one thread too busy with all tables is not given', () => {
  const host = table({ user: text(), id: uint32() }, ['id'], { partition: ['user'] })
  const stats = statsOf(host, (i) => ({ user: i % 3 === 0 ? 'acme' : `u${scattered(i)}`, id: i }))
  const options = { ...redis, stats, queries: [inUser(30)] }
  expect(found(host, 'giant-tenant', options)?.change).toBeDefined()
  const both = advise([host, sessions('s')], { ...options, writes: [{ table: 's', perSecond: { updates: 79_600 } }] }).findings
  expect(both.find(({ code }) => code === 'giant-tenant')?.fix).toMatch(/ That alone would bring .*one-thread/)
})
