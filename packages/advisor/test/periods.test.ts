// Rules about periods, and what others say of tables that have one.
import { cassandraStore } from '@rowkey/cassandra'
import { bucket, date, defineTable, desc, fixedBytes, float64, period, text, timestamp, uint32, uuid, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, sampleStats, schemaCode, type AdviceOptions, type ConditionShape, type Finding } from '../src/index.js'
import { cassandra, dynamodb, hbase, redis } from './cases.js'
import { found, table } from './judging.js'

const at = timestamp('ms')
const rooms = (more: Parameters<typeof table>[2] = {}): TableSchema =>
  table({ room: text(), at, seq: uint32() }, ['at', 'seq'], { partition: ['room'], ...more })
/** All rows are of one room, so many a second. */
const writing = (inserts: number, more: AdviceOptions = {}): AdviceOptions => ({
  store: cassandraStore,
  writes: [{ table: 'rows', perSecond: { inserts }, distinct: { room: 1 } }],
  ...more,
})
const codeOf = (schema: TableSchema, finding: Finding | undefined): string =>
  schemaCode(applyFix(schema, finding as Finding)).replaceAll(/\s+/g, ' ')

test.each([
  [0.03, "month: period('month', { of: 'at' })", "partition: ['room', 'month']"],
  [0.1, "week: period('week', { of: 'at' })", "partition: ['room', 'week']"],
  [1, "day: period('day', { of: 'at' })", "partition: ['room', 'day']"],
  [20, "hour: period('hour', { of: 'at' })", "partition: ['room', 'hour']"],
])('a partition that grows at %d rows a second gets the longest period that keeps it small', (inserts, column, partition) => {
  const finding = found(rooms(), 'large-partition', writing(inserts))
  expect(finding?.fix).toContain(`${column}, ${partition}. At the stated rate`)
  const code = codeOf(rooms(), finding)
  expect(code).toContain(column)
  expect(code).toContain(partition)
  expect(found(applyFix(rooms(), finding as Finding), 'large-partition', writing(inserts))).toBeUndefined()
})

test('by count of the rows of an hour, no bucket has more than 100,000, and the fix has not more buckets than it needs', () => {
  const perSecond = 100
  const schema = applyFix(rooms(), found(rooms(), 'large-partition', writing(perSecond)) as Finding)
  expect(schema.layout.buckets).toBe(8)
  const position = (name: string): number => schema.columns.findIndex((column) => column.name === name)
  const rows = new Map<number, number>()
  for (let i = 0; i < 3600 * perSecond; i++) {
    const row: (string | number)[] = []
    row[position('room')] = 'r'
    row[position('hour')] = 0
    row[position('at')] = i * 10
    row[position('seq')] = i
    const of = schema.layout.bucketOf(row)
    rows.set(of, (rows.get(of) ?? 0) + 1)
  }
  expect(Math.max(...rows.values())).toBeLessThan(100_000)
})

test('long rows reach 100 MB first, by a sample or by the least that their types take', () => {
  const photos = table({ room: text(), at, a: fixedBytes(1000), b: fixedBytes(1000) }, ['at'], { partition: ['room'] })
  expect(found(photos, 'large-partition', writing(0.1))?.fix).toContain("period('day'")
  const notes = table({ room: text(), at, note: text() }, ['at'], { partition: ['room'] })
  const rows = Array.from({ length: 200 }, (_, i) => ({ room: 'r', at: new Date(i), note: 'x'.repeat(10_000) }))
  expect(found(notes, 'large-partition', writing(0.1))?.fix).toContain("period('week'")
  expect(found(notes, 'large-partition', writing(0.1, { stats: [sampleStats(notes, rows)] }))?.fix).toContain("period('day'")
})

test('a period that is too long is replaced, and the new one has the direction of the instant', () => {
  const columns = { room: text(), day: period('day', { of: 'at' }), at: desc(at), seq: uint32() }
  const days = table(columns, ['at', 'seq'], { partition: ['room', 'day'] })
  const finding = found(days, 'large-partition', writing(10))
  expect(finding?.evidence).toContain('10 new rows a second')
  const fixed = applyFix(days, finding as Finding)
  expect(fixed.columns.map(({ name }) => name)).toEqual(['room', 'hour', 'at', 'seq'])
  expect(fixed.columns[1]?.type).toMatchObject({ every: 'hour', of: 'at', desc: true })
  expect(found(days, 'large-partition', writing(1))).toBeUndefined()
})

test('of a period that changes, the last length is judged', () => {
  const changing = period([{ every: 'week' }, { from: '2027-02-01', every: 'day' }], { of: 'at' })
  const schema = table({ room: text(), day: changing, at, seq: uint32() }, ['at', 'seq'], { partition: ['room', 'day'] })
  expect(found(schema, 'large-partition', writing(1))).toBeUndefined()
  expect(found(schema, 'large-partition', writing(10))?.fix).toContain("period('hour'")
})

test('a date that the application computes stays as a value, and the period comes in its place', () => {
  const days = table({ room: text(), day: date(), at, seq: uint32() }, ['at', 'seq'], { partition: ['room', 'day'] })
  const fixed = applyFix(days, found(days, 'large-partition', writing(10)) as Finding)
  expect(fixed.columns.map(({ name, role }) => `${name} ${role}`)).toEqual([
    'room partition',
    'hour partition',
    'at key',
    'seq key',
    'day value',
  ])
})

test('Jaeger 3028: 266,047 rows in an hourly bucket are spread over buckets, and the hour stays', () => {
  const columns = { service: text(), hour: period('hour', { of: 'start' }), start: desc(timestamp('us')), trace: uuid() }
  const index = table(columns, ['start', 'trace'], { partition: ['service', 'hour'], ttl: '2d' })
  const options: AdviceOptions = {
    store: cassandraStore,
    writes: [{ table: 'rows', perSecond: { inserts: 74 }, distinct: { service: 1 } }],
  }
  const finding = found(index, 'large-partition', options)
  expect(finding?.change).toEqual({ salt: [expect.objectContaining({ of: ['start', 'trace'], count: 8 })] })
  expect(finding?.fix).toMatch(/^Spread each hour over more buckets: salt: bucket/)
})

test('Zipkin 1153: two spans of one instant are one row, whatever the period is', () => {
  const spans = table({ service: text(), day: period('day', { of: 'ts' }), ts: timestamp('us') }, ['ts'], { partition: ['service', 'day'] })
  expect(found(spans, 'equal-keys')).toMatchObject({
    column: 'ts',
    evidence: "1 row for each value of the other key columns and us of 'ts'",
  })
})

test.each<[readonly string[], string, string]>([
  [['host', 'at'], 'host', "partition: ['host', 'day'], key: ['at']"],
  [['at', 'host'], 'host', "partition: ['hour'], key: ['at', 'host'], salt: bucket({ of: 'host', count: 16 })"],
])('few partitions by %j get a period', (key, of, code) => {
  const logs = table({ host: text(), at }, key, { salt: bucket({ of, count: 16 }) })
  const options: AdviceOptions = {
    store: cassandraStore,
    writes: [{ table: 'rows', perSecond: { inserts: 50 }, distinct: { host: 1000 }, skew: 0.5 }],
  }
  const finding = found(logs, 'few-partitions', options)
  expect(codeOf(logs, finding)).toContain(code)
  const { findings } = advise([applyFix(logs, finding as Finding)], options)
  expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
})

test('without a load, few partitions only hear of periods', () => {
  const logs = table({ host: text(), at }, ['host', 'at'], { salt: bucket({ of: 'host', count: 16 }) })
  const finding = found(logs, 'few-partitions', { store: cassandraStore })
  expect(finding?.change).toBeUndefined()
  expect(finding?.fix).toMatch(/let a period end each partition, such as period\('day', \{ of: 'at' \}\)\.$/)
  const plain = table({ host: text(), n: uint32() }, ['host', 'n'], { salt: bucket({ of: 'host', count: 16 }) })
  expect(found(plain, 'few-partitions', { store: cassandraStore })?.fix).not.toContain('period')
})

const byHost = (column: ReturnType<typeof period<'at'>>): TableSchema =>
  table({ host: text(), day: column, at }, ['at'], { partition: ['host', 'day'] })
const rare = (more: AdviceOptions = {}): AdviceOptions => ({
  queries: [{ table: 'rows', where: { host: '=', at: ['gte', 'lt'] }, size: 50 }],
  writes: [{ table: 'rows', perSecond: { inserts: 10 }, distinct: { host: 1_000_000 }, skew: 0 }],
  ...more,
})

test('a page that walks many periods is told with its requests, and gets the shortest period with few', () => {
  const finding = found(byHost(period('day', { of: 'at' })), 'period-ranges', rare())
  expect(finding?.evidence).toBe('0.86 rows a day: 50 rows take 58 days = 58 requests, 1 a second: host =, at gte lt')
  expect(codeOf(byHost(period('day', { of: 'at' })), finding)).toContain("week: period('week', { of: 'at' })")
  const salted = table({ host: text(), day: period('day', { of: 'at' }), at, n: uint32() }, ['at', 'n'], {
    partition: ['host', 'day'],
    salt: bucket({ of: 'n', count: 4 }),
  })
  expect(found(salted, 'period-ranges', rare())?.evidence).toContain('58 days x 4 buckets = 231 requests')
})

test('rows that a condition on another column leaves count, and a longer period is not longer than a partition takes', () => {
  const levels = table({ host: text(), day: period('day', { of: 'at' }), at, level: text() }, ['at'], { partition: ['host', 'day'] })
  const where = { host: '=', at: ['gte', 'lt'], level: '=' } as const
  const options: AdviceOptions = {
    ...cassandra,
    queries: [{ table: 'rows', where, size: 50 }],
    writes: [{ table: 'rows', perSecond: { inserts: 1 }, distinct: { host: 1, level: 100_000 } }],
  }
  const finding = found(levels, 'period-ranges', options)
  expect(finding?.evidence).toContain('0.86 rows a day')
  expect(finding?.change).toBeUndefined()
  expect(finding?.fix).toBe("Keep rows of what has few in a table without 'day', or ask for a range that has rows.")
})

test('deletes under compaction by windows never free space', () => {
  const stores = { cassandra: { compaction: 'TimeWindow' } }
  const windowed = table({ host: text(), day: period('day', { of: 'at' }), at }, ['at'], { partition: ['host', 'day'], ttl: '30d', stores })
  const finding = found(windowed, 'period-retention', { ...cassandra, writes: [{ table: 'rows', perSecond: { inserts: 1, deletes: 1 } }] })
  expect(finding).toMatchObject({ severity: 'warning', evidence: '1 deletes a second under TimeWindow compaction' })
  expect(found(windowed, 'period-retention', { ...cassandra, writes: [{ table: 'rows', perSecond: { inserts: 1 } }] })).toBeUndefined()
  const deleted = byHost(period('day', { of: 'at' }))
  expect(found(deleted, 'period-retention', { ...cassandra, writes: [{ table: 'rows', perSecond: { deletes: 1 } }] })).toBeUndefined()
})

test.each([
  ['one end', { host: '=', at: 'gte' }, "'at' has one end only"],
  ['no limit', { host: '=' }, "'at' has no limits"],
  ['no end, but a range of the period,', { host: '=', day: ['gte', 'lt'] }, "a range of 'day'"],
] as const)('a query that gives the source of a period %s is told to give both', (_, where, evidence) => {
  const finding = found(byHost(period('day', { of: 'at' })), 'full-scan', { queries: [{ table: 'rows', where }] })
  expect(finding).toMatchObject({ severity: 'error', column: 'day' })
  expect(finding?.change).toBeUndefined()
  expect(finding?.evidence).toContain(evidence)
  expect(finding?.fix).toMatch(/^Give 'at' both ends\./)
})

test.each(['hour', 'day', 'week', 'month', 'year'] as const)(
  'conditions on a period of an %s and on its source have rows in common',
  (every) => {
    const offset = { offset: '+05:30' }
    const schema = table({ host: text(), p: period(every, { of: 'at', ...offset }), at: timestamp('us') }, ['at'], {
      partition: ['host', 'p'],
    })
    const conditions: ConditionShape[] = ['=', { in: 3 }]
    const queries = conditions.map((p) => ({ table: 'rows', where: { host: '=', p, at: ['gte', 'lt'] } as const }))
    for (const each of queries) {
      const { findings } = advise([schema], { queries: [{ ...each, where: { ...each.where } }] })
      expect(findings.filter(({ code }) => code === 'refused-query' || code === 'full-scan')).toEqual([])
    }
  },
)

test('a sample needs no periods, and some days of it are not few values', () => {
  const days = byHost(period('day', { of: 'at' }))
  const rows = Array.from({ length: 300 }, (_, i) => ({ host: `h${i % 150}`, at: new Date(i * 600_000) }))
  const stats = sampleStats(days, rows, { order: 'written' })
  expect(stats.columns['day']).toMatchObject({ distinct: 3 })
  const { findings } = advise([days], { ...cassandra, stats: [stats] })
  expect(findings.map(({ code }) => code)).not.toContain('low-cardinality-first')
  expect(() => sampleStats(days, [{ host: 'h', day: new Date(0), at: new Date(86_400_000) }])).toThrow("computed from 'at'")
})

test('a period that comes first is one finding, not also a time that counts up, or few values of a sample', () => {
  const rows = Array.from({ length: 300 }, (_, i) => ({ host: `h${i % 150}`, at: new Date(i * 600_000) }))
  const columns = { day: period('day', { of: 'at' }), at, host: text() }
  for (const [schema, store] of [
    [table(columns, ['day', 'at', 'host']), {}],
    [table(columns, ['at', 'host'], { partition: ['day'] }), cassandra],
  ] as const) {
    const stats = [sampleStats(schema, rows, { order: 'written' })]
    for (const sample of [{}, { stats }]) {
      const codes = advise([schema], { ...store, ...sample }).findings.map(({ code }) => code)
      expect(codes).toContain('period-hot')
      expect(codes.filter((code) => code === 'monotonic-first' || code === 'low-cardinality-first')).toEqual([])
    }
  }
})

test('a partition is rather by what every query binds than by time alone', () => {
  const logs = table({ day: period('day', { of: 'at' }), at, host: text() }, ['day', 'at', 'host'])
  const writes = [{ table: 'rows', perSecond: { inserts: 50 }, distinct: { host: 1000 } }]
  const queries = [{ table: 'rows', where: { host: '=', at: ['gte', 'lt'] } }] as const
  expect(found(logs, 'one-partition', { ...cassandra, writes, queries })?.fix).toContain("partition: ['host', 'day'], key: ['at']")
  expect(found(logs, 'one-partition', { ...cassandra, writes })?.fix).toContain("partition: ['hour']")
})

test('turning an instant turns its period', () => {
  const days = byHost(period('day', { of: 'at' }))
  const queries = [{ table: 'rows', where: { host: '=', at: ['gte', 'lt'] }, order: { at: 'desc' }, perSecond: 50 }] as const
  const fixed = applyFix(days, found(days, 'reverse', { queries }) as Finding)
  expect(fixed.columns.slice(1, 3).map(({ type }) => type.desc)).toEqual([true, true])
})

const guides = {
  logs: defineTable('logs', {
    columns: { host: text(), day: period('day', { of: 'at' }), at: desc(at), seq: uint32(), line: text() },
    partition: ['host', 'day'],
    key: ['at', 'seq'],
    ttl: '30d',
    salt: bucket({ of: 'seq', count: 4 }),
  }),
  readings: defineTable('readings', {
    columns: { device: text(), day: period('day', { of: 'at' }), at: desc(at), value: float64() },
    partition: ['device', 'day'],
    key: ['at'],
    ttl: '90d',
  }),
  'service operations of Jaeger': defineTable('operations', {
    columns: { service: text(), operation: text(), hour: period('hour', { of: 'start' }), start: desc(timestamp('us')), trace: uuid() },
    partition: ['service', 'operation', 'hour'],
    key: ['start', 'trace'],
    ttl: '2d',
  }),
  'ts_kv of ThingsBoard': defineTable('ts_kv', {
    columns: { entity: uuid(), key: text(), month: period('month', { of: 'ts' }), ts: at, value: float64() },
    partition: ['entity', 'key', 'month'],
    key: ['ts'],
    ttl: '365d',
  }),
}
const inOrder = ['one-region', 'unsplit-buckets', 'few-buckets']

test.each(Object.entries(guides))('nothing is warned of in %s, but for regions that are not split', (_, schema) => {
  const where = Object.fromEntries(
    schema.columns.slice(0, schema.keyLength).flatMap(({ name, type }, place): [string, ConditionShape][] => {
      if (type.of !== undefined || place > schema.partitionLength) return []
      return [[name, place === schema.partitionLength ? ['gte', 'lt'] : '=']]
    }),
  )
  const queries = [{ table: schema.name, where, size: 50, perSecond: 10 }]
  const distinct = Object.fromEntries(schema.columns.slice(0, schema.partitionLength - 1).map(({ name }) => [name, 2000]))
  const writes = [{ table: schema.name, perSecond: { inserts: 500 }, distinct, skew: 0 }]
  for (const store of [{}, cassandra, dynamodb, hbase, redis]) {
    for (const load of [{}, { writes }]) {
      const { findings } = advise([schema], { ...store, ...load, queries })
      const alarms = findings.filter(({ severity, code }) => severity !== 'info' && !inOrder.includes(code))
      expect(alarms.map(({ code, evidence }) => `${code}: ${evidence}`)).toEqual([])
    }
  }
})
