import type { Page, PageSource, Slice } from '#store/adapter'
import { createMapper, type Repository } from '#mapper'
import { bucket, int32, nullable, text } from '#codec'
import { memory } from '#memory'
import { defineTable } from '#model'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/kit/refusal.js'
import { Watch } from '../../../../test/kit/watched.js'
import { page, pagesOf, wrapped, type Overrides } from '../../../../test/kit/wrapped.js'

const Things = defineTable('things', {
  columns: { n: int32(), note: nullable(text()) },
  key: ['n'],
  salt: bucket({ of: 'n', modulo: 3 }),
})
const all = { n: { gte: 0, lt: 100 } }

const unhandled: unknown[] = []
const remember = (reason: unknown): void => void unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', remember))
afterAll(() => void process.off('unhandledRejection', remember))
afterEach(async () => {
  await setImmediate()
  await setImmediate()
  expect(unhandled).toEqual([])
})

/** Twelve rows in three buckets, in a store whose scans are replaced; every source is watched. */
async function open(scan: (slice: Slice, inner: () => PageSource) => PageSource, more: Overrides = {}) {
  const watch = new Watch()
  const store = memory()
  const seed = createMapper(store)
  await seed.ensureTables([Things])
  await seed.repository(Things).putMany(Array.from({ length: 12 }, (_, n) => ({ n, note: `note ${n}` })))
  const db = createMapper(wrapped(store, { scan: (slice, inner) => watch.source(scan(slice, inner)), ...more }))
  return { things: db.repository(Things), watch }
}

const run = {
  page: (things: Repository<typeof Things>) => things.scan(all).page(),
  toArray: (things: Repository<typeof Things>) => things.scan(all).toArray(),
  count: (things: Repository<typeof Things>) => things.scan(all).count(),
  iteration: async (things: Repository<typeof Things>) => {
    for await (const row of things.scan(all)) expect(row).toBeDefined()
  },
}

describe.each(Object.entries(run))('%s', (_, use) => {
  test('SCAN-3 SCAN-4: a bucket that fails fails the scan, and every source is closed and left alone', async () => {
    const failures: (() => ReturnType<PageSource['next']>)[] = [
      () => {
        throw new Error('disk')
      },
      () => Promise.reject(new Error('disk')),
      () => setImmediate().then(() => Promise.reject(new Error('disk'))),
    ]
    for (const failure of failures) {
      for (const failing of [0, 1, 2]) {
        const { things, watch } = await open(({ bucket }, inner) => (bucket === failing ? pagesOf(failure) : inner()))
        await expect(use(things)).rejects.toThrow('disk')
        expect(watch.violations).toEqual([])
        expect(watch.left).toBe(0)
      }
    }
  })

  test('SCAN-5: one bucket throws at once while another is pending and rejects later', async () => {
    let rejectLater: (error: Error) => void = () => undefined
    const pending = new Promise<Page>((_, reject) => (rejectLater = reject))
    const { things, watch } = await open(({ bucket }, inner) => {
      if (bucket === 0) return pagesOf(() => pending)
      return bucket === 1
        ? pagesOf(() => {
            throw new Error('first')
          })
        : inner()
    })
    await expect(use(things)).rejects.toThrow('first')
    expect(watch.left).toBe(0)
    rejectLater(new Error('later'))
    await setImmediate()
    expect(watch.violations).toEqual([])
  })

  test('SCAN-5: all buckets reject, one after the other', async () => {
    const { things, watch } = await open(({ bucket }) =>
      pagesOf(async () => {
        for (let i = 0; i < bucket; i++) await setImmediate()
        throw new Error(`bucket ${bucket}`)
      }),
    )
    await expect(use(things)).rejects.toThrow('bucket 0')
    await setImmediate()
    await setImmediate()
    expect(watch.left).toBe(0)
    expect(watch.violations).toEqual([])
  })

  test('SCAN-3: a bucket that fails at its second page fails the scan too', async () => {
    const { things, watch } = await open(({ bucket }, inner) => {
      if (bucket !== 2) return inner()
      return pagesOf(page([2, 'x']), () => Promise.reject(new Error('second page')))
    })
    await expect(use(things)).rejects.toThrow('second page')
    expect(watch.left).toBe(0)
    expect(watch.violations).toEqual([])
  })
})

describe('SCAN-3: pages are checked', () => {
  /** Bucket 1 holds 1, 4, 7, 10; it gives `pages` instead. */
  const faultOf = async (pages: readonly Page[], options: { order?: 'reverse' } = {}): Promise<string> => {
    const { things, watch } = await open(({ bucket }, inner) => (bucket === 1 ? pagesOf(...pages) : inner()))
    const { code, message, details } = await refusalOf(() => things.scan(all, options).toArray())
    expect(code).toBe('ADAPTER_FAULT')
    expect(details).toEqual({ table: 'things', bucket: 1 })
    expect(watch.left).toBe(0)
    expect(watch.violations).toEqual([])
    return message
  }

  test('SCAN-3: rows out of order, in a page and from page to page', async () => {
    expect(await faultOf([page([4, null], [1, null])])).toContain('rows out of order at key (1)')
    expect(await faultOf([page([4, null]), page([1, null])])).toContain('rows out of order at key (1)')
    expect(await faultOf([page([1, null], [4, null])], { order: 'reverse' })).toContain('rows out of order at key (4)')
    expect(await faultOf([page([4, null]), page(), page([1, null])])).toContain('rows out of order at key (1)')
  })

  test('SCAN-3: a row twice, in a page and from page to page', async () => {
    expect(await faultOf([page([1, null], [1, null])])).toContain('rows out of order at key (1)')
    expect(await faultOf([page([1, null]), page([1, null], [4, null])])).toContain('rows out of order at key (1)')
  })

  test('SCAN-3: rows behind the last examined key of an earlier page', async () => {
    expect(await faultOf([{ rows: [[1, null]], examined: 3, last: [7] }, page([4, null])])).toContain('rows out of order at key (4)')
  })

  test('SCAN-3: rows outside the slice', async () => {
    expect(await faultOf([page([100, null])])).toContain('a row outside the slice at key (100)')
    expect(await faultOf([page([-2, null], [1, null])])).toContain('a row outside the slice at key (-2)')
    expect(await faultOf([page([1, null], [4, null], [103, null])])).toContain('a row outside the slice at key (103)')
    expect(await faultOf([page([100, null], [1, null])], { order: 'reverse' })).toContain('a row outside the slice at key (100)')
    expect(await faultOf([page([4, null], [-2, null])], { order: 'reverse' })).toContain('a row outside the slice at key (-2)')
    expect(await faultOf([page([1, null]), page([4, null], [103, null])])).toContain('a row outside the slice at key (103)')
  })

  test('SCAN-3: a row without all its columns, wherever it is in a page', async () => {
    for (const rows of [[[1]], [[1, null], [4]], [[1, null, 2]]])
      expect(await faultOf([{ rows, examined: rows.length }])).toContain('a row without its 2 columns from table')
  })

  test('SCAN-3: the first or the last row of a page is of another bucket, or its last key is', async () => {
    expect(await faultOf([page([2, null], [4, null])])).toContain('a row of another bucket at key (2)')
    expect(await faultOf([page([1, null], [4, null], [5, null])])).toContain('a row of another bucket at key (5)')
    expect(await faultOf([{ rows: [[1, null]], examined: 2, last: [3] }])).toContain('a row of another bucket at key (3)')
    const rows = [[1, null], [2, null]] // prettier-ignore
    expect(await faultOf([{ rows, examined: 3, last: [4] }])).toContain('a row of another bucket at key (2)')
  })

  test('SCAN-3: a last key that is missing, before the last row, or outside the slice', async () => {
    expect(await faultOf([{ rows: [], examined: 4 }])).toContain('a page that examined rows but names neither a row nor its last key')
    expect(await faultOf([{ rows: [[4, null]], examined: 4, last: [1] }])).toContain('a last examined key before its last row at key (1)')
    expect(await faultOf([{ rows: [], examined: 4, last: [100] }])).toContain('a row outside the slice at key (100)')
    expect(await faultOf([{ rows: [[4, null]], examined: 4, last: [100] }])).toContain('a row outside the slice at key (100)')
    const before = { rows: [[4, null]], examined: 4, last: [-2] } satisfies Page
    expect(await faultOf([before], { order: 'reverse' })).toContain('a row outside the slice at key (-2)')
  })

  test('SCAN-3: a message says what, where, and whose fault it is', async () => {
    expect(await faultOf([page([100, null])])).toBe(
      "ADAPTER_FAULT: the adapter returned a row outside the slice at key (100) from table 'things', bucket 1. " +
        'The page is refused; this is a fault of the adapter or of the stored data.',
    )
  })

  test('SCAN-1: empty pages and pages that are all filtered are no fault', async () => {
    const { things } = await open(({ bucket }, inner) =>
      bucket === 1
        ? pagesOf(page(), { rows: [], examined: 2, last: [4] }, page(), page([7, 'x']), { rows: [], examined: 1, last: [10] })
        : inner(),
    )
    expect((await things.scan(all).toArray()).map(({ n }) => n)).toEqual([0, 2, 3, 5, 6, 7, 8, 9, 11])
  })
})

describe('SCAN-4: who leaves early closes', () => {
  test('SCAN-4: break, return and throw out of an iteration', async () => {
    const leave: ((things: Repository<typeof Things>) => Promise<void>)[] = [
      async (things) => {
        for await (const { n } of things.scan(all)) if (n === 3) break
      },
      async (things) => {
        await (async () => {
          for await (const { n } of things.scan(all)) if (n === 0) return
        })()
      },
      async (things) => {
        const loop = async (): Promise<void> => {
          for await (const { n } of things.scan(all)) if (n === 5) throw new Error('enough')
        }
        await expect(loop()).rejects.toThrow('enough')
      },
    ]
    for (const each of leave) {
      const { things, watch } = await open((_, inner) => inner())
      await each(things)
      expect(watch.opened).toBe(3)
      expect(watch.left).toBe(0)
      expect(watch.violations).toEqual([])
    }
  })

  test('SCAN-4: a page that is full closes, with rows left', async () => {
    const { things, watch } = await open((_, inner) => inner())
    const { rows, cursor } = await things.scan(all).page({ size: 2 })
    expect([rows.length, typeof cursor]).toEqual([2, 'string'])
    expect(watch.opened).toBe(3)
    expect(watch.left).toBe(0)
  })

  test('SCAN-4: a filter that throws rejects and closes', async () => {
    for (const use of ['page', 'toArray', 'count'] as const) {
      const { things, watch } = await open((_, inner) => inner())
      const filter = ({ n }: { n: number }): boolean => {
        if (n === 4) throw new Error('filter')
        return true
      }
      await expect(things.scan(all, { filter })[use]()).rejects.toThrow('filter')
      expect(watch.left).toBe(0)
    }
  })

  test('SCAN-4: an iterator that is never asked opens nothing', async () => {
    const { things, watch } = await open((_, inner) => inner())
    const scan = things.scan(all)
    await scan[Symbol.asyncIterator]().return?.()
    expect(watch.opened).toBe(0)
  })
})

describe('SCAN-4: signals', () => {
  test('SCAN-4: aborted before: nothing is opened', async () => {
    const { things, watch } = await open((_, inner) => inner())
    const signal = AbortSignal.abort(new Error('stopped'))
    for (const use of ['page', 'toArray', 'count'] as const) await expect(things.scan(all, { signal })[use]()).rejects.toThrow('stopped')
    await expect(things.scan(all, { signal })[Symbol.asyncIterator]().next()).rejects.toThrow('stopped')
    await expect(things.get({ n: 1 }, { signal })).rejects.toThrow('stopped')
    await expect(things.getMany([{ n: 1 }], { signal })).rejects.toThrow('stopped')
    await expect(things.exists({ n: 1 }, { signal })).rejects.toThrow('stopped')
    expect(watch.opened).toBe(0)
  })

  test('SCAN-4: aborted while it runs: rejects and closes, though the filter lets nothing pass', async () => {
    const stop = new AbortController()
    let asked = 0
    const { things, watch } = await open(({ bucket }) => ({
      next: () => {
        if (++asked === 30) stop.abort(new Error('stopped'))
        if (asked > 1000) throw new Error('never noticed')
        return { rows: [], examined: 1, last: [bucket + 3 * Math.floor(asked / 3)] }
      },
      close: () => undefined,
    }))
    await expect(things.scan(all, { signal: stop.signal }).page()).rejects.toThrow('stopped')
    expect(watch.left).toBe(0)
  })

  test('SCAN-4: aborted between rows: the iteration ends with the reason and closes', async () => {
    const stop = new AbortController()
    const numbers = Array.from({ length: 300 }, (_, i) => i)
    const { things, watch } = await open(({ bucket }) => pagesOf(page(...numbers.map((i) => [3 * i + bucket, 'x']))))
    let seen = 0
    const loop = async (): Promise<void> => {
      for await (const { n } of things.scan({ n: { gte: 0, lt: 900 } }, { signal: stop.signal })) {
        expect(n).toBe(seen++)
        stop.abort(new Error('stopped'))
      }
    }
    await expect(loop()).rejects.toThrow('stopped')
    expect(seen).toBeLessThan(900)
    expect(watch.left).toBe(0)
    expect(watch.violations).toEqual([])
  })
})
