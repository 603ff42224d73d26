import { mergePages, type NativePage, type Page, type PageSource, paging, type Row, type Slice } from '#store/adapter'
import { int32 } from '#codec'
import { defineTable } from '#model'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/conformance/oracle/random.js'
import { RangeSource } from '../../src/store/scan/range-source.js'
import { Positions } from '../../src/store/scan/row-source.js'
import { pagesOf } from '../../../../test/kit/wrapped.js'

const Numbers = defineTable('numbers', { columns: { n: int32() }, key: ['n'] })
const whole = (reverse: boolean): Slice => ({
  bucket: 0,
  from: { prefix: [], edge: 'before' },
  to: { prefix: [], edge: 'after' },
  reverse,
})

async function drain(source: PageSource, want: number): Promise<{ rows: number[]; pages: Page[] }> {
  const pages: Page[] = []
  for (;;) {
    const page = await source.next(want)
    if (page === undefined) break
    pages.push(page)
    if (pages.length > 10_000) throw new Error('it never ends')
  }
  return { rows: pages.flatMap(({ rows }) => rows.map(([n]) => n as number)), pages }
}

describe('paging', () => {
  /** A store of numbers that gives up to `most` at a time and drops odd ones itself. */
  const native =
    (numbers: readonly number[], most: number, asked: Slice[], late: boolean) =>
    (rest: Slice, want: number): NativePage | Promise<NativePage> => {
      asked.push(rest)
      const { compareBounds } = Numbers.layout
      const inside = numbers.filter(
        (n) =>
          compareBounds({ prefix: [n], edge: 'before' }, rest.from) >= 0 && compareBounds({ prefix: [n], edge: 'after' }, rest.to) <= 0,
      )
      const ordered = rest.reverse ? inside.toReversed() : inside
      const read = ordered.slice(0, Math.min(want, most))
      const rows = read.filter((n) => n % 2 === 0).map((n): Row => [n])
      const page: NativePage = {
        rows,
        examined: read.length,
        more: ordered.length > read.length,
        ...(read.length > 0 ? { last: [read.at(-1) as number] } : {}),
      }
      return late ? setImmediate().then(() => page) : page
    }

  test('every row once, in order, whatever the store gives at a time, forwards and backwards, at once and late', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: -20, max: 20 })),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        fc.boolean(),
        async (numbers, most, want, reverse, late) => {
          const sorted = numbers.toSorted((a, b) => (reverse ? b - a : a - b))
          const asked: Slice[] = []
          const source = paging(
            Numbers,
            whole(reverse),
            native(
              numbers.toSorted((a, b) => a - b),
              most,
              asked,
              late,
            ),
          )
          const { rows } = await drain(source, want)
          expect(rows).toEqual(sorted.filter((n) => n % 2 === 0))
          expect(asked.length).toBe(Math.max(1, Math.ceil(numbers.length / Math.min(most, want))))
        },
      ),
      { numRuns: 300, seed: 20_261_121 },
    )
  })

  test('behind the last key there can be, nothing more is asked for', async () => {
    let asked = 0
    const source = paging(Numbers, whole(false), () => {
      if (++asked > 1) throw new Error('asked for an empty range')
      return { rows: [[2 ** 31 - 1]], more: true }
    })
    expect((await drain(source, 10)).rows).toEqual([2 ** 31 - 1])
  })

  test('a page that is not the last and names no key is the fault of the adapter', () => {
    const source = paging(Numbers, whole(false), () => ({ rows: [], more: true }))
    expect(() => source.next(1)).toThrow('ADAPTER_FAULT')
  })

  test('closed, it asks nothing, also when it is closed while a page is on its way', async () => {
    let asked = 0
    const source = paging(Numbers, whole(false), async () => {
      asked++
      await setImmediate()
      return { rows: [[1]], more: true }
    })
    const page = source.next(1)
    source.close()
    await page
    expect(await source.next(1)).toBe(undefined)
    expect(asked).toBe(1)
  })
})

describe('mergePages', () => {
  test('ADAPTER-17: partitions that end with rows which a filter drops are no fault, whatever their pages', async () => {
    const random = new Random(7)
    for (let round = 0; round < 2000; round++) {
      const all = Array.from({ length: 1 + random.below(8) }, (_, n) => ({ n, passes: random.chance(0.4), partition: random.below(3) }))
      const reverse = random.chance(0.5)
      const sources = [0, 1, 2].map((partition): PageSource => {
        const own = all.filter((each) => each.partition === partition)
        if (reverse) own.reverse()
        let isDone = false
        return {
          next: () => {
            if (isDone) return undefined
            const read = own.splice(0, 1 + random.below(3))
            const last = read.at(-1)
            isDone = own.length === 0
            const rows = read.filter(({ passes }) => passes).map(({ n }) => [n])
            return { rows, examined: read.length, ...(isDone ? { exhausted: true } : last === undefined ? {} : { last: [last.n] }) }
          },
          close: () => undefined,
        }
      })
      const slice = whole(reverse)
      const source = new RangeSource(Numbers, slice, mergePages(Numbers, slice, sources), new Positions(Numbers, reverse), false)
      const got: unknown[] = []
      for (let asked = 0; asked < 100 && !source.ended; asked++) got.push(...((await source.next(1 + random.below(4)))?.rows ?? []))
      const wanted = all.filter(({ passes }) => passes).map(({ n }) => [n])
      expect(got, `round ${round}`).toEqual(reverse ? wanted.reverse() : wanted)
    }
  })

  test('ADAPTER-17: a round in which one partition has nothing more, and another examines rows that are dropped, is no page of its own', async () => {
    const dropped = (examined: number, last: number): Page => ({ rows: [], examined, last: [last] })
    const pages = [[page(1), page()], [page(0), dropped(3, 5), dropped(2, 9), page(12)]] // prettier-ignore
    const sources = pages.map((each) => pagesOf(...each))
    const source = new RangeSource(Numbers, whole(false), mergePages(Numbers, whole(false), sources), new Positions(Numbers, false), false)
    const { rows, pages: found } = await drain(source, 9)
    expect(rows).toEqual([0, 1, 12])
    expect(found.reduce((sum, { examined }) => sum + examined, 0)).toBe(8)
  })

  const page = (...numbers: number[]): Page => ({ rows: numbers.map((n): Row => [n]), examined: numbers.length })

  test('R14: partitions of one bucket as one source in order, each page told up to where it examined', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 })), { selector: ([n]) => n }),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (placed, reverse, late, want) => {
          const order = (a: number, b: number): number => (reverse ? b - a : a - b)
          const sources = [0, 1, 2].map((at): PageSource => {
            const rows = placed.flatMap(([n, place]) => (place === at ? [n] : [])).toSorted(order)
            const pages = rows.flatMap((n) => [page(n), { rows: [], examined: 0 }])
            return pagesOf(...pages.map((each) => () => (late ? setImmediate().then(() => each) : each)))
          })
          const source = mergePages(Numbers, whole(reverse), sources)
          const { rows, pages } = await drain(source, want)
          expect(rows).toEqual(placed.map(([n]) => n).toSorted(order))
          for (const each of pages) {
            expect(each.rows.length).toBeLessThanOrEqual(want)
            if (each.examined > 0) expect(each.last).toBeDefined()
          }
          expect(pages.reduce((sum, { examined }) => sum + examined, 0)).toBe(placed.length)
        },
      ),
      { numRuns: 300, seed: 20_261_121 },
    )
  })

  test('SCAN-3: one row in two partitions, or a partition out of order, is the fault of the adapter', async () => {
    const two = (a: Page[], b: Page[]): PageSource => mergePages(Numbers, whole(false), [pagesOf(...a), pagesOf(...b)])
    await expect(drain(two([page(1, 3)], [page(3)]), 9)).rejects.toThrow('a row that another bucket has too at key (3)')
    await expect(drain(two([page(1)], [page(1)]), 9)).rejects.toThrow('ADAPTER_FAULT')
    await expect(drain(two([page(3, 1)], []), 9)).rejects.toThrow('rows out of order at key (1)')
  })

  test('its sources are closed with it, asked or not', () => {
    let closed = 0
    const source = (): PageSource => ({
      next: () => undefined,
      close: () => {
        closed++
      },
    })
    mergePages(Numbers, whole(false), [source(), source()]).close()
    expect(closed).toBe(2)
  })
})
