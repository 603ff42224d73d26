import { createMapper, type Repository } from '#mapper'
import { createPausing } from '#mapper/internal'
import { bucket, int32, isRowkeyError, nullable, text } from '#codec'
import { conformance, faulty, InjectedFault, type Fault } from '#conformance'
import { memory } from '#memory'
import { defineTable } from '#model'
import { afterAll, describe, expect, test } from 'vitest'

const Things = defineTable('things', {
  columns: { n: int32(), note: nullable(text()) },
  key: ['n'],
  salt: bucket({ of: 'n', modulo: 3 }),
})
type Things = Repository<typeof Things>

const rows = Array.from({ length: 60 }, (_, n) => ({ n, note: `note ${n}` }))
const all = { n: { gte: 0 } }

/** Reads, each of which gives a list: what is missing from it or wrong in it shows. */
const reads: Readonly<Record<string, (things: Things) => Promise<readonly unknown[]>>> = {
  get: async (things) => [await things.get({ n: 7 })],
  getMany: (things) => things.getMany([3, 99, 1, 7].map((n) => ({ n }))),
  'scan of keys': (things) => things.scan({ n: { in: [5, 2, 9] } }).toArray(),
  toArray: (things) => things.scan(all).toArray(),
  'toArray, reverse': (things) => things.scan(all, { order: 'reverse' }).toArray(),
  'a limit': (things) => things.scan(all, { limit: 20 }).toArray(),
  'a condition': (things) => things.scan({ ...all, note: { in: ['note 8', 'note 31', 'note 59'] } }).toArray(),
  count: async (things) => Array.from({ length: await things.scan(all).count() }, (_, n) => n),
  iteration: async (things) => {
    const seen: unknown[] = []
    for await (const row of things.scan(all, { prefetch: true })) seen.push(row)
    return seen
  },
  pages: async (things) => {
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await things.scan(all).page({ size: 7, cursor })
      seen.push(...page.rows)
      cursor = page.cursor
    } while (cursor !== undefined)
    return seen
  },
}

/** Writes, and the rows that are there once they are applied. */
const writes: Readonly<Record<string, { run(things: Things): Promise<unknown>; after: readonly object[] }>> = {
  insert: { run: (things) => things.insert({ n: 1000, note: 'new' }), after: [...rows, { n: 1000, note: 'new' }] },
  put: { run: (things) => things.put({ n: 7, note: 'new' }), after: rows.with(7, { n: 7, note: 'new' }) },
  update: {
    run: (things) => things.update({ n: 7 }, { note: null }),
    after: rows.map((row) => (row.n === 7 ? { n: 7, note: null } : row)),
  },
  delete: { run: (things) => things.delete({ n: 7 }), after: rows.toSpliced(7, 1) },
  putMany: {
    run: (things) => things.putMany([7, 8, 9].map((n) => ({ n, note: 'new' }))),
    after: rows.map((row) => ([7, 8, 9].includes(row.n) ? { n: row.n, note: 'new' } : row)),
  },
}

/** An application on a filled store, with faults from then on. */
async function open(faults: readonly Fault[]) {
  const base = memory()
  const seed = createMapper(base)
  await seed.ensureTables([Things])
  await seed.repository(Things).putMany(rows)
  const { adapter, happened } = faulty(base, faults)
  const things = createPausing(adapter, { retry: { attempts: 2 } }, { sleep: async () => undefined }).repository(Things)
  const left = (): Promise<readonly object[]> => seed.repository(Things).scan(all).toArray()
  return { things, happened, left }
}

const known = new Map<string, Promise<readonly unknown[]>>()

function rightAnswer(name: string): Promise<readonly unknown[]> {
  const answer = known.get(name) ?? open([]).then(({ things }) => (reads[name] as (of: Things) => Promise<readonly unknown[]>)(things))
  known.set(name, answer)
  return answer
}

type Seen = 'right' | 'refused' | 'short' | 'wrong'

async function read(name: string, fault: Fault): Promise<{ readonly seen: Seen; readonly happened: number }> {
  const right = await rightAnswer(name)
  const { things, happened } = await open([fault])
  const seen = await (reads[name] as (things: Things) => Promise<readonly unknown[]>)(things).then(
    (given): Seen => {
      if (JSON.stringify(given) === JSON.stringify(right)) return 'right'
      // Where a bucket says it has no more, a limit is filled from the others.
      const texts = (name === 'a limit' ? rows : right).map((row) => JSON.stringify(row))
      const places = given.filter((row) => row !== undefined).map((row) => texts.indexOf(JSON.stringify(row)))
      return places.every((place, i) => place >= 0 && (i === 0 || place > (places[i - 1] as number))) ? 'short' : 'wrong'
    },
    (error: unknown): Seen => (isRowkeyError(error) || error instanceof InjectedFault ? 'refused' : 'wrong'),
  )
  return { seen, happened: happened() }
}

const everywhere = (at: Fault['at'], does: readonly string[]): readonly Fault[] =>
  does.flatMap((each) => [0, 1, 2, 3, 5, 9, undefined].map((nth) => ({ at, does: each, ...(nth === undefined ? {} : { nth }) }) as Fault))

/** What the core notices, or sets right. */
const noticeable = [
  ...everywhere('get', ['fail', 'delay', 'duplicate', 'misorder', 'truncate']),
  ...everywhere('page', ['fail', 'delay', 'duplicate', 'misorder', 'repeat']),
  ...everywhere('describe', ['fail', 'delay', 'forget']),
]

/** A store that says it has no more, or that a row is not there: from outside the same as one that has no more. */
const unnoticeable = [...everywhere('get', ['drop']), ...everywhere('page', ['truncate', 'end'])]

const counts = new Map<string, number>()
afterAll(() => console.log([...counts].map(([what, count]) => `${what}: ${count}`).join('\n')))
const countUp = ({ at, does }: Fault, seen: Seen): void => {
  const what = `${at} ${does} → ${seen}`
  counts.set(what, (counts.get(what) ?? 0) + 1)
}

describe.each(Object.keys(reads))('%s', (name) => {
  test('SCAN-3 GET-3: a fault is an error or does no harm, never a short or wrong answer', async () => {
    for (const fault of noticeable) {
      const { seen, happened } = await read(name, fault)
      expect(['right', 'refused'], JSON.stringify(fault)).toContain(seen)
      if (fault.does === 'fail' && happened > 0) expect(seen, JSON.stringify(fault)).toBe('refused')
      if (fault.does === 'delay') expect(seen, JSON.stringify(fault)).toBe('right')
      if (happened > 0) countUp(fault, seen)
    }
  })

  test('what no core can notice is a short answer, never a wrong one', async () => {
    for (const fault of unnoticeable) {
      const { seen, happened } = await read(name, fault)
      expect(['right', 'refused', 'short'], JSON.stringify(fault)).toContain(seen)
      if (happened > 0) countUp(fault, seen)
    }
  })
})

describe.each(Object.entries(writes))('%s', (_, { run, after }) => {
  test.each(['fail', 'delay', 'duplicate', 'misorder', 'truncate', 'lose'] as const)(
    'WRITE-5 WRITE-8: where writes %s, who is told that it is applied finds it applied',
    async (does) => {
      for (const nth of [0, undefined]) {
        const { things, happened, left } = await open([{ at: 'write', does, ...(nth === undefined ? {} : { nth }) }])
        const given = await run(things).then(
          () => 'applied',
          (error: unknown) => (isRowkeyError(error) ? error.code : 'wrong'),
        )
        expect(happened()).toBeGreaterThan(0)
        const found = JSON.stringify(await left())
        if (given === 'applied') expect(found).toBe(JSON.stringify(after))
        else expect(['WRITE_FAILED', 'WRITE_INCOMPLETE', 'OUTCOME_UNKNOWN', 'ROW_EXISTS', 'ROW_NOT_FOUND']).toContain(given)
        if (given === 'WRITE_FAILED') expect(found).toBe(JSON.stringify(rows))
        expect([JSON.stringify(rows), JSON.stringify(after)], 'no row is torn').toContain(found)
      }
    },
  )
})

describe('what the core cannot notice, the suite does', () => {
  const faults: readonly Fault[] = [
    { at: 'get', does: 'drop' },
    { at: 'page', does: 'truncate' },
    { at: 'page', does: 'end' },
    { at: 'page', does: 'end', nth: 3 },
    { at: 'write', does: 'forget' },
    { at: 'write', does: 'forget', nth: 2 },
    { at: 'write', does: 'misorder' },
  ]

  test.each(faults)('SCAN-3 WRITE-5: $at $does $nth', async (fault) => {
    const tests: (() => Promise<void>)[] = []
    conformance({
      test: (_, run) => tests.push(run),
      createAdapter: () => faulty(memory(), [fault]).adapter,
      patience: 300,
    })
    let failures = 0
    for (const run of tests) {
      await run().catch(() => failures++)
      if (failures > 0) break
    }
    expect(failures).toBeGreaterThan(0)
  })
})
