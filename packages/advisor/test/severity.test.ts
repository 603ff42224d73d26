import { bool, bucket, defineTable, desc, dictionary, kuduHash, int32, text, timestamp, uint32, uuid, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, type Finding, type AdviceOptions, type WriteLoad } from '../src/index.js'
import { cassandra, dynamodb, hbase, kudu, redis } from './cases.js'
import { found, scattered, statsOf, table } from './judging.js'

// How much a finding matters if the load is known, and what it says if it is not.

const at = timestamp('ms')
const events = table({ at, host: text() }, ['at', 'host'])
const load = (rates: Omit<WriteLoad, 'table'>): AdviceOptions => ({ writes: [{ table: 'rows', ...rates }] })

/** The severity without a load, and with each of some numbers of new rows a second. */
const severities = (schema: TableSchema, code: string, options: AdviceOptions, ...inserts: readonly number[]): readonly unknown[] =>
  [undefined, ...inserts].map(
    (each) =>
      found(schema, code, { ...options, ...(each === undefined ? {} : load({ perSecond: { inserts: each } })) })?.severity ?? 'none',
  )

const byTime = table({ time: timestamp('us'), host: text() }, ['time', 'host'])
const ranges: AdviceOptions = { ...kudu, kudu: { ranges: { rows: { column: 'time', bounds: [[0, 1], [1, 2]] } } } } // prettier-ignore
const hashed = table({ time: timestamp('us'), host: text() }, ['time', 'host'], { salt: kuduHash({ of: 'host', count: 2 }) })
const types = table({ kind: dictionary({ a: '1', b: '2' }), at, id: uuid() }, ['kind', 'at', 'id'])
const salted = table({ at, id: uuid() }, ['at', 'id'], { salt: bucket({ of: 'id', count: 2 }) })
const byHost = table({ host: text(), at }, ['host', 'at'])

test.each([
  ['monotonic-first', events, {}, [99, 100, 1000, 1001], ['warning', 'info', 'warning', 'warning', 'error']],
  ['kudu-time', byTime, ranges, [99, 100, 1001], ['warning', 'info', 'warning', 'error']],
  // Two buckets, so 50 rows a second each.
  ['low-cardinality-first', types, {}, [199, 200, 5000], ['warning', 'info', 'warning', 'warning']],
  ['few-buckets', salted, hbase, [199, 200, 5000], ['warning', 'info', 'warning', 'warning']],
  ['kudu-tablets', hashed, kudu, [199, 200], ['warning', 'info', 'warning']],
  // 100 million rows in each of two tablets after a year.
  ['kudu-time', hashed, kudu, [6.3, 6.4], ['info', 'info', 'warning']],
  ['one-region', byHost, hbase, [99, 100], ['warning', 'info', 'warning']],
  ['unsplit-buckets', salted, hbase, [99, 100], ['warning', 'info', 'warning']],
  ['one-partition', byHost, dynamodb, [99, 100, 1000, 1001], ['warning', 'info', 'warning', 'warning', 'error']],
  ['one-shard', byHost, redis, [9999, 10_000, 100_001], ['warning', 'info', 'warning', 'error']],
  // 100,000 rows in a partition after a year.
  ['one-partition', byHost, cassandra, [0.003, 0.0032], ['warning', 'info', 'warning']],
  ['few-partitions', salted, cassandra, [0.006, 0.0064], ['warning', 'info', 'warning']],
  ['few-shards', salted, redis, [], ['info']],
] as const)('%s (%#): its severity without a load, and at the rates where that changes', (code, schema, options, inserts, expected) => {
  expect(severities(schema, code, options, ...inserts)).toEqual(expected)
})

test('giant-tenant: a third of few writes is no matter', () => {
  const schema = table({ tenant: text(), id: uint32() }, ['id'], { partition: ['tenant'] })
  const stats = statsOf(schema, (i) => ({ tenant: i % 2 === 0 ? 'acme' : `t${i}`, id: scattered(i) }))
  expect(severities(schema, 'giant-tenant', { ...cassandra, stats }, 199, 200)).toEqual(['warning', 'info', 'warning'])
  expect(found(schema, 'giant-tenant', { ...cassandra, stats })?.message).toMatch(/ That matters from 200 new rows a second on\.$/)
})

const assumed = / That matters from [\d,]+ new rows a second on\.$/

test.each([
  ['monotonic-first', events, {}, 100],
  ['monotonic-first', events, { store: 'lindorm' } as const, 100],
  ['low-cardinality-first', types, {}, 200],
  ['low-cardinality-first', table({ status: text(), at, id: uuid() }, ['status', 'at', 'id']), {}, 100],
  ['kudu-time', byTime, ranges, 100],
  ['kudu-tablets', hashed, kudu, 200],
  ['few-buckets', salted, hbase, 200],
  ['one-region', byHost, hbase, 100],
  ['unsplit-buckets', salted, hbase, 100],
] as const)('%s (%#): a warning without a load says what it assumes, and no more if there is one', (code, schema, options, from) => {
  const message = found(schema, code, options)?.message
  expect(message).toMatch(assumed)
  expect(message).toContain(` ${from} new rows a second on.`)
  expect(found(schema, code, { ...options, ...load({ perSecond: { inserts: 500 } }) })?.message).not.toMatch(assumed)
})

test('a load is known if any rate is, and distinct values are none', () => {
  const severity = (rates: Omit<WriteLoad, 'table'>): string | undefined => found(events, 'monotonic-first', load(rates))?.severity
  expect([
    severity({ perSecond: { updates: 5000 } }),
    severity({ perSecond: { deletes: 0 } }),
    severity({ distinct: { host: 5 } }),
  ]).toEqual(['info', 'info', 'warning'])
})

test('the only partition is told in what the store counts: the writes, or the reads if they are more', () => {
  const evidence = (perSecond: number): string | undefined =>
    found(byHost, 'one-partition', {
      ...dynamodb,
      ...load({ perSecond: { inserts: 500 } }),
      queries: [{ table: 'rows', where: { host: '=' }, perSecond }],
    })?.evidence
  expect(evidence(1500)).toBe('1 bucket and no partition columns; 500 writes a second, and DynamoDB takes 1,000')
  expect(evidence(3001)).toBe('1 bucket and no partition columns; 3,001 reads a second, and DynamoDB takes 3,000')
})

test('rows that are there already count: a partition of Cassandra with a million of them is large', () => {
  const stats = (total: number): AdviceOptions['stats'] =>
    statsOf(byHost, (i) => ({ host: `h${scattered(i)}`, at: new Date(i) }), 1000, { total })
  const finding = (total: number): Finding | undefined =>
    found(byHost, 'one-partition', { ...cassandra, stats: stats(total) ?? [], ...load({ perSecond: { inserts: 0 } }) })
  expect(finding(100_000)?.severity).toBe('info')
  expect(finding(100_001)).toMatchObject({
    severity: 'warning',
    evidence: '1 bucket and no partition columns; 100,001 rows in each after a year',
  })
})

test.each([
  ['bool', { isPaid: bool() }, { isPaid: '=' }, 'info', ', which 1 of 2 values passes'],
  ['ten values', { kind: int32() }, { kind: '=' }, 'info', ', which 1 of 10 values passes'],
  ['eleven values', { sort: int32() }, { sort: '=' }, 'warning', ', which 1 of 11 values passes'],
  ['a range, of which nobody knows how wide it is', { kind: int32() }, { kind: ['gte', 'lt'] }, 'warning', ''],
  ['a column of which nothing is known', { other: text() }, { other: '=' }, 'warning', ''],
] as const)('filter: %s', (_, columns, where, severity, share) => {
  const schema = table({ host: text(), at, ...columns }, ['host', 'at'])
  const finding = found(schema, 'filter', {
    queries: [{ table: 'rows', where: { host: '=', ...where } }],
    ...load({ distinct: Object.fromEntries(Object.entries({ kind: 10, sort: 11 }).filter(([name]) => name in columns)) }),
  })
  expect(finding?.severity).toBe(severity)
  expect(finding?.evidence.split(':')[0]).toBe(`1 a second${share}`)
})

test.each([
  [undefined, 'info'],
  [9, 'info'],
  [10, 'warning'],
])('reverse: %s scans a second: %s', (perSecond, severity) => {
  const query = { table: 'rows', where: { host: '=' }, order: { at: 'desc' } } as const
  expect(found(byHost, 'reverse', { queries: [{ ...query, ...(perSecond === undefined ? {} : { perSecond }) }] })?.severity).toBe(severity)
  const newestFirst = defineTable('rows', { columns: { host: text(), at: desc(at) }, key: ['host', 'at'] })
  expect(advise([newestFirst], { queries: [query] }).findings.map(({ code }) => code)).not.toContain('reverse')
})
