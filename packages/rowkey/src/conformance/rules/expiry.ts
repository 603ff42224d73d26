// Tested by wrong.test.ts.
import type { Outcome, Row } from '#store/adapter'
import type { Change, World } from '../suite/world.js'
import { int32, isRowkeyError, nullable, text } from '#codec'
import { defineTable } from '#model'
import { check, refused, same } from '../check.js'
import { ensureTable } from '#store/engine'
import { needsHint } from '../suite/needs-hint.js'
import { turn } from '../suite/patience.js'
import { bucketSlice, rowsOf, strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Sessions, session } from '../suite/tables.js'

const PlainSessions = defineTable('plain_sessions', {
  columns: { k: int32(), a: nullable(text()), b: nullable(text()) },
  key: ['k'],
  ttl: '30d',
  writes: 'plain',
})

/** @throws any other error */
function unavailable(error: unknown): number {
  if (isRowkeyError(error) && error.code === 'STORE_UNAVAILABLE') return 0
  throw error
}

/** The outcome of a change to row 1, which expires at `expires`, at the time `now` of the write. */
async function outcomeOf(world: World, expires: number | null, now: number, change: Change): Promise<Outcome['kind'] | undefined> {
  const table = await world.open(Sessions)
  await table.put(session(1, 'old', expires, 'v1'))
  const [outcome] = await table.write([change], { now })
  return outcome?.kind
}

export const expiry: readonly Rule[] = [
  // The clock of the test is ahead of that of the machine, so that an adapter which uses its own clock fails.
  ...[Date.now() + 30 * 86_400_000, 4_000_000_000_000].map((now) =>
    rule(
      `WRITE-1 WRITE-3 ADAPTER-8: an expired row does not exist for conditions, by the time of the write: ${new Date(now).getUTCFullYear()}`,
      async (world) => {
        world.clock.now = now
        const insert: Change = { kind: 'insert', row: session(1, 'new') }
        const update: Change = { kind: 'update', row: session(1, 'new'), set: [1] }
        for (const [expires, isThere] of [
          [now - 1, false],
          [now, false],
          [now + 1, true],
          [null, true],
        ] as const) {
          const what = expires === null ? 'a row that never expires' : `a row that expires ${expires - now} ms after the write`
          same(await outcomeOf(world, expires, now, insert), isThere ? 'conflict' : 'applied', `insert over ${what}`)
          same(await outcomeOf(world, expires, now, update), isThere ? 'applied' : 'missing', `update of ${what}`)
          same(await outcomeOf(world, expires, now, { kind: 'put', row: session(1, 'new') }), 'applied', `put over ${what}`)
          same(await outcomeOf(world, expires, now, { kind: 'delete', row: [1] }), 'applied', `delete of ${what}`)
        }
      },
      'versions',
    ),
  ),

  rule(
    'WRITE-3 ADAPTER-9: update keeps the expiry, put and insert set a new one',
    async (world) => {
      const { now } = world.clock
      const table = await world.open(Sessions)
      await table.put(session(1, 'x', now + 500))
      await table.write([{ kind: 'update', row: session(1, 'y'), set: [1] }])
      same(await table.store.get([[1]], strong), [session(1, 'y', now + 500)], 'the row after an update')
      await table.put(session(1, 'z', now + 900))
      same(await table.store.get([[1]], strong), [session(1, 'z', now + 900)], 'the row after a put')
      await table.put(session(1, 'z'))
      same(await table.store.get([[1]], strong), [session(1, 'z')], 'the row after a put without expiry')
      await table.put(session(2, 'x', now - 1, 'v1'))
      await table.write([{ kind: 'insert', row: session(2, 'new', now + 7) }])
      same(await table.store.get([[2]], strong), [session(2, 'new', now + 7)], 'the row after an insert over an expired one')
    },
    'versions',
  ),

  rule(
    'SCAN-1: reads of a repository drop expired rows: gets, scans, counts, pages',
    async (world) => {
      const { now } = world.clock
      const table = await world.open(Sessions)
      await table.put(...upTo(40).map((k): Row => session(k, 'x', k % 3 === 0 ? now - (k % 2) : now + 1)))
      const repository = await world.repository(Sessions)
      const alive = upTo(40).filter((k) => k % 3 !== 0)
      const options = { unbounded: true } as const
      const keysOf = (rows: readonly object[]): readonly unknown[] => rows.map((row) => (row as { k: number }).k)
      same(keysOf(await repository.scan({}, options).toArray()), alive, 'rows of a scan')
      same(await repository.scan({}, options).count(), alive.length, 'count')
      same(keysOf(await repository.scan({}, { ...options, limit: 5 }).toArray()), alive.slice(0, 5), 'rows of a scan with a limit')
      same(keysOf(await repository.scan({ k: { in: [1, 3, 4, 6] } }).toArray()), [1, 4], 'rows of a list of keys')
      same(await repository.get({ k: 3 }), undefined, 'an expired row')
      check((await repository.get({ k: 4 })) !== undefined, 'a row that has not expired is there')
      const paged: unknown[] = []
      let cursor: string | undefined
      let pages = 0
      do {
        const page = await repository.scan({}, options).page({ size: 3, cursor })
        paged.push(...keysOf(page.rows))
        cursor = page.cursor
        check(++pages < 100, 'paging ends')
      } while (cursor !== undefined)
      same(paged, alive, 'rows of pages')
    },
    'versions',
  ),

  rule(
    'EXPIRY-5 EXPIRY-6: a row that is replaced keeps its expiry if the write says so, and an update can change it alone',
    async (world) => {
      await world.open(Sessions)
      const sessions = await world.repository(Sessions)
      const { now } = world.clock
      for (const expires of [new Date(now + 90_000), null]) {
        const shown = async (k: number): Promise<unknown> => {
          const { a, $expires } = await sessions.getOrThrow({ k }, { withExpiry: true })
          return [a, $expires]
        }
        const keys = [1, 2, 3, 4]
        await sessions.putMany(
          keys.map((k) => ({ k, a: 'old' })),
          { expires },
        )
        await sessions.put({ k: 1, a: 'new' }, { expires: 'keep' })
        await sessions.putMany([{ k: 2, a: 'between' }, { k: 2, a: 'new' }], { expires: 'keep' }) // prettier-ignore
        await sessions.putMany([{ k: 3, a: 'new' }], { expires: 'keep' })
        await world.db.write([sessions.ops.put({ k: 4, a: 'new' }, { expires: 'keep' })])
        for (const k of keys) same(await shown(k), ['new', expires], `row ${k} after a put that keeps its expiry`)
        await sessions.update({ k: 1 }, {}, { expires: new Date(now + 5000) })
        same(await shown(1), ['new', new Date(now + 5000)], 'the row after an update of its expiry alone')
        await sessions.put({ k: 5, a: 'dead' }, { expires: new Date(now - 1) })
        await sessions.put({ k: 5, a: 'again' }, { expires: 'keep' })
        check(((await shown(5)) as readonly [string, Date])[1].getTime() > now, 'a row that has expired has no expiry to keep')
      }
    },
    'columns',
  ),

  rule(
    'ADAPTER-12: purgeExpired only deletes expired rows, up to its limit, and returns how many',
    async (world) => {
      const { now } = world.clock
      const table = await world.open(Sessions)
      await table.put(...upTo(60).map((k): Row => session(k, 'x', k % 2 === 0 ? now : k % 3 === 0 ? null : now + 1)))
      const { purgeExpired } = table.store
      if (purgeExpired === undefined) return // the core purges by reading
      const purge = (limit: number): Promise<number> => purgeExpired.call(table.store, now, limit)
      let purged = await purge(10)
      same(purged, 10, 'rows that a purge of up to 10 deletes')
      same((await rowsOf(table.store.fullScan(undefined, strong))).length, 60 - purged, 'rows left')
      for (let calls = 0; calls < 100 && purged < 30; calls++) purged += await purge(100)
      same(purged, 30, 'all that have expired')
      same(await purge(100), 0, 'nothing is left to purge')
      const left = (await rowsOf(table.store.scan(bucketSlice(0), strong))).map(([k]) => k)
      same(
        left,
        upTo(60).filter((k) => k % 2 === 1),
        'rows that have not expired',
      )
    },
    'versions',
  ),

  ...[Sessions, PlainSessions].map((schema) =>
    rule(
      `ADAPTER-12: a purge leaves rows of ${schema === Sessions ? 'a table' : 'a table with plain writes'} that are put again while it runs`,
      async (world) => {
        const { now } = world.clock
        if (needsHint(world.adapter, schema)) {
          await refused('a table whose single rows expire', () => ensureTable(world.adapter, world.named(schema)), 'NOT_SUPPORTED')
          return
        }
        if ((await world.open(schema)).store.purgeExpired === undefined) return // it purges by itself
        const table = await world.repository(schema)
        const keys = upTo(120)
        await world.db.write(keys.map((k) => table.ops.put({ k, a: 'old' }, { expires: new Date(now - 1) })))
        const isBack = (k: number): boolean => k % 3 === 0
        let isPurging = true
        const purge = async (): Promise<void> => {
          for (let calls = 0; calls < 500 && isPurging; calls++) {
            // A server may refuse what competes with too much else; the next call continues.
            const purged = await world.db.purgeExpired(schema, { limit: 7 }).catch(unavailable)
            if (purged === 0) await turn()
          }
        }
        const purging = purge()
        try {
          for (const k of keys.filter(isBack)) {
            await table.put({ k, a: 'new' }, { expires: k % 2 === 0 ? null : new Date(now + 1000) })
          }
        } finally {
          isPurging = false
          await purging
        }
        for (let calls = 0; calls < 100 && (await world.db.purgeExpired(schema, { limit: 100 })) > 0; calls++) await turn()
        const left = await table.scan({}, { unbounded: true }).toArray()
        same(
          left.map(({ k, a }) => [k, a]),
          keys.filter(isBack).map((k) => [k, 'new']),
          'the rows that are left',
        )
        const stored = await world.open(schema)
        same((await rowsOf(stored.store.fullScan(undefined, strong))).length, left.length, 'the rows that the store keeps')
      },
      'versions',
    ),
  ),
]
