import { cassandra } from '@rowkey/cassandra'
import { createMapper, defineTable, int32, isRowkeyError, memory, nullable, text } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, interrupted, type Connected } from './connected.js'
import { kinds, open, opened } from './tables.js'

// Every cell has a time to live of its own. So what changes the expiry of a row must write all of its cells, and everything else must give the cells
// that it writes the time that the row has left.

const columns = { k: int32(), a: nullable(text()), b: nullable(text()), hits: nullable(int32()) }
const Row = defineTable('changed', { columns, key: ['k'], ttl: '1h' })
const Versioned = defineTable('changed_versions', { columns, key: ['k'], ttl: '1h', version: 'rev' })
const hour = 3_600_000
const seconds = 1000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
/** After this a row that expires in two seconds is gone from the server. */
const untilGone = 13_000

withServer('cassandra', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  const stored = async (table: string, columns = '*'): Promise<readonly Record<string, unknown>[]> =>
    (await server.client.execute(`SELECT ${columns} FROM ${server.keyspace}.${table}`)).rows

  test('WRITE-21 EXPIRY-2: a row is whole until its new expiry, and gone after it, whatever it had before', async () => {
    const now = Date.now()
    const db = createMapper(server.adapter, { clock: () => now }) // however long the writes take
    const soon = { expires: new Date(now + 2 * seconds) }
    const late = { expires: new Date(now + hour) }
    const never = { expires: null }
    for (const table of [Row, Versioned] as const) {
      await db.ensureTables([table])
      const rows = db.repository(table as typeof Row)
      const put = (k: number, options: object): Promise<unknown> => rows.put({ k, a: 'a', b: 'b', hits: 1 }, options)
      await Promise.all([
        ...[1, 2, 3, 4, 5, 6, 7, 8].map((k) => put(k, soon)),
        ...[21, 22, 23, 24].map((k) => put(k, k === 22 ? never : late)),
        put(31, late),
        put(32, never),
      ])
      await Promise.all([
        rows.upsert({ k: 1, a: 'A' }, never),
        rows.upsert({ k: 2, a: 'A' }, late),
        rows.upsert({ k: 3 }, never), // the expiry alone
        rows.upsert({ k: 4, a: null }, { ...late, returning: true }),
        rows.upsert({ k: 5, a: 'A' }, never).then(() => rows.increment({ k: 5 }, { hits: 1 })),
        rows.upsert({ k: 6, a: 'A' }, late).then(() => rows.update({ k: 6 }, { b: 'B' }, { if: { hits: 1 } })),
        db.write([rows.ops.upsert({ k: 7, a: 'A' }, never)], { atomic: true }),
        rows.update({ k: 8 }, { b: 'B' }), // keeps the expiry
        rows.upsert({ k: 9, a: 'A' }, soon), // a new row
        rows.upsert({ k: 21, a: 'A' }, soon),
        rows.upsert({ k: 22, a: 'A' }, soon),
        rows.upsert({ k: 23 }, soon),
        rows.upsert({ k: 24, a: 'A' }, soon).then(() => rows.increment({ k: 24 }, { hits: 1 }, { create: true })),
        rows.upsert({ k: 31, a: 'A' }),
        rows.upsert({ k: 32, b: null }),
      ])
    }
    await pause(untilGone)
    const after = createMapper(server.adapter)
    for (const table of [Row, Versioned] as const) {
      const rows = await after
        .repository(table as typeof Row)
        .scan({}, { unbounded: true })
        .toArray()
      expect(rows.map(({ k, a, b, hits }) => [k, a, b, hits])).toEqual([
        [1, 'A', 'b', 1],
        [2, 'A', 'b', 1],
        [3, 'a', 'b', 1],
        [4, null, 'b', 1],
        [5, 'A', 'b', 2],
        [6, 'A', 'B', 1],
        [7, 'A', 'b', 1],
        [31, 'A', 'b', 1],
        [32, 'a', null, 1],
      ])
      // Nothing is left of the others but, at most, a key that the next purge takes.
      const left = await stored(table.name)
      const gone = left.filter(({ k }) => ![1, 2, 3, 4, 5, 6, 7, 31, 32].includes(k as number))
      expect(gone.flatMap(({ rk_bucket: _, k: __, ...values }) => Object.values(values).filter((value) => value !== null))).toEqual([])
      await after.purgeExpired(table)
      expect(await stored(table.name, 'k')).toHaveLength(9)
    }
  }, 60_000)

  test('ADAPTER-9 WRITE-21: after any writes all cells of a row have the same time to live, and the row is that of a store without one', async () => {
    const tables = [
      defineTable('random', { columns, key: ['k'], ttl: '1h' }),
      defineTable('random_versions', { columns, key: ['k'], ttl: '1h', version: 'rev' }),
    ]
    const now = Date.now()
    const clock = (): number => now
    const random = new Random(20261123)
    for (const table of tables) {
      const stores = [createMapper(server.adapter, { clock }), createMapper(memory(), { clock })]
      for (const db of stores) await db.ensureTables([table])
      const expiries = [null, 1, 24, 240].map((hours) => ({ expires: hours === null ? null : new Date(now + hours * hour) }))
      for (let n = 0; n < 120; n++) {
        const k = random.below(3)
        const values = Object.fromEntries(
          (['a', 'b', 'hits'] as const)
            .filter(() => random.below(2) === 0)
            .map((column) => [column, random.pick([null, column === 'hits' ? n : `${column}${n}`])]),
        )
        const options = random.pick([{}, {}, ...expiries])
        const returning = random.pick([{}, { returning: true }])
        const [kind, run] = random.pick<readonly [string, (rows: Rows) => Promise<unknown>]>([
          ['put', (rows) => rows.put({ k, ...values }, options)],
          ['delete', (rows) => rows.delete({ k })],
          ['insert', (rows) => rows.insert({ k, ...values }, options)],
          ...upTo(4).map(() => ['upsert', (rows: Rows) => rows.upsert({ k, ...values }, { ...options, ...returning })] as const),
          ['update', (rows) => rows.update({ k }, values, returning)],
          ['update if', (rows) => rows.update({ k }, values, { if: { hits: { isNull: false } } })],
          ['put if', (rows) => rows.put({ k, ...values }, { ...options, if: { a: { isNull: true } } })],
          ['increment', (rows) => rows.increment({ k }, { hits: 1 }, returning)],
          ['increment or create', (rows) => rows.increment({ k }, { hits: 1 }, { ...options, ...returning, create: { a: 'new' } })],
        ])
        const what = `write ${n}, ${kind} of ${k} ${JSON.stringify({ ...values, ...options })}`
        const got = await Promise.all(
          stores.map(async (db) => {
            const rows = db.repository(table as typeof Row) as unknown as Rows
            const outcome = await run(rows).then(
              () => 'done',
              (error: unknown) => (isRowkeyError(error) ? error.code : Promise.reject(error as Error)),
            )
            const row = await rows.get({ k })
            return [outcome, row === undefined ? undefined : { ...row, rev: 0 }]
          }),
        )
        expect(got[0], what).toEqual(got[1])
        for (const row of await stored(
          table.name,
          'k, rk_expires, ttl(rk_expires) AS te, ttl(a) AS ta, ttl(b) AS tb, ttl(hits) AS th, a, b, hits',
        )) {
          const expires = BigInt(String(row['rk_expires']))
          const own = [row['te'], ...['a', 'b', 'hits'].flatMap((name) => (row[name] === null ? [] : [row[`t${name.charAt(0)}`]]))]
          const wanted = own.map(() => (expires > 2n ** 62n ? null : Math.round((Number(expires) - now) / hour)))
          expect(
            own.map((ttl) => (ttl === null ? null : Math.round((ttl as number) / 3600))),
            what,
          ).toEqual(wanted)
        }
      }
    }
  }, 120_000)

  test('WRITE-21: a change of the expiry loses no column that another process has added, and none that others write in the meantime', async () => {
    const direct = await open(server.adapter, defineTable('wider', { columns, key: ['k'], ttl: '1h' }))
    const catalog = await server.adapter.describeTable('wider')
    const soon = Date.now() + 60 * seconds
    await direct.put([1, 'a', 'b', 1, soon], [2, 'a', 'b', 1, soon])
    await server.client.execute(`ALTER TABLE ${server.keyspace}.wider ADD (more text, seen timestamp, tags set<text>)`)
    const use = "USING TTL 60 SET more = 'more', seen = 1234567890123, tags = {'x', 'y'}"
    for (const k of [1, 2]) await server.client.execute(`UPDATE ${server.keyspace}.wider ${use} WHERE rk_bucket = 0 AND k = ${k} IF EXISTS`)
    let isDone = false
    const client = interrupted(server.client, async (query) => {
      if (isDone || !query.startsWith('SELECT')) return
      isDone = true
      await direct.write([{ kind: 'update', row: [1, null, 'B', null, null], set: [2] }])
    })
    const table = opened(cassandra(client, { keyspace: server.keyspace }), direct.schema, catalog)
    expect(kinds(await table.write([{ kind: 'update', row: [1, 'A', null, null, null], set: [1, 4] }]))).toEqual(['applied'])
    expect(isDone).toBe(true)
    expect(
      kinds(await table.write([{ kind: 'update', row: [2, 'A', null, null, null], set: [1, 4], create: [2, 'A', null, null, null] }])),
    ).toEqual(['applied'])
    const [one, two] = await stored(
      'wider',
      'k, a, b, hits, more, seen, tags, ttl(a) AS ta, ttl(b) AS tb, ttl(hits) AS th, ttl(more) AS tm, ttl(seen) AS ts',
    )
    const kept = {
      hits: 1,
      more: 'more',
      seen: new Date(1234567890123),
      tags: ['x', 'y'],
      ta: null,
      tb: null,
      th: null,
      tm: null,
      ts: null,
    }
    expect({ ...one }).toEqual({ k: 1, a: 'A', b: 'B', ...kept })
    expect({ ...two }).toEqual({ k: 2, a: 'A', b: 'b', ...kept })
  })
})

/** A repository that takes columns as they come. */
type Rows = Readonly<
  Record<
    'put' | 'insert' | 'upsert' | 'update' | 'increment' | 'delete' | 'get',
    (...given: readonly object[]) => Promise<object | undefined>
  >
>
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)
