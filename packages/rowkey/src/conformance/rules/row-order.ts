// Tested by wrong.test.ts.
import { int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { same } from '../check.js'
import { upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'

const passes = { version: 1, vendor: 'rowkey', validate: () => ({}) } as const
const columns = { k: text(), v: int32(), w: nullable(text()) }
const Ordered = defineTable('ordered', { columns, key: ['k'] })
/** Changes of its rows read the row, to check it. */
const CheckedOrdered = defineTable('ordered_checked', { columns, key: ['k'], version: 'rev', check: { '~standard': passes } })
const PlainOrdered = defineTable('ordered_plain', { columns, key: ['k'], writes: 'plain' })

interface Given {
  readonly k: string
  readonly v: number
  readonly w: string | null
}
/** What both tables have. */
interface PlainRows {
  put(row: Given): Promise<unknown>
  putMany(rows: readonly Given[]): Promise<unknown>
  delete(key: { k: string }): Promise<unknown>
  get(key: { k: string }): Promise<{ readonly v: number } | undefined>
}
interface Rows extends PlainRows {
  insert(row: Given): Promise<unknown>
  update(key: { k: string }, set: { v: number }): Promise<unknown>
  increment(key: { k: string }, by: { v: number }): Promise<unknown>
}

const rounds = 8

/** Two writes of one row and the value of `v` after them; undefined: no row. The row exists before. */
type Pair<R> = readonly [what: string, first: (rows: R) => Promise<unknown>, second: (rows: R) => Promise<unknown>, v: number | undefined]

const key = { k: 'a' }
const put = (v: number, w: string | null) => (rows: PlainRows) => rows.put({ ...key, v, w })
const putMany = (v: number, w: string | null) => (rows: PlainRows) => rows.putMany(['b', 'a', 'c'].map((k) => ({ k, v, w })))
const remove = (rows: PlainRows): Promise<unknown> => rows.delete(key)
const update = (v: number) => (rows: Rows) => rows.update(key, { v })
const increment = (v: number) => (rows: Rows) => rows.increment(key, { v })
const insert = (v: number) => (rows: Rows) => rows.insert({ ...key, v, w: null })

const plainPairs: readonly Pair<PlainRows>[] = [
  ['put, put', put(1, 'x'), put(2, 'y'), 2],
  ['put with a null, put', put(1, null), put(2, 'y'), 2],
  ['put, put with a null', put(1, 'x'), put(2, null), 2],
  ['put, delete', put(1, 'x'), remove, undefined],
  ['delete, put', remove, put(2, 'y'), 2],
  ['putMany, put', putMany(1, 'x'), put(2, 'y'), 2],
  ['put, putMany with a null', put(1, 'x'), putMany(2, null), 2],
  ['putMany, delete', putMany(1, 'x'), remove, undefined],
]
const conditionalPairs: readonly Pair<Rows>[] = [
  ['put, update', put(1, 'x'), update(2), 2],
  ['update, put', update(1), put(2, 'x'), 2],
  ['update, delete', update(1), remove, undefined],
  ['increment, put', increment(1), put(2, 'x'), 2],
  ['put, increment', put(1, 'x'), increment(2), 3],
  ['delete, insert', remove, insert(2), 2],
  ['update, update', update(1), update(2), 2],
]

async function inOrder<R extends PlainRows>(rows: R, pairs: readonly Pair<R>[]): Promise<void> {
  for (const [what, first, second, v] of pairs) {
    const got: unknown[] = []
    for (let round = 0; round < rounds; round++) {
      await rows.put({ ...key, v: 0, w: 'before' })
      await Promise.all([first(rows), second(rows)])
      got.push((await rows.get(key))?.v)
    }
    same(
      got,
      upTo(rounds).map(() => v),
      `v after ${what}, which are called one after the other`,
    )
  }
}

export const rowOrder: readonly Rule[] = [
  rule('WRITE-23 ADAPTER-19: writes of one row that do not wait for each other take effect in the order of their calls', async (world) =>
    inOrder<PlainRows>(await world.repository(PlainOrdered), plainPairs),
  ),
  rule(
    'WRITE-23: the same with writes that have conditions',
    async (world) => inOrder<Rows>(await world.repository(Ordered), [...plainPairs, ...conditionalPairs]),
    'columns',
  ),
  rule(
    'WRITE-23: the same with changes that read the row, and with batches that send it twice',
    async (world) => {
      const { db } = world
      const rows = await world.repository(CheckedOrdered)
      const plain = await world.repository(Ordered)
      const both = (one: number, other: number) => async (): Promise<unknown> =>
        db.write([plain.ops.update(key, { v: one }), plain.ops.update(key, { v: other })])
      const modify = (v: number) => async (): Promise<unknown> => rows.modify(key, () => ({ v }))
      await inOrder<Rows>(rows, [
        ...conditionalPairs,
        ['put, modify', put(1, 'x'), modify(2), 2],
        ['modify, put', modify(1), put(2, 'x'), 2],
        ['modify, increment', modify(1), increment(2), 3],
      ])
      await inOrder<Rows>(plain, [
        ['two updates, put', both(1, 2), put(3, 'x'), 3],
        ['put, two updates', put(3, 'x'), both(1, 2), 2],
        ['two updates, delete', both(1, 2), remove, undefined],
      ])
    },
    'columns',
  ),
]
