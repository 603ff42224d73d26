// Tested by wrong.test.ts.
import type { Page, Row, TableStore } from '#store/adapter'
import { check, same } from '../check.js'
import { rowsOf, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers, PlainThings, Timeline } from '../suite/tables.js'

/** Bytes of UTF-8 that 16 checkpoints may have each, so that they fit into one. */
const maxBytes = 3000

const textsOf = (rows: readonly Row[]): readonly string[] => rows.map((row) => JSON.stringify(row)).toSorted()

async function splitsOf(store: TableStore, count: number): Promise<readonly string[]> {
  const splits = (await store.splits?.(count, strong)) ?? []
  check(splits.length >= 1 && splits.length <= count, `splits(${count}) returns ${splits.length} splits`)
  check(new Set(splits).size === splits.length, `splits(${count}) returns the same split twice`)
  for (const split of splits)
    check(split !== '' && new TextEncoder().encode(split).length <= maxBytes, `a split has 1 to ${maxBytes} bytes`)
  return splits
}

/** The rows of a split, each page from a new source. */
async function byCheckpoints(store: TableStore, split: string, want: number): Promise<readonly Row[]> {
  const found: Row[] = []
  let checkpoint: string = split
  for (let n = 0; ; n++) {
    check(n < 1000, 'a split by checkpoints ends')
    const source = store.fullScan(checkpoint, strong)
    const page: Page | undefined = await source.next(want)
    source.close()
    if (page === undefined) return found
    found.push(...page.rows)
    check(page.checkpoint !== undefined, 'every page of a split has a checkpoint')
    check(new TextEncoder().encode(page.checkpoint).length <= maxBytes, `a checkpoint of a split has at most ${maxBytes} bytes`)
    checkpoint = JSON.parse(JSON.stringify(page.checkpoint)) as string
  }
}

/** All splits together are all rows, each once, read from sources and by checkpoints. */
async function coverAll(store: TableStore, rows: readonly Row[], what: string): Promise<void> {
  for (const count of [1, 3, 16]) {
    const splits = await splitsOf(store, count)
    const parts: Row[][] = []
    for (const split of splits) parts.push([...(await rowsOf(store.fullScan(split, strong), 7))])
    same(textsOf(parts.flat()), textsOf(rows), `rows of ${splits.length} splits of ${what}`)
    const again: (readonly Row[])[] = []
    for (const split of splits) again.push(await byCheckpoints(store, split, 5))
    same(again.map(textsOf), parts.map(textsOf), `rows of the ${splits.length} splits of ${what}, by checkpoints`)
  }
}

/** A store that cannot split tables reads them as a whole. */
const lacks = (store: TableStore): boolean => store.splits === undefined

export const splits: readonly Rule[] = [
  rule('ADAPTER-15: splits together return every row once, also by checkpoints, whatever the key', async (world) => {
    const [numbers, things, timeline] = [await world.open(Numbers), await world.open(PlainThings), await world.open(Timeline)]
    if (lacks(numbers.store)) return
    await coverAll(numbers.store, [], 'an empty table')
    const few = upTo(3).map((n): Row => [n * 1000, null])
    await numbers.put(...few)
    await coverAll(numbers.store, few, 'three rows')
    const many = upTo(300).map((n): Row => [n * 7919 - 1_000_000, `v${n}`])
    await numbers.put(...many)
    await coverAll(numbers.store, [...few.filter(([n]) => !many.some(([other]) => other === n)), ...many], 'rows of one bucket')
    const hosts = upTo(20).flatMap((host) => upTo(8).map((n): Row => [`host-${host}`, n, 'a', null, n]))
    await things.put(...hosts)
    await coverAll(things.store, hosts, 'rows of four buckets')
    const tenants = ['a', 'b', 'c', '\u{1f600}'].flatMap((tenant) =>
      ['x', 'y', 'z'].flatMap((host) => upTo(10).map((at): Row => [tenant, host, at, 'v'])),
    )
    await timeline.put(...tenants)
    await coverAll(timeline.store, tenants, 'rows of partitions')
  }),

  rule('ADAPTER-15: rows that exist all the time come once from splits, whatever is written in the meantime', async (world) => {
    const { store, put, remove } = await world.open(Numbers)
    if (lacks(store)) return
    const stays = upTo(120).map((i): Row => [10 * i, 'stays'])
    await put(...stays, ...stays.map(([n]): Row => [Number(n) + 5, 'goes']))
    const found: Row[] = []
    for (const [i, split] of (await splitsOf(store, 4)).entries()) {
      // Before, between and after the rows, also at the ends of splits.
      await put([-1 - i, 'new'], [100_000 + i, 'new'], ...upTo(120).map((n): Row => [10 * n + 1 + i, 'new']))
      const source = store.fullScan(split, strong)
      for (let page = await source.next(9); page !== undefined; page = await source.next(9)) {
        found.push(...page.rows)
        await remove(...page.rows.filter(([, v]) => v === 'goes').map(([n]): Row => [n as number]))
      }
      await remove(
        ...upTo(120)
          .map((n): Row => [10 * n + 5])
          .filter((_, n) => n % 4 === i),
      )
    }
    same(textsOf(found.filter(([, v]) => v === 'stays')), textsOf(stays), 'rows that exist all the time')
    const all = found.map(([n]) => n)
    same(all.length, new Set(all).size, 'rows that come once')
  }),

  rule('ADAPTER-15 ADAPTER-1: splits fill the requested columns', async (world) => {
    const { store, put } = await world.open(PlainThings)
    if (lacks(store)) return
    const hosts = upTo(12).map((host): Row => [`host-${host}`, 1, 'a', 'b', host])
    await put(...hosts)
    const found: Row[] = []
    for (const split of await splitsOf(store, 3)) found.push(...(await rowsOf(store.fullScan(split, { ...strong, columns: [4] }), 2)))
    same(textsOf(found), textsOf(hosts.map(([host, n, , , c]): Row => [host as string, n as number, null, null, c as number])), 'rows')
  }),

  rule('SCAN-12 SCAN-8: parts of a repository, and readAll() of several parts at a time, return every row once', async (world) => {
    const things = await world.repository(PlainThings)
    const all = upTo(40).flatMap((host) => upTo(6).map((n) => `host-${host} ${n}`))
    await things.putMany(all.map((name) => ({ host: name.split(' ')[0] as string, n: Number(name.split(' ')[1]) })))
    const namesOf = (rows: readonly { readonly host: string; readonly n: number }[]): readonly string[] =>
      rows.map(({ host, n }) => `${host} ${n}`).toSorted()
    const wanted = all.toSorted()
    const found = []
    for (const checkpoint of await things.parts(5)) for await (const row of things.readAll({ checkpoint })) found.push(row)
    same(namesOf(found), wanted, 'rows of the parts')
    for (const parallel of [1, 2, 5, 16]) {
      const rows = []
      for await (const row of things.readAll({ parallel })) rows.push(row)
      same(namesOf(rows), wanted, `rows of ${parallel} parts at a time`)
      same(await things.readAll({ parallel }).count(), all.length, `the number of rows of ${parallel} parts at a time`)
      const seen = []
      for await (const { rows: page, checkpoint } of things.readAll({ parallel }).pages()) {
        seen.push(...page)
        const rest = []
        for await (const row of things.readAll({ checkpoint, parallel: 3 })) rest.push(row)
        same(namesOf([...seen, ...rest]), wanted, `rows of ${parallel} parts, continued from a checkpoint`)
      }
    }
  }),
]
