// Tested by wrong.test.ts.
import type { Page, Row } from '#store/adapter'
import type { OpenTable, World } from '../suite/world.js'
import { int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { check, refused, same } from '../check.js'
import { pause } from '../suite/patience.js'
import { bucketSlice, pagesOf, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'

// What a read costs must not depend on columns that are null, nor on rows that have expired or were deleted next to those that it returns, beyond
// a number of requests that is said.

/** Almost all that a table may have. */
const width = 248
const wideColumns = upTo(width).map((i) => `c${i}`)
const Wide = defineTable('wide', {
  columns: { n: int32(), ...Object.fromEntries(wideColumns.map((name) => [name, nullable(text())])) },
  key: ['n'],
  writes: 'plain',
})
const wideRow = (n: number): { n: number } => ({ n, [`c${n % width}`]: 'x' })

const Events = defineTable('events', {
  columns: { n: int32(), ...Object.fromEntries(upTo(20).map((i) => [`c${i}`, text()])) },
  key: ['n'],
  ttl: '30d',
  writes: 'plain',
})
const eventRow = (n: number, expires: number | null): Row => [n, ...upTo(20).map(() => 'x'), expires]

const numbersOf = (rows: readonly object[]): readonly number[] => rows.map((row) => (row as { readonly n: number }).n)

/** Requests that pages took. */
const callsOf = (pages: readonly Page[]): number => pages.reduce((sum, { cost }) => sum + (cost?.calls ?? 1), 0)

function atMost(count: number, max: number, what: string): void {
  check(count <= max, `${what}: ${count}, and ${max} are enough`)
}

/** Requests in which a store reads so many rows, whatever they are, and tries smaller ranges where it has to. */
const enough = (rows: number): number => (rows > 1000 ? 256 : 32) + Math.ceil(rows / 100)

async function wide(world: World, size: number): Promise<void> {
  const repository = await world.repository(Wide)
  const all = upTo(size)
  const third = Math.ceil(size / 3)
  for (const n of all.slice(0, Math.min(third, 100))) await repository.put(wideRow(n))
  await repository.putMany(all.slice(Math.min(third, 100), third).map(wideRow))
  await repository.putMany(all.slice(third).map(wideRow))
  const { store } = await world.open(Wide)
  const pages = await pagesOf(store.scan(bucketSlice(0), strong), 1000)
  same(
    pages.flatMap(({ rows }) => rows.map(([n]) => n)),
    all,
    'rows of a scan',
  )
  same(await repository.scan({}, { unbounded: true }).count(), size, 'count')
  const full = await pagesOf(store.fullScan(undefined, strong), 1000)
  same(full.reduce((sum, { rows }) => sum + rows.length, 0), size, 'rows of a full scan') // prettier-ignore
  for (const read of [pages, full]) {
    atMost(callsOf(read), 16 + Math.ceil(size / 100), `requests for ${size} rows whose columns are nearly all null`)
    const bytes = read.reduce((sum, { cost }) => sum + (cost?.bytes ?? 0), 0)
    atMost(bytes, 2000 * size, `bytes of ${size} rows whose columns are nearly all null`)
  }
}

/** Ten rows that stay, rows that have expired, ten that stay, rows that were deleted, and twelve that stay. */
async function gone(world: World, size: number): Promise<void> {
  world.clock.now = Date.now() // so that a store which removes expired rows by itself has removed them
  const table = await world.open(Events)
  const alive = [...upTo(10).map((n) => n - 10), ...upTo(10).map((n) => size + n), ...upTo(12).map((n) => 2 * size + 10 + n)]
  await table.put(...upTo(size).map((n) => eventRow(n, world.clock.now - 10_000)))
  await table.put(...upTo(size).map((n) => eventRow(size + 10 + n, null)))
  await table.remove(...upTo(size).map((n) => [size + 10 + n]))
  await table.put(...alive.map((n) => eventRow(n, null)))
  if (size > 1000) await pause(2500)
  const repository = await world.repository(Events)
  const read = async (limit: number, reverse: boolean): Promise<void> => {
    const what = `${limit} ${reverse ? 'newest' : 'oldest'}`
    const { rows, stats } = await repository.scan({}, { unbounded: true, order: reverse ? 'reverse' : undefined }).page({ size: limit })
    same(numbersOf(rows), (reverse ? alive.toReversed() : alive).slice(0, limit), `the ${what} rows`)
    cheap(world, stats, limit, what)
  }
  await read(1, false)
  await read(10, false)
  if (world.adapter.capabilities.reverse) {
    await read(1, true)
    await read(10, true)
    const newest = await repository.scan({}, { unbounded: true, order: 'reverse' }).toArray()
    same(numbersOf(newest), alive.toReversed(), 'all rows, newest first')
  }
  await readAll(world, table, alive, size)
}

function cheap(
  { countWork }: World,
  { calls, examined }: Readonly<Record<'calls' | 'examined', number>>,
  limit: number,
  what: string,
): void {
  atMost(calls, 2, `requests for the ${what} rows next to rows that are gone`)
  if (countWork) atMost(examined, limit, `rows examined for the ${what} rows`)
}

async function readAll(world: World, table: OpenTable, alive: readonly number[], size: number): Promise<void> {
  const { store } = table
  const repository = await world.repository(Events)
  const checkReads = async (what: string): Promise<void> => {
    same(numbersOf(await repository.scan({}, { unbounded: true }).toArray()), alive, `all rows ${what}`)
    same(await repository.scan({}, { unbounded: true }).count(), alive.length, `count ${what}`)
    same(await repository.readAll().count(), alive.length, `rows of a full scan ${what}`)
    atMost(callsOf(await pagesOf(store.scan(bucketSlice(0), strong), 1000)), enough(2 * size), `requests of a scan ${what}`)
    atMost(callsOf(await pagesOf(store.fullScan(undefined, strong), 1000)), enough(2 * size), `requests of a full scan ${what}`)
  }
  await checkReads('next to rows that are gone')
  if (store.purgeExpired === undefined) return // the core purges by reading
  for (let calls = 0; (await world.db.purgeExpired(Events, { limit: 10_000 })) > 0; calls++) check(calls < 100, 'purging ends')
  await checkReads('after a purge')
}

export const sparse: readonly Rule[] = [
  ...[300, 3000, 9000].map((size) =>
    rule(`SCAN-14: ${size} rows with ${width} nullable columns are written and read in few requests`, (world) => wide(world, size)),
  ),
  ...[200, 2000, 20_000].map((size) =>
    rule(
      `SCAN-15: reads next to ${size} expired and ${size} deleted rows, of 20 columns, take few requests`,
      (world) => gone(world, size),
      'versions',
    ),
  ),
  rule('WRITE-24: a putMany that leaves nulls unset writes what has a value, and a row that existed keeps the rest', async (world) => {
    const { adapter } = world
    const repository = await world.repository(Wide)
    await repository.put({ n: 1, c0: 'old', c1: 'old' } as { n: number })
    const rows = [{ n: 1, c1: 'new', c2: 'new' }, { n: 2, c1: 'new' }] // prettier-ignore
    const put = (): Promise<unknown> => repository.putMany(rows, { nulls: 'unset' })
    if (adapter.capabilities.unsetNulls !== true) {
      await refused('a putMany that leaves nulls unset', put, 'NOT_SUPPORTED')
      same((await repository.getMany([{ n: 2 }]))[0], undefined, 'a row of a putMany that was refused')
      return
    }
    await put()
    const found = (await repository.getMany([{ n: 1 }, { n: 2 }])) as readonly Record<string, unknown>[]
    same(
      found.map((row) => [row['c0'], row['c1'], row['c2']]),
      [['old', 'new', 'new'], [null, 'new', null]], // prettier-ignore
      'the rows of the putMany',
    )
    await repository.put({ n: 1, c2: 'put' } as { n: number })
    same(((await repository.get({ n: 1 })) as Record<string, unknown>)['c0'], null, 'a column that a put leaves out')
  }),
]
