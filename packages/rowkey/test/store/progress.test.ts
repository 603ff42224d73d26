import { memory } from '#memory'
import { Progress, type Page, type PageSource, type TableStore } from '#store/adapter'
import { shortened } from '@rowkey/servers/scale'
import { bucket, createMapper, defineTable, int32, nullable, text } from 'rowkey'
import { expect, test } from 'vitest'
import { delegate, delegateTable } from '../../src/conformance/delegate.js'
import { Random } from '../../src/conformance/oracle/random.js'
import { refusalOf } from '../../../../test/kit/refusal.js'

const Things = defineTable('things', {
  columns: { n: int32(), note: nullable(text()) },
  key: ['n'],
  salt: bucket({ of: 'n', count: 2 }),
  ttl: '1d',
})
const all = { n: { gte: 0, lt: 1000 } }

/** No source of these tests is asked more often than this. */
const maxRequests = 5000

/** Repositories of a memory store with 30 rows whose reads are replaced; how often they were asked is counted. */
async function open(replaced: (store: TableStore) => Partial<TableStore>, table: typeof Things = Things) {
  const base = memory()
  let requests = 0
  const counted = (source: PageSource): PageSource => ({
    next(want) {
      if (++requests > maxRequests) throw new Error('it does not end')
      return source.next(want)
    },
    close: () => {
      source.close()
    },
  })
  const adapter = delegate(base, {
    table(schema, catalog) {
      const store = base.table(schema, catalog)
      const wrong = delegateTable(store, replaced(store))
      return delegateTable(wrong, {
        scan: (slice, options) => counted(wrong.scan(slice, options)),
        fullScan: (checkpoint, options) => counted(wrong.fullScan(checkpoint, options)),
      })
    },
  })
  const db = createMapper(adapter)
  await db.ensureTables([table])
  await createMapper(base)
    .repository(table)
    .putMany(Array.from({ length: 30 }, (_, n) => ({ n, note: null })))
  return { db, things: db.repository(table), requests: () => requests }
}

const empty: Page = { rows: [], examined: 0 }
const always = (page: unknown): PageSource => ({ next: () => page as Page, close: () => undefined })
const eachOf = (...pages: readonly unknown[]): PageSource => {
  let at = 0
  return { next: () => pages[at++ % pages.length] as Page, close: () => undefined }
}
const row = (n: number): readonly unknown[] => [n, null, null]

test('Progress: a circle of any length is found, before it was gone through three times, and a way without one is not', () => {
  for (const lead of [0, 1, 7, 100]) {
    for (const length of [1, 2, 3, 5, 64, 257]) {
      const progress = new Progress()
      let steps = 0
      while (!progress.returnsTo(String(steps < lead ? -steps - 1 : (steps - lead) % length))) {
        expect(++steps).toBeLessThanOrEqual(3 * (lead + length))
      }
      expect(steps).toBeGreaterThanOrEqual(lead === 0 ? length : 1)
    }
  }
  const straight = new Progress()
  for (let at = 0; at < 10_000; at++) expect(straight.returnsTo(String(at))).toBe(false)
})

test('ADAPTER-3: a hundred pages without rows are no fault, one more is, and a later key begins to count anew', async () => {
  const Plain = defineTable('plain', { columns: { n: int32(), note: nullable(text()) }, key: ['n'], ttl: '1d' })
  const after = (idle: number): (() => PageSource) => {
    return () => {
      let left = 3 * idle
      return {
        next: () => (left-- > 0 ? (left % idle === 0 ? { rows: [], examined: 1, last: [999 - left] } : empty) : undefined),
        close: () => undefined,
      }
    }
  }
  const idle = await open(() => ({ scan: after(101) }), Plain)
  expect(await idle.things.scan({ n: { gte: 0, lt: 1000 } }).toArray()).toEqual([])
  const stuck = await open(() => ({ scan: after(102) }), Plain)
  expect(await refusalOf(() => stuck.things.scan(all).toArray())).toMatchObject({ code: 'ADAPTER_FAULT' })
})

const endlessScans: readonly (readonly [string, () => PageSource])[] = [
  ['empty pages', () => always(empty)],
  ['pages that examine nothing and name a key', () => always({ rows: [], examined: 0, last: [5] })],
  ['pages that examine rows and name the same key', () => always({ rows: [], examined: 3, last: [5] })],
  ['the same row', () => always({ rows: [row(1)], examined: 1 })],
  ['two keys by turns', () => eachOf({ rows: [], examined: 1, last: [5] }, { rows: [], examined: 1, last: [3] })],
  ['exhausted pages', () => always({ rows: [], examined: 3, exhausted: true })],
  ['exhausted pages that examine nothing', () => always({ rows: [], examined: 0, exhausted: true })],
]

test.each(endlessScans)('ADAPTER-3 SCAN-3: a scan of %s for ever is ADAPTER_FAULT, whatever is called', async (_, source) => {
  const calls: readonly ((things: Awaited<ReturnType<typeof open>>['things']) => Promise<unknown>)[] = [
    (things) => things.scan(all).toArray(),
    (things) => things.scan(all).count(),
    (things) => things.scan(all).page(),
    (things) => things.scan(all).deleteAll(),
    (things) => things.scan({ ...all, note: 'x' }, { prefetch: true }).toArray(),
  ]
  for (const call of calls) {
    const { things, requests } = await open(() => ({ scan: source }))
    expect(await refusalOf(() => call(things))).toMatchObject({ code: 'ADAPTER_FAULT' })
    expect(requests()).toBeLessThan(1000)
    const later = await open(() => ({ scan: () => ({ next: async (want: number) => source().next(want), close: () => undefined }) }))
    // Every request of that one has a new source, so its pages are the first ones.
    expect(await refusalOf(() => call(later.things))).toMatchObject({ code: 'ADAPTER_FAULT' })
  }
})

const page = (checkpoint: string, ...rows: readonly unknown[]): unknown => ({ rows, examined: rows.length, checkpoint })

const endlessFullScans: readonly (readonly [string, () => PageSource])[] = [
  ['pages with one checkpoint', () => always(page('a', row(1)))],
  ['empty pages with one checkpoint', () => always(page('a'))],
  ['empty pages with two checkpoints by turns', () => eachOf(page('a'), page('b'))],
  ['pages with two checkpoints by turns', () => eachOf(page('a', row(1)), page('b', row(2)))],
  ['a circle of 50 checkpoints', () => eachOf(...Array.from({ length: 50 }, (_, at) => page(`c${at}`, row(at))))],
  [
    'a circle after a long way',
    () => {
      let at = 0
      return { next: () => page(at++ < 70 ? `way ${at}` : `circle ${at % 7}`, row(at)) as Page, close: () => undefined }
    },
  ],
]

test.each(endlessFullScans)('ADAPTER-5 SCAN-8: a full scan of %s for ever is ADAPTER_FAULT', async (_, source) => {
  for (const parallel of [undefined, 3]) {
    const { things, requests } = await open(() => ({ fullScan: source }))
    const options = parallel === undefined ? {} : { parallel }
    expect(await refusalOf(() => things.readAll(options).count())).toMatchObject({ code: 'ADAPTER_FAULT' })
    expect(requests()).toBeLessThan(1000)
  }
})

test('ADAPTER-5: a copy ends with the full scan that it reads', async () => {
  const { db, things, requests } = await open(() => ({ fullScan: () => eachOf(page('a', row(1)), page('b', row(2))) }))
  const Target = defineTable('copies', { columns: { n: int32(), note: nullable(text()) }, key: ['n'], ttl: '1d' })
  const target = createMapper(memory())
  await target.ensureTables([Target])
  const { copyTable } = await import('rowkey')
  expect(await refusalOf(() => copyTable(things, target.repository(Target), { overwrite: true }))).toMatchObject({ code: 'ADAPTER_FAULT' })
  expect(requests()).toBeLessThan(100)
  await db.close()
})

const noPages: readonly unknown[] = [
  null,
  {},
  { rows: null, examined: 0 },
  { rows: 'text', examined: 0 },
  { rows: [], examined: -1 },
  { rows: [], examined: 0.5 },
  { rows: [], examined: '1' },
  { rows: [null], examined: 1 },
  { rows: ['text'], examined: 1 },
  { rows: [[1]], examined: 1 },
  { rows: [[1, null, null, null]], examined: 1 },
  { rows: [[null, null, null]], examined: 1 },
  { rows: [['1', null, null]], examined: 1 },
  { rows: [[{}, null, null]], examined: 1 },
]

test.each(noPages.map((given) => [JSON.stringify(given), given]))(
  'ADAPTER-17: %s in place of a page is ADAPTER_FAULT',
  async (_, given) => {
    const scanned = await open(() => ({ scan: () => always(given) }))
    expect(await refusalOf(() => scanned.things.scan(all).toArray())).toMatchObject({ code: 'ADAPTER_FAULT' })
  },
)

test.each(noPages.slice(0, 11).map((given) => [JSON.stringify(given), given]))(
  'ADAPTER-17: %s in place of a page of a full scan is ADAPTER_FAULT',
  async (_, given) => {
    const withCheckpoint = given === null ? given : { ...(given as object), checkpoint: 'a' }
    const { things } = await open(() => ({ fullScan: () => always(withCheckpoint) }))
    expect(await refusalOf(() => things.readAll().count())).toMatchObject({ code: 'ADAPTER_FAULT' })
  },
)

test('ADAPTER-17: what is no list of rows, in place of gets, is ADAPTER_FAULT', async () => {
  for (const given of [
    null,
    undefined,
    'text',
    {},
    [null],
    ['text'],
    [[1]],
    [['1', null, null]],
    [[null, null, null]],
    [[{}, null, null]],
  ]) {
    const { things } = await open(() => ({ get: () => given as never }))
    expect(await refusalOf(() => things.get({ n: 1 }))).toMatchObject({ code: 'ADAPTER_FAULT' })
    expect(await refusalOf(() => things.scan({ n: { in: [1] } }).toArray())).toMatchObject({ code: 'ADAPTER_FAULT' })
  }
})

test('ADAPTER-17: what is no list of splits is ADAPTER_FAULT', async () => {
  for (const given of [null, undefined, 'text', {}, [], [1], [''], ['a', 'a'], Array.from({ length: 9 }, (_, i) => `${i}`)]) {
    const { things } = await open(() => ({ splits: () => given as never }))
    expect(await refusalOf(() => things.parts(4))).toMatchObject({ code: 'ADAPTER_FAULT' })
  }
})

test('ADAPTER-12 ADAPTER-17: a purge that says more than it can have done, or nothing, is ADAPTER_FAULT', async () => {
  for (const given of [-1, 0.5, NaN, Infinity, 11, '5', null, undefined, {}]) {
    const { db } = await open(() => ({ purgeExpired: async () => given as never }))
    expect(await refusalOf(() => db.purgeExpired(Things, { limit: 10 }))).toMatchObject({ code: 'ADAPTER_FAULT' })
  }
  const { db } = await open(() => ({ purgeExpired: async () => 10 }))
  expect(await db.purgeExpired(Things, { limit: 10 })).toBe(10)
})

test('ADAPTER-6 ADAPTER-17: what is no outcome leaves its write unknown, and a row that is none is read instead', async () => {
  const answers: readonly unknown[] = [null, 'applied', {}, { kind: 'done' }, { kind: null }, []]
  for (const answer of answers) {
    const base = memory()
    const db = createMapper(delegate(base, { write: () => [answer] as never }), { retry: { attempts: 1 } })
    await db.ensureTables([Things])
    expect(await refusalOf(() => db.repository(Things).put({ n: 1, note: null }))).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  }
  const others = createMapper(delegate(memory(), { write: (batch) => batch.map(() => ({ kind: 'done' })) as never }), {
    retry: { attempts: 1 },
  })
  await others.ensureTables([Things])
  expect(await refusalOf(() => others.repository(Things).putMany([{ n: 1, note: null }]))).toMatchObject({
    code: 'WRITE_INCOMPLETE',
    details: { outcomes: [{ index: 0, kind: 'unknown' }] },
  })
  for (const rowGiven of [null, 'text', {}, [], [1]]) {
    const base = memory()
    const db = createMapper(
      delegate(base, {
        write: async (batch, options) =>
          (await base.write(batch, options)).map((outcome) => ({ ...outcome, row: rowGiven, current: rowGiven }) as never),
      }),
    )
    await db.ensureTables([Things])
    const things = db.repository(Things)
    await things.put({ n: 1, note: 'a' })
    expect(await things.update({ n: 1 }, { note: 'b' }, { returning: true })).toMatchObject({ row: { n: 1, note: 'b' } })
    expect(await refusalOf(() => things.insert({ n: 1, note: 'c' }))).toMatchObject({ code: 'ROW_EXISTS' })
  }
})

test('WRITE-10: a batch whose unprocessed rest never shrinks ends after its attempts', async () => {
  let requests = 0
  const base = memory()
  const db = createMapper(
    delegate(base, {
      write(batch) {
        requests++
        return batch.map(() => ({ kind: 'unprocessed' }))
      },
    }),
    { retry: { attempts: 3 } },
  )
  await db.ensureTables([Things])
  const rows = Array.from({ length: 5 }, (_, n) => ({ n, note: null }))
  expect(await refusalOf(() => db.repository(Things).putMany(rows))).toMatchObject({ code: 'WRITE_INCOMPLETE' })
  expect(requests).toBe(3)
})

test('SCAN-3 ADAPTER-17: pages that are changed at random give the right rows or ADAPTER_FAULT, and always end', async () => {
  const right = Array.from({ length: 30 }, (_, n) => n)
  let [sound, refused] = [0, 0]
  for (let seed = 1; seed <= shortened(400); seed++) {
    const random = new Random(seed)
    const kept: Page[] = []
    /** Repeats, swaps and empties pages; what it takes away it never hides. */
    const change = (source: PageSource): PageSource => ({
      next(want) {
        const page = source.next(Math.min(want, 4)) as Page | undefined
        if (page !== undefined) kept.push(page)
        const pick = random.below(12)
        if (pick === 0)
          return { ...empty, ...(page?.checkpoint === undefined ? {} : { checkpoint: page.checkpoint }), rows: page?.rows ?? [] }
        if (pick === 1) return kept[random.below(Math.max(1, kept.length))]
        if (pick === 2 && page !== undefined) return { ...page, rows: page.rows.toReversed() }
        if (pick === 3 && page !== undefined) return { ...page, rows: page.rows.map((each) => each.slice(0, random.below(4))) }
        if (pick === 4 && page !== undefined) return { ...page, examined: random.below(3) - 1 }
        return page
      },
      close: () => {
        source.close()
      },
    })
    const { things, requests } = await open((store) => ({ scan: (slice, options) => change(store.scan(slice, options)) }))
    const numbers = await things.scan(all).toArray().then((rows) => rows.map(({ n }) => n), (error: unknown) => error) // prettier-ignore
    expect(requests()).toBeLessThan(maxRequests)
    if (Array.isArray(numbers)) {
      expect(numbers, `seed ${seed}`).toEqual(right)
      sound++
    } else {
      expect(numbers, `seed ${seed}`).toMatchObject({ code: 'ADAPTER_FAULT' })
      refused++
    }
  }
  expect(Math.min(sound, refused)).toBeGreaterThan(shortened(20))
})
