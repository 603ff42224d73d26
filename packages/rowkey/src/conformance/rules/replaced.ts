// Tested by wrong.test.ts.
import type { Adapter, PageSource, Row } from '#store/adapter'
import type { World } from '../suite/world.js'
import { int32, int64, text } from '#codec'
import { createMapper, type Mapper, type Repository } from '#mapper'
import { defineTable } from '#model'
import { check, same } from '../check.js'
import { delegate, delegateTable } from '../delegate.js'
import { needsHint } from '../suite/needs-hint.js'
import { upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'

// What a call costs must not depend on how often a row was replaced: two tables have the same rows, and in one of them a row was replaced often.

const count = 40
const hot = 20
const day = 86_400_000

// Their names have one length, so that their requests have too.
const columns = { n: int32(), sum: int64(), v: text() }
const tableOf = (name: 'often' | 'fresh', writes: 'conditional' | 'plain') => defineTable(name, { columns, key: ['n'], ttl: '30d', writes })
const keptTableOf: typeof tableOf = (name, writes) => defineTable(name, { columns, key: ['n'], writes })
type Table = ReturnType<typeof tableOf>

/** What calls cost: calls of the adapter, those of its store, rows examined, and bytes. */
interface Spent {
  calls: number
  examined: number
  /** As pages say. */
  bytes: number
  /** As the tests of the adapter count them. */
  traffic: number
}

/** The adapter, which adds what its calls cost to `spent`. */
function counted(adapter: Adapter, spent: Spent): Adapter {
  const source = (inner: PageSource): PageSource => ({
    async next(want) {
      const page = await inner.next(want)
      spent.calls += page?.cost?.calls ?? 1
      spent.examined += page?.examined ?? 0
      spent.bytes += page?.cost?.bytes ?? 0
      return page
    },
    close: () => {
      inner.close()
    },
  })
  return delegate(adapter, {
    table(schema, catalog) {
      const store = adapter.table(schema, catalog)
      return delegateTable(store, {
        get(keys, options) {
          spent.calls++
          return store.get(keys, options)
        },
        scan: (slice, options) => source(store.scan(slice, options)),
        fullScan: (checkpoint, options) => source(store.fullScan(checkpoint, options)),
        ...(store.purgeExpired && {
          purgeExpired(now, limit, options) {
            spent.calls++
            return store.purgeExpired?.(now, limit, options) ?? Promise.resolve(0)
          },
        }),
      })
    },
    write(batch, options) {
      spent.calls++
      return adapter.write(batch, options)
    },
  })
}

type Call = (rows: Repository<Table>, db: Mapper, schema: Table) => Promise<unknown>

const rowsOf = (page: { readonly rows: readonly unknown[] }): readonly unknown[] => page.rows
const everything = { unbounded: true } as const

const purge: Call = (_, db, schema) => db.purgeExpired(schema)

function callsOf({ adapter }: World, writes: Table['writes'], canPurge: boolean): Readonly<Record<string, Call>> {
  const { reverse } = adapter.capabilities
  const conditions = writes === 'plain' ? 'none' : adapter.capabilities.conditions
  return {
    get: (rows) => rows.get({ n: hot }),
    'a get of some rows': (rows) => rows.getMany([hot - 1, hot, hot + 1].map((n) => ({ n }))),
    ...(reverse && {
      'the newest one': (rows: Repository<Table>) =>
        rows
          .scan({ n: { lte: hot } }, { order: 'reverse' })
          .page({ size: 1 })
          .then(rowsOf),
    }),
    'a page of 10': (rows) =>
      rows
        .scan({ n: { gte: hot - 5 } })
        .page({ size: 10 })
        .then(rowsOf),
    count: (rows) => rows.scan({}, everything).count(),
    'all rows': (rows) => rows.scan({}, everything).toArray(),
    'a full scan': (rows) => rows.readAll().toArray(),
    ...(canPurge && { 'a purge of nothing': purge }),
    ...(conditions !== 'none' && { update: (rows: Repository<Table>) => rows.update({ n: hot }, { v: 'x' }) }),
    ...(conditions === 'columns' && { increment: (rows: Repository<Table>) => rows.increment({ n: hot }, { sum: 1n }) }),
    put: (rows) => rows.put({ n: hot, sum: 1n, v: 'x' }),
  }
}

async function replaced(world: World, size: number, writes: Table['writes'] = 'conditional'): Promise<void> {
  const { clock, prefix } = world
  const spent: Spent = { calls: 0, examined: 0, bytes: 0, traffic: 0 }
  const db = createMapper(counted(world.adapter, spent), { prefix, clock: () => clock.now })
  const expires = clock.now + 30 * day
  // A store that does not let single rows expire has no fewer rows to go through.
  const areKept = needsHint(world.adapter, tableOf('often', writes))
  const row = (n: number, time = 0): Row => [n, 1n, 'x', ...(areKept ? [] : [expires + time])]
  const [often, fresh] = (['often', 'fresh'] as const).map((name) => (areKept ? keptTableOf : tableOf)(name, writes)) as [Table, Table]
  let canPurge = false
  for (const schema of [often, fresh]) {
    const table = await world.open(schema)
    canPurge = table.store.purgeExpired !== undefined
    await table.put(...upTo(count).map((n) => row(n)))
    if (schema === fresh) continue
    // Many on their way together are fast, but in a store that compares and sets each of them waits for the others.
    const together = Math.min(100, size / 20)
    for (let at = 0; at < size; at += together) await Promise.all(upTo(together).map((i) => table.put(row(hot, at + i))))
    await table.put(row(hot))
  }
  const spentOn = async (schema: Table, call: Call): Promise<readonly [Spent, unknown]> => {
    Object.assign(spent, { calls: 0, examined: 0, bytes: 0 })
    const before = world.traffic()
    const result = await call(db.repository(schema), db, schema)
    return [{ ...spent, traffic: world.traffic() - before }, result]
  }
  const compare = async (what: string, call: Call, times: number): Promise<void> => {
    const [[costs, result], [allowed, expected]] = [await least(often), await least(fresh)]
    same(result, expected, `the result of ${what}`)
    for (const each of ['calls', 'examined', 'bytes', 'traffic'] as const) {
      if (each === 'examined' && !world.countWork) continue
      const [found, max] = [costs[each], allowed[each]]
      // Heads of answers and times of a server differ by some bytes.
      const enough = each === 'calls' || each === 'examined' ? max : Math.ceil(1.2 * max) + 200
      check(found <= enough, `${each} of ${what} after a row was replaced ${size} times: ${found}, and ${max} of one that is new`)
    }
    /** Of several times, because a client prepares statements and asks a server whether it is there. */
    async function least(schema: Table): Promise<readonly [Spent, unknown]> {
      const all: (readonly [Spent, unknown])[] = []
      for (let i = 0; i < times; i++) all.push(await spentOn(schema, call))
      const min = (each: keyof Spent): number => Math.min(...all.map(([one]) => one[each]))
      return [{ calls: min('calls'), examined: min('examined'), bytes: min('bytes'), traffic: min('traffic') }, all.at(-1)?.[1]]
    }
  }
  for (const [what, call] of Object.entries(callsOf(world, writes, canPurge))) await compare(what, call, 3)
  clock.now += 61 * day
  if (canPurge) await compare('a purge of all rows', purge, 1)
}

export const replacedRows: readonly Rule[] = [
  ...[200, 2000, 20_000].map((size) =>
    rule(
      `SCAN-16: a row that was replaced ${size} times costs reads, changes and purges no more than a new one`,
      (world) => replaced(world, size),
      'versions',
    ),
  ),
  // For stores in which each write of a table with conditional writes takes milliseconds.
  rule('SCAN-16: a row of a plain table that was replaced 20000 times costs reads, puts and purges no more than a new one', (world) =>
    replaced(world, 20_000, 'plain'),
  ),
]
