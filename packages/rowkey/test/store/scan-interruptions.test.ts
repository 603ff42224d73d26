import type { Page, PageSource, Slice } from '#store/adapter'
import { bucket, int32, nullable, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { getEventListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { refusalOf } from '../../../../test/kit/refusal.js'
import { Watch } from '../../../../test/kit/watched.js'
import { pagesOf, wrapped } from '../../../../test/kit/wrapped.js'

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
  expect(unhandled.splice(0)).toEqual([])
})

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** A page that comes when the test says so, or never. */
function held(): {
  readonly page: Promise<Page>
  settle(page: Page): void
  fail(error: Error): void
  readonly asked: Promise<void>
  next(): Promise<Page>
} {
  let settle: (page: Page) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  let ask: () => void = () => undefined
  const page = new Promise<Page>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  page.catch(() => undefined) // on a busy machine a deadline may come before anybody has asked for it
  const asked = new Promise<void>((resolve) => (ask = resolve))
  const next = (): Promise<Page> => {
    ask()
    return page
  }
  return { page, settle, fail, asked, next }
}

async function open(scan: (slice: Slice, inner: () => PageSource) => PageSource) {
  const watch = new Watch()
  const store = memory()
  const seed = createMapper(store)
  await seed.ensureTables([Things])
  await seed.repository(Things).putMany(Array.from({ length: 12 }, (_, n) => ({ n, note: `note ${n}` })))
  const things = createMapper(wrapped(store, { scan: (slice, inner) => watch.source(scan(slice, inner)) })).repository(Things)
  return { things, watch }
}

/** What is left behind by a scan that was given up, whatever the page that was on its way does afterwards. */
async function leavesNothing(watch: Watch, late: ReturnType<typeof held>, before: number, signal?: AbortSignal): Promise<void> {
  expect(watch.left).toBe(0)
  expect(timers()).toBeLessThanOrEqual(before)
  if (signal !== undefined) expect(getEventListeners(signal, 'abort')).toEqual([])
  late.fail(new Error('too late to matter'))
  await setImmediate()
  expect(watch.violations).toEqual([])
}

describe('SCAN-4: nobody waits for a page that is on its way', () => {
  test('SCAN-4: an iteration that is left ends at once', async () => {
    const before = timers()
    const late = held()
    const { things, watch } = await open(({ bucket }, inner) => (bucket === 1 ? pagesOf(late.next) : inner()))
    const rows = things.scan(all)[Symbol.asyncIterator]()
    const first = rows.next()
    await late.asked
    expect(await rows.return?.()).toEqual({ done: true, value: undefined })
    expect(await first).toEqual({ done: true, value: undefined })
    expect(await rows.next()).toEqual({ done: true, value: undefined })
    await leavesNothing(watch, late, before)
  })

  test.each(['page', 'toArray', 'count', 'deleteAll'] as const)('SCAN-4: an abort rejects %s at once, with its reason', async (use) => {
    const before = timers()
    const stop = new AbortController()
    const late = held()
    const { things, watch } = await open(({ bucket }, inner) => (bucket === 1 ? pagesOf(late.next) : inner()))
    const running = things.scan(all, { signal: stop.signal })[use]()
    await late.asked
    stop.abort(new Error('stopped'))
    await expect(running).rejects.toThrow('stopped')
    await leavesNothing(watch, late, before, stop.signal)
  })

  test('SCAN-4: an abort rejects the iteration at once', async () => {
    const before = timers()
    const stop = new AbortController()
    const late = held()
    const { things, watch } = await open(({ bucket }, inner) => (bucket === 1 ? pagesOf(late.next) : inner()))
    const next = things.scan(all, { signal: stop.signal })[Symbol.asyncIterator]().next()
    await late.asked
    stop.abort(new Error('stopped'))
    await expect(next).rejects.toThrow('stopped')
    await leavesNothing(watch, late, before, stop.signal)
  })

  test('PAGE-4: at its deadline a page stops with a cursor, though a bucket has not answered', async () => {
    const before = timers()
    const late = held()
    const { things, watch } = await open(({ bucket }, inner) => (bucket === 1 ? pagesOf(late.next) : inner()))
    const page = await things.scan(all, { deadline: Date.now() + 20 }).page()
    expect(page).toMatchObject({ rows: [], stop: 'time' })
    await leavesNothing(watch, late, before)
    const { things: healthy } = await open((_, inner) => inner())
    const rest = await healthy.scan(all).page({ cursor: page.cursor })
    expect(rest.rows.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  test('PAGE-4: at its deadline everything else throws DEADLINE with a cursor', async () => {
    const before = timers()
    for (const use of ['toArray', 'count', 'deleteAll'] as const) {
      const late = held()
      const { things, watch } = await open(({ bucket }, inner) => (bucket === 1 ? pagesOf(late.next) : inner()))
      const { code, details } = await refusalOf(() => things.scan(all, { deadline: new Date(Date.now() + 20) })[use]())
      expect([code, typeof details['cursor']]).toEqual(['DEADLINE', 'string'])
      await leavesNothing(watch, late, before)
    }
  })

  test.each([false, true])('PAGE-4: keys whose answer had not come are not behind the cursor; reverse = %s', async (reverse) => {
    const store = memory()
    const seed = createMapper(store)
    await seed.ensureTables([Things])
    const n = { in: [1, 2, 3, 4, 5] }
    const numbers = reverse ? n.in.toReversed() : n.in
    await seed.repository(Things).putMany(n.in.map((n) => ({ n })))
    const healthy = seed.repository(Things)
    const first = await healthy.scan({ n }, { order: reverse ? 'reverse' : undefined }).page({ size: 1 })
    const never = createMapper(wrapped(store, { get: () => new Promise(() => undefined) })).repository(Things)
    for (const [cursor, rest] of [
      [undefined, numbers],
      [first.cursor, numbers.slice(1)],
    ] as const) {
      const page = await never.scan({ n }, { order: reverse ? 'reverse' : undefined, deadline: Date.now() + 20 }).page({ size: 2, cursor })
      expect(page).toMatchObject({ rows: [], stop: 'time' })
      const { rows } = await healthy.scan({ n }, { order: reverse ? 'reverse' : undefined }).page({ cursor: page.cursor })
      expect(rows.map(({ n }) => n)).toEqual(rest)
    }
    const deadline = Date.now() + 20
    const { details } = await refusalOf(() => never.scan({ n }, { order: reverse ? 'reverse' : undefined, deadline }).deleteAll())
    const { rows } = await healthy.scan({ n }, { order: reverse ? 'reverse' : undefined }).page({ cursor: details['cursor'] as string })
    expect(rows.map(({ n }) => n)).toEqual(numbers)
  })

  test('SCAN-5: a source that throws at once while another is on its way and fails later', async () => {
    const late = held()
    const { things, watch } = await open(({ bucket }) =>
      pagesOf(
        bucket === 0
          ? late.next
          : () => {
              throw new Error('at once')
            },
      ),
    )
    await expect(things.scan(all).page()).rejects.toThrow('at once')
    await leavesNothing(watch, late, timers())
  })
})

test('SCAN-4: several next() at once are answered in order, and only the first hears of an error', async () => {
  const { things } = await open((_, inner) => inner())
  const rows = things.scan(all)[Symbol.asyncIterator]()
  const given = await Promise.all(Array.from({ length: 14 }, () => rows.next()))
  expect(given.map((step) => (step.done === true ? undefined : step.value.n))).toEqual([
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
    undefined,
    undefined,
  ])
  const { things: broken } = await open(() => pagesOf(() => Promise.reject(new Error('disk'))))
  const failing = broken.scan(all)[Symbol.asyncIterator]()
  const [first, second] = await Promise.allSettled([failing.next(), failing.next()])
  expect([first.status, second]).toEqual(['rejected', { status: 'fulfilled', value: { done: true, value: undefined } }])
})

test('SCAN-4: a signal used for many scans gathers no listeners, and their deadlines no timers', async () => {
  const before = timers()
  const stop = new AbortController()
  const { things } = await open((_, inner) => {
    const source = inner()
    return {
      next: (want) => setImmediate().then(() => source.next(want)),
      close: () => {
        source.close()
      },
    }
  })
  for (let i = 0; i < 20; i++) await things.scan(all, { signal: stop.signal, deadline: Date.now() + 60_000 }).toArray()
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  expect(timers()).toBeLessThan(before + 5)
})

test('R16 PAGE-4: ranges without rows count as read, so pages that only meet such come to the end', async () => {
  const Pairs = defineTable('pairs', { columns: { a: int32(), b: int32() }, key: ['a', 'b'], salt: bucket({ of: 'a', count: 2 }) })
  for (const reverse of [false, true]) {
    let now = 0
    const time = vi.spyOn(performance, 'now').mockImplementation(() => now)
    const store = memory()
    const seed = createMapper(store)
    await seed.ensureTables([Pairs])
    await seed.repository(Pairs).putMany([
      { a: 500, b: 1 },
      { a: -1, b: 1 },
    ])
    const db = createMapper(
      wrapped(store, {
        scan: (_, inner) => {
          const source = inner()
          const next = async (want: number) => {
            await setImmediate()
            now += 5
            return source.next(want)
          }
          return { next, close: () => { source.close() } } // prettier-ignore
        },
      }),
      { clock: () => now },
    )
    const where = { a: { in: [-1, ...Array.from({ length: 300 }, (_, i) => i), 500] } }
    const seen: number[] = []
    const cursors = new Set<string>()
    let cursor: string | undefined
    let calls = 0
    do {
      const page = await db
        .repository(Pairs)
        .scan(where, { order: reverse ? 'reverse' : undefined, deadline: now + 100 })
        .page({ cursor })
      seen.push(...page.rows.map(({ a }) => a))
      cursor = page.cursor
      calls += page.stats.calls
      if (cursor !== undefined) expect(cursors.has(cursor)).toBe(false)
      cursors.add(cursor ?? '')
    } while (cursor !== undefined)
    expect(seen).toEqual(reverse ? [500, -1] : [-1, 500])
    expect(cursors.size).toBeGreaterThan(3)
    expect(calls).toBeGreaterThanOrEqual(302)
    time.mockRestore()
  }
})

describe('SCAN-7: asking early', () => {
  /** Buckets of one row per page, that answer late; counts the requests made before the row in hand was used. */
  const slow = async (prefetch: boolean) => {
    let asked = 0
    const { things, watch } = await open(({ bucket }) => {
      let n = bucket
      return {
        next: async () => {
          asked++
          await setImmediate()
          const row = n
          n += 3
          return row < 12 ? { rows: [[row, 'x']], examined: 1 } : undefined
        },
        close: () => undefined,
      }
    })
    const rows = things.scan(all, { prefetch })[Symbol.asyncIterator]()
    await rows.next()
    await setImmediate()
    const early = asked
    const rest = []
    for (let step = await rows.next(); step.done !== true; step = await rows.next()) rest.push(step.value.n)
    expect(rest).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(watch.violations).toEqual([])
    expect(watch.left).toBe(0)
    return early
  }

  test('SCAN-7: with prefetch the next pages are on their way while rows are used, without it they are not', async () => {
    expect(await slow(false)).toBe(3)
    expect(await slow(true)).toBe(6)
  })

  test('SCAN-7: a page that was asked for early and fails, fails the scan when it is its turn, and is unheard when nobody comes', async () => {
    const sources = (): PageSource =>
      pagesOf(
        () => setImmediate().then(() => ({ rows: [], examined: 0 })),
        () => setImmediate().then(() => Promise.reject(new Error('second page'))),
      )
    const { things, watch } = await open(({ bucket }, inner) => (bucket === 2 ? sources() : inner()))
    await expect(things.scan(all, { prefetch: true }).toArray()).rejects.toThrow('second page')
    expect(watch.violations).toEqual([])
    const leaving = things.scan(all, { prefetch: true })[Symbol.asyncIterator]()
    const next = leaving.next()
    await setImmediate()
    await leaving.return?.()
    await next
    expect(watch.left).toBe(0)
  })

  test('SCAN-7: small ranges of a store that answers late are asked for several at a time, and never of one that answers at once', async () => {
    const Pairs = defineTable('pairs', { columns: { a: int32(), b: int32() }, key: ['a', 'b'] })
    const rounds = async (late: boolean): Promise<{ most: number; opened: number }> => {
      const store = memory()
      const seed = createMapper(store)
      await seed.ensureTables([Pairs])
      await seed.repository(Pairs).putMany(Array.from({ length: 200 }, (_, i) => ({ a: i, b: 1 })))
      let [running, most, opened] = [0, 0, 0]
      const db = createMapper(
        wrapped(store, {
          scan: (_, inner) => {
            const source = inner()
            opened++
            const next = async (want: number) => {
              most = Math.max(most, ++running)
              await setImmediate()
              running--
              return source.next(want)
            }
            return {
              next: late ? next : (want) => source.next(want),
              close: () => {
                source.close()
              },
            }
          },
        }),
      )
      const rows = await db
        .repository(Pairs)
        .scan({ a: { in: Array.from({ length: 100 }, (_, i) => 2 * i) } })
        .toArray()
      expect(rows.map(({ a }) => a)).toEqual(Array.from({ length: 100 }, (_, i) => 2 * i))
      return { most, opened }
    }
    expect(await rounds(false)).toEqual({ most: 0, opened: 100 })
    expect(await rounds(true)).toEqual({ most: 16, opened: 100 })
  })
})
