import { bucket, desc, int32, int64, text, uint8, type Salt, type TypeData, type Value } from '#codec'
import { createMapper, type Mapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, type TableSchema } from '#model'
import { computedColumns } from '#model/internal'
import { compileQuery } from '#store'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { seed, seeded, type Random } from '../../../../test/kit/seeded.js'
import type { Computation } from '../../src/model/definition/computation.js'
import { noneOfThese, type Definition } from '../../src/model/definition/definition.js'
import { compileTable } from '../../src/model/table/compile-table.js'
import type { TableRepository } from '../../src/mapper/repository.js'

// No column type is computed yet, so these tables are compiled from what `defineTable()` would make of such a type.

interface Layout {
  readonly partition: readonly string[]
  readonly key: readonly string[]
}

interface Case extends Layout {
  readonly isDesc: boolean
  readonly isDayDesc: boolean
  readonly isBig: boolean
  readonly salt: readonly Salt[]
  readonly computation: Computation
}

const weeks: Computation = { of: 'at', from: (at) => Math.floor(Number(at) / 7) * 7, next: (day) => Number(day) + 7 }
const starts = [-1000, -40, -12, -11, -5, 0, 1, 9, 10, 30, 1000]
/** As months are, of different lengths. */
const uneven: Computation = {
  of: 'at',
  from: (at) => starts.findLast((start) => start <= Number(at)) as Value,
  next: (day) => starts.find((start) => start > Number(day)) as Value,
}

function tableOf({ partition, key, isDesc, isDayDesc, isBig, salt, computation }: Case): TableSchema {
  const at: TypeData = isBig ? (isDesc ? desc(int64()) : int64()) : isDesc ? desc(int32()) : int32()
  const definition: Definition = {
    ...noneOfThese,
    name: 'visits',
    columns: [
      ['host', text()],
      ['at', at],
      ['day', isDayDesc ? desc(int32()) : int32()],
      ['seq', uint8()],
      ['line', text()],
    ],
    partition,
    key,
    salt,
    writes: 'conditional',
    stores: {},
    computed: new Map([['day', computation]]),
  }
  return compileTable(definition)
}

const plain: Case = { partition: ['host', 'day'], key: ['at', 'seq'], isDesc: false, isDayDesc: false, isBig: false, salt: [], computation: weeks } // prettier-ignore

interface Visit {
  readonly host: string
  readonly at: number
  readonly day: number
  readonly seq: number
  readonly line: string
}

/** Without types: no model has those of a computed column yet. */
const rowsOf = (db: Mapper, schema: TableSchema): TableRepository => db.repository(schema) as unknown as TableRepository

async function opened(schema: TableSchema, prefix = ''): Promise<{ readonly db: Mapper; readonly visits: TableRepository }> {
  const db = createMapper(memory(), { prefix })
  await db.ensureTables([schema])
  return { db, visits: rowsOf(db, schema) }
}

const layouts: readonly Layout[] = [
  { partition: ['host', 'day'], key: ['at', 'seq'] },
  { partition: ['day'], key: ['at', 'host', 'seq'] },
  { partition: [], key: ['day', 'at', 'host', 'seq'] },
  { partition: ['host'], key: ['day', 'at', 'seq'] },
  { partition: [], key: ['host', 'day', 'seq', 'at'] },
  { partition: ['host'], key: ['at', 'day', 'seq'] },
]

const anyOf = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T

function caseOf(random: Random): Case {
  const is = (): boolean => random.below(2) === 1
  const [isBig, of] = [is(), anyOf(random, ['', 'seq', 'at', 'day', 'host'])]
  const computation = anyOf(random, [weeks, uneven])
  const salt = of === '' ? [] : [bucket<string>({ of, count: 3 })]
  return { ...anyOf(random, layouts), isDesc: is(), isDayDesc: is(), isBig, salt, computation }
}

const instant = (random: Random): number => random.below(91) - 45
const hosts = ['a', 'b', 'c']

type Where = Readonly<Record<string, unknown>>
type Test = (value: number) => boolean

/** Conditions on a number, and what they mean. */
function conditionOf(
  random: Random,
  kinds: readonly string[],
): { readonly kind: string; readonly given: object | number; readonly test: Test } {
  const kind = anyOf(random, kinds)
  const [one, other] = [instant(random), instant(random)]
  if (kind === '=') return { kind, given: one, test: (value) => value === one }
  if (kind === 'in') return { kind, given: { in: [one, other] }, test: (value) => value === one || value === other }
  const [low, high] = [Math.min(one, other), Math.max(one, other)]
  const [lowest, highest] = [anyOf(random, ['gt', 'gte']), anyOf(random, ['lt', 'lte'])]
  const isAbove: Test = (value) => (lowest === 'gt' ? value > low : value >= low)
  const isBelow: Test = (value) => (highest === 'lt' ? value < high : value <= high)
  if (kind === 'open') return random.below(2) === 0 ? { kind, given: { [lowest]: low }, test: isAbove } : { kind, given: { [highest]: high }, test: isBelow } // prettier-ignore
  return { kind, given: { [lowest]: low, [highest]: high }, test: (value) => isAbove(value) && isBelow(value) }
}

const keyOfVisit = ({ host, at, seq }: Visit): Where => ({ host, at, seq })

describe('a computed column', () => {
  test(`queries find the rows that their conditions mean, and read no range too many, seed ${seed}`, async () => {
    const random = seeded()
    const asked = new Map<string, number>()
    for (let round = 0; round < 70; round++) {
      const made = caseOf(random)
      const { computation, isBig, partition, key } = made
      const schema = tableOf(made)
      const { db, visits } = await opened(schema)
      const big = (given: Where): Where => (isBig ? inBig(given) : given)
      const stored = new Map<string, Visit>()
      for (let i = 0; i < 80; i++) {
        const [host, at, seq] = [anyOf(random, hosts), instant(random), random.below(3)]
        stored.set(`${host} ${at} ${seq}`, { host, at, seq, day: computation.from(at) as number, line: `${i}` })
      }
      const all = [...stored.values()]
      await visits.putMany(all.map(({ day: _, ...row }) => big(row)))
      const columns = [...partition, ...key]
      const compare = (a: Visit, b: Visit): number => {
        for (const name of columns as (keyof Visit)[]) {
          const order = a[name] < b[name] ? -1 : a[name] > b[name] ? 1 : 0
          if (order !== 0) return (name === 'at' && made.isDesc) || (name === 'day' && made.isDayDesc) ? -order : order
        }
        return 0
      }
      for (let i = 0; i < 12; i++) {
        const named = hosts.slice(0, 1 + random.below(2))
        const at = conditionOf(random, ['=', 'in', 'closed', 'closed', 'closed', 'open'])
        const day = random.below(3) === 0 ? conditionOf(random, ['=', 'in', 'closed', 'open']) : undefined
        const where = big({ host: { in: named }, at: at.given, ...(day === undefined ? {} : { day: day.given }) })
        const reverse = random.below(2) === 1
        const start = random.below(3) === 0 ? anyOf(random, all) : undefined
        const kept = all.filter((row) => named.includes(row.host) && at.test(row.at) && (day?.test(row.day) ?? true))
        const expected = kept.filter((row) => start === undefined || (reverse ? compare(start, row) > 0 : compare(row, start) > 0))
        expected.sort((a, b) => (reverse ? compare(b, a) : compare(a, b)))
        const refused = refusedFor(made, at.kind, day?.kind)
        const options = {
          order: reverse ? ('reverse' as const) : undefined,
          ...(start === undefined ? {} : { after: big(keyOfVisit(start)) }),
        }
        asked.set(refused ?? at.kind, (asked.get(refused ?? at.kind) ?? 0) + 1)
        const context = JSON.stringify({ columns, partition, where: { at, day, named }, options: { reverse, start }, made }, undefined, 1)
        if (refused !== undefined) {
          expect(await codeOf(() => visits.scan(where, options).toArray()), context).toBe(refused)
          continue
        }
        expect(small(await visits.scan(where, options).toArray()), context).toEqual(expected)
        expect(small(await pages(visits, where, options, 1 + random.below(9))), context).toEqual(expected)
        if (at.kind === 'closed' && day === undefined) expect(rangesOf(schema, where), context).toBe(rangesFor(made, named, at.test))
      }
      for (const row of all.slice(0, 10)) {
        const found = big(keyOfVisit(row))
        expect(small([(await visits.get(found)) ?? {}]), JSON.stringify(made)).toEqual([row])
        expect(await visits.exists(found)).toBe(true)
        expect(small([visits.keyOf({ ...visits.decodeKey(visits.encodeKey(found)) })])).toEqual([{ ...keyOfVisit(row), day: row.day }])
      }
      await visits.deleteMany(all.slice(0, 10).map((row) => big(keyOfVisit(row))))
      expect(await visits.readAll().count()).toBe(all.length - Math.min(10, all.length))
      await db.close()
    }
    for (const kind of ['=', 'in', 'closed', 'open', 'PARTITION_REQUIRED', 'FULL_SCAN_REFUSED']) expect(asked.get(kind) ?? 0, kind).toBeGreaterThan(10) // prettier-ignore
  })

  test('a value that is given must be the one that is computed', async () => {
    const { visits } = await opened(tableOf(plain))
    expect(await visits.insert({ host: 'a', at: 16, seq: 1, line: 'x' })).toEqual({ key: { host: 'a', day: 14, at: 16, seq: 1 } })
    await visits.put({ host: 'a', day: 14, at: 16, seq: 1, line: 'y' })
    const wrong = { host: 'a', day: 7, at: 16, seq: 1 }
    for (const call of ['get', 'exists', 'delete', 'keyOf', 'encodeKey'] as const)
      expect(await refusalOf(async () => visits[call](wrong)), call).toMatchObject({ code: 'INVALID_VALUE', details: { column: 'day', value: '7' } }) // prettier-ignore
    const { message } = await refusalOf(() => visits.put({ ...wrong, line: 'z' }))
    expect(message).toContain("column 'day' of 'visits' is computed from 'at', so it is 14, not 7. Leave it out.")
    expect(await codeOf(() => visits.update({ host: 'a', at: 16, seq: 1 }, { day: 14 }))).toBe('KEY_IMMUTABLE')
    await visits.update({ host: 'a', at: 16, seq: 1 }, { line: 'w' })
    expect(await visits.readAll().toArray()).toEqual([{ host: 'a', day: 14, at: 16, seq: 1, line: 'w' }])
    const { message: missing } = await refusalOf(() => visits.get({ host: 'a', day: 14, seq: 1 }))
    expect(missing).toContain("column 'at' of 'visits' is missing")
  })

  test('a stored row whose value is not that of its source is refused, with both', async () => {
    const schema = tableOf(plain)
    const { db, visits } = await opened(schema)
    await visits.put({ host: 'b', at: 0, seq: 0, line: '' }) // opens the table
    const row = ['a', 7, 16, 1, 'x']
    expect(await db.adapter.write([{ kind: 'put', schema, row }], { now: 0 })).toEqual([{ kind: 'applied' }])
    const error = await refusalOf(() => visits.readAll().toArray())
    expect(error).toMatchObject({ code: 'CORRUPT_ROW', details: { table: 'visits', column: 'day' } })
    expect(error.message).toContain("a row of 'visits' has 7 in column 'day', but its 'at' is 16, which makes it 14.")
    expect(await codeOf(async () => visits.decodeKey(schema.layout.rowkey(row)))).toBe('CORRUPT_ROW')
  })

  test('more values than a plan may have are refused before they are made, unless the query names some', async () => {
    const schema = tableOf({ ...plain, computation: { of: 'at', from: (at) => at, next: (day) => Number(day) + 1 } })
    const { visits } = await opened(schema)
    const error = await refusalOf(() => visits.scan({ host: 'a', at: { gte: 0, lt: 2_000_000_000 } }).toArray())
    expect(error).toMatchObject({ code: 'TOO_MANY_RANGES', details: { table: 'visits', maxRanges: 100_000 } })
    expect(error.message).toContain("more than 100000 values of 'day', because of the range of 'at'")
    expect(await visits.scan({ host: 'a', day: 5, at: { gte: 0, lt: 2_000_000_000 } }).toArray()).toEqual([])
  })

  test('it goes with a renamed table, and changes neither JSON nor fingerprints', async () => {
    const schema = tableOf(plain)
    const columns = { host: text(), at: int32(), day: int32(), seq: uint8(), line: text() }
    const same = defineTable('visits', { columns, partition: ['host', 'day'], key: ['at', 'seq'] })
    expect(JSON.stringify(schema)).toBe(JSON.stringify(same))
    expect(schema.fingerprints).toEqual(same.fingerprints)
    const { visits } = await opened(schema, 'dev_')
    await visits.put({ host: 'a', at: 16, seq: 1, line: 'x' })
    expect(await visits.scan({ host: 'a', at: { gte: 15, lte: 16 } }).count()).toBe(1)
  })

  test('tables without one share one empty list', () => {
    const [one, other] = ['one', 'other'].map((name) => computedColumns(defineTable(name, { columns: { id: text() }, key: ['id'] })))
    expect(one).toEqual([])
    expect(other).toBe(one)
  })

  test('its source is a column of the key that counts in whole steps and is never null', () => {
    const compiled = (change: Partial<Computation>, key = plain.key): unknown =>
      tableOf({ ...plain, key, computation: { ...weeks, ...change } })
    for (const of of ['host', 'line', 'day', 'none']) expect(() => compiled({ of }), of).toThrow(RangeError)
    expect(() => compiled({}, ['seq'])).toThrow(RangeError)
    expect(() => compiled({ of: 'seq' })).not.toThrow()
  })
})

function refusedFor({ partition, key }: Layout, at: string, day: string | undefined): string | undefined {
  const isNamed = at !== 'open' || day === '=' || day === 'in'
  if (partition.includes('day')) return isNamed ? undefined : 'PARTITION_REQUIRED'
  return partition.length === 0 && key[0] === 'day' && at === 'open' && day === undefined ? 'FULL_SCAN_REFUSED' : undefined
}

/** By counting what lies between the two ends. Undefined days of the source before the computed column are one range. */
function rangesFor({ partition, key, salt, computation }: Case, named: readonly string[], test: Test): number {
  const within = Array.from({ length: 101 }, (_, i) => i - 50).filter(test)
  const days = new Set(within.map((at) => computation.from(at)))
  if (days.size === 0) return 0
  const columns = [...partition, ...key]
  const isBefore = columns.indexOf('day') < columns.indexOf('at')
  const prefixes = (isBefore ? days.size : 1) * (columns[0] === 'host' ? named.length : 1)
  const [of] = salt[0]?.of ?? []
  if (of === undefined || of === 'host' || (of === 'day' && isBefore)) return of === 'host' && columns[0] !== 'host' ? NaN : prefixes
  return of === 'seq' ? 3 * prefixes : NaN // others depend on values
}

function rangesOf(schema: TableSchema, where: Where): number {
  const { plan } = compileQuery(schema, where)
  const [of] = schema.salt[0]?.of ?? []
  const columns = schema.columns.map(({ name }) => name)
  const isCounted = of === undefined || of === 'seq' || (of === 'host' && columns[0] === 'host') || (of === 'day' && columns.indexOf('day') < columns.indexOf('at')) // prettier-ignore
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

/** Values of `at` as `int64()` takes them, at any depth of a condition. */
function inBig({ at, ...others }: Where): Where {
  const change = (value: unknown): unknown =>
    typeof value === 'number'
      ? BigInt(value)
      : Array.isArray(value)
        ? value.map(change)
        : Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, change(each)]))
  return at === undefined ? others : { ...others, at: change(at) }
}

const small = (rows: readonly object[]): object[] => rows.map((row) => ({ ...row, at: Number((row as Visit).at) }))
