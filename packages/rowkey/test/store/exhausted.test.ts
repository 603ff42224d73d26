import { mergePages, type Page, type PageSource } from '#store/adapter'
import { memory } from '#memory'
import { bucket, createMapper, defineTable, desc, int32, nullable, text } from 'rowkey'
import { expect, test } from 'vitest'
import { pagesOf, wrapped } from '../../../../test/kit/wrapped.js'

const Items = defineTable('items', { columns: { k: text(), n: desc(int32()), v: nullable(text()) }, key: ['k', 'n'], writes: 'plain' })

/** A table whose store drops all rows but the first of each page, and does not say how far it read in the last one. */
async function open(...pages: readonly Page[]) {
  const adapter = wrapped(memory(), { scan: () => pagesOf(...pages) })
  const db = createMapper(adapter)
  await db.ensureTables([Items])
  return db.repository(Items)
}

const row = (n: number) => ['a', n, 'x'] as const

test('ADAPTER-3 R17: pages that are exhausted need no last key, and the cursor is then the end of the range, however open that is', async () => {
  const salted = defineTable('salted', { columns: { k: text(), n: int32() }, key: ['k', 'n'], salt: bucket({ of: 'k', count: 2 }) })
  const own = salted.layout.bucketOf(['a', 5])
  for (const where of [{ k: { gte: 'a' } }, { k: { gte: 'a', lt: 'c' } }, { k: { lte: 'a' } }]) {
    for (const reverse of [false, true]) {
      const adapter = wrapped(memory(), {
        scan: ({ bucket }) => pagesOf({ rows: bucket === own ? [['a', 5]] : [], examined: 100, exhausted: true }),
      })
      const db = createMapper(adapter)
      await db.ensureTables([salted])
      const items = db.repository(salted)
      const page = await items.scan(where, { order: reverse ? 'reverse' : undefined }).page({ size: 1 })
      expect(page).toMatchObject({ rows: [{ n: 5 }], stop: 'size', stats: { examined: 200, sent: 1, returned: 1 } })
      const next = await items.scan(where, { order: reverse ? 'reverse' : undefined }).page({ size: 1, cursor: page.cursor })
      expect(next).toMatchObject({ rows: [], stop: 'exhausted', stats: { calls: 0 } })
    }
  }
})

test('ADAPTER-3: an exhausted page without rows is the end, not a fault', async () => {
  const items = await open({ rows: [], examined: 100, exhausted: true })
  expect(await items.scan({ k: 'a' }).page()).toEqual({
    rows: [],
    stop: 'exhausted',
    stats: { streams: 1, calls: 1, examined: 100, sent: 0, returned: 0 },
  })
})

test('SCAN-3: a page that is not exhausted must still say how far it examined', async () => {
  const items = await open({ rows: [], examined: 100 })
  await expect(items.scan({ k: 'a' }).page()).rejects.toMatchObject({ code: 'ADAPTER_FAULT' })
})

test('ADAPTER-3: partitions of one bucket that are exhausted are exhausted together, and no rows or costs are lost', async () => {
  const slice = { bucket: 0, from: { prefix: ['a'], edge: 'before' }, to: { prefix: ['a'], edge: 'after' }, reverse: false } as const
  const merged = mergePages(Items, slice, [
    pagesOf({ rows: [row(9), row(7)], examined: 10, exhausted: true }),
    pagesOf({ rows: [], examined: 20, exhausted: true }),
    pagesOf({ rows: [row(8)], examined: 1, cost: { calls: 2, sent: 5 } }),
  ])
  const pages = await allOf(merged)
  expect(pages.flatMap(({ rows }) => rows.map(([, n]) => n))).toEqual([9, 8, 7])
  expect(pages.reduce((sum, { examined }) => sum + examined, 0)).toBe(31)
  expect(pages.reduce((sum, { cost }) => sum + (cost?.sent ?? 0), 0)).toBe(7)

  const empty = mergePages(Items, slice, [
    pagesOf({ rows: [], examined: 10, exhausted: true }),
    pagesOf({ rows: [], examined: 3, exhausted: true }),
  ])
  expect(await allOf(empty)).toEqual([{ rows: [], examined: 13, exhausted: true, cost: { calls: 2, sent: 0 } }])
})

async function allOf(source: PageSource): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (let page = await source.next(10); page !== undefined; page = await source.next(10)) pages.push(page)
  return pages
}
