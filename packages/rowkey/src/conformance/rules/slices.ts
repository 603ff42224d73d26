// Tested by wrong.test.ts.
import type { Bound, Row, Slice } from '#store/adapter'
import type { World } from '../suite/world.js'
import { bytes, desc, int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { check, same } from '../check.js'
import { Random } from '../oracle/random.js'
import { after, before, bucketSlice, pagesOf, rowsOf, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers, PlainThings, Timeline } from '../suite/tables.js'

/** Any two bounds return the rows between them, in order, in pages of any size, and read no others. */
async function anyTwoBounds(world: World, reverse: boolean): Promise<void> {
  const { store, put } = await world.open(Numbers)
  const all = upTo(120).map((i) => 3 * i)
  await put(...all.map((n) => [n, `v${n}`]))
  const random = new Random(7)
  for (let round = 0; round < 60; round++) {
    const low = random.below(365)
    const high = low + 1 + random.below(365 - low)
    const [from, to] = [random.pick([before(low), after(low)]), random.pick([before(high), after(high)])]
    const inside = all.filter((n) => (from.edge === 'before' ? n >= low : n > low) && (to.edge === 'before' ? n < high : n <= high))
    const wanted = reverse ? inside.toReversed() : inside
    const size = random.pick([1, 2, 7, 1000])
    const pages = await pagesOf(store.scan({ bucket: 0, from, to, reverse }, strong), size)
    const what = `${edgeText(from)} to ${edgeText(to)}${reverse ? ', reverse' : ''}, in pages of ${size}`
    same(
      pages.flatMap(({ rows }) => rows),
      wanted.map((n) => [n, `v${n}`]),
      what,
    )
    const examined = pages.reduce((sum, page) => sum + page.examined, 0)
    check(examined >= inside.length, `${what}: ${examined} rows examined, ${inside.length} returned`)
    // If the end is only found by the row after it, that row is read too.
    const max = world.countWork ? inside.length + pages.length + 1 : Infinity
    check(examined <= max, `${what}: ${examined} rows examined, the slice has ${inside.length}`)
  }
}

const edgeText = ({ prefix, edge }: Bound): string => `${edge} ${String(prefix[0])}`

const Ordered = defineTable('ordered', {
  columns: { t: nullable(text(), { nulls: 'last' }), d: desc(text()), b: nullable(desc(bytes())), n: int32() },
  key: ['t', 'd', 'b', 'n'],
  writes: 'plain',
})

export const slices: readonly Rule[] = [
  rule('SCAN-1 R2 ADAPTER-2: any two bounds return the rows between them, in order, and read no others', (world) =>
    anyTwoBounds(world, false),
  ),
  rule('R18 ADAPTER-2: the same in reverse', (world) => anyTwoBounds(world, true), 'reverse'),

  rule('SCAN-1 R4: text is sorted by code point, DESC is reversed, nulls are where the column declares them', async (world) => {
    const { schema, store, put } = await world.open(Ordered)
    const random = new Random(3)
    const texts = ['', 'a', 'a\0', 'ab', '\ud7ff', '\uff5e', '\u{1f600}']
    const blobs = [null, new Uint8Array(), new Uint8Array([0]), new Uint8Array([255]), new Uint8Array([255, 0])]
    const rows = upTo(150).map((n): Row => [random.pick([null, ...texts]), random.pick(texts), random.pick(blobs), n])
    await put(...rows)
    const inOrder = rows.toSorted(schema.layout.compareRows)
    same(await rowsOf(store.scan(bucketSlice(0), strong), 11), inOrder, 'rows in key order')
    for (const t of [null, 'a', '\uff5e']) {
      const slice: Slice = { bucket: 0, from: before(t), to: after(t), reverse: false }
      same(
        await rowsOf(store.scan(slice, strong), 5),
        inOrder.filter((row) => row[0] === t),
        `rows with t = ${JSON.stringify(t)}`,
      )
      const turned: Slice = { ...slice, from: after(t, 'ab'), to: before(t, '') }
      const between = inOrder.filter((row) => row[0] === t && ['a', 'a\0'].includes(row[1] as string))
      same(await rowsOf(store.scan(turned, strong), 5), between, `rows with t = ${JSON.stringify(t)} and '' < d < 'ab', DESC`)
    }
  }),

  rule('SCAN-3 R11: a slice is of one bucket and one partition', async (world) => {
    const { schema, store, put } = await world.open(Timeline)
    const rows = ['a', 'b'].flatMap((tenant) => ['x', 'y', 'z'].flatMap((host) => upTo(20).map((at): Row => [tenant, host, at, 'v'])))
    await put(...rows)
    for (const tenant of ['a', 'b']) {
      for (let bucket = 0; bucket < 8; bucket++) {
        const own = rows.filter((row) => row[0] === tenant && schema.layout.bucketOf(row.slice(0, 3)) === bucket)
        const slice: Slice = { bucket, from: before(tenant), to: after(tenant), reverse: false }
        same(await rowsOf(store.scan(slice, strong), 7), own.toSorted(schema.layout.compareRows), `tenant ${tenant}, bucket ${bucket}`)
      }
      const [x] = ['x']
      const bucket = schema.layout.bucketOf([tenant, x, 0])
      const newest: Slice = { bucket, from: before(tenant, x), to: before(tenant, x, 9), reverse: false }
      same(
        (await rowsOf(store.scan(newest, strong), 4)).map((row) => row[2]),
        [19, 18, 17, 16, 15, 14, 13, 12, 11, 10],
        'the newest first',
      )
    }
  }),

  rule('SCAN-1: an empty table and a slice after the last row have no rows', async (world) => {
    const { store, put } = await world.open(Numbers)
    same(await rowsOf(store.scan(bucketSlice(0), strong)), [], 'a scan of an empty table')
    same(await rowsOf(store.fullScan(undefined, strong)), [], 'a full scan of an empty table')
    await put([2 ** 31 - 1, 'last'])
    same(await rowsOf(store.scan({ ...bucketSlice(0), from: after(2 ** 31 - 1) }, strong)), [], 'after the highest key')
    same(
      await rowsOf(store.scan({ ...bucketSlice(0), from: before(2 ** 31 - 1) }, strong)),
      [[2 ** 31 - 1, 'last']],
      'from the highest key on',
    )
  }),

  rule('SCAN-1 ADAPTER-1: scans fill the requested columns and the key, all others are null', async (world) => {
    const { schema, store, put } = await world.open(PlainThings)
    await put(['web', 1, 'x', 'y', 7], ['web', 2, 'x', null, null])
    const slice = bucketSlice(schema.layout.bucketOf(['web', 1]))
    const some = await rowsOf(store.scan(slice, { ...strong, columns: [3] }))
    same(
      some,
      [
        ['web', 1, null, 'y', null],
        ['web', 2, null, null, null],
      ],
      'column b only',
    )
    const none = await rowsOf(store.scan(slice, { ...strong, columns: [] }))
    same(
      none,
      [
        ['web', 1, null, null, null],
        ['web', 2, null, null, null],
      ],
      'no column: rows without values are rows',
    )
    const full = await rowsOf(store.fullScan(undefined, { ...strong, columns: [4] }))
    same(
      full,
      [
        ['web', 1, null, null, 7],
        ['web', 2, null, null, null],
      ],
      'column c of a full scan',
    )
  }),

  rule('SCAN-1: a table does not return the rows of another one whose name begins with the same text', async (world) => {
    const [one, two] = [
      await world.open(Numbers),
      await world.open(defineTable('numbers_2', { columns: { n: int32(), v: nullable(text()) }, key: ['n'], writes: 'plain' })),
    ]
    await one.put([1, 'one'], [3, 'one'])
    await two.put([1, 'two'], [2, 'two'])
    same(
      await rowsOf(one.store.scan(bucketSlice(0), strong)),
      [
        [1, 'one'],
        [3, 'one'],
      ],
      "rows of 'numbers'",
    )
    same(
      await rowsOf(two.store.scan(bucketSlice(0), strong)),
      [
        [1, 'two'],
        [2, 'two'],
      ],
      "rows of 'numbers_2'",
    )
    same(await one.store.get([[2]], strong), [undefined], "a row of 'numbers_2' asked for in 'numbers'")
    await two.remove([1])
    same(await one.store.get([[1]], strong), [[1, 'one']], "a row of 'numbers' after one of 'numbers_2' was deleted")
  }),
]
