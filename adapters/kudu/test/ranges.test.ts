import { kuduStore } from '@rowkey/kudu'
import { createMapper, defineTable, type Mapper } from 'rowkey'
import { bucket, type ColumnType, date, desc, int32, kuduHash, period, text, timestamp } from 'rowkey/codec'
import type { TableSchema } from 'rowkey/adapter'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { beginOf, stepped, type Every } from '../src/hints/calendar.js'
import { rangesOf, type Interval, type RangeHint } from '../src/hints/range-hint.js'
import { rotationOf } from '../src/ranges/rotation.js'
import { connect } from './connected.js'

const every: readonly Every[] = ['hour', 'day', 'week', 'month', 'year']
const table = (name: string, hint: RangeHint, time: ColumnType = timestamp('ms'), more: object = {}): TableSchema =>
  defineTable(name, {
    columns: { host: text(), metric: text(), time, value: int32() },
    key: ['host', 'metric', 'time'],
    stores: { kudu: { range: hint, ...more } },
  })

test('ranges of time: each moment is in one range, and the next range begins where it ends', () => {
  fc.assert(
    fc.property(fc.constantFrom(...every), fc.integer({ min: -6e13, max: 2.5e14 }), fc.integer({ min: -40, max: 40 }), (length, ms, by) => {
      const begin = beginOf(length, ms)
      expect(begin).toBeLessThanOrEqual(ms)
      expect(stepped(length, begin, 1)).toBeGreaterThan(ms)
      expect(beginOf(length, begin)).toBe(begin)
      expect(beginOf(length, begin - 1)).toBe(stepped(length, begin, -1))
      expect(stepped(length, stepped(length, begin, by), -by)).toBe(begin)
    }),
    { numRuns: 2000, seed: 20_261_128 },
  )
  expect(new Date(beginOf('week', Date.parse('2026-11-29T23:59:59Z'))).toISOString()).toBe('2026-11-23T00:00:00.000Z')
  expect(new Date(beginOf('month', Date.parse('2024-02-29T12:00:00Z'))).toISOString()).toBe('2024-02-01T00:00:00.000Z')
})

test('after a rotation every moment from the oldest that is kept to the last range ahead is in one range, and nothing older is left', () => {
  const dayMs = 86_400_000
  fc.assert(
    fc.property(
      fc.constantFrom<Every>('day', 'week', 'month'),
      fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 8 }),
      fc.integer({ min: 0, max: 400 }),
      fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
      fc.integer({ min: 1, max: 4 }),
      (length, ends, today, keep, ahead) => {
        const schema = table('rotated', { of: 'time', every: length, ahead, ...(keep === undefined ? {} : { keep }) })
        const ranges = rangesOf(schema)
        if (ranges?.times === undefined) throw new Error('no times')
        const sorted = ends.toSorted((a, b) => a - b)
        const existing = sorted
          .slice(1)
          .flatMap((to, i): Interval[] => (i % 3 === 2 ? [] : [{ from: [(sorted[i] as number) * dayMs], to: [to * dayMs] }]))
        const now = today * dayMs + 5
        const { add, drop } = rotationOf(schema, ranges, ranges.times, existing, now)
        const after = [...existing.filter((each) => !drop.includes(each)), ...add]
        const covers = (ms: number): number =>
          after.filter(({ from, to }) => (from?.[0] as number) <= ms && ms < (to?.[0] as number)).length
        for (const { from, to } of after) expect(from?.[0] as number).toBeLessThan(to?.[0] as number)
        for (let ms = 0; ms < 700 * dayMs; ms += dayMs / 2) expect(covers(ms)).toBeLessThanOrEqual(1)
        const begin = beginOf(length, now)
        for (let ms = begin; ms < stepped(length, begin, ahead + 1); ms += dayMs / 2) expect(covers(ms)).toBe(1)
        const oldest = keep === undefined ? -Infinity : stepped(length, begin, -keep)
        for (const each of drop) expect(each.to?.[0] as number).toBeLessThanOrEqual(oldest)
        for (const each of existing) if ((each.to?.[0] as number) > oldest) expect(drop).not.toContain(each)
        // Without changes of time there is nothing more to do.
        expect(rotationOf(schema, ranges, ranges.times, after, now)).toEqual({ add: [], drop: [] })
      },
    ),
    { numRuns: 150, seed: 20_261_128 },
  )
})

test.each<readonly [string, object, string]>([
  ['an unknown option', { of: 'time', evry: 'day' }, 'Give one of of, every, from, ahead, keep, splits, bounds, not evry.'],
  ['no key column', { of: 'value', every: 'day' }, "Give in 'of' columns of the key in its order"],
  ['a column of another order', { of: ['time', 'host'], splits: [['2026-01-01', 'a']] }, "Give in 'of' columns of the key in its order"],
  ['ranges of text by time', { of: 'host', every: 'day' }, 'Give every for one column of instants or days'],
  ['both kinds', { of: 'time', every: 'day', splits: ['2026-01-01'] }, 'Give every, or splits and bounds, not both.'],
  ['no kind', { of: 'time' }, 'Give every, splits or bounds.'],
  ['a time that is none', { of: 'time', splits: ['2026-02-30x'] }, 'times as text'],
  ['a split of another type', { of: 'host', splits: [5] }, 'values of the range columns in splits and bounds'],
  ['half a range', { of: 'host', bounds: [['a']] }, 'Give pairs [from, to] in bounds.'],
  ['no range ahead', { of: 'time', every: 'day', ahead: 0 }, 'Give a whole number of ranges in ahead.'],
])('a hint with %s is refused before anything is created', (_, hint, told) => {
  expect(() => kuduStore.ddl(table('refused', hint as RangeHint))).toThrow(told)
})

test('the definition tells ranges, splits and hash levels together', () => {
  const Metrics = defineTable('metrics', {
    columns: { host: text(), metric: text(), time: timestamp('us'), value: int32() },
    key: ['host', 'metric', 'time'],
    salt: kuduHash({ of: ['host', 'metric'], count: 4 }),
    stores: { kudu: { range: { of: 'time', bounds: [['2014-01-01', '2017-01-01']], splits: ['2015-01-01', '2016-01-01'] } } },
  })
  expect(kuduStore.ddl(Metrics).text.split('\n').slice(-7)).toEqual([
    'PARTITION BY HASH (`host`, `metric`) PARTITIONS 4, RANGE (`time`) (',
    "  PARTITION '2014-01-01T00:00:00.000' <= VALUES < '2015-01-01T00:00:00.000',",
    "  PARTITION '2015-01-01T00:00:00.000' <= VALUES < '2016-01-01T00:00:00.000',",
    "  PARTITION '2016-01-01T00:00:00.000' <= VALUES < '2017-01-01T00:00:00.000'",
    ')',
    'STORED AS KUDU;',
    '',
  ])
})

withServer('kudu', (connection) => {
  /** The first day of a month, counted from the current one: a table is created with the ranges that it needs by now. */
  const month = (by: number): Date => new Date(stepped('month', beginOf('month', Date.now()), by))
  const dayOf = (by: number): Date => new Date(stepped('day', beginOf('day', Date.now()), by))
  const day = (text: string): Date => new Date(`${text}T00:00:00Z`)

  async function opened(run: (db: Mapper, setNow: (ms: number) => void) => Promise<void>): Promise<void> {
    const { adapter, dispose } = await connect(connection)
    let now = Date.now()
    const db = createMapper(adapter, { clock: () => now })
    try {
      await run(db, (ms) => (now = ms))
    } finally {
      await dispose()
    }
  }

  describe.each<readonly [string, ColumnType, object]>([
    ['ascending, without a salt', timestamp('ms'), {}],
    ['descending, without a salt', desc(timestamp('ms')), {}],
    ['with hash levels', timestamp('ms'), { salt: kuduHash({ of: ['host', 'metric'], count: 3 }) }],
    ['descending, with a bucket column', desc(timestamp('ms')), { salt: bucket({ of: 'host', count: 4 }) }],
  ])('%s', (_, time, salt) => {
    const Metrics = defineTable('metrics', {
      columns: { host: text(), metric: text(), time, value: int32() },
      key: ['host', 'metric', 'time'],
      ...(salt as Record<string, never>),
      stores: { kudu: { range: { of: 'time', every: 'month', from: month(-10).toISOString().slice(0, 10), ahead: 1, keep: 2 } } },
    })
    const row = (host: string, at: Date, value: number) => ({ host, metric: 'cpu', time: at, value }) as never

    test('rows of all ranges come in the order of the key, ranges are rotated in one change, and what no range takes is refused', async () => {
      await opened(async (db, setNow) => {
        await db.ensureTables([Metrics])
        const metrics = db.repository(Metrics)
        const days = Array.from({ length: 300 }, (__, i) => new Date(month(-10).getTime() + i * 86_400_000)).filter((at) => at < month(2))
        await metrics.putMany(days.map((at, i) => row(`h${i % 3}`, at, i)))
        for (const host of ['h0', 'h1', 'h2']) {
          const found = (await metrics.scan({ host, metric: 'cpu' }).toArray()) as unknown as { value: number }[]
          const wanted = days.map((__, i) => i).filter((i) => `h${i % 3}` === host)
          if (time.desc) wanted.reverse()
          expect(found.map(({ value }) => value)).toEqual(wanted)
        }
        const [from, to] = [new Date(month(-8).getTime() + 9 * 86_400_000), new Date(month(-6).getTime() + 86_400_000)]
        const window = await metrics.scan({ host: 'h1', metric: 'cpu', time: { gte: from, lt: to } }).toArray()
        expect(window).toHaveLength(days.filter((at, i) => i % 3 === 1 && at >= from && at < to).length)

        // Hash and range are pruned each on its own: one bucket if its columns are bound, and the months of the window.
        const all = await db.partitions(Metrics)
        const months = new Set(all.map(({ range }) => (range?.from as { time: Date }).time.getTime())).size
        expect(months).toBe(12)
        const pruned = async (where: object): Promise<number> =>
          (await metrics.scan(where as never, { maxFanOut: 100 }).partitions()).length
        expect(await pruned({ host: 'h1', metric: 'cpu', time: { gte: from, lt: to } })).toBe(3)
        expect(await pruned({ host: 'h1', metric: 'cpu', time: from })).toBe(1)
        expect(await pruned({ host: 'h1', metric: 'cpu' })).toBe(12)
        expect(await pruned({ host: { in: ['h0', 'h1', 'h2'] }, metric: 'cpu', time: from })).toBeLessThanOrEqual(
          Math.min(3, all.length / 12),
        )
        expect(await pruned({ host: 'h1', metric: 'cpu', time: { lt: month(-20) } })).toBe(0)

        const old = new Date(month(-90).getTime() + 5 * 86_400_000)
        const refused = await metrics.put(row('h0', old, 1)).catch((error: unknown) => error)
        expect(refused).toMatchObject({ code: 'NO_PARTITION', details: { table: 'metrics', key: { host: 'h0', time: old } } })
        expect((refused as Error).message).toContain('db.rotate(Model)')
        // A gap holds nothing, and reads of it are no error.
        expect(await metrics.get({ host: 'h0', metric: 'cpu', time: old })).toBeUndefined()
        expect(await metrics.scan({ host: 'h0', metric: 'cpu', time: { lt: month(-80) } }).toArray()).toEqual([])

        setNow(month(1).getTime() + 14 * 86_400_000)
        const dry = await db.rotate(Metrics, { dryRun: true })
        expect(dry.drop).toHaveLength(9)
        expect(dry.add).toEqual([{ from: { time: month(2) }, to: { time: month(3) } }])
        expect(await metrics.scan({ host: 'h0', metric: 'cpu' }).count()).toBe(100)
        const rotated = await Promise.all([1, 2, 3, 4].map(() => db.rotate(Metrics)))
        expect(rotated.filter(({ add, drop }) => add.length + drop.length > 0)).toEqual([dry]) // one of them did it
        expect(await db.rotate(Metrics)).toEqual({ add: [], drop: [] })
        const left = (await metrics.scan({ host: 'h0', metric: 'cpu' }).toArray()) as unknown as { time: Date }[]
        expect(left.length).toBeGreaterThan(0)
        expect(left.every(({ time: at }) => at >= month(-1))).toBe(true)

        await db.addRange(Metrics, { from: { time: month(-90) }, to: { time: month(-89) } })
        await metrics.put(row('h0', old, 7))
        expect(await metrics.get({ host: 'h0', metric: 'cpu', time: old })).toMatchObject({ value: 7 })
        const counted = await db.partitions(Metrics, { countRows: true })
        const own = counted.filter(({ range }) => (range?.from as { time: Date }).time.getTime() === month(-90).getTime())
        expect(own.reduce((sum, { rows = 0 }) => sum + rows, 0)).toBe(1)
        expect(own.every(({ server, bytes }) => typeof server === 'string' && bytes !== 0)).toBe(true)
        await expect(db.addRange(Metrics, { from: { time: old }, to: { time: month(-80) } })).rejects.toMatchObject({
          code: 'STORE_REFUSED',
        })
        await db.dropRange(Metrics, { from: { time: month(-90) }, to: { time: month(-89) } })
        expect(await metrics.get({ host: 'h0', metric: 'cpu', time: old })).toBeUndefined()
      })
    })
  })

  test('ranges of a period need no column and no length; days before the first one are refused', async () => {
    const Logs = defineTable('logs', {
      columns: { host: text(), day: period('day', { of: 'at' }), at: timestamp('ms') },
      partition: ['host', 'day'],
      key: ['at'],
      stores: { kudu: { range: { from: dayOf(-20).toISOString().slice(0, 10), ahead: 3 } } },
    })
    await opened(async (db) => {
      await db.ensureTables([Logs])
      const logs = db.repository(Logs)
      const at = new Date(dayOf(-15).getTime() + 5_000)
      await logs.put({ host: 'a', at })
      await expect(logs.put({ host: 'a', at: new Date(dayOf(-20).getTime() - 1) })).rejects.toMatchObject({ code: 'NO_PARTITION' })
      const found = await logs.scan({ host: 'a', at: { gte: dayOf(-16), lt: dayOf(-13) } }).toArray()
      expect(found.map((each) => each.at)).toEqual([at])
      expect(await logs.scan({ host: 'a', at: { gte: dayOf(-16), lt: dayOf(-13) } }).partitions()).toHaveLength(3)
    })
  })

  test('ranges of text and of a day with splits: every row is found, whatever its range', async () => {
    const Words = defineTable('words', {
      columns: { lang: text(), word: text(), seen: date() },
      key: ['lang', 'word', 'seen'],
      stores: { kudu: { range: { of: ['lang', 'word'], splits: [['de', 'm'], ['en'], ['en', 'q']] } } },
    })
    await opened(async (db) => {
      await db.ensureTables([Words])
      const words = db.repository(Words)
      const all = ['de', 'en', 'fr'].flatMap((lang) =>
        ['a', 'm', 'ma', 'p', 'q', 'z\0'].map((word) => ({ lang, word, seen: day('2026-01-01') })),
      )
      await words.putMany(all)
      expect(await words.scan({ lang: { in: ['de', 'en', 'fr'] } }).toArray()).toEqual(all)
      expect(await words.scan({ lang: 'en', word: { gte: 'm', lt: 'q' } }).toArray()).toHaveLength(3)
      expect(await db.partitions(Words)).toHaveLength(4)
      await expect(db.rotate(Words)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    })
  })

  test('rows that expire are hidden by their time and go with their range', async () => {
    const Sessions = defineTable('sessions', {
      columns: { user: text(), at: timestamp('ms') },
      key: ['user', 'at'],
      writes: 'plain',
      ttl: '30d',
      stores: { kudu: { range: { of: 'at', every: 'week', from: dayOf(-20).toISOString().slice(0, 10), ahead: 1 }, expire: 'rotate' } },
    })
    await opened(async (db, setNow) => {
      await db.ensureTables([Sessions])
      const sessions = db.repository(Sessions)
      const now = dayOf(-3).getTime()
      setNow(now)
      await sessions.put({ user: 'ann', at: new Date(now) })
      setNow(now + 31 * 86_400_000)
      expect(await sessions.get({ user: 'ann', at: new Date(now) })).toBeUndefined()
      await expect(db.purgeExpired(Sessions)).rejects.toMatchObject({
        code: 'NOT_SUPPORTED',
        message: expect.stringContaining('Call db.rotate(Model)') as string,
      })
      await db.rotate(Sessions)
      const kept = await db.partitions(Sessions)
      expect(kept.every(({ range }) => (range?.to as { at: Date }).at.getTime() > now + 86_400_000)).toBe(true)
    })
  })

  test('a ttl without ranges that go is refused before there is a table: its rows would never be removed', async () => {
    const model = (stores: Readonly<Record<string, object>>) =>
      defineTable('kept', { columns: { user: text(), at: timestamp('ms') }, key: ['user', 'at'], writes: 'plain', ttl: '30d', stores })
    const refused = { code: 'NOT_SUPPORTED', message: expect.stringContaining("expire: 'rotate'") as string }
    await opened(async (db) => {
      for (const kept of [model({}), model({ kudu: { range: { of: 'at', every: 'day' } } })]) {
        await expect(db.ensureTables([kept])).rejects.toMatchObject(refused)
        expect(() => db.repository(kept)).toThrow(expect.objectContaining(refused) as Error)
        expect(() => kuduStore.ddl(kept, { hash: 2 })).toThrow(expect.objectContaining(refused) as Error)
        expect(await db.adapter.describeTable('kept')).toBeUndefined()
      }
    })
  })

  test('ensureTables takes the time from the clock of the mapper, for a new table and for one that has ranges', async () => {
    const Clocked = defineTable('clocked', {
      columns: { user: text(), at: timestamp('ms') },
      key: ['user', 'at'],
      stores: { kudu: { range: { of: 'at', every: 'day', ahead: 1 } } },
    })
    await opened(async (db, setNow) => {
      const days = async () =>
        (await db.partitions(Clocked)).map(({ range }) => (range?.from as { at: Date }).at.toISOString().slice(0, 10))
      setNow(Date.parse('2031-05-06T12:00:00Z'))
      await db.ensureTables([Clocked])
      expect(new Set(await days())).toEqual(new Set(['2031-05-06', '2031-05-07']))
      setNow(Date.parse('2031-05-07T12:00:00Z'))
      await createMapper(db.adapter, { clock: () => Date.parse('2031-05-07T12:00:00Z') }).ensureTables([Clocked])
      expect(new Set(await days())).toEqual(new Set(['2031-05-06', '2031-05-07', '2031-05-08']))
    })
  })

  test('a store without ranges says so', async () => {
    const { memory } = await import('rowkey')
    const db = createMapper(memory())
    const Plain = defineTable('plain', { columns: { k: text() }, key: ['k'] })
    await expect(db.partitions(Plain)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    await expect(db.rotate(Plain)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
  })
})
