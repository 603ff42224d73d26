// Tested by wrong.test.ts.
import type { World } from '../suite/world.js'
import { bucket, desc, period, text, timestamp, uint32, type CountFrom, type EveryFrom } from '#codec'
import { createMapper } from '#mapper'
import { defineTable, type TableSchema } from '#model'
import { refused, same } from '../check.js'
import { rule, type Rule } from '../suite/rule.js'

const columns = { host: text(), day: period('day', { of: 'at' }), at: desc(timestamp('ms')), seq: uint32(), line: text() }
const partition = ['host', 'day'] as const
const key = ['at', 'seq'] as const

const logs = defineTable('periods_logs', { columns, partition, key, salt: bucket({ of: 'seq', count: 3 }), writes: 'plain' })

const dayMs = 86_400_000
const day = Date.UTC(2026, 0, 30)

interface Entry {
  readonly host: string
  readonly at: Date
  readonly seq: number
  readonly line: string
}

/** Two hosts, six hours apart, from the end of January into February. */
const entries: readonly Entry[] = Array.from({ length: 24 }, (_, i) => ({
  host: i % 3 === 0 ? 'b' : 'a',
  at: new Date(day + Math.floor(i / 2) * 21_600_000),
  seq: i,
  line: `${i}`,
}))

const withDay = (entry: Entry): object => ({ ...entry, day: new Date(Math.floor(entry.at.getTime() / dayMs) * dayMs) })
const newestFirst = (a: Entry, b: Entry): number => b.at.getTime() - a.at.getTime() || a.seq - b.seq
const window = (from: number, to: number): { readonly gte: Date; readonly lt: Date } => ({ gte: new Date(from), lt: new Date(to) })

async function readByWindow(world: World): Promise<void> {
  const table = await world.repository(logs)
  await table.putMany(entries)
  for (const entry of entries) {
    const { host, at, seq } = entry
    same(await table.get({ host, at, seq }), withDay(entry), 'a row that was written and got without its day')
  }
  for (const [from, to] of [
    [day, day + 3 * dayMs],
    [day + 1, day + dayMs],
    [day + dayMs - 1, day + dayMs + 1],
    [day - 40 * dayMs, day + 40 * dayMs],
  ] as const) {
    const within = entries.filter(({ at }) => at.getTime() >= from && at.getTime() < to).toSorted(newestFirst)
    const own = within.filter(({ host }) => host === 'a')
    const what = `rows of ${(to - from) / dayMs} days`
    same(await table.scan({ host: 'a', at: window(from, to) }).toArray(), own.map(withDay), what)
    same(await table.scan({ host: 'a', at: window(from, to) }, { order: 'reverse' }).toArray(), own.toReversed().map(withDay), `${what} backwards`) // prettier-ignore
    const both = await table.scan({ host: { in: ['a', 'b'] }, at: window(from, to) }, { order: { at: 'desc' } }).toArray()
    same(both, within.map(withDay), `${what} of two hosts in the order of time`)
    const paged: object[] = []
    let cursor: string | undefined
    do {
      const page = await table.scan({ host: 'a', at: window(from, to) }).page({ size: 2, cursor })
      paged.push(...page.rows)
      cursor = page.cursor
    } while (cursor !== undefined)
    same(paged, own.map(withDay), `${what} in pages of 2`)
  }
  same(await table.scan({ host: 'a', at: window(day, day + dayMs) }).deleteAll(), 5, 'rows deleted of a day')
  same(await table.readAll().count(), entries.length - 5, 'rows that are left')
}

async function refuseOthers(world: World): Promise<void> {
  const table = await world.repository(logs)
  const [entry] = entries as readonly [Entry]
  await refused('a row with the day of another instant', () => table.put({ ...entry, day: new Date(0) }), 'INVALID_VALUE')
  const broken = await world.open(logs)
  await broken.put(['c', 0, day, 1, 'x'])
  await refused('a stored row with the day of another instant', () => table.readAll().toArray(), 'CORRUPT_ROW')
  await broken.remove(['c', 0, day, 1])
  const hours = defineTable('periods_logs', { columns: { ...columns, day: period('hour', { of: 'at' }) }, partition, key, salt: bucket({ of: 'seq', count: 3 }), writes: 'plain' }) // prettier-ignore
  await refused('a table of hours in place of one of days', () => world.repository(hours), 'SCHEMA_MISMATCH')
}

const changing = (every: readonly EveryFrom[], count: readonly CountFrom[]): TableSchema =>
  defineTable('periods_changing', { columns: { ...columns, day: period(every, { of: 'at' }) }, partition, key, salt: bucket({ of: 'seq', count }), writes: 'plain' }) // prettier-ignore

/** An old program and a new one write before and after the day of a change. */
async function change(world: World): Promise<void> {
  const start = Math.floor(world.clock.now / dayMs) * dayMs
  const dayText = (after: number): string => new Date(start + after * dayMs).toISOString().slice(0, 10)
  // A Monday, where days and weeks begin, at least three days ahead.
  const ahead = 3 + ((8 - new Date(start + 3 * dayMs).getUTCDay()) % 7)
  const before = changing([{ every: 'day' }], [{ count: 2 }])
  const after = changing(
    [{ every: 'day' }, { from: dayText(ahead), every: 'week' }],
    [{ count: 2 }, { from: dayText(ahead + 7), count: 9 }],
  )
  const old = await world.repository(before)
  const clock = { ...world.clock }
  const newer = createMapper(world.adapter, { prefix: world.prefix, clock: () => world.clock.now })
  const row = (days: number, seq: number): Entry => ({ host: 'a', at: new Date(start + days * dayMs), seq, line: `${days} ${seq}` })
  const written: Entry[] = []
  const put = async (into: { put(row: Entry): Promise<unknown> }, entry: Entry): Promise<void> => {
    await into.put(entry)
    written.push(entry)
  }
  for (let seq = 0; seq < 5; seq++) await put(old as never, row(-seq, seq))
  await newer.ensureTables([after])
  const grown = newer.repository(after)
  for (let seq = 10; seq < 15; seq++) await put(old as never, row(0, seq))
  try {
    for (let days = 1; days < ahead + 12; days++) {
      world.clock.now = start + days * dayMs
      await put(grown as never, row(days, days))
      if (days < ahead) await put(old as never, row(days, 100))
      else await refused(`a row of day ${days} by a program that does not know of the change`, () => old.put(row(days, 100) as never), 'SCHEMA_MISMATCH') // prettier-ignore
    }
    const all = { host: 'a', at: window(start - 10 * dayMs, start + 40 * dayMs) } as never
    const found = (await grown.scan(all).toArray()) as unknown as readonly Entry[]
    same(found.map(({ line }) => line), written.toSorted(newestFirst).map(({ line }) => line), 'rows from before and after the change') // prettier-ignore
    for (const { host, at, seq, line } of written)
      same(((await grown.get({ host, at, seq })) as unknown as Entry | undefined)?.line, line, 'a row that is got after the change')
    await refused('a window beyond the change, by a program that does not know of it', () => old.scan(all).toArray(), 'SCHEMA_MISMATCH')
  } finally {
    world.clock.now = clock.now
  }
}

/** Tables with a period. */
export const periods: readonly Rule[] = [
  rule(
    'PERIOD-2 PERIOD-3 PERIOD-4: a window is found in its periods, in pages, of several hosts, and without the period',
    readByWindow,
    'reverse',
  ),
  rule('PERIOD-1 PERIOD-5: another period than that of its source is refused, and so is a table with other periods', refuseOthers),
  rule('PERIOD-6 PERIOD-7: periods and buckets change from a day on: no row is lost, and a program that does not know is refused', change),
]
