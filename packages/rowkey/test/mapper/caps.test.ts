import { bucket, int32, nullable, text, timestamp } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { shortened } from '@rowkey/servers/scale'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { refusalOf } from '../../../../test/kit/refusal.js'

const Things = defineTable('things', {
  columns: { n: int32(), note: nullable(text()) },
  key: ['n'],
  salt: bucket({ of: 'n', count: 4 }),
})
const all = { n: { gte: 0, lt: 1000 } }

async function open(count: number, clock?: () => number) {
  const db = createMapper(memory(), clock === undefined ? {} : { clock })
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany(Array.from({ length: count }, (_, n) => ({ n, note: n % 10 === 0 ? 'ten' : null })))
  return things
}

describe('PAGE-4: maxExamined', () => {
  test('PAGE-4 R16: every page stops with its reason, and the pages together have every row once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        fc.boolean(),
        async (count, maxExamined, limit, reverse, filtered) => {
          const things = await open(count)
          const where = filtered ? { ...all, note: 'ten' } : all
          const got: number[] = []
          let cursor: string | undefined
          let examined = 0
          for (let pages = 0; ; pages++) {
            expect(pages).toBeLessThan(200)
            const page = await things.scan(where, { maxExamined, order: reverse ? 'reverse' : undefined }).page({ size: limit, cursor })
            got.push(...page.rows.map(({ n }) => n))
            examined += page.stats.examined
            expect(page.stats.examined).toBeLessThan(maxExamined + 4)
            expect(page.stop === 'size').toBe(page.rows.length === limit)
            if (page.stop === 'examined') expect(page.stats.examined).toBeGreaterThanOrEqual(maxExamined)
            expect(page.stop === 'exhausted').toBe(page.cursor === undefined)
            if (page.cursor === undefined) break
            cursor = page.cursor
          }
          const expected = Array.from({ length: count }, (_, n) => n).filter((n) => !filtered || n % 10 === 0)
          expect(got).toEqual(reverse ? expected.reverse() : expected)
          expect(examined).toBeGreaterThanOrEqual(expected.length)
        },
      ),
      { numRuns: shortened(200), seed: 20_261_121 },
    )
  })

  test('PAGE-4: everything else throws EXAMINED_LIMIT, with a cursor behind what was given', async () => {
    const things = await open(100)
    for (const use of ['toArray', 'count', 'deleteAll'] as const) {
      const { code, details } = await refusalOf(() => things.scan({ ...all, note: 'none' }, { maxExamined: 30 })[use]())
      expect([code, details['maxExamined'], typeof details['cursor']]).toEqual(['EXAMINED_LIMIT', 30, 'string'])
    }
    const seen: number[] = []
    const iterate = async (): Promise<void> => {
      for await (const { n } of things.scan(all, { maxExamined: 30 })) seen.push(n)
    }
    const { details } = await refusalOf(iterate)
    const before = seen.length
    for (let cursor = details['cursor'] as string | undefined; cursor !== undefined;) {
      const page = await things.scan(all, { maxExamined: 30 }).page({ cursor })
      seen.push(...page.rows.map(({ n }) => n))
      cursor = page.cursor
    }
    expect(before).toBeGreaterThan(20)
    expect(seen).toEqual(Array.from({ length: 100 }, (_, n) => n))
    expect(await things.scan(all, { maxExamined: 101 }).count()).toBe(100)
  })

  test('PAGE-4: keys of a multi-get count too', async () => {
    const things = await open(100)
    const where = { n: { in: Array.from({ length: 50 }, (_, i) => 2 * i) } }
    const page = await things.scan(where, { maxExamined: 10 }).page()
    expect([page.rows.length, page.stop]).toEqual([10, 'examined'])
    const { code } = await refusalOf(() => things.scan(where, { maxExamined: 10 }).toArray())
    expect(code).toBe('EXAMINED_LIMIT')
  })
})

describe('PAGE-4: deadline', () => {
  test('PAGE-4: over before it begins: nothing is read, and the cursor is where it was', async () => {
    const things = await open(20)
    const none = await things.scan(all, { deadline: new Date(0) }).page()
    expect(none).toMatchObject({ rows: [], stop: 'time', stats: { examined: 0 } })
    const first = await things.scan(all).page({ size: 5, cursor: none.cursor })
    expect(first.rows.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4])
    const again = await things.scan(all, { deadline: 0 }).page({ cursor: first.cursor })
    const next = await things.scan(all).page({ size: 2, cursor: again.cursor })
    expect(next.rows.map(({ n }) => n)).toEqual([5, 6])
  })

  test('PAGE-4: over between rounds: what is there is returned', async () => {
    const things = await open(200, () => 1000)
    const began = performance.now()
    const page = await things
      .scan(all, {
        deadline: 501_000,
        filter: ({ n }) => {
          if (n === 60) vi.spyOn(performance, 'now').mockReturnValue(began + 1_000_000)
          return n % 2 === 0
        },
      })
      .page({ size: 150 })
    expect(page.stop).toBe('time')
    const numbers = page.rows.map(({ n }) => n)
    expect(numbers.length).toBeGreaterThan(30)
    vi.restoreAllMocks()
    const rest = (await things.scan(all, { filter: ({ n }) => n % 2 === 0 }).page({ cursor: page.cursor })).rows
    expect([...numbers, ...rest.map(({ n }) => n)]).toEqual(Array.from({ length: 100 }, (_, i) => 2 * i))
  })

  test('PAGE-4: options that are none are refused', async () => {
    const things = await open(1)
    for (const options of [
      { maxExamined: 0 },
      { maxExamined: 1.5 },
      { deadline: Number.NaN },
      { deadline: new Date(Number.NaN) },
      { deadline: '5s' },
      { prefetch: 1 },
    ]) {
      expect((await refusalOf(() => things.scan(all, options as object).page())).code).toBe('INVALID_OPTION')
    }
  })
})

describe('SCAN-9: deleteAll', () => {
  test('SCAN-9: deletes what the scan finds, over page borders, and nothing else', async () => {
    const things = await open(1000)
    expect(await things.scan({ ...all, note: 'ten' }).deleteAll()).toBe(100)
    expect(await things.scan(all).count()).toBe(900)
    expect(await things.scan(all, { filter: ({ n }) => n > 990, limit: 5 }).deleteAll()).toBe(5)
    expect((await things.scan({ n: { gt: 985 } }).toArray()).map(({ n }) => n)).toEqual([986, 987, 988, 989, 996, 997, 998, 999])
    expect(await things.scan({ n: 77 }).deleteAll()).toBe(1)
    expect(await things.scan({ n: { in: [] } }).deleteAll()).toBe(0)
    expect(await things.scan(all, { order: 'reverse' }).deleteAll()).toBe(894)
    expect(await things.scan(all).count()).toBe(0)
  })
})

test('a scan, its count and a page with a limit do not see rows that have expired, selected or not', async () => {
  const Sessions = defineTable('sessions', { columns: { id: int32(), at: timestamp('ms') }, key: ['id'], ttl: '1h' })
  let now = 0
  const db = createMapper(memory(), { clock: () => now })
  await db.ensureTables([Sessions])
  const sessions = db.repository(Sessions)
  for (let id = 0; id < 40; id++) {
    now = id * 60_000
    await sessions.put({ id, at: new Date(now) })
  }
  now = 70 * 60_000 // those of the first ten minutes, and the eleventh to the instant, are over
  const where = { id: { gte: 0 } }
  const alive = Array.from({ length: 29 }, (_, i) => i + 11)
  expect((await sessions.scan(where).toArray()).map(({ id }) => id)).toEqual(alive)
  expect(await sessions.scan(where).count()).toBe(29)
  expect((await sessions.scan(where).page({ size: 3 })).rows.map(({ id }) => id)).toEqual([11, 12, 13])
  expect((await sessions.scan(where, { select: ['id'], limit: 3 }).toArray()).map(({ id }) => id)).toEqual([11, 12, 13])
  expect((await sessions.scan({ id: { in: [3, 10, 11] } }).toArray()).map(({ id }) => id)).toEqual([11])
  expect(await sessions.readAll({ select: ['at'] }).count()).toBe(29)
})
