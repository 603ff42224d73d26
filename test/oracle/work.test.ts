import { bucket, desc, int32, text, timestamp } from 'rowkey/codec'
import { createMapper, defineTable, memory } from 'rowkey'
import { expect, test } from 'vitest'
import { counting } from '../../packages/rowkey/src/conformance/oracle/counting-adapter.js'

const Timeline = defineTable('timeline', {
  columns: { at: timestamp('ms', { as: 'number' }), host: text(), seq: int32() },
  key: ['at', 'host', 'seq'],
  salt: bucket({ of: 'seq', modulo: 16 }),
})
const Newest = defineTable('newest', {
  columns: { host: text(), at: desc(timestamp('ms', { as: 'number' })), seq: int32() },
  key: ['host', 'at', 'seq'],
  salt: bucket({ of: 'seq', modulo: 16 }),
})

test('R15 limit 10 over 16 even buckets of 100,000 rows examines at most 64 rows', async () => {
  const { adapter, work } = counting(memory())
  const db = createMapper(adapter)
  await db.ensureTables([Timeline, Newest])
  const [timeline, newest] = [db.repository(Timeline), db.repository(Newest)]
  for (let from = 0; from < 100_000; from += 10_000) {
    const rows = Array.from({ length: 10_000 }, (_, i) => ({ at: 1_700_000_000_000 + ((from + i) >> 2), host: 'web', seq: from + i }))
    await timeline.putMany(rows)
    await newest.putMany(rows)
  }
  for (const reverse of [false, true]) {
    const before = { ...work }
    const { rows, stats } = await timeline
      .scan({ at: { gte: 1_700_000_010_000 } }, { order: reverse ? 'reverse' : undefined })
      .page({ size: 10 })
    expect(rows).toHaveLength(10)
    expect(work.examined - before.examined).toBe(stats.examined)
    expect(stats.examined).toBeLessThanOrEqual(64)
    expect(work.scans - before.scans).toBe(16)
  }
  const { rows, stats } = await newest.scan({ host: 'web' }).page({ size: 10 })
  expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted((a, b) => b - a))
  expect(stats.examined).toBeLessThanOrEqual(64)
})

const Skewed = defineTable('skewed', {
  columns: { host: text(), seq: int32() },
  key: ['host', 'seq'],
  salt: bucket({ of: 'host', count: 16 }),
})

test('R15 a limit asks no bucket for more than is still wanted, and requests double up to 1,024', async () => {
  const { adapter, work } = counting(memory())
  const db = createMapper(adapter)
  await db.ensureTables([Skewed])
  const rows = db.repository(Skewed)
  await rows.putMany(Array.from({ length: 10_000 }, (_, seq) => ({ host: 'web', seq })))

  const some = await rows.scan({}, { unbounded: true }).page({ size: 100 })
  expect(some.rows).toHaveLength(100)
  expect(some.stats.examined).toBe(100) // all in one of 16 buckets: 8, 16, 32, then the 44 that are left

  const before = { ...work }
  expect(await rows.scan({ host: 'web' }).count()).toBe(10_000)
  expect(work.examined - before.examined).toBe(10_000)
  expect(work.requests - before.requests).toBeLessThanOrEqual(16) // 65, 130, 260, 520, then 1,024 each; without doubling 155
  expect(work.widest).toBeLessThanOrEqual(1024)
  await rows.scan({ host: 'web' }, { limit: 9_000, filter: () => true }).toArray()
  expect(work.widest).toBeLessThanOrEqual(1024)
})
