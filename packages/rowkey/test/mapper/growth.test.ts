import { bucket, desc, period, text, timestamp, uint32, type CountFrom, type EveryFrom } from '#codec'
import { createMapper, type Mapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, schemaFromJSON, type TableSchema } from '#model'
import { computedColumns } from '#model/internal'
import type { Adapter } from '#store/adapter'
import { compileQuery } from '#store'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { seed, seeded, type Random } from '../../../../test/kit/seeded.js'
import { wrapped } from '../../../../test/kit/wrapped.js'
import type { TableRepository } from '../../src/mapper/repository.js'

const dayMs = 86_400_000
const start = Date.parse('2026-11-28T08:00:00Z')

interface Lists {
  readonly every: readonly EveryFrom[]
  readonly counts: readonly CountFrom[]
  readonly isDesc?: boolean
  readonly offset?: string
}

function tableOf({ every, counts, isDesc = false, offset }: Lists, count: number | readonly CountFrom[] = counts): TableSchema {
  const at = timestamp('ms')
  const columns = { host: text(), day: period(every, { of: 'at', ...(offset === undefined ? {} : { offset }) }), at: isDesc ? desc(at) : at, seq: uint32(), line: text() } // prettier-ignore
  return defineTable('logs', { columns, partition: ['host', 'day'], key: ['at', 'seq'], salt: bucket({ of: 'seq', count }) })
}

/** Its own clock, which the test moves. */
class Program {
  readonly db: Mapper
  readonly logs: TableRepository
  private readonly schema: TableSchema

  constructor(adapter: Adapter, schema: TableSchema, clock: () => number) {
    this.db = createMapper(adapter, { clock })
    this.schema = schema
    this.logs = this.db.repository(schema) as unknown as TableRepository
  }

  ensure(): Promise<void> {
    return this.db.ensureTables([this.schema])
  }
}

const anyOf = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T

/** Days on which two lengths begin, after some day. */
function commonDay(one: string, other: string, after: string): string {
  const begins: Record<string, (day: Date) => boolean> = {
    day: () => true,
    week: (day) => day.getUTCDay() === 1,
    month: (day) => day.getUTCDate() === 1,
    year: (day) => day.getUTCDate() === 1 && day.getUTCMonth() === 0,
  }
  for (let at = Date.parse(after) + dayMs; ; at += dayMs) {
    const day = new Date(at)
    if (begins[one]?.(day) === true && begins[other]?.(day) === true) return day.toISOString().slice(0, 10)
  }
}

/** The first day of the period, by the fields of a Date. */
function beginOf(lists: Lists, at: number): number {
  const east = lists.offset === '+08:00' ? 8 * 3_600_000 : 0
  const local = new Date(at + east)
  local.setUTCHours(0, 0, 0, 0)
  const every = lists.every.findLast(({ from }) => from === undefined || Date.parse(from) <= local.getTime())?.every
  if (every === 'week') local.setUTCDate(local.getUTCDate() - ((local.getUTCDay() + 6) % 7))
  if (every === 'month') local.setUTCDate(1)
  if (every === 'year') local.setUTCMonth(0, 1)
  return local.getTime()
}

const countAt = ({ counts }: Lists, begin: number): number =>
  counts.findLast(({ from }) => from === undefined || Date.parse(from) <= begin)?.count ?? 0

const rounds = 40 * Number(process.env['ROWKEY_SCALE'] ?? 1)

describe('a table that changes from a day on', () => {
  test(`rows of before, during and after the change, by the old and the new program: none is lost, none twice, seed ${seed}`, async () => {
    const random = seeded()
    let [refused, written] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      let now = start
      const adapter = memory()
      const lengths = ['day', 'week', 'month'] as const
      const first: Lists = { every: [{ every: anyOf(random, lengths) }], counts: [{ count: 1 + 1 + random.below(4) }], isDesc: random.below(2) === 1, ...(random.below(3) === 0 ? { offset: '+08:00' } : {}) } // prettier-ignore
      let lists = first
      const programs = [
        new Program(adapter, tableOf(lists, random.below(2) === 0 ? (first.counts[0] as CountFrom).count : first.counts), () => now),
      ]
      await (programs[0] as Program).ensure()
      const rows = new Map<string, { host: string; at: Date; seq: number; line: string }>()
      const write = async (program: Program, at: number): Promise<void> => {
        const row = { host: anyOf(random, ['a', 'b']), at: new Date(at), seq: random.below(50), line: `${rows.size}` }
        const isMany = random.below(2) === 0
        try {
          await (isMany ? program.logs.putMany([row]) : program.logs.put(row))
          rows.set(`${row.host} ${at} ${row.seq}`, row)
          written++
        } catch (error) {
          expect(error).toMatchObject({ code: 'SCHEMA_MISMATCH' })
          refused++
        }
      }
      for (let change = 0; change < 2; change++) {
        for (let i = 0; i < 20; i++) await write(anyOf(random, programs), now - random.below(20) * dayMs + random.below(dayMs))
        if (random.below(3) === 0) await write(programs.at(-1) as Program, now + random.below(20) * dayMs)
        // The list grows: one of both, or both.
        const lastFrom = [...lists.every, ...lists.counts]
          .map(({ from = '' }) => from)
          .toSorted()
          .at(-1) as string
        const ahead = new Date(now + (3 + random.below(20)) * dayMs).toISOString().slice(0, 10)
        const after = lastFrom > ahead ? lastFrom : ahead
        const [before, next] = [(lists.every.at(-1) as EveryFrom).every, anyOf(random, lengths)]
        const from = commonDay(before, next, after)
        const change = random.below(3)
        const longer: Lists = {
          ...lists,
          every: change === 0 ? lists.every : [...lists.every, { from, every: next }],
          counts: change === 1 ? lists.counts : [...lists.counts, { from, count: 2 + random.below(12) }],
        }
        const newer = new Program(adapter, tableOf(longer), () => now)
        const error = await newer.ensure().then(() => undefined, (reason: unknown) => reason) // prettier-ignore
        if (error !== undefined) {
          expect((error as Error).message).toContain('rows may be dated up to')
          break
        }
        lists = longer
        programs.push(newer)
        // Time passes beyond the change, in steps, while all programs run.
        const end = Date.parse(from) + 10 * dayMs
        while (now < end) {
          now += Math.ceil(((end - start) * (1 + random.below(10))) / 60)
          for (let i = 0; i < 6; i++) await write(anyOf(random, programs), now + random.below(3 * dayMs) - 2 * dayMs)
        }
      }
      const last = programs.at(-1) as Program
      const all = [...rows.values()]
      const seen = (await last.logs.readAll().toArray()) as typeof all
      expect(seen.length).toBe(all.length)
      for (const row of all) expect(await last.logs.get({ host: row.host, at: row.at, seq: row.seq })).toMatchObject(row)
      const schema = tableOf(lists)
      for (let i = 0; i < 10; i++) {
        const [one, other] = [0, 0].map(() => start + (random.below(120) - 30) * dayMs + anyOf(random, [0, 0, 1, -1, random.below(dayMs)]))
        const [low, high] = [Math.min(one as number, other as number), Math.max(one as number, other as number)]
        const where = { host: 'a', at: { gte: new Date(low), lt: new Date(high) } }
        const isReverse = random.below(2) === 1
        const expected = all.filter(({ host, at }) => host === 'a' && at.getTime() >= low && at.getTime() < high)
        const order = (lists.isDesc === true) === isReverse ? 1 : -1
        expected.sort((a, b) => order * (a.at.getTime() - b.at.getTime()) || (isReverse ? b.seq - a.seq : a.seq - b.seq))
        const options = isReverse ? { order: 'reverse' as const } : {}
        const found = (await last.logs.scan(where, options).toArray()) as typeof all
        expect(found.map(({ line }) => line)).toEqual(expected.map(({ line }) => line))
        const paged: string[] = []
        for (let cursor: string | undefined; ;) {
          const page = await last.logs.scan(where, options).page({ size: 3, cursor })
          paged.push(...(page.rows as typeof all).map(({ line }) => line))
          if (page.cursor === undefined) break
          cursor = page.cursor
        }
        expect(paged).toEqual(expected.map(({ line }) => line))
        // Each period in exactly its buckets.
        const begins = new Set<number>()
        for (let at = low; at < high; at += 3_600_000) begins.add(beginOf(lists, at))
        if (high > low) begins.add(beginOf(lists, high - 1))
        const { plan } = compileQuery(schema, where)
        const ranges = plan.kind === 'scan' ? plan.streams.reduce((sum, stream) => sum + stream.ranges.length, 0) : 0
        expect(ranges).toBe([...begins].reduce((sum, begin) => sum + countAt(lists, begin), 0))
      }
    }
    expect(refused).toBeGreaterThan(rounds)
    expect(written).toBeGreaterThan(rounds * 30)
  })

  const days: Lists = { every: [{ every: 'day' }], counts: [{ count: 4 }] }
  const more = (from: string, count = 16): Lists => ({ ...days, counts: [{ count: 4 }, { from, count }] })

  test('a program that runs with the older model is refused from that day on, and works before it', async () => {
    let now = start
    const adapter = memory()
    const old = new Program(adapter, tableOf(days), () => now)
    await old.ensure()
    const newer = new Program(adapter, tableOf(more('2026-12-05')), () => now)
    expect(await codeOf(() => newer.logs.readAll().toArray())).toBe('SCHEMA_MISMATCH') // before ensureTables()
    await newer.ensure()
    const row = (at: string): Readonly<Record<string, unknown>> => ({ host: 'a', at: new Date(at), seq: 7, line: '' })
    const between = (gte: string, lt: string): Readonly<Record<string, unknown>> => ({
      host: 'a',
      at: { gte: new Date(gte), lt: new Date(lt) },
    })
    await old.logs.put(row('2026-11-28T09:00:00Z'))
    now = Date.parse('2026-12-04T23:00:00Z')
    await old.logs.put(row('2026-12-04T22:00:00Z'))
    const { message } = await refusalOf(() => old.logs.put(row('2026-12-05T00:00:00Z')))
    expect(message).toContain("table 'logs' has other periods or buckets from 2026-12-05T00:00:00.000Z on, which this model does not know.")
    now = Date.parse('2026-12-05T01:00:00Z')
    await newer.logs.put(row('2026-12-05T01:00:00Z'))
    for (const call of [
      () => old.logs.get({ host: 'a', at: new Date('2026-12-05T01:00:00Z'), seq: 7 }),
      () => old.logs.scan(between('2026-11-20', '2026-12-06')).toArray(),
      () => old.logs.readAll().toArray(),
      () => old.logs.delete({ host: 'a', at: new Date('2026-12-05T01:00:00Z'), seq: 7 }),
      () => old.logs.putMany([row('2026-12-05T02:00:00Z')]),
      () => old.db.write([old.logs.ops.put(row('2026-12-05T02:00:00Z'))]),
      () => old.logs.modify({ host: 'a', at: new Date('2026-12-05T01:00:00Z'), seq: 7 }, (found) => found),
    ])
      expect(await codeOf(call)).toBe('SCHEMA_MISMATCH')
    expect(await old.logs.scan(between('2026-11-20', '2026-12-05')).count()).toBe(2)
    expect(await newer.logs.scan(between('2026-11-20', '2026-12-06')).count()).toBe(3)
    // One that starts with the older model, too.
    const again = new Program(adapter, tableOf(days), () => now)
    await again.ensure()
    await again.logs.put(row('2026-12-04T23:59:59Z'))
    expect(await codeOf(() => again.logs.put(row('2026-12-05T00:00:00Z')))).toBe('SCHEMA_MISMATCH')
  })

  test.each([
    ['a window', (logs: TableRepository) => logs.scan({ host: 'a', at: { gte: new Date('2026-11-20'), lt: new Date('2026-12-06') } }).toArray()], // prettier-ignore
    ['a get', (logs: TableRepository) => logs.get({ host: 'a', at: new Date('2026-12-05T01:00:00Z'), seq: 7 })],
    ['the whole table', (logs: TableRepository) => logs.readAll().toArray()],
  ])('the first call after the change is refused, though the last look was before the change was declared: %s', async (_, call) => {
    let now = start
    const adapter = memory()
    const old = new Program(adapter, tableOf(days), () => now)
    await old.ensure()
    await old.logs.put({ host: 'a', at: new Date(now), seq: 7, line: '' })
    await new Program(adapter, tableOf(more('2026-12-05')), () => now).ensure()
    now = Date.parse('2026-12-05T01:00:00Z')
    expect(await codeOf(() => call(old.logs))).toBe('SCHEMA_MISMATCH')
  })

  test('a change that is made while a program dates its rows further ahead is not missed', async () => {
    const base = memory()
    const newer = new Program(base, tableOf(more('2026-12-05')), () => start)
    const old = new Program(
      { ...wrapped(base, {}), ensureTable: async (schema, options) => (await newer.ensure(), base.ensureTable(schema, options)) },
      tableOf(days),
      () => start,
    )
    await new Program(base, tableOf(days), () => start).ensure()
    expect(await codeOf(() => old.logs.put({ host: 'a', at: new Date('2026-12-06'), seq: 1, line: '' }))).toBe('SCHEMA_MISMATCH')
    expect(await newer.logs.readAll().toArray()).toEqual([])
  })

  test.each([
    [
      'too soon',
      more('2026-11-29'),
      'the count of the salt changes on 2026-11-29, which is too soon: running programs would not notice. Change it on 2026-12-01 or later',
    ],
    ['in the past', more('2026-01-01'), 'which is too soon'],
    ['more bytes', more('2027-01-01', 1000), 'the salt would have 1000 buckets, and their numbers more bytes than those of 4.'],
    ['another first count', { ...days, counts: [{ count: 8 }] }, 'salt: the model has'],
    [
      'periods too soon',
      { ...days, every: [{ every: 'day' as const }, { from: '2026-11-30', every: 'week' as const }] },
      "the length of 'day' changes on 2026-11-30",
    ],
  ])('%s: ensureTables() refuses it, and changes nothing', async (_, changed, message) => {
    const adapter = memory()
    const clock = (): number => start
    await new Program(adapter, tableOf(days), clock).ensure()
    const before = JSON.stringify(await adapter.describeTable('logs'))
    const error = await refusalOf(() => new Program(adapter, tableOf(changed), clock).ensure())
    expect(error.code).toBe('SCHEMA_MISMATCH')
    expect(error.message).toContain(message)
    expect(JSON.stringify(await adapter.describeTable('logs'))).toBe(before)
  })

  test.each([
    ['before', false],
    ['while', true],
  ])(
    'a count that another program appends %s the lengths change: what does not fit together is refused, and the table stays readable',
    async (_, isAtOnce) => {
      const base = memory()
      const clock = (): number => start
      await new Program(base, tableOf(days), clock).ensure()
      const weeks = new Program(base, tableOf({ ...days, every: [...days.every, { from: '2027-01-04', every: 'week' }] }), clock)
      if (!isAtOnce) await weeks.ensure()
      const adapter = { ...wrapped(base, {}), ensureTable: async (...given: Parameters<Adapter['ensureTable']>) => (await weeks.ensure(), base.ensureTable(...given)) } // prettier-ignore
      const { code, message } = await refusalOf(() => new Program(isAtOnce ? adapter : base, tableOf(more('2027-02-02')), clock).ensure()) // a Tuesday
      expect(code).toBe('SCHEMA_MISMATCH')
      if (!isAtOnce) expect(message).toContain('what the model appends does not fit what the table changes already')
      expect(await weeks.logs.readAll().toArray()).toEqual([])
      await new Program(base, tableOf(more('2027-02-01')), clock).ensure()
    },
  )

  test('rows of the last days that there are: a message says so with a date', async () => {
    const adapter = memory()
    const { logs, db } = new Program(adapter, tableOf(days), () => start)
    await db.ensureTables([tableOf(days)])
    for (const [at, dated] of [
      ['9999-12-31', '+0'],
      [new Date(8.64e15), '+275760-09-13'],
    ] as const) {
      // prettier-ignore
      await logs.put({ host: 'a', at: new Date(at), seq: 1, line: '' })
      const { code, message } = await refusalOf(() => db.ensureTables([tableOf(more('2027-02-01'))]))
      expect(code).toBe('SCHEMA_MISMATCH')
      expect(message).toMatch(/may be dated up to \+\d{6}-\d\d-\d\d already/)
      expect(message).toContain(dated)
    }
  })

  test('an item that the table has cannot be changed or moved', async () => {
    const adapter = memory()
    const clock = (): number => start
    await new Program(adapter, tableOf(days), clock).ensure()
    await new Program(adapter, tableOf(more('2027-01-01')), clock).ensure()
    for (const other of [more('2027-01-02'), more('2027-01-01', 8)])
      expect(await codeOf(() => new Program(adapter, tableOf(other), clock).ensure())).toBe('SCHEMA_MISMATCH')
    await new Program(
      adapter,
      tableOf({ ...days, counts: [...more('2027-01-01').counts, { from: '2027-02-01', count: 2 }] }),
      clock,
    ).ensure()
  })

  test('rows that are dated ahead are never missed: the change has to come after them', async () => {
    let now = start
    const adapter = memory()
    const old = new Program(adapter, tableOf(days), () => now)
    await old.ensure()
    await old.logs.put({ host: 'a', at: new Date('2027-03-01T10:00:00Z'), seq: 1, line: '' })
    const error = await refusalOf(() => new Program(adapter, tableOf(more('2027-01-01')), () => now).ensure())
    expect(error.message).toContain('changes on 2027-01-01, but rows may be dated up to 2027-03-')
    await new Program(adapter, tableOf(more('2027-04-01')), () => now).ensure()
    now += dayMs
    expect(await codeOf(() => old.logs.put({ host: 'a', at: new Date('2027-04-01T10:00:00Z'), seq: 1, line: '' }))).toBe('SCHEMA_MISMATCH')
  })

  test('the catalog is read once a day, and not for a key or a window in the past', async () => {
    let now = start
    let looks = 0
    const adapter = wrapped(memory(), { describeTable: (_, inner) => (looks++, inner()) })
    const { logs, db } = new Program(adapter, tableOf(days), () => now)
    await db.ensureTables([tableOf(days)])
    looks = 0
    for (let hour = 0; hour < 72; hour++, now += 3_600_000) {
      for (let i = 0; i < 5; i++) await logs.put({ host: 'a', at: new Date(now), seq: i, line: '' })
      await logs.scan({ host: 'a', at: { gte: new Date(now - 5 * dayMs), lte: new Date(now) } }).toArray()
    }
    expect(looks).toBeLessThanOrEqual(4)
  })

  test('JSON and code contain the lists, fingerprints only what cursors depend on', () => {
    const changed = tableOf({ every: [{ every: 'month' }, { from: '2027-01-01', every: 'day' }], counts: [{ count: 4 }, { from: '2027-01-01', count: 16 }] }) // prettier-ignore
    const copy = schemaFromJSON(JSON.stringify(changed))
    expect(JSON.stringify(copy)).toBe(JSON.stringify(changed))
    expect(JSON.stringify(changed)).toContain('"changes":[{"from":"2027-01-01","every":"day"}]')
    expect(copy.layout.buckets).toBe(16)
    expect(changed.fingerprints).toEqual(tableOf({ every: [{ every: 'month' }], counts: [{ count: 4 }] }, 4).fingerprints)
  })

  test('the numbers of periods have no gaps where their length changes', () => {
    const lists = [{ every: 'year' }, { from: '2025-01-01', every: 'month' }, { from: '2026-06-01', every: 'week' }, { from: '2026-08-03', every: 'day' }] as const // prettier-ignore
    const [column] = computedColumns(tableOf({ every: lists, counts: [{ count: 2 }] }))
    if (column === undefined) throw new Error('no period')
    const begins: string[] = []
    let last: number | undefined
    for (let at = Date.parse('2023-01-01'); at < Date.parse('2026-08-10'); at += dayMs) {
      const value = column.from(at)
      const number = column.number(value)
      expect(column.at(number)).toBe(value)
      if (last !== undefined && number !== last) expect(number).toBe(last + 1)
      if (number !== last) begins.push(new Date((value as number) * dayMs).toISOString().slice(0, 10))
      last = number
    }
    expect(begins.slice(0, 3)).toEqual(['2023-01-01', '2024-01-01', '2025-01-01'])
    expect(begins.slice(17, 22)).toEqual(['2026-04-01', '2026-05-01', '2026-06-01', '2026-06-08', '2026-06-15'])
    expect(begins.slice(-3)).toEqual(['2026-08-07', '2026-08-08', '2026-08-09'])
  })

  test.each([
    ['to hours', [{ every: 'day' }, { from: '2027-01-01', every: 'hour' }], "'hour' cannot change"],
    ['in the middle of a month', [{ every: 'month' }, { from: '2027-01-02', every: 'day' }], '2027-01-02 does not begin a month'],
    ['to weeks on a Friday', [{ every: 'day' }, { from: '2027-01-01', every: 'week' }], '2027-01-01 does not begin a week'],
    ['no day', [{ every: 'day' }, { from: '2027-02-30', every: 'week' }], 'has from "2027-02-30". Give a day'],
    [
      'backwards',
      [{ every: 'day' }, { from: '2027-02-01', every: 'week' }, { from: '2027-01-01', every: 'day' }],
      'is not after the item before it',
    ],
    ['a first day', [{ from: '2027-01-01', every: 'day' }], 'so it has every and no from'],
    ['another field', [{ every: 'day', until: '2027-01-01' }], "Give { from: '2027-01-01', every: 'day' }"],
  ])('lengths that are refused: %s', (_, every, message) => {
    expect(() => period(every as readonly EveryFrom[], { of: 'at' })).toThrow(message)
  })

  test('counts that are refused', () => {
    expect(() => bucket({ of: 'seq', count: [] })).toThrow('cannot have an empty list')
    expect(() => bucket({ of: 'seq', count: [{ from: '2027-01-01', count: 4 }] })).toThrow('The first one holds from the beginning')
    expect(() => bucket({ of: 'seq', count: [{ count: 4 }, { count: 8 }] })).toThrow(
      "Give a day after that of the item before it, such as '2027-01-01'.",
    )
    expect(() => bucket({ of: 'seq', count: [{ count: 4 }, { from: '2027-01-01', count: 1 }] })).toThrow('cannot have count 1')
    const table = (counts: readonly CountFrom[], every: 'day' | 'month' | undefined) => (): unknown =>
      defineTable('t', { columns: { seq: uint32(), at: timestamp('ms'), ...(every === undefined ? {} : { day: period(every, { of: 'at' }) }) }, key: [...(every === undefined ? [] : ['day']), 'at', 'seq'], salt: bucket({ of: 'seq', count: counts }) } as never) // prettier-ignore
    const counts = [{ count: 4 }, { from: '2027-01-02', count: 16 }]
    expect(table(counts, 'day')).not.toThrow()
    expect(table(counts, 'month')).toThrow("the salt changes its count on 2027-01-02, where no month of 'day' begins.")
    expect(table(counts, undefined)).toThrow('Give one count, or add a period() to the key.')
  })
})
