import { bucket, date, desc, int32, nullable, period, text, timestamp, uint32, uint8, type ColumnType, type Every, type Salt } from '#codec'
import { createMapper, type Mapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, schemaFromJSON, type TableSchema } from '#model'
import { computedColumns } from '#model/internal'
import { compileQuery } from '#store'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped } from '../../../../test/kit/wrapped.js'
import { seed, seeded, type Random } from '../../../../test/kit/seeded.js'
import type { TableRepository } from '../../src/mapper/repository.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A source counts ticks: milliseconds, microseconds, nanoseconds or days. */
interface Source {
  readonly name: string
  readonly type: ColumnType
  readonly ticksPerDay: bigint
  given(tick: bigint): unknown
  tick(value: unknown): bigint
}

const sources: readonly Source[] = [
  {
    name: 'ms',
    type: timestamp('ms'),
    ticksPerDay: BigInt(dayMs),
    given: (tick) => new Date(Number(tick)),
    tick: (value) => BigInt((value as Date).getTime()),
  },
  {
    name: 'ms as number',
    type: timestamp('ms', { as: 'number' }),
    ticksPerDay: BigInt(dayMs),
    given: Number,
    tick: (value) => BigInt(value as number),
  },
  { name: 'us', type: timestamp('us'), ticksPerDay: BigInt(dayMs) * 1000n, given: (tick) => tick, tick: (value) => value as bigint },
  { name: 'ns', type: timestamp('ns'), ticksPerDay: BigInt(dayMs) * 1_000_000n, given: (tick) => tick, tick: (value) => value as bigint },
  {
    name: 'date',
    type: date(),
    ticksPerDay: 1n,
    given: (tick) => new Date(Number(tick) * dayMs),
    tick: (value) => BigInt((value as Date).getTime() / dayMs),
  },
]

const floorDiv = (a: bigint, b: bigint): bigint => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n)

/** By the fields of a Date, while the library counts days. */
function beginOf(every: Every, offsetMinutes: number, { ticksPerDay }: Source, tick: bigint): number {
  const ms = Number(floorDiv(tick * BigInt(dayMs), ticksPerDay))
  const local = new Date(ms + offsetMinutes * 60_000)
  if (every === 'hour') return local.setUTCMinutes(0, 0, 0) - offsetMinutes * 60_000
  local.setUTCHours(0, 0, 0, 0)
  if (every === 'week') local.setUTCDate(local.getUTCDate() - ((local.getUTCDay() + 6) % 7))
  if (every === 'month') local.setUTCDate(1)
  if (every === 'year') local.setUTCMonth(0, 1)
  return local.getTime()
}

interface Case {
  readonly partition: readonly string[]
  readonly key: readonly string[]
  readonly isDesc: boolean
  readonly salt: readonly Salt[]
  readonly source: Source
  readonly every: Every
  readonly offset: string | undefined
}

const minutesOf = (offset: string | undefined): number =>
  offset === undefined ? 0 : Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)))

const lengths: Readonly<Record<Every, number>> = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 30 * dayMs, year: 365 * dayMs }

const columnsOf = ({ isDesc, source, every, offset }: Omit<Case, 'partition' | 'key' | 'salt'>): Record<string, ColumnType> => ({
  host: text(),
  at: isDesc ? desc(source.type as ColumnType<Date, 'range'>) : source.type,
  day: period(every, { of: 'at', ...(offset === undefined ? {} : { offset }) }),
  seq: uint8(),
  line: text(),
})

const tableOf = ({ partition, key, salt, ...rest }: Case): TableSchema =>
  defineTable('visits', { columns: columnsOf(rest), partition, key, salt } as never)

interface Visit {
  readonly host: string
  readonly at: bigint
  /** Of its period, in milliseconds. */
  readonly day: number
  readonly seq: number
  readonly line: string
}

/** Without types, because each case is another table. */
const rowsOf = (db: Mapper, schema: TableSchema): TableRepository => db.repository(schema) as unknown as TableRepository

async function opened(schema: TableSchema, prefix = ''): Promise<{ readonly db: Mapper; readonly visits: TableRepository }> {
  const db = createMapper(memory(), { prefix })
  await db.ensureTables([schema])
  return { db, visits: rowsOf(db, schema) }
}

const layouts: readonly Pick<Case, 'partition' | 'key'>[] = [
  { partition: ['host', 'day'], key: ['at', 'seq'] },
  { partition: ['host', 'day'], key: ['at', 'seq'] },
  { partition: ['day'], key: ['at', 'host', 'seq'] },
  { partition: [], key: ['day', 'at', 'host', 'seq'] },
  { partition: ['host'], key: ['day', 'at', 'seq'] },
  { partition: [], key: ['host', 'day', 'seq', 'at'] },
]

const anyOf = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T

function caseOf(random: Random): Case {
  const of = anyOf(random, ['', '', 'seq', 'at', 'day', 'host'])
  const source = anyOf(random, sources)
  const every = anyOf(random, source.name === 'date' ? (['day', 'week', 'month', 'year'] as const) : everies)
  const offset = source.name === 'date' ? undefined : anyOf(random, [undefined, '+08:00', '-03:30', '+13:45'])
  const salt = of === '' ? [] : [bucket<string>({ of, count: 3 })]
  return { ...anyOf(random, layouts), isDesc: random.below(2) === 1, salt, source, every, offset }
}

const everies: readonly Every[] = ['hour', 'day', 'week', 'month', 'year']

/** New year with its weeks, a leap day, a short February, and before 1970. */
const anchors = ['2026-12-31T22:00:00Z', '2024-02-29T01:00:00Z', '2023-03-01T00:00:00Z', '1970-01-01T00:00:00Z', '1969-12-29T00:00:00Z', '1899-12-31T12:00:00Z'].map((at) => Date.parse(at)) // prettier-ignore
const hosts = ['a', 'b', 'c']

type Where = Readonly<Record<string, unknown>>
type Test = (value: bigint) => boolean

/** Conditions on a number, and what they mean. */
function conditionOf(
  random: Random,
  kinds: readonly string[],
  value: () => bigint,
  given: (value: bigint) => unknown,
): { readonly kind: string; readonly given: unknown; readonly test: Test; readonly ends: readonly bigint[] } {
  const kind = anyOf(random, kinds)
  const [one, other] = [value(), value()]
  const ends = one < other ? [one, other] : [other, one]
  if (kind === '=') return { kind, given: given(one), test: (value) => value === one, ends: [one, one] }
  if (kind === 'in')
    return { kind, given: { in: [given(one), given(other)] }, test: (value) => value === one || value === other, ends: [one, other] }
  const [low, high] = ends as [bigint, bigint]
  const [lowest, highest] = [anyOf(random, ['gt', 'gte']), anyOf(random, ['lt', 'lte'])]
  const isAbove: Test = (value) => (lowest === 'gt' ? value > low : value >= low)
  const isBelow: Test = (value) => (highest === 'lt' ? value < high : value <= high)
  if (kind === 'open') return random.below(2) === 0 ? { kind, given: { [lowest]: given(low) }, test: isAbove, ends } : { kind, given: { [highest]: given(high) }, test: isBelow, ends } // prettier-ignore
  const inner = [lowest === 'gt' ? low + 1n : low, highest === 'lt' ? high - 1n : high]
  return { kind, given: { [lowest]: given(low), [highest]: given(high) }, test: (value) => isAbove(value) && isBelow(value), ends: inner }
}

const rounds = 70 * Number(process.env['ROWKEY_SCALE'] ?? 1)

describe('a period', () => {
  test(`queries find the rows that their conditions mean, and read no range too many, seed ${seed}`, async () => {
    const random = seeded()
    const asked = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      const made = caseOf(random)
      const { every, offset, source, partition, key } = made
      const schema = tableOf(made)
      const { db, visits } = await opened(schema)
      const anchor = anyOf(random, anchors)
      const begin = (tick: bigint): number => beginOf(every, minutesOf(offset), source, tick)
      const tickOf = (ms: number): bigint => floorDiv(BigInt(ms) * source.ticksPerDay, BigInt(dayMs))
      const any = (): bigint => tickOf(anchor) + (BigInt(random.below(2000) - 1000) * tickOf(lengths[every])) / 150n
      // Every other instant is the first one of a period, or next to it.
      const instant = (): bigint => (random.below(2) === 0 ? any() : tickOf(begin(any())) + BigInt(random.below(3) - 1))
      const known = Array.from({ length: 50 }, instant)
      const stored = new Map<string, Visit>()
      for (let i = 0; i < 80; i++) {
        const [host, at, seq] = [anyOf(random, hosts), anyOf(random, known), random.below(3)]
        stored.set(`${host} ${at} ${seq}`, { host, at, seq, day: begin(at), line: `${i}` })
      }
      const all = [...stored.values()]
      const keyOfVisit = ({ host, at, seq }: Visit): Where => ({ host, at: source.given(at), seq })
      await visits.putMany(all.map((row) => ({ ...keyOfVisit(row), line: row.line })))
      const plain = (rows: readonly object[]): object[] =>
        rows.map((row) => ({ ...row, at: source.tick((row as { at: unknown }).at), day: (row as { day: Date }).day.getTime() }))
      const columns = [...partition, ...key]
      const compare = (a: Visit, b: Visit): number => {
        for (const name of columns as (keyof Visit)[]) {
          const order = a[name] < b[name] ? -1 : a[name] > b[name] ? 1 : 0
          if (order !== 0) return made.isDesc && (name === 'at' || name === 'day') ? -order : order
        }
        return 0
      }
      for (let i = 0; i < 12; i++) {
        const named = hosts.slice(0, 1 + random.below(2))
        const value = (): bigint => (random.below(2) === 0 ? anyOf(random, known) : instant())
        const at = conditionOf(random, ['=', 'in', 'closed', 'closed', 'closed', 'open'], value, source.given)
        const ofDay = (): bigint => BigInt(begin(value()))
        const day = random.below(3) === 0 ? conditionOf(random, ['=', 'in', 'closed', 'open'], ofDay, (ms) => new Date(Number(ms))) : undefined // prettier-ignore
        const isWhole = random.below(3) === 0
        const where = { host: { in: named }, at: at.given, ...(day === undefined ? {} : { day: day.given }), ...(isWhole ? { seq: { in: [0, 2, 7] } } : {}) } // prettier-ignore
        const reverse = random.below(2) === 1
        const start = random.below(3) === 0 ? anyOf(random, all) : undefined
        const kept = all.filter(
          (row) => named.includes(row.host) && at.test(row.at) && (day?.test(BigInt(row.day)) ?? true) && (!isWhole || row.seq !== 1),
        )
        const expected = kept.filter((row) => start === undefined || (reverse ? compare(start, row) > 0 : compare(row, start) > 0))
        expected.sort((a, b) => (reverse ? compare(b, a) : compare(a, b)))
        const refused = refusedFor(made, at.kind, day?.kind)
        const options = { order: reverse ? ('reverse' as const) : undefined, ...(start === undefined ? {} : { after: keyOfVisit(start) }) }
        asked.set(refused ?? at.kind, (asked.get(refused ?? at.kind) ?? 0) + 1)
        const context = shown({ columns, partition, where, options: { reverse, start }, every, offset, source: source.name, desc: made.isDesc, salt: made.salt }) // prettier-ignore
        if (refused !== undefined) {
          expect(await codeOf(() => visits.scan(where, options).toArray()), context).toBe(refused)
          continue
        }
        expect(plain(await visits.scan(where, options).toArray()), context).toEqual(expected)
        expect(plain(await pages(visits, where, options, 1 + random.below(9))), context).toEqual(expected)
        if (isWhole && (at.kind === '=' || at.kind === 'in') && day === undefined)
          expect(visits.scan(where).explain().keys, context).toBe(new Set(at.ends).size * named.length * 3)
        if (at.kind === 'closed' && day === undefined && !isWhole) {
          const [low, high] = at.ends as [bigint, bigint]
          expect(rangesOf(schema, where), context).toBe(
            rangesFor(made, named, low > high ? 0 : periodsBetween(begin(low), begin(high), every)),
          )
        }
        // The hosts together, in the order of time.
        if (columns[0] === 'host' && columns[1] === 'day' && columns[2] === 'at' && at.kind !== '=') {
          const direction = reverse ? ('desc' as const) : ('asc' as const)
          const merged = kept.toSorted((a, b) => compare({ ...a, host: '' }, { ...b, host: '' }) || compare(a, b))
          if (reverse === made.isDesc) {
            const rows = plain(await pages(visits, where, { order: { at: direction } }, 7))
            expect(rows, context).toEqual(merged)
            // The periods of one host are walked one after the other.
            const { plan } = compileQuery(schema, where, { order: { at: direction } })
            if (plan.kind === 'scan') expect(plan.streams.length, context).toBeLessThanOrEqual(named.length * schema.layout.buckets)
          }
        }
      }
      for (const row of all.slice(0, 10)) {
        const found = keyOfVisit(row)
        expect(plain([(await visits.get(found)) ?? {}]), shown(made)).toEqual([row])
        expect(await visits.exists({ ...found, day: new Date(row.day) })).toBe(true)
        expect(visits.keyOf({ ...visits.decodeKey(visits.encodeKey(found)) })).toEqual({ ...found, day: new Date(row.day) })
      }
      await visits.deleteMany(all.slice(0, 10).map(keyOfVisit))
      expect(await visits.readAll().count()).toBe(all.length - Math.min(10, all.length))
      await db.close()
    }
    for (const kind of ['=', 'in', 'closed', 'open', 'PARTITION_REQUIRED', 'FULL_SCAN_REFUSED']) expect(asked.get(kind) ?? 0, kind).toBeGreaterThan(5) // prettier-ignore
  })
})

/** Cases hold bigints. */
const shown = (of: unknown): string => JSON.stringify(of, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value), 1)

/** By walking over them. */
function periodsBetween(first: number, last: number, every: Every): number {
  let count = 1
  for (let at = first; at < last; count++) {
    const next = new Date(at)
    if (every === 'hour') at += hourMs
    else if (every === 'day') at += dayMs
    else if (every === 'week') at += 7 * dayMs
    else at = every === 'month' ? next.setUTCMonth(next.getUTCMonth() + 1) : next.setUTCFullYear(next.getUTCFullYear() + 1)
  }
  return count
}

function refusedFor({ partition, key }: Case, at: string, day: string | undefined): string | undefined {
  const isNamed = at !== 'open' || day === '=' || day === 'in'
  if (partition.includes('day')) return isNamed ? undefined : 'PARTITION_REQUIRED'
  return partition.length === 0 && key[0] === 'day' && at === 'open' && day === undefined ? 'FULL_SCAN_REFUSED' : undefined
}

function rangesFor({ partition, key, salt }: Case, named: readonly string[], periods: number): number {
  if (periods === 0) return 0
  const columns = [...partition, ...key]
  const prefixes = periods * (columns[0] === 'host' ? named.length : 1)
  const [of] = salt[0]?.of ?? []
  if (of === undefined || of === 'day' || (of === 'host' && columns[0] === 'host')) return prefixes
  return of === 'seq' ? 3 * prefixes : NaN // others depend on values
}

function rangesOf(schema: TableSchema, where: Where): number {
  const { plan } = compileQuery(schema, where)
  const [of] = schema.salt[0]?.of ?? []
  const isCounted = of === undefined || of === 'seq' || of === 'day' || (of === 'host' && schema.columns[0]?.name === 'host')
  if (!isCounted && plan.kind !== 'empty') return NaN
  return plan.kind === 'scan' ? plan.streams.reduce((sum, { ranges }) => sum + ranges.length, 0) : 0
}

async function pages(visits: TableRepository, where: Where, options: object, size: number): Promise<object[]> {
  const rows: object[] = []
  for (let cursor: string | undefined; ;) {
    const page = await visits.scan(where, options).page({ size, cursor })
    rows.push(...page.rows)
    if (page.cursor === undefined || page.cursor === null) return rows
    cursor = page.cursor
  }
}

const Logs = defineTable('logs', {
  columns: { host: text(), day: period('day', { of: 'at' }), at: timestamp('ms'), seq: uint32(), line: text() },
  partition: ['host', 'day'],
  key: ['at', 'seq'],
})
const at = new Date('2026-03-01T10:00:00Z')
const [march1, march2] = ['2026-03-01', '2026-03-02'].map((day) => new Date(day)) as [Date, Date]
const entry = { host: 'a', at, seq: 1 }

describe('values of a period', () => {
  test('a value that is given must be the one that is computed', async () => {
    const { visits: logs } = await opened(Logs)
    expect(await logs.insert({ ...entry, line: 'x' })).toEqual({ key: { ...entry, day: march1 } })
    await logs.put({ ...entry, day: march1, line: 'y' })
    const wrong = { ...entry, day: march2 }
    for (const call of ['get', 'exists', 'delete', 'keyOf', 'encodeKey'] as const)
      expect(await refusalOf(async () => logs[call](wrong)), call).toMatchObject({ code: 'INVALID_VALUE', details: { column: 'day' } })
    const { message } = await refusalOf(() => logs.put({ ...wrong, line: 'z' }))
    expect(message).toContain(
      "column 'day' of 'logs' is computed from 'at', so it is 2026-03-01T00:00:00.000Z, not 2026-03-02T00:00:00.000Z. Leave it out.",
    )
    const notOne = await refusalOf(() => logs.get({ ...entry, day: at }))
    expect(notOne.message).toContain('cannot hold 2026-03-01T10:00:00.000Z. Give a Date at midnight UTC.')
    expect(await codeOf(() => logs.update(entry, { day: march1 }))).toBe('KEY_IMMUTABLE')
    await logs.update(entry, { line: 'w' })
    expect(await logs.readAll().toArray()).toEqual([{ ...entry, day: march1, line: 'w' }])
    const { message: missing } = await refusalOf(() => logs.get({ host: 'a', day: march1, seq: 1 }))
    expect(missing).toContain("column 'at' of 'logs' is missing")
  })

  test('a stored row whose period is not that of its source is refused, with both', async () => {
    const { db, visits: logs } = await opened(Logs)
    await logs.put({ host: 'b', at: new Date(0), seq: 0, line: '' }) // opens the table
    const row = ['a', 20_514, at.getTime(), 1, 'x'] // 2026-03-02
    expect(await db.adapter.write([{ kind: 'put', schema: Logs, row }], { now: 0 })).toEqual([{ kind: 'applied' }])
    const error = await refusalOf(() => logs.readAll().toArray())
    expect(error).toMatchObject({ code: 'CORRUPT_ROW', details: { table: 'logs', column: 'day' } })
    expect(error.message).toContain(
      "a row of 'logs' has 2026-03-02T00:00:00.000Z in column 'day', but its 'at' is 2026-03-01T10:00:00.000Z, which makes it 2026-03-01T00:00:00.000Z.",
    )
    expect(await codeOf(async () => logs.decodeKey(Logs.layout.rowkey(row)))).toBe('CORRUPT_ROW')
  })
})

describe('queries of periods', () => {
  test('more periods than a plan may have are refused before they are made, unless the query names some', async () => {
    const { visits: logs } = await opened(Logs)
    const window = { gte: new Date('1700-01-01'), lt: new Date('2026-01-01') }
    const error = await refusalOf(() => logs.scan({ host: 'a', at: window }).toArray())
    expect(error).toMatchObject({ code: 'TOO_MANY_RANGES', details: { table: 'logs', ranges: 119_069, maxRanges: 100_000 } })
    expect(error.message).toContain("the range of 'at' in the query on 'logs' covers 119069 days, 1700-01-01T00:00:00.000Z to 2025-12-31T00:00:00.000Z, and a query can read 100000.") // prettier-ignore
    expect(await logs.scan({ host: 'a', day: march1, at: window }).toArray()).toEqual([])
  })

  test('a range that is open at one end names no partition, and the refusal says what does', async () => {
    const { visits: logs } = await opened(Logs)
    const { message } = await refusalOf(() => logs.scan({ host: 'a', at: { gte: march1 } }).toArray())
    expect(message).toContain("Bind 'at' at both ends, by = or by in, or 'day'.")
    expect(await codeOf(() => logs.scan({ host: 'a', at: { gte: march1 } }, { unbounded: true }).toArray())).toBe('PARTITION_REQUIRED')
  })

  test('a year with many buckets, and weeks of hours, are ordinary queries', async () => {
    const columns = { host: text(), hour: period('hour', { of: 'at' }), at: timestamp('us'), seq: uint32() }
    const hours = defineTable('hours', { columns, partition: ['host', 'hour'], key: ['at', 'seq'], salt: bucket({ of: 'seq', count: 16 }) })
    const us = (day: string): bigint => BigInt(Date.parse(day)) * 1000n
    const { plan } = compileQuery(hours, { host: 'a', at: { gte: us('2026-01-01'), lt: us('2027-01-01') } })
    expect(plan.kind === 'scan' && plan.streams.map(({ ranges }) => ranges.length)).toEqual(Array.from({ length: 16 }, () => 8760))
    const { visits } = await opened(hours)
    const rows = Array.from({ length: 400 }, (_, i) => ({ host: 'a', at: us('2026-01-01') + BigInt(i) * 79_200_000_000n, seq: i }))
    await visits.putMany(rows)
    const found = await visits.scan({ host: 'a', at: { gte: us('2026-01-01'), lt: us('2027-01-01') } }).toArray()
    expect(found.map((row) => (row as { seq: number }).seq)).toEqual(rows.filter(({ at }) => at < us('2027-01-01')).map(({ seq }) => seq))
    // Hosts multiply what is open at the same time.
    const many = Array.from({ length: 1001 }, (_, i) => `${i}`)
    expect(await codeOf(() => visits.scan({ host: { in: many }, at: us('2026-01-01') }).toArray())).toBe('TOO_MANY_RANGES')
  })
})

describe('the work of a query', () => {
  const table = (count: number): TableSchema =>
    defineTable('sparse', {
      columns: { host: text(), day: period('day', { of: 'at' }), at: desc(timestamp('ms')), seq: uint32() },
      partition: ['host', 'day'],
      key: ['at', 'seq'],
      salt: bucket({ of: 'seq', count }),
    })
  const first = Date.parse('2026-01-01')
  const window = { gte: new Date(first), lt: new Date(first + 365 * dayMs) }

  test('buckets are merged period by period: no bucket is searched for its first row', async () => {
    const { visits } = await opened(table(16))
    await visits.putMany(Array.from({ length: 365 }, (_, i) => ({ host: 'a', at: new Date(first + i * dayMs), seq: i })))
    const { rows, stats } = await visits.scan({ host: 'a', at: window }).page({ size: 10 })
    expect(rows.map((row) => (row as { seq: number }).seq)).toEqual([364, 363, 362, 361, 360, 359, 358, 357, 356, 355])
    expect(stats.calls).toBe(160)
  })

  test.each([1, 16])('30 empty days take five round trips on a store that answers later, with %i buckets', async (count) => {
    let waiting: Promise<void> | undefined
    let rounds = 0
    // All requests that begin before an answer came are one round trip.
    const round = (): Promise<void> =>
      (waiting ??= new Promise((resolve) => {
        rounds++
        setImmediate(() => {
          waiting = undefined
          resolve()
        })
      }))
    const store = memory()
    const later = wrapped(store, {
      scan: (_, inner) => {
        const source = inner()
        return { next: async (want) => (await round(), source.next(want)), close: () => { source.close?.() } } // prettier-ignore
      },
    })
    const schema = count === 1 ? Logs : table(count)
    const db = createMapper(later)
    await db.ensureTables([schema])
    const visits = rowsOf(db, schema)
    await visits.put({ host: 'a', at: new Date(first + 30 * dayMs), seq: 1, ...(count === 1 ? { line: '' } : {}) })
    const where = { host: 'a', at: { gte: new Date(first), lt: new Date(first + 31 * dayMs) } }
    const options = count === 1 ? {} : { order: 'reverse' as const }
    const { rows } = await visits.scan(where, options).page({ size: 1 })
    expect(rows).toHaveLength(1)
    expect(rounds).toBeLessThan(6)
    await db.close()
  })
})

describe('a table with a period', () => {
  test('its name can have a prefix, and its JSON is the same table', async () => {
    const same = schemaFromJSON(JSON.stringify(Logs))
    expect(JSON.stringify(same)).toBe(JSON.stringify(Logs))
    expect(same.fingerprints).toEqual(Logs.fingerprints)
    const { visits: logs } = await opened(same, 'dev_')
    await logs.put({ ...entry, line: 'x' })
    expect(await logs.scan({ host: 'a', at: { gte: at, lte: at } }).count()).toBe(1)
  })

  test('another length, offset or source is another table, which a store refuses before it reads a row', async () => {
    const columns = { host: text(), at: timestamp('ms'), sent: timestamp('ms'), seq: uint32() }
    const of = (day: ColumnType): TableSchema => defineTable('logs', { columns: { ...columns, day }, partition: ['host', 'day'], key: ['at', 'sent', 'seq'] } as never) // prettier-ignore
    const day = of(period('day', { of: 'at' }))
    const adapter = memory()
    const db = createMapper(adapter)
    await db.ensureTables([day])
    const others = [
      period('hour', { of: 'at' }),
      period('week', { of: 'at' }),
      period('day', { of: 'at', offset: '+01:00' }),
      period('day', { of: 'sent' }),
      date(),
    ]
    for (const other of others) {
      expect(of(other).fingerprints.key).not.toBe(day.fingerprints.key)
      expect(await codeOf(() => createMapper(adapter).ensureTables([of(other)]))).toBe('SCHEMA_MISMATCH')
      expect(await codeOf(() => rowsOf(createMapper(adapter), of(other)).readAll().toArray())).toBe('SCHEMA_MISMATCH')
    }
    // What a program sees it as is not in the bytes.
    expect(of(period('day', { of: 'at', as: 'number' })).fingerprints).toEqual(day.fingerprints)
  })

  test('tables without one share one empty list', () => {
    const [one, other] = ['one', 'other'].map((name) => computedColumns(defineTable(name, { columns: { id: text() }, key: ['id'] })))
    expect(one).toEqual([])
    expect(other).toBe(one)
  })
})

describe('definitions that are refused', () => {
  const of = (change: object, more: Record<string, ColumnType> = {}, key = ['at', 'seq'], partition = ['host', 'day']): (() => unknown) => {
    const columns = { host: text(), day: period('day', { of: 'at' }), at: timestamp('ms'), seq: uint32(), ...more, ...change }
    return () => defineTable('logs', { columns, partition, key } as never)
  }

  test.each([
    [
      'a value column',
      of({}, {}, ['at', 'seq'], ['host']),
      "period column 'day' is not in the key. Put it into partition or key, before 'at'.",
    ],
    ['a source that is not a column', of({ day: period('day', { of: 'when' }) }), "is of 'when', which is not a column."],
    [
      'a source that is a value',
      of({ day: period('day', { of: 'sent' }) }, { sent: timestamp('ms') }),
      "is of 'sent', which is not in the key.",
    ],
    ['a number', of({ at: int32() }), "is of 'at', which is int32, not an instant or a date."],
    ['text', of({ day: period('day', { of: 'host' }) }), "is of 'host', which is text, not an instant or a date."],
    [
      'a period',
      of({ week: period('week', { of: 'day' }) }, {}, ['at', 'seq'], ['host', 'week', 'day']),
      "is of 'day', which is a period itself.",
    ],
    ['a source that may be null', of({ at: nullable(timestamp('ms')) }), "is of 'at', which may be null"],
    [
      'a period that may be null',
      of({ day: nullable(period('day', { of: 'at' }) as ColumnType<Date, 'range'>) }),
      'is nullable, but each row has a period.',
    ],
    ['a source before it', of({}, {}, ['at', 'day', 'seq'], ['host']), "comes after 'at' in the key, where it finds nothing."],
    [
      'two of one source',
      of({ month: period('month', { of: 'at' }) }, {}, ['at', 'seq'], ['host', 'month', 'day']),
      "is of 'at', and so is 'day'.",
    ],
    ['hours of a date', of({ day: period('hour', { of: 'at' }), at: date() }), "is of 'at', which is a date, which has no hours"],
    ['an offset of a date', of({ day: period('day', { of: 'at', offset: '+01:00' }), at: date() }), 'for which there is no offset'],
    [
      'another direction',
      of({ day: desc(period('day', { of: 'at' }) as ColumnType<Date, 'range'>) }),
      "is descending, and 'at' ascending.",
    ],
  ])('%s', (_, define, message) => {
    expect(define).toThrow(message)
  })

  test('the direction of the source need not be written', () => {
    const columns = { host: text(), day: period('day', { of: 'at' }), at: desc(timestamp('ms')), seq: uint32() }
    const table = defineTable('logs', { columns, partition: ['host', 'day'], key: ['at', 'seq'] })
    expect(table.columns.map(({ name, type }) => [name, type.desc])).toEqual([['host', false], ['day', true], ['at', true], ['seq', false]]) // prettier-ignore
  })
})
