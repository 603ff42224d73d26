import { bucket, desc, kuduHash, int32, nullable, period, text, timestamp, uint32 } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, equals } from '#model'
import { expect, test } from 'vitest'
import { wrapped } from '../../../../test/kit/wrapped.js'

const Events = defineTable('events', {
  columns: { host: text(), event: text(), at: desc(timestamp('ms')), seq: uint32(), note: nullable(text()), size: nullable(int32()) },
  key: ['host', 'event', 'at', 'seq'],
  salt: bucket({ of: ['host', 'event'], count: 16 }),
})
const Orders = defineTable('orders', {
  columns: { buyer: text(), placedAt: desc(timestamp('ms')), no: uint32() },
  partition: ['buyer'],
  key: ['placedAt', 'no'],
})
const Logs = defineTable('logs', {
  columns: { host: text(), day: period('day', { of: 'at' }), at: desc(timestamp('ms')), seq: uint32(), line: text() },
  partition: ['host', 'day'],
  key: ['at', 'seq'],
  salt: bucket({ of: 'seq', count: 4 }),
})
const [from, to] = [new Date(Date.UTC(2026, 0, 1)), new Date(Date.UTC(2026, 0, 2))]

let calls = 0
const counted = wrapped(memory(), {
  scan: (_, inner) => (calls++, inner()),
  get: (keys, inner, options) => (calls++, inner(keys, options)),
  describeTable: (_, inner) => (calls++, inner()),
})
const db = createMapper(counted)
const events = db.repository(Events)
const orders = db.repository(Orders)
const logs = db.repository(Logs)
const days = { gte: from, lt: new Date(Date.UTC(2026, 0, 4)) }
const where = { host: 'web-1', event: 'login' }

const explained = {
  GET: events.scan({ ...where, at: from, seq: 1 }),
  'MULTI-GET': events.scan({ host: { in: ['web-1', 'web-2'] }, event: 'login', at: from, seq: { in: [1, 2, 3] } }),
  'MULTI-GET with a filter': events.scan({ ...where, at: from, seq: { in: [1, 2] }, size: { gt: 9 } }),
  'SCAN of a prefix': events.scan(where),
  'SCAN of a range': events.scan({ ...where, at: { gte: from, lt: to } }),
  'SCAN backwards': events.scan({ ...where, at: { gte: from } }, { order: 'reverse' }),
  'SCAN with a filter': events.scan({ ...where, seq: { lt: 5 }, note: { startsWith: 'disk' }, size: { isNull: false } }),
  'SCAN of a partition': orders.scan({ buyer: 'ann', placedAt: { gte: from } }),
  'SKIP SCAN': orders.scan({ buyer: { in: ['ann', 'bob', 'cleo', 'dan', 'eve'] }, placedAt: { gte: from } }),
  'FAN-OUT SCAN': events.scan({ host: 'web-1' }),
  'FAN-OUT SCAN of pruned buckets': events.scan({ host: { in: ['web-1', 'web-2', 'web-3'] }, event: 'login' }, { limit: 10 }),
  'FAN-OUT SCAN of a hull': events.scan({ host: { in: ['web-1', 'web-2', 'web-3'] }, event: 'login' }, { maxRanges: 2 }),
  'FAN-OUT SCAN of periods': logs.scan({ host: 'a', at: days }),
  'FAN-OUT SCAN of the periods of two hosts': logs.scan({ host: { in: ['a', 'b'] }, at: { in: [from, to] } }),
  'MERGED SCAN of periods': logs.scan({ host: { in: ['a', 'b'] }, at: days }, { order: { at: 'desc' } }),
  'FULL SCAN': events.scan({ size: { gt: 9 } }, { unbounded: true }),
  EMPTY: events.scan({ host: { in: [] } }),
  'EMPTY by contradiction': events.scan({ ...where, at: { gte: to, lt: from } }),
}

test('R24: an explanation of each kind, as a person reads it', async () => {
  const texts = Object.entries(explained).map(([name, scan]) => `# ${name}\n\n${scan.explain().text}\n`)
  await expect(texts.join('\n')).toMatchFileSnapshot('explain.txt')
  expect(calls).toBe(0) // no I/O, not even for the catalog
})

test('R24: the kinds', () => {
  for (const [name, scan] of Object.entries(explained)) expect(name.startsWith(scan.explain().kind), name).toBe(true)
})

test('R24: the same as data', () => {
  expect(explained['SCAN of a range'].explain()).toMatchObject({
    table: 'events',
    reverse: false,
    order: [
      { column: 'host', direction: 'asc' },
      { column: 'event', direction: 'asc' },
      { column: 'at', direction: 'desc' },
      { column: 'seq', direction: 'asc' },
    ],
    key: { used: 3, of: 4, firstFree: 'seq' },
    buckets: { read: 1, of: 16, unbound: [] },
    keys: 0,
    ranges: 1,
    residual: [],
    warnings: [],
  })
  const fanOut = explained['FAN-OUT SCAN'].explain()
  expect(fanOut.buckets).toEqual({ read: 16, of: 16, unbound: ['event'] })
  expect(fanOut.warnings.map(({ code }) => code)).toEqual(['fan-out'])
  expect(explained['SCAN backwards'].explain().order[2]).toEqual({ column: 'at', direction: 'asc' })
  expect(explained['FULL SCAN'].explain().warnings.map(({ code }) => code)).toEqual(['full-scan', 'filter'])
})

test('R24: the number of partitions that a query names, of tables that have them', () => {
  const Shops = defineTable('shops', {
    columns: { country: text(), city: text(), no: uint32(), note: nullable(text()) },
    partition: ['country', 'city'],
    key: ['no'],
  })
  const shops = db.repository(Shops)
  const named = (where: object): number | undefined => shops.scan(where as never).explain().partitions
  expect(named({ country: 'se', city: 'Lund' })).toBe(1)
  expect(named({ country: { in: ['se', 'se'] }, city: equals('Lund') })).toBe(1)
  expect(named({ country: 'se', city: { in: ['Lund', 'Ystad'] } })).toBe(2)
  expect(named({ country: { in: ['se', 'dk', 'no'] }, city: { in: ['Lund', 'Ystad'] }, no: { gt: 5 } })).toBe(6)
  expect(named({ country: { in: ['se', 'dk', 'no'] }, city: { in: ['Lund', 'Ystad'] }, no: { in: [1, 2] }, note: 'x' })).toBe(6)
  expect(named({ country: { in: [] }, city: 'Lund' })).toBe(0)
  expect(named({ country: 'se', city: 'Lund', no: { gt: 2, lt: 1 } })).toBe(0)
  expect(shops.scan({ country: 'se', city: { in: ['Lund', 'Ystad'] } }).explain().text).toContain('├ 2 partitions, named by in\n')
  expect(shops.scan({ country: 'se', city: 'Lund' }).explain().text).not.toContain('partition')
  expect('partitions' in events.scan({ host: { in: ['a', 'b'] } }).explain()).toBe(false)
})

test('of very many ranges the first slices are shown, and all are counted', () => {
  const columns = { host: text(), hour: period('hour', { of: 'at' }), at: timestamp('ms'), seq: uint32() }
  const Hours = defineTable('hours', { columns, partition: ['host', 'hour'], key: ['at', 'seq'], salt: bucket({ of: 'seq', count: 256 }) })
  const at = { gte: new Date('2026-01-01'), lt: new Date('2027-01-01') }
  const { ranges, slices, text: shown } = createMapper(memory()).repository(Hours).scan({ host: 'a', at }).explain()
  expect([ranges, slices.length]).toEqual([8760 * 256, 10_000])
  expect(shown).toContain('… 2242557 more like them')
})

test('R24: the slices are the rowkeys that are read, half-open', () => {
  const { slices } = explained['SCAN of a prefix'].explain()
  const [slice] = slices
  const key = Buffer.from(events.encodeKey({ ...where, at: from, seq: 1 })).toString('hex')
  expect(slices).toHaveLength(1)
  expect(key.startsWith(slice?.from ?? '-')).toBe(true)
  expect(key < (slice?.to ?? '')).toBe(true)
})

test('R23: maxRanges and maxFanOut are what a plan may have, exactly', () => {
  const hosts = { host: { in: ['a', 'b', 'c'] }, event: { in: ['x', 'y'] } }
  expect(events.scan(hosts, { maxRanges: 6 }).explain()).toMatchObject({ ranges: 6, residual: [] })
  expect(events.scan(hosts, { maxRanges: 5 }).explain().residual).not.toEqual([])
  expect(() => events.scan({ host: 'a' }, { maxFanOut: 16 }).explain()).not.toThrow()
  expect(() => events.scan({ host: 'a' }, { maxFanOut: 15 }).explain()).toThrow('FAN_OUT_EXCEEDED')
})

test('R10: levels of kuduHash are pruned one by one', async () => {
  const Metrics = defineTable('metrics', {
    columns: { host: text(), metric: text(), at: timestamp('us') },
    key: ['host', 'metric', 'at'],
    salt: [kuduHash({ of: 'host', count: 4 }), kuduHash({ of: 'metric', count: 8, seed: 42 })],
  })
  let read = 0
  const mapper = createMapper(wrapped(memory(), { scan: (_, inner) => (read++, inner()) }))
  await mapper.ensureTables([Metrics])
  const metrics = mapper.repository(Metrics)
  const rows = Array.from({ length: 400 }, (_, i) => ({ host: `h${i % 10}`, metric: `m${i % 20}`, at: BigInt(i) }))
  await metrics.putMany(rows)
  const bound = { host: 'h3', metric: 'm3', at: { gte: 0n } }
  const inOrder = (found: typeof rows): string[] =>
    found.map(({ host, metric, at }) => `${host} ${metric} ${String(at).padStart(3, '0')}`).toSorted()
  for (const [where, buckets, fits] of [
    [bound, 1, ({ host, metric }) => host === 'h3' && metric === 'm3'],
    [{ host: 'h3' }, 8, ({ host }) => host === 'h3'],
    [{ host: { gte: 'h8' }, metric: 'm9' }, 4, ({ host, metric }) => host >= 'h8' && metric === 'm9'],
    [{ host: { gte: 'h8' } }, 32, ({ host }) => host >= 'h8'],
  ] satisfies [object, number, (row: (typeof rows)[number]) => boolean][]) {
    const scan = metrics.scan(where)
    expect(scan.explain().buckets).toMatchObject({ read: buckets, of: 32 })
    read = 0
    const found = await scan.toArray()
    expect(found.map(({ host, metric, at }) => `${host} ${metric} ${String(at).padStart(3, '0')}`)).toEqual(inOrder(rows.filter(fits)))
    expect(read).toBe(buckets)
  }
})
