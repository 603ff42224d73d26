import { bucket, int32, text } from 'rowkey/codec'
import { createMapper, defineTable, memory, type CallEvent } from 'rowkey'
import { expect, test } from 'vitest'
import { pagesOf } from '../src/store/reading.js'
import type { Where } from '../src/where/where-of.js'

const count = 6_000
const buckets = 64
const Visits = defineTable('visits', {
  columns: { day: text(), n: int32(), host: text() },
  key: ['day', 'n'],
  salt: bucket({ of: 'n', count: buckets }),
})

/** A store with rows, and what calls on it cost. */
async function stored() {
  const events: CallEvent[] = []
  const db = createMapper(memory(), { onCall: (event) => events.push(event) })
  await db.ensureTables([Visits])
  const visits = db.repository(Visits)
  await visits.putMany(Array.from({ length: count }, (_, n) => ({ day: n % 3 === 0 ? 'mon' : 'tue', n, host: `web-${n % 2}` })))
  events.length = 0
  const cost = (): { calls: number; examined: number } => {
    const all = events.flatMap((event) => ('stats' in event && event.stats !== undefined ? [event.stats] : []))
    return { calls: all.reduce((sum, { calls }) => sum + calls, 0), examined: all.reduce((sum, { examined }) => sum + examined, 0) }
  }
  return { visits: db.repository(Visits) as never, cost, events }
}

async function read(table: never, where: Where, options: object, from?: string): Promise<{ ns: unknown[]; cursors: string[] }> {
  const [ns, cursors]: [unknown[], string[]] = [[], []]
  for await (const { rows, next } of pagesOf(table, where, options, {}, from)) {
    ns.push(...rows.map(({ n }) => n))
    cursors.push(await next())
  }
  return { ns, cursors }
}

const ways: [string, Where, object][] = [
  ['of one day', { day: 'tue' }, {}],
  ['against the order of the key', { day: 'tue' }, { order: 'reverse' }],
  ['of a list of days', { day: { in: ['mon', 'tue'] } }, {}],
  ['of a list of days that are merged', { day: { in: ['mon', 'tue'] } }, { order: { n: 'desc' } }],
  ['of the whole table, with a condition on a value', { host: 'web-1' }, { unbounded: true }],
]

test.each(ways)('rows %s: as many requests as one scan, which does not start again for each page', async (_, where, options) => {
  const { visits, cost, events } = await stored()
  const { ns, cursors } = await read(visits, where, options)
  const pages = cost()
  events.length = 0
  const whole = await (visits as { scan(where: object, options: object): { toArray(): Promise<{ n: number }[]> } })
    .scan(where, options)
    .toArray()
  expect(ns).toEqual(whole.map(({ n }) => n))
  expect(cursors.length).toBe(Math.ceil(ns.length / 1024))
  expect(pages).toEqual(cost())
})

test.each(ways)(
  'rows %s: every cursor continues with the rows after its page, and costs one page more at most',
  async (_, where, options) => {
    const { visits, cost, events } = await stored()
    const { ns, cursors } = await read(visits, where, options)
    const whole = cost()
    for (const [at, cursor] of cursors.entries()) {
      events.length = 0
      expect((await read(visits, where, options, cursor)).ns).toEqual(ns.slice((at + 1) * 1024))
      expect(cost().calls).toBeLessThanOrEqual(2 * whole.calls)
    }
  },
)

test('keys that do not exist, more than a page of them, do not end what goes on after a cursor', async () => {
  const db = createMapper(memory())
  const Sparse = defineTable('sparse', { columns: { n: int32() }, key: ['n'] })
  await db.ensureTables([Sparse])
  const sparse = db.repository(Sparse)
  await sparse.putMany([{ n: 0 }, { n: 2999 }])
  const where = { n: { in: Array.from({ length: 3000 }, (_, n) => n) } }
  const cursor = await sparse.scan(where).cursorOf({ n: 0 })
  expect((await read(sparse as never, where, {}, cursor)).ns).toEqual([2999])
})
