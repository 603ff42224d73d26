import { bucket, desc, dictionary, int32, nullable, text, timestamp } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped } from '../../../../test/kit/wrapped.js'

const Events = defineTable('events', {
  columns: {
    host: text(),
    kind: dictionary({ login: 'z', logout: 'a' }),
    at: desc(timestamp('ms', { as: 'number' })),
    seq: int32(),
    note: nullable(text()),
    size: nullable(int32()),
  },
  key: ['host', 'at', 'kind', 'seq'],
  salt: bucket({ of: 'seq', modulo: 3 }),
})

async function open(adapter = memory()) {
  const db = createMapper(adapter)
  await db.ensureTables([Events])
  const events = db.repository(Events)
  const rows = Array.from({ length: 12 }, (_, seq) => ({
    host: seq < 8 ? 'a' : 'b',
    at: 100 + seq,
    kind: 'login' as const,
    seq,
    size: seq % 4,
  }))
  await events.putMany(rows)
  return events
}

describe('PAGE-1: limit is what a scan returns in all, and size what a page returns', () => {
  test('PAGE-1: the total of everything', async () => {
    const events = await open()
    const scan = events.scan({ host: 'a' }, { limit: 3 })
    const page = await scan.page()
    expect([page.rows.map(({ seq }) => seq), page.cursor, page.stop]).toEqual([[7, 6, 5], undefined, 'limit'])
    expect((await scan.toArray()).map(({ seq }) => seq)).toEqual([7, 6, 5])
    expect(await scan.count()).toBe(3)
    const seen = []
    for await (const { seq } of scan) seen.push(seq)
    expect(seen).toEqual([7, 6, 5])
    expect(await events.scan({ host: 'a' }).count()).toBe(8)
    expect(await events.scan({ host: 'a' }, { limit: 50 }).count()).toBe(8)
  })

  test('PAGE-1: a page beyond the limit is not given, whatever the sizes, and pages go back as they came', async () => {
    for (const limit of [1, 3, 4, 5, 8, 9, undefined]) {
      for (const size of [1, 2, 3, 8, 20]) {
        const events = await open()
        const scan = events.scan({ host: 'a' }, limit === undefined ? {} : { limit })
        const pages = [await scan.page({ size })]
        for (let last = pages[0]; last?.cursor !== undefined; last = pages.at(-1)) {
          const page = await scan.page({ size, cursor: last.cursor })
          // The way back gives the page before, and from there the way on gives this page.
          const back = await scan.page({ size, cursor: page.previous ?? expect.fail() })
          expect(back.rows).toEqual(last.rows)
          expect((await scan.page({ size, cursor: back.cursor })).rows).toEqual(page.rows)
          pages.push(page)
        }
        expect(pages.flatMap(({ rows }) => rows)).toEqual(await scan.toArray())
        const stop = pages.at(-1)?.stop
        expect(limit === undefined || limit > 8 ? stop === 'exhausted' : ['exhausted', 'limit'].includes(stop ?? '')).toBe(true)
      }
    }
  })

  test('PAGE-1: the rows of an iteration count too, if pages continue it', async () => {
    const events = await open()
    const scan = events.scan({ host: 'a' }, { limit: 6, maxExamined: 4 })
    const given: number[] = []
    const { details } = await refusalOf(async () => {
      for await (const { seq } of scan) given.push(seq)
    })
    for (let cursor = details['cursor'] as string | undefined; cursor !== undefined;) {
      const page = await scan.page({ cursor })
      given.push(...page.rows.map(({ seq }) => seq))
      cursor = page.cursor
    }
    expect(given).toEqual([7, 6, 5, 4, 3, 2])
  })

  test('PAGE-1: page is 100 rows without a size, everything else is complete', async () => {
    const events = await open()
    await events.putMany(Array.from({ length: 300 }, (_, seq) => ({ host: 'c', at: seq, kind: 'logout' as const, seq })))
    const scan = events.scan({ host: 'c' })
    const { rows, stop, stats } = await scan.page()
    expect([rows.length, stop, stats.returned]).toEqual([100, 'size', 100])
    expect([(await scan.toArray()).length, await scan.count()]).toEqual([300, 300])
  })

  test('PAGE-1: the filter comes before the limit', async () => {
    const events = await open()
    const even = { filter: ({ seq }: { seq: number }) => seq % 2 === 0, limit: 3 }
    expect((await events.scan({ host: 'a' }, even).page()).rows.map(({ seq }) => seq)).toEqual([6, 4, 2])
    expect((await events.scan({ host: 'a' }, { filter: even.filter }).page({ size: 2 })).rows.map(({ seq }) => seq)).toEqual([6, 4])
    expect(await events.scan({ host: 'a' }, even).count()).toBe(3)
    expect(await events.scan({ host: 'a', size: 0 }, { limit: 2 }).count()).toBe(2)
  })

  test('PAGE-1: in a GET plan a page counts keys asked for, the others rows', async () => {
    const events = await open()
    const keys = { host: 'a', at: { in: [100, 101, 102, 103, 200, 201] }, kind: 'login', seq: { in: [0, 1, 2, 3] } } as const
    const scan = events.scan(keys, { limit: 2 })
    expect(scan.explain().keys).toBe(24)
    expect((await scan.page({ size: 2 })).rows).toEqual([]) // the first of the 24 keys are of 201 and 200
    expect((await scan.toArray()).map(({ seq }) => seq)).toEqual([3, 2])
    expect(await scan.count()).toBe(2)
    const all = []
    for await (const { seq } of events.scan(keys)) all.push(seq)
    expect(all).toEqual([3, 2, 1, 0])
    let cursor: string | undefined
    const paged = []
    do {
      const page = await events.scan(keys, { order: 'reverse' }).page({ size: 5, cursor })
      paged.push(...page.rows.map(({ seq }) => seq))
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(paged).toEqual([0, 1, 2, 3])
  })

  test('PAGE-1: what is no whole number from 1 is INVALID_OPTION', async () => {
    const events = await open()
    for (const limit of [0, -1, 1.5, NaN, Infinity, '3', null, 2 ** 53, 3n]) {
      const scan = events.scan({ host: 'a' }, { limit: limit as number })
      for (const use of ['page', 'toArray', 'count'] as const) expect(await codeOf(() => scan[use]())).toBe('INVALID_OPTION')
      expect(await codeOf(() => scan[Symbol.asyncIterator]().next())).toBe('INVALID_OPTION')
    }
    for (const option of ['maxRanges', 'maxFanOut'] as const) {
      for (const value of [0, -1, 2.5, NaN, Infinity, '3', null, ...(option === 'maxRanges' ? [100_001] : [])]) {
        const error = await refusalOf(() => events.scan({ host: 'a' }, { [option]: value as number }).explain())
        expect(error.code).toBe('INVALID_OPTION')
        expect(error.details['option']).toBe(option)
      }
    }
  })
})

describe('SCAN-2: order', () => {
  const times = { a: { host: 'a', at: 100 }, many: { host: { in: ['a', 'b'] } } }
  const available: [where: object, order: object | string, reverse: boolean][] = [
    [{ host: 'a' }, { at: 'desc' }, false],
    [{ host: 'a' }, { at: 'asc' }, true],
    [{ host: 'a' }, { host: 'asc', at: 'asc' }, true],
    [{ host: 'a' }, { host: 'desc', at: 'desc' }, false],
    [{ host: { in: ['a'] } }, { at: 'desc' }, false],
    [{ host: 'a', at: { in: [100] } }, { at: 'asc' }, true], // as with two values
    [{ host: { gte: 'a' } }, { host: 'asc' }, false],
    [{ host: { gte: 'a' } }, { host: 'desc' }, true],
    [{ host: { gte: 'a' } }, { host: 'asc', at: 'desc' }, false],
    [{ host: { gte: 'a' } }, { host: 'desc', at: 'asc' }, true],
    [times.many, { host: 'desc', at: 'asc' }, true],
    [{ host: 'a', at: 100, kind: 'login' }, { seq: 'desc' }, true],
    [{ host: 'a', at: 100, kind: 'login' }, { host: 'desc', kind: 'asc', seq: 'asc' }, false],
    [{ host: 'a', at: 100, kind: 'login', seq: 1 }, { seq: 'desc', host: 'asc' }, false],
    [{ host: 'a' }, {}, false],
    [{ host: 'a' }, 'reverse', true],
    [times.many, 'reverse', true],
  ]
  test.each(available)('SCAN-2: %j gives %j', async (where, order, reverse) => {
    const events = await open()
    const scan = events.scan(where as never, { order } as never)
    expect(scan.explain().reverse).toBe(reverse)
    const forward = (await events.scan(where as never).toArray()) as { seq: number }[]
    const got = (await scan.toArray()) as { seq: number }[]
    expect(got).toEqual(reverse ? forward.toReversed() : forward)
  })

  const unavailable: [where: object, order: object, why: string][] = [
    [{ host: 'a' }, { seq: 'asc' }, "'at' comes before 'seq' in the key"],
    [{ host: { gte: 'a' } }, { at: 'asc' }, "'host' comes before 'at' in the key"],
    [times.many, { seq: 'desc' }, "'at' comes before 'seq' in the key"],
    [{ host: { in: ['a'], gte: 'a' }, at: { gte: 5 } }, { seq: 'asc' }, "'at' comes before 'seq' in the key"],
    [{ host: { gte: 'a' } }, { host: 'asc', at: 'asc' }, "'at' has the other direction"],
    [{ host: { gte: 'a' } }, { at: 'desc', host: 'asc' }, "'host' comes before 'at' in the key"],
    [{ host: { in: ['a'] } }, { host: 'asc', at: 'asc' }, "'at' has the other direction"],
    [{ host: 'a' }, { note: 'asc' }, "'note' is not a key column"],
    [{ host: 'a' }, { nope: 'asc' }, "'nope' is not a key column"],
    [{ host: 'a' }, { at: 'up' }, `the direction of 'at' cannot be "up", give 'asc' or 'desc'`],
    [{ host: 'a', at: 100 }, { kind: 'asc' }, "'kind' is not stored in the order of its values"],
  ]
  test.each(unavailable)('SCAN-2: %j cannot give %j', async (where, order, why) => {
    const events = await open()
    for (const use of ['page', 'toArray', 'count', 'explain'] as const) {
      const error = await refusalOf(() => events.scan(where as never, { order } as never)[use]())
      expect(error.code).toBe('ORDER_UNAVAILABLE')
      expect(error.message).toContain(why)
      expect(error.details).toEqual({
        table: 'events',
        order: Object.entries(order).map(([name, direction]) => `${name} ${direction as string}`),
      })
    }
  })
})

describe('SCAN-1: select', () => {
  test('SCAN-1: plain objects with just the columns asked for, in that order', async () => {
    const events = await open()
    const [first] = await events.scan({ host: 'b' }, { select: ['seq', 'host'] }).toArray()
    expect(Object.entries(first ?? {})).toEqual([
      ['seq', 11],
      ['host', 'b'],
    ])
    expect(await events.scan({ host: 'b' }, { select: [], limit: 2 }).toArray()).toEqual([{}, {}])
  })

  test('SCAN-1: a condition on a column that is not selected still holds, and it is not shown', async () => {
    const events = await open()
    const found = await events.scan({ host: 'a', size: { gte: 2 }, note: null }, { select: ['seq'] }).toArray()
    expect(found).toEqual([{ seq: 7 }, { seq: 6 }, { seq: 3 }, { seq: 2 }])
    expect(await events.scan({ host: 'a', size: { gte: 2 } }, { select: ['seq'] }).count()).toBe(4)
  })

  test('SCAN-1: the store is asked for no other columns; a count for none', async () => {
    const asked: unknown[] = []
    const adapter = wrapped(memory(), {
      scan(_, inner, options) {
        asked.push(options.columns)
        return inner()
      },
    })
    const events = await open(adapter)
    await events.scan({ host: 'a', seq: 1 }, { select: ['note', 'seq'] }).toArray()
    await events.scan({ host: 'a', seq: 1, size: 1 }, { select: ['note'] }).toArray()
    await events.scan({ host: 'a', seq: 1, size: 1 }).count()
    await events.scan({ host: 'a', seq: 1 }).count()
    await events.scan({ host: 'a', seq: 1 }).toArray()
    expect(asked).toEqual([[4], [4, 5], [5], [], undefined]) // note, size
  })

  test('SCAN-1: the filter sees what is selected, and its object is the one that is returned', async () => {
    const events = await open()
    const seen: object[] = []
    const filter = (row: object): boolean => seen.push(row) > 1
    const rows = await events.scan({ host: 'b' }, { select: ['seq'], filter }).toArray()
    expect(seen).toEqual([{ seq: 11 }, { seq: 10 }, { seq: 9 }, { seq: 8 }])
    expect(rows.every((row) => seen.includes(row))).toBe(true)
    expect(await events.scan({ host: 'b' }, { select: ['seq'], filter: ({ seq }) => seq > 9 }).count()).toBe(2)
  })

  test('SCAN-1: an unknown column is refused', async () => {
    const events = await open()
    const error = await refusalOf(() => events.scan({ host: 'a' }, { select: ['sqe' as 'seq'] }).page())
    expect(error.code).toBe('UNKNOWN_COLUMN')
    expect(error.details).toEqual({ table: 'events', column: 'sqe' })
  })
})

test('SCAN-6: what the store lacks is refused when the repository is made or the scan explained or run', async () => {
  const adapter = memory()
  await open(adapter)
  const forward = createMapper(wrapped(adapter, { capabilities: { reverse: false } })).repository(Events)
  for (const use of ['page', 'toArray', 'count', 'explain'] as const) {
    for (const options of [{ order: 'reverse' }, { order: { at: 'asc' } }] as const) {
      const error = await refusalOf(() => forward.scan({ host: 'a' }, options)[use]())
      expect(error.code).toBe('NOT_SUPPORTED')
      expect(error.details).toEqual({ table: 'events', capability: 'reverse', adapter: 'stub' })
    }
  }
  expect(await forward.scan({ host: 'a' }, { order: { at: 'desc' } }).count()).toBe(8)
  const first = await forward.scan({ host: 'a' }).page({ size: 3 })
  const second = await forward.scan({ host: 'a' }).page({ size: 3, cursor: first.cursor })
  expect([second.rows.length, second.previous]).toEqual([3, undefined]) // the page before it would be read backwards
  // Keys are read one by one, so their order is the core's.
  const keys = { host: 'a', at: 107, kind: 'login', seq: { in: [6, 7] } } as const
  expect(await forward.scan(keys, { order: 'reverse' }).count()).toBe(1)
  const plain = createMapper(wrapped(adapter, { capabilities: { conditions: 'none' } }))
  const error = await refusalOf(() => plain.repository(Events))
  expect([error.code, error.details['capability']]).toEqual(['NOT_SUPPORTED', 'conditions'])
  const presence = createMapper(wrapped(adapter, { capabilities: { conditions: 'presence' } })).repository(Events)
  expect(await codeOf(() => presence.insert({ host: 'a', at: 107, kind: 'login', seq: 7 }))).toBe('ROW_EXISTS')
})
