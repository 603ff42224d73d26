import { bucket, defineTable, kuduHash, text, timestamp, uint32, uuid, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, sampleStats, type AdviceOptions, type QueryShape, type WriteLoad } from '../src/index.js'
import { figure } from '../src/subject/subject.js'
import { shareOfFirst } from '../src/subject/skew.js'
import { cassandra, dynamodb, hbase, kudu, redis } from './cases.js'
import { found, scattered, statsOf, table } from './judging.js'

// What a load is made of: ranges of scans, units, reads, updates, and what a time to live leaves.

const at = timestamp('ms')
const load = (rates: Omit<WriteLoad, 'table'>): AdviceOptions => ({ writes: [{ table: 'rows', ...rates }] })
const asked = (where: QueryShape['where'], perSecond: number): AdviceOptions => ({ queries: [{ table: 'rows', where, perSecond }] })

test('a scan of 500 partitions is 500 commands of Redis', () => {
  const feeds = table({ author: uuid(), at, post: uuid() }, ['at', 'post'], { partition: ['author'] })
  const evidence = (perSecond: number): string | undefined =>
    found(feeds, 'one-thread', { ...redis, ...asked({ author: { in: 500 } }, perSecond) })?.evidence
  expect(evidence(160)).toBeUndefined()
  expect(evidence(1000)).toMatch(/^500,000 commands a second on 1 node/)
})

const salted = table({ id: uint32(), body: text() }, ['id'], { salt: bucket({ of: 'id', count: 16 }) })

test('few-buckets of DynamoDB counts units, and reads', () => {
  const stats = statsOf(salted, (i) => ({ id: scattered(i), body: 'x'.repeat(4900) }))
  const large = found(salted, 'few-buckets', { ...dynamodb, stats, ...load({ perSecond: { inserts: 14_400 } }) })
  expect([large?.severity, large?.evidence]).toEqual(['error', '16 buckets, 4,500 write units a second each; DynamoDB takes 1,000'])
  const read = found(salted, 'few-buckets', { ...dynamodb, ...asked({ id: '=' }, 500_000) })
  expect(read?.evidence).toBe('16 buckets, 31,250 reads a second each; DynamoDB takes 3,000')
  expect(read?.change?.salt?.[0]?.count).toBe(256)
  expect(found(salted, 'few-buckets', { ...dynamodb, ...asked({ id: '=' }, 48_000) })).toBeUndefined()
})

test('one partition that is only read is too hot too', () => {
  const one = table({ id: text() }, ['id'])
  const severity = (perSecond: number): unknown => {
    const { severity, evidence } = found(one, 'one-partition', { ...dynamodb, ...asked({ id: '=' }, perSecond) }) ?? {}
    return [severity, evidence?.includes('reads a second')]
  }
  expect([severity(4), severity(3001)]).toEqual([
    ['warning', false],
    ['error', true],
  ])
})

test('updates need as many places as inserts do', () => {
  const byId = table({ id: uuid() }, ['id'])
  const severities = (rates: Omit<WriteLoad, 'table'>): unknown[] => [
    found(byId, 'one-region', { ...hbase, ...load(rates) })?.severity,
    found(salted, 'unsplit-buckets', { ...hbase, ...load(rates) })?.severity,
    found(table({ id: uuid() }, ['id'], { salt: bucket({ of: 'id', count: 2 }) }), 'few-buckets', { ...hbase, ...load(rates) })?.severity,
  ]
  expect(severities({ perSecond: { updates: 50_000 } })).toEqual(['warning', 'warning', 'warning'])
  expect(severities({ perSecond: { updates: 5 } })).toEqual(['info', 'info', 'info'])
})

test('a partition does not grow for longer than its rows live', () => {
  const evidence = (ttl: '1d' | undefined): string | undefined =>
    found(
      table({ host: text(), at }, ['host', 'at'], {
        salt: bucket({ of: 'host', count: 16 }),
        ...(ttl === undefined ? {} : { ttl }),
      }),
      'few-partitions',
      { ...cassandra, ...load({ perSecond: { inserts: 1 } }) },
    )?.evidence
  expect(evidence(undefined)).toMatch(/; 1,971,000 rows in each after a year$/)
  expect(evidence('1d')).toMatch(/; 5,400 rows in each until they expire$/)
})

test('a table of Kudu may be called constructor', () => {
  const schema = defineTable('constructor', { columns: { host: text() }, key: ['host'], salt: kuduHash({ of: 'host', count: 8 }) })
  expect(() => advise([schema], { ...kudu, kudu: { ranges: {}, encodings: {} } })).not.toThrow()
  expect(() => advise([schema], { store: 'kudu', servers: 3 })).not.toThrow()
})

test.each([NaN, -1, Infinity, 'many', null])('the total of a sample is no %s', (total) => {
  expect(() => sampleStats(salted, [], { total: total as never })).toThrow(/the total of a sample is/)
})

test('which of equally busy queries comes first does not change the key that is advised', () => {
  const schema = table({ at, host: text(), pod: text(), app: text() }, ['at', 'host', 'pod', 'app'])
  const queries: QueryShape[] = [
    { table: 'rows', where: { host: '=', pod: '=', at: ['gte', 'lt'] } },
    { table: 'rows', where: { host: '=', app: '=', at: ['gte', 'lt'] } },
  ]
  const change = (all: readonly QueryShape[]): unknown => found(schema, 'monotonic-first', { queries: all })?.change
  expect(change(queries)).toEqual({ key: ['host', 'app', 'at', 'pod'] })
  expect(change(queries.toReversed())).toEqual(change(queries))
})

test.each([
  [99.4, '99'],
  [99.6, '100'],
  [99.99, '100'],
  [9.96, '10'],
])('%d is read as %s', (value, text) => {
  expect(figure(value)).toBe(text)
})

test('the share of the first of a million is as exact as if all were added, and quick', () => {
  const added = (count: number, skew: number): number =>
    1 / Array.from({ length: count }, (_, at) => (at + 1) ** -skew).reduce((sum, each) => sum + each, 0)
  for (const skew of [0, 0.5, 0.99, 1, 1.5, 3]) {
    for (const count of [9999, 10_001, 1_000_000]) expect(shareOfFirst(count, skew) / added(count, skew)).toBeCloseTo(1, 6)
  }
})

test('a partition that is full within the day is so after 1 day', () => {
  const schema: TableSchema = table({ host: text(), at }, ['at'], { partition: ['host'] })
  const finding = found(schema, 'large-partition', { ...cassandra, ...load({ perSecond: { inserts: 1 }, distinct: { host: 1 } }) })
  expect(finding?.evidence).toMatch(/: 100,000 rows after 1 day$/)
  expect(finding?.fix).toContain("day: period('day', { of: 'at' })")
})

test('an id that has many rows is no id of the row, whatever its name', () => {
  const devices = defineTable('devices', {
    columns: { device_id: text(), region: text(), sensor: text(), at, value: text() },
    key: ['device_id', 'region', 'sensor', 'at'],
  })
  const severity = (schema: TableSchema, distinct: number): string | undefined =>
    advise([schema], {
      queries: [{ table: 'devices', where: { device_id: '=' } }],
      writes: [{ table: 'devices', perSecond: { inserts: 1 }, distinct: { device_id: distinct } }],
    }).findings.find(({ code }) => code === 'many-key-columns')?.severity
  expect(severity(devices, 86_399)).toBe('info')
  expect(severity(devices, 86_400)).toBe('warning')
  const { columns } = devices
  const given = Object.fromEntries(columns.map(({ name, type }) => [name, type]))
  const partitioned = defineTable('devices', { columns: given, partition: ['device_id'], key: ['region', 'sensor', 'at'] } as never)
  expect(severity(partitioned, 86_400)).toBe('info')
})

test('marks that HBase reads without anybody noticing are none', () => {
  const queue = table({ seq: uint32() }, ['seq'])
  const weekly = (marks: number): AdviceOptions => load({ perSecond: { inserts: marks / 604_800, deletes: marks / 604_800 } })
  expect(found(queue, 'tombstone-queue', { ...hbase, ...weekly(99_000) })).toBeUndefined()
  expect(found(queue, 'tombstone-queue', { ...hbase, ...weekly(101_000) })).toBeDefined()
})

test('a hot item that is read by its key is cached, not cut', () => {
  const items = table({ sku: text(), kind: text() }, ['kind'], { partition: ['sku'] })
  const options = { ...dynamodb, ...asked({ sku: '=', kind: '=' }, 100_000), ...load({ distinct: { sku: 100 } }) }
  const { fix, change } = found(items, 'hot-partition', options) ?? {}
  expect(change).toBeUndefined()
  expect(fix).toMatch(/from a cache/)
})
