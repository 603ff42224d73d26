// Tested by wrong.test.ts.
import { isPromise } from '#store/adapter'
import { check, refused, same, thrown } from '../check.js'
import { turn, within } from '../suite/patience.js'
import { bucketSlice, rowsOf, strong, upTo } from '../suite/reading.js'
import type { World } from '../suite/world.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers } from '../suite/tables.js'

export const closing: readonly Rule[] = [
  {
    ...rule(
      'ADAPTER-13: close() does not wait for pages that are open or pending, may be called twice, and later calls are CLOSED',
      closes,
    ),
    alone: true,
  },

  rule(
    'SCAN-4: close() of a source never waits, may be called twice, before, between and during pages, and does not disturb other reads',
    async (world) => {
      const { store, put } = await world.open(Numbers)
      await put(...upTo(100).map((n) => [n, 'x']))
      for (const pages of [0, 1, 3]) {
        const source = store.scan(bucketSlice(0), strong)
        for (let i = 0; i < pages; i++) await source.next(10)
        source.close()
        source.close()
      }
      for (let i = 0; i < 5; i++) {
        const source = store.scan(bucketSlice(0), strong)
        const pending = source.next(50)
        if (isPromise(pending)) pending.catch(() => undefined) // its result does not matter
        source.close()
      }
      await turn()
      same((await rowsOf(store.scan(bucketSlice(0), strong))).length, 100, 'rows of a scan after all that')
    },
  ),

  rule('SCAN-4: an early break and an abort end immediately, although pages are open', async (world) => {
    const table = await world.repository(Numbers)
    await table.putMany(upTo(300).map((n) => ({ n, v: 'x' })))
    let seen = 0
    for await (const { n } of table.scan({ n: { gte: 0 } })) {
      same(n, seen++, 'rows in order')
      if (seen === 70) break
    }
    const stop = new AbortController()
    const reason = new Error('stopped')
    const end = (async () => {
      for await (const { n } of table.scan({ n: { gte: 0 } }, { signal: stop.signal })) if (n === 70) stop.abort(reason)
    })()
    const given: unknown = await end.then(
      () => 'the end',
      (error: unknown) => error,
    )
    check(given === reason, `an aborted iteration ends with ${thrown(given)}, not with the reason of its signal`)
    same(await table.scan({ n: { gte: 0 } }).count(), 300, 'rows of a scan afterwards')
  }),
]

async function closes(world: World): Promise<void> {
  const { adapter, patience } = world
  const { schema, store, put } = await world.open(Numbers)
  await put(...upTo(100).map((n) => [n, 'x']))
  const [open, pending] = [store.scan(bucketSlice(0), strong), store.fullScan(undefined, strong)]
  await open.next(10)
  const page = pending.next(10)
  if (isPromise(page)) page.catch(() => undefined)
  await within(patience, 'close() while pages are open', adapter.close())
  await within(patience, 'a second close()', adapter.close())
  const calls: readonly (readonly [string, () => unknown])[] = [
    ['get()', () => store.get([[1]], strong)],
    ['next() of an open source', () => open.next(10)],
    ['scan()', () => store.scan(bucketSlice(0), strong).next(10)],
    ['fullScan()', () => store.fullScan(undefined, strong).next(10)],
    ['write()', () => adapter.write([{ schema, kind: 'put', row: [1, 'y'] }], { now: 0 })],
    ['ensureTable()', () => adapter.ensureTable(schema)],
    ['describeTable()', () => adapter.describeTable(schema.name)],
  ]
  for (const [what, run] of calls)
    await refused(`${what} after close()`, async () => within(patience, what, Promise.resolve(run())), 'CLOSED')
}
