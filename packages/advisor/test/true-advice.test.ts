import {
  bucket,
  date,
  fixedBytes,
  hashPrefix,
  int64,
  isRowkeyError,
  kuduHash,
  text,
  timestamp,
  uint32,
  uint64,
  uuid,
  type TableSchema,
} from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, type AdviceOptions, type Finding } from '../src/index.js'
import { cassandra, dynamodb, hbase, kudu, lindorm } from './cases.js'
import { found, sampled, scattered, statsOf, table } from './judging.js'

// Evidence is counted, a number that was given weighs more than a name, and a fix cures what it is for.

const alarms = (schema: TableSchema, options: AdviceOptions): readonly string[] =>
  advise(schema, options)
    .findings.filter(({ severity }) => severity !== 'info')
    .map(({ code, severity }) => `${severity} ${code}`)
const inserting = (inserts: number, distinct: Record<string, number> = {}): AdviceOptions => ({
  writes: [{ table: 'rows', perSecond: { inserts }, distinct }],
})
const regions = { stores: { hbase: { splits: ['40', '80', 'c0'] } } }

test.each([
  ['ts', int64()],
  ['timestamp', uint64()],
  ['created_at', int64()],
  ['epoch', uint32()],
  ['event_time', int64()],
  ['timestamp_ms', uint64()],
])('a number that by its name is a time counts up: %s', (name, type) => {
  const schema = table({ [name]: type, id: text() }, [name, 'id'], regions)
  expect(alarms(schema, { ...hbase, ...inserting(9000) })).toEqual(['error monotonic-first'])
})

test.each(['bucket', 'container', 'week', 'shard', 'month', 'hour'])(
  '500 values of %s are no window of time, whatever its name is',
  (name) => {
    const schema = table({ [name]: text(), path: text() }, ['path'], { partition: [name], writes: 'plain' })
    expect(alarms(schema, { ...cassandra, ...inserting(100, { [name]: 500 }) })).toEqual(['warning large-partition'])
  },
)

test('rows beat a name too: buckets that come again and again are no window', () => {
  const schema = table({ bucket: uint32(), id: uuid() }, ['id'], { partition: ['bucket'], writes: 'plain' })
  const rows = (of: (i: number) => number): AdviceOptions =>
    sampled(schema, (i) => ({ bucket: of(i), id: uuidOf(i) }), 2000, { order: 'written', total: 1e9 })
  expect(found(schema, 'large-partition', { ...cassandra, ...rows((i) => i % 128) })).toBeDefined()
  expect(found(schema, 'large-partition', { ...cassandra, ...rows((i) => i >> 4) })).toBeUndefined()
})

test('a counter by name does not count up if few values were given', () => {
  const schema = table({ seq: uint32(), id: uuid() }, ['seq', 'id'], regions)
  expect(found(schema, 'monotonic-first', hbase)).toBeDefined()
  expect(found(schema, 'monotonic-first', { ...hbase, ...inserting(9000, { seq: 1000 }) })).toBeUndefined()
})

test('the largest partition is that of all its columns together', () => {
  const schema = table({ region: text(), user: text(), id: uuid() }, ['id'], { partition: ['region', 'user'], writes: 'plain' })
  // A third of the rows are of one region, a tenth of one user, and a twentieth of both.
  const row = (i: number): Record<string, unknown> => ({
    region: i % 3 === 0 || i % 20 === 1 ? 'eu' : `r${i % 7}`,
    user: i % 10 === 1 ? 'ann' : `u${i}`,
    id: uuidOf(i),
  })
  const finding = found(schema, 'large-partition', { ...cassandra, ...sampled(schema, row, 2000, { total: 1e7 }) })
  expect(Number(finding?.evidence.split(' ')[0]?.replaceAll(',', ''))).toBeLessThan(0.08 * 1e7)
})

test('what chance makes frequent in a sample is not said of the table', () => {
  const schema = table({ key: fixedBytes(8), sequence: uint64() }, ['sequence'], { partition: ['key'], writes: 'plain' })
  const row = (i: number): Record<string, unknown> => ({
    key: new Uint8Array(new BigUint64Array([BigInt(scattered(i % 500 === 0 ? 7 : i))]).buffer),
    sequence: BigInt(i),
  })
  expect(alarms(schema, { ...cassandra, ...sampled(schema, row, 2000, { total: 8e7, order: 'written' }) })).toEqual([])
})

test('values that are equally frequent have equal shares, although one of them leads in any sample', () => {
  const schema = table({ user: text(), id: uuid() }, ['id'], { partition: ['user'], writes: 'plain' })
  const row = (i: number): Record<string, unknown> => ({ user: `u${scattered(i) % 150}`, id: uuidOf(i) })
  const options = (total: number): AdviceOptions => ({ ...cassandra, ...sampled(schema, row, 2000, { total }) })
  expect(found(schema, 'large-partition', options(14_000_000))).toBeUndefined()
  expect(found(schema, 'large-partition', options(16_000_000))).toBeDefined()
})

test.each([16, 100, 1000])('a salt of %d by a column that no query binds is cured by one that all bind', (count) => {
  const schema = table({ profile: text(), entity: text(), period: uint64() }, ['profile', 'entity', 'period'], {
    salt: bucket({ of: 'period', count }),
    stores: { hbase: { splits: 16 } },
  })
  const options: AdviceOptions = {
    ...hbase,
    queries: [{ table: 'rows', where: { profile: '=', entity: '=', period: ['gte', 'lt'] }, perSecond: 50 }],
    ...inserting(5000, { profile: 30, entity: 1e5 }),
  }
  const finding = advise(schema, options).findings.find(({ change }) => change?.salt !== undefined) as Finding
  expect(finding.change?.salt).toMatchObject([{ of: ['entity'], count }])
  expect(advise(applyFix(schema, finding), options).findings).toEqual([])
})

const reading = (span?: '1h' | '7d'): AdviceOptions['queries'] => [
  { table: 'rows', where: { device: '=', at: ['gte', 'lt'] }, perSecond: 5, ...(span === undefined ? {} : { span }) },
]
const devices = table({ device: text(), at: timestamp('ms') }, ['at'], { partition: ['device'], writes: 'plain' })

test.each([
  [
    undefined,
    "hour: period('hour', { of: 'at' }), partition: ['device', 'hour']. ",
    ' A scan reads 1 partition for each hour of its range.',
  ],
  ['1h' as const, "partition: ['device', 'hour']. ", ' A query of 1h reads 2 partitions.'],
  ['7d' as const, "partition: ['device', 'day'], salt: bucket({ of: 'at', count: 4 })", ' A query of 7d reads 32 partitions.'],
])('a period is of a unit that people use, and is weighed against the %s that queries read', (span, code, cost) => {
  const finding = found(devices, 'large-partition', { ...cassandra, ...inserting(5, { device: 10 }), queries: reading(span) as never })
  expect(finding?.fix).toContain(code)
  expect(finding?.fix).toContain(cost)
})

test('if even an hour has hundreds of times what a partition takes, the fix says so, and offers no change', () => {
  const finding = found(devices, 'large-partition', { ...cassandra, ...inserting(50_000, { device: 10 }), queries: reading() as never })
  expect(finding?.fix).toContain("hour: period('hour', { of: 'at' })")
  expect(finding?.fix).toContain('That is 615 times what one takes')
  expect(finding?.change).toBeUndefined()
})

const uuidOf = (i: number): string =>
  `${scattered(i).toString(16).padStart(8, '0')}-0000-4000-8000-${scattered(i * 7 + 1)
    .toString(16)
    .padStart(8, '0')}0000`
/** Of every ten rows, eight are of one tenant. */
const ofTenants = (i: number): Record<string, unknown> => ({
  tenant: i % 10 < 8 ? 'acme' : `t${(i * 7919) % 500}`,
  at: BigInt(1_767_600_000_000_000 + i * 10_000),
  id: BigInt((i * 31_337) % 99_991),
})
const tenants = { tenant: text(), at: timestamp('us'), id: int64() }

test.each([
  ['HBase', hbase, undefined],
  ['Lindorm', lindorm, undefined],
  ['HBase, by a hash of it', hbase, bucket({ of: 'tenant', count: 16 })],
  ['Lindorm, by a hash of it', lindorm, bucket({ of: 'tenant', count: 16 })],
  ['HBase, by a prefix of a hash of it', hbase, hashPrefix({ of: 'tenant' })],
  ['Kudu, by a hash of it', kudu, kuduHash({ of: 'tenant', count: 16 })],
])('a tenant with 80 % of all rows is seen in %s, and after the fix each bucket has its share', (_, store, salt) => {
  const schema = table(tenants, ['tenant', 'at', 'id'], { ...(salt === undefined ? {} : { salt }) })
  const options = (of: TableSchema): AdviceOptions => ({
    ...store,
    stats: statsOf(of, ofTenants, 4000, { order: 'written', total: 4e9 }),
    writes: [{ table: 'rows', perSecond: { inserts: 15_000 } }],
    queries: [{ table: 'rows', where: { tenant: '=', at: ['gte', 'lt'] }, perSecond: 60 }],
  })
  const finding = found(schema, 'giant-tenant', options(schema)) as Finding
  expect(finding).toMatchObject({ severity: 'warning', column: 'tenant' })
  expect(finding.fix).toContain('It costs fan-out (16 buckets x 60 a second')
  const fixed = applyFix(schema, finding)
  expect(statsOf(fixed, ofTenants, 4000)[0]?.buckets.top).toBeLessThan(2 / 16)
  expect(found(fixed, 'giant-tenant', options(fixed))).toMatchObject({
    severity: 'info',
    evidence: '1 value has 80 % of the rows, in 16 buckets of 5 %',
  })
})

test('a prefix of a hash has as many values as its column', () => {
  const schema = table({ user: uint64(), order: uint64() }, ['user', 'order'], {
    salt: hashPrefix({ of: 'user', digits: 4 }),
    stores: { hbase: { splits: 16 } },
  })
  const row = (i: number): Record<string, unknown> => ({ user: BigInt(1e7 + ((i * 7919) % 900)), order: BigInt(5e5 + i) })
  const options: AdviceOptions = {
    ...hbase,
    ...sampled(schema, row, 2000, { total: 8e8, order: 'written' }),
    ...inserting(900),
    queries: [{ table: 'rows', where: { user: '=' }, limit: 50, perSecond: 500 }],
  }
  expect(alarms(schema, options)).toEqual([])
})

test('few values of each partition column are many together, also if nobody has counted them', () => {
  const columns = { cluster: text(), type: text(), hour: text(), host: text(), at: timestamp('ms') }
  const schema = table(columns, ['at'], { partition: ['cluster', 'type', 'hour', 'host'], writes: 'plain', ttl: '1h' })
  const row = (i: number): Record<string, unknown> => ({
    cluster: 'prod',
    type: ['a', 'b', 'c'][i % 3],
    hour: '2026010508',
    host: `10.0.0.${1 + (i % 24)}`,
    at: new Date(1_767_600_000_000 + i * 1800),
  })
  expect(alarms(schema, { ...cassandra, ...sampled(schema, row, 2000, { order: 'written' }), ...inserting(400) })).toEqual([])
  const five = { type: text(), status: text(), region: text(), country: text(), level: text(), id: int64() }
  const hashed = table(five, ['type', 'status', 'region', 'country', 'level', 'id'], {
    salt: kuduHash({ of: ['type', 'status', 'region', 'country', 'level'], count: 16 }),
  })
  expect(found(hashed, 'few-valued-salt', kudu)).toBeUndefined()
  const one = table(five, ['type', 'status', 'region', 'country', 'level', 'id'], { salt: kuduHash({ of: ['type'], count: 16 }) })
  expect(found(one, 'few-valued-salt', kudu)).toBeDefined()
})

test('a column that no table has is a usage error that names it and the nearest', () => {
  const ask = (): unknown => advise(table({ host: text() }, ['host']), { queries: [{ table: 'rows', where: { hots: '=' } }] })
  try {
    ask()
    expect.unreachable()
  } catch (error) {
    expect(isRowkeyError(error, 'INVALID_OPTION') && error.message).toMatch(/"hots".*Did you mean "host"\?/)
  }
})

test('ids without order come first on HBase: nothing is said', () => {
  expect(advise(table({ id: uuid() }, ['id'], regions), { ...hbase, ...inserting(9000) }).findings).toEqual([])
})

test.each([
  ['a date', date()],
  ['text', text()],
])('a day that is %s is one hot partition of DynamoDB at a time', (_, type) => {
  const schema = table({ day: type, id: uuid() }, ['id'], { partition: ['day'] })
  const finding = found(schema, 'hot-partition', { ...dynamodb, ...inserting(5000) })
  expect(finding?.evidence).toBe('5,000 of 5,000 writes a second go to the partition of one day at a time; DynamoDB takes 1,000')
  expect(found(applyFix(schema, finding as Finding), 'hot-partition', { ...dynamodb, ...inserting(5000) })).toBeUndefined()
})
