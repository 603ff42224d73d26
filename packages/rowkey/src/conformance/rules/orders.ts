// Tested by wrong.test.ts.
import type { World } from '../suite/world.js'
import { bucket, desc, int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { check, refused, same } from '../check.js'
import { upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'

const Orders = defineTable('feeds', {
  columns: { buyer: text(), at: desc(int32()), no: int32(), note: nullable(text()) },
  key: ['buyer', 'at', 'no'],
  salt: bucket({ of: 'no', modulo: 3 }),
  writes: 'plain',
})
const Partitioned = defineTable('feeds_of_partitions', {
  columns: { buyer: text(), at: desc(int32()), no: int32(), note: nullable(text()) },
  partition: ['buyer'],
  key: ['at', 'no'],
  writes: 'plain',
})

const buyers = ['ann', 'bob', 'cy', 'dee']
const all = upTo(60).map((i) => ({
  buyer: buyers[(i * 7) % 4] ?? '',
  at: (i * 13) % 20,
  no: i,
  note: i % 3 === 0 ? 'third' : null,
}))

type Order = (typeof all)[number]

const newestFirst = (a: Order, b: Order): number => b.at - a.at || a.no - b.no || (a.buyer < b.buyer ? -1 : 1)
const followed = ['ann', 'cy', 'dee']
const wanted = all.filter(({ buyer }) => followed.includes(buyer)).sort(newestFirst)
const feed = { buyer: { in: followed } }

async function filledIn(world: World, schema: typeof Orders | typeof Partitioned = Orders) {
  const table = await world.repository(schema as typeof Orders)
  await table.putMany(all)
  return table
}

export const orders: readonly Rule[] = [
  ...[Orders, Partitioned].map((schema) =>
    rule(`SCAN-10: an in list on ${schema.partitionLength > 0 ? 'a partition column' : 'the first column'} is one feed`, async (world) => {
      const table = await filledIn(world, schema)
      const order = { at: 'desc' } as const
      same(await table.scan(feed, { order }).toArray(), wanted, 'newest of all')
      same(await table.scan(feed, { order, limit: 7 }).toArray(), wanted.slice(0, 7), 'the first seven')
      const third = wanted.filter(({ note }) => note !== null)
      same(await table.scan({ ...feed, note: 'third' }, { order, limit: 5 }).toArray(), third.slice(0, 5), 'a filtered feed')
      const seen: Order[] = []
      let cursor: string | undefined
      do {
        const page = await table.scan(feed, { order }).page({ size: 4, cursor })
        seen.push(...page.rows)
        cursor = page.cursor
      } while (cursor !== undefined)
      same(seen, wanted, 'the feed in pages')
      for (const limit of upTo(8).slice(1)) {
        const rare = { ...feed, note: 'third', no: { lt: 40 } }
        const few = third.filter(({ no }) => no < 40)
        const found: Order[] = []
        let next: string | undefined
        let pages = 0
        do {
          const page = await table.scan(rare, { order }).page({ size: limit, cursor: next })
          found.push(...page.rows)
          next = page.cursor
          check(++pages < 100, 'paging ends')
        } while (next !== undefined)
        same(found, few, `a filtered feed in pages of ${limit}`)
      }
      await refused('more ranges than maxFanOut', () => table.scan(feed, { order, maxFanOut: 2 }).page(), 'FAN_OUT_EXCEEDED')
    }),
  ),
  rule(
    'SCAN-10: a feed backwards',
    async (world) => {
      const table = await filledIn(world)
      same(await table.scan(feed, { order: { at: 'asc' } }).toArray(), wanted.toReversed(), 'oldest of all')
    },
    'reverse',
  ),
  rule('SCAN-11: a scan starts and ends at keys, in its own order', async (world) => {
    const table = await filledIn(world)
    const own = all.filter(({ buyer }) => buyer === 'ann').sort(newestFirst)
    const middle = own[5] as Order
    const where = { buyer: 'ann' }
    same(await table.scan(where, { from: middle }).toArray(), own.slice(5), 'from a row')
    same(await table.scan(where, { after: { at: middle.at, no: middle.no } }).toArray(), own.slice(6), 'after a key without its buyer')
    same(await table.scan(where, { to: middle, limit: 4 }).toArray(), own.slice(0, 4), 'to a row, with a limit')
    same(await table.scan(where, { before: middle }).toArray(), own.slice(0, 5), 'before a row')
    const from = own.filter(({ at }) => at <= middle.at)
    same(await table.scan(where, { from: { at: middle.at } }).toArray(), from, 'from the first columns of a key')
    const fed = wanted.filter(({ at }) => at < 12 && at >= 5)
    same(await table.scan(feed, { order: { at: 'desc' }, after: { at: 12 }, to: { at: 5 } }).toArray(), fed, 'a part of a feed')
  }),
  rule(
    'PAGE-6: previous pages are the pages before, also under a filter and after deletes',
    async (world) => {
      const table = await filledIn(world)
      for (const [where, options, ordered] of [
        [{ buyer: 'ann' }, {}, all.filter(({ buyer }) => buyer === 'ann').sort(newestFirst)],
        [{ ...feed, note: 'third' }, { order: { at: 'desc' as const } }, wanted.filter(({ note }) => note !== null)],
      ] as const) {
        const scan = (cursor?: string) => table.scan(where, options).page({ size: 4, cursor })
        const first = await scan()
        check(first.previous === undefined, 'the first page has no page before it')
        const second = await scan(first.cursor)
        const third = await scan(second.cursor)
        same(third.rows, ordered.slice(8, 12), 'the third page')
        const back = await scan(third.previous)
        same(back.rows, second.rows, 'the page before the third')
        same((await scan(back.cursor)).rows, third.rows, 'the page after it')
        const start = await scan(back.previous)
        same(start.rows, first.rows, 'the page before the second')
        check(start.previous === undefined, 'no page before the first one, reached backwards')
        await table.deleteMany(second.rows.slice(1, 3))
        same((await scan(third.previous)).rows, [...first.rows.slice(2), second.rows[0], second.rows[3]], 'after deletes')
        await table.putMany(second.rows)
      }
    },
    'reverse',
  ),
]
