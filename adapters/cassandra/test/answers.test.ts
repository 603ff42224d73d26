import { cassandra } from '@rowkey/cassandra'
import { isRowkeyError } from 'rowkey/adapter'
import type { Client } from 'cassandra-driver'
import { createMapper, defineTable, int32, nullable, text, type Mapper } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { mangled } from '../../../test/setup/mangled.js'
import { withServer } from '../../../test/setup/with-server.js'
import { refusalOf } from '../../../test/kit/refusal.js'
import { around, connect, type Answered, type Connected } from './connected.js'

// All value columns are required, because a null is a right answer for every other one.
const columns = { user: text(), n: int32(), count: int32(), v: text() }
const Rows = defineTable('rows', { columns, partition: ['user'], key: ['n'] })
const Plain = defineTable('plain', { columns, partition: ['user'], key: ['n'], writes: 'plain' })
const Noted = defineTable('noted', { columns: { n: int32(), note: nullable(text()) }, key: ['n'] })
const Mortal = defineTable('mortal', { columns, partition: ['user'], key: ['n'], ttl: '1d' })

/** More than a loop of this adapter may need for any of these calls. */
const maxRequests = 300
const ms = 120_000

const row = (user: string, n: number) => ({ user, n, count: n, v: 'x' })
const stored = ['ann', 'bob'].flatMap((user) => [1, 2, 3, 4].map((n) => row(user, n)))
const keyOf = ({ user, n }: { readonly user: string; readonly n: number }): string => `${user} ${n}`
const keysOf = (rows: readonly ({ readonly user: string; readonly n: number } | undefined)[]): unknown =>
  rows.map((each) => each && keyOf(each))

type Answers = (query: string, send: () => Promise<Answered>) => Promise<Answered>
type Db = Mapper<ReturnType<typeof cassandra>>

/** An answer with one row, one cell or all rows changed so that it is none; rows are never taken away. */
function changed(answer: Answered, random: Random): Answered {
  const { rows } = answer as Partial<Answered>
  const none = [undefined, null, 'rows', {}, [null], ['row'], [7]]
  if (rows === undefined || rows.length === 0 || random.chance(0.1)) return { ...answer, rows: none[random.below(none.length)] as never }
  const at = random.below(rows.length)
  const cells: Record<string, unknown> = { ...rows[at] }
  const names = Object.keys(cells)
  const name = names[random.below(names.length)] as string
  if (random.chance(0.3))
    return { ...answer, rows: rows.with(at, Object.fromEntries(Object.entries(cells).filter(([other]) => other !== name))) }
  return { ...answer, rows: rows.with(at, { ...cells, [name]: mangled(cells[name], random) }) }
}

withServer('cassandra', (connection) => {
  let server: Connected
  let sound: Db
  let hostile: Answers | undefined
  let requests = 0
  let db: Db
  beforeAll(async () => {
    server = await connect(connection)
    sound = createMapper(server.adapter)
    await sound.ensureTables([Rows, Plain, Mortal, Noted])
    await sound.repository(Noted).put({ n: 1, note: 'kept' })
    for (const table of [Rows, Plain, Mortal]) await sound.repository(table).putMany(stored)
    const client: Client = around(server.client, async (query, send) => {
      if (++requests > maxRequests) throw new Error('it does not end')
      return hostile === undefined ? send() : hostile(query, send)
    })
    db = createMapper(cassandra(client, { keyspace: server.keyspace }), { retry: { attempts: 2 } })
    for (const table of [Rows, Plain, Mortal]) await db.repository(table).get({ user: 'ann', n: 1 })
  }, ms)
  afterAll(() => server.dispose(), ms)

  async function codeOf(run: () => Promise<unknown>, seed: number): Promise<string> {
    requests = 0
    try {
      await run()
      return 'done'
    } catch (error) {
      if (!isRowkeyError(error)) throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
      return error.code
    } finally {
      hostile = undefined
    }
  }

  const reads: Readonly<Record<string, (of: Db) => Promise<unknown>>> = {
    get: async (of) => keysOf([await of.repository(Rows).get({ user: 'ann', n: 1 })]),
    'getMany of one partition': async (of) => keysOf(await of.repository(Rows).getMany([1, 2, 3, 9].map((n) => ({ user: 'ann', n })))),
    'getMany of two': async (of) => keysOf(await of.repository(Rows).getMany(stored.map(({ user, n }) => ({ user, n })))),
    scan: async (of) => keysOf(await of.repository(Rows).scan({ user: 'ann' }).toArray()),
    'reverse scan': async (of) =>
      keysOf(
        await of
          .repository(Rows)
          .scan({ user: 'bob', n: { lt: 4 } }, { order: 'reverse' })
          .toArray(),
      ),
    count: (of) => of.repository(Rows).readAll().count(),
    // By another partitioner the table is one split.
    splits: async (of) => [1, 4].includes((await of.repository(Rows).parts(4)).length),
  }

  test.each(Object.keys(reads))(
    'ADAPTER-17: %s with an answer that is changed anywhere: the right answer or a typed error',
    async (name) => {
      const call = reads[name] as (of: Db) => Promise<unknown>
      const right = await call(sound)
      const codes = new Set<string>()
      for (let seed = 1; seed <= 120; seed++) {
        const random = new Random(seed)
        let left = random.below(2)
        hostile = async (_, send) => (left-- === 0 ? changed(await send(), random) : send())
        codes.add(await codeOf(async () => expect(await call(db), `seed ${seed}`).toEqual(right), seed))
      }
      expect(['done', 'ADAPTER_FAULT', 'CORRUPT_ROW', 'UNREADABLE_ROW', 'TABLE_NOT_FOUND']).toEqual(expect.arrayContaining([...codes]))
      expect([...codes]).toContain('ADAPTER_FAULT')
    },
    ms,
  )

  const writes: Readonly<Record<string, (of: Db) => Promise<unknown>>> = {
    put: (of) => of.repository(Rows).put({ ...row('ann', 1), v: 'put' }),
    insert: (of) => of.repository(Rows).insert(row('new', 1)),
    'insert over a row': (of) => of.repository(Rows).insert(row('ann', 1)),
    update: (of) => of.repository(Rows).update({ user: 'ann', n: 1 }, { v: 'updated' }),
    increment: (of) => of.repository(Rows).increment({ user: 'ann', n: 1 }, { count: 1 }),
    'delete of one that meets a condition': (of) => of.repository(Rows).delete({ user: 'ann', n: 1 }, { if: { count: 1 } }),
    'batch of one partition': (of) => {
      const rows = of.repository(Rows)
      return of.write([rows.ops.put(row('ann', 1)), rows.ops.put(row('ann', 2))], { atomic: true })
    },
  }

  test.each(Object.keys(writes))(
    'ADAPTER-17: %s with an answer that is changed anywhere is done, refused or unknown',
    async (name) => {
      const call = writes[name] as (of: Db) => Promise<unknown>
      const codes = new Set<string>()
      for (let seed = 1; seed <= 30; seed++) {
        const random = new Random(seed)
        await sound.repository(Rows).putMany(stored.slice(0, 2))
        await sound.repository(Rows).delete({ user: 'new', n: 1 })
        let [left, hasWritten] = [random.below(2), false]
        hostile = async (query, send) => {
          hasWritten ||= !query.startsWith('SELECT')
          return left-- === 0 ? changed(await send(), random) : send()
        }
        const code = await codeOf(() => call(db), seed)
        if (code === 'done') expect(hasWritten).toBe(true)
        codes.add(code)
      }
      expect([...codes]).toEqual(expect.arrayContaining([expect.stringMatching(/^(OUTCOME_UNKNOWN|WRITE_INCOMPLETE|ADAPTER_FAULT)$/)]))
    },
    ms,
  )

  test('ADAPTER-17: a column that the answer lacks is ADAPTER_FAULT, and never a null', async () => {
    const notes = db.repository(Noted)
    for (const read of [
      () => notes.get({ n: 1 }),
      () => notes.scan({ n: { gt: 0 } }, { unbounded: true }).toArray(),
      () => notes.readAll().pages().next(),
    ]) {
      hostile = async (_, send) => {
        const answer = await send()
        return { ...answer, rows: answer.rows.map(({ c1: _note, ...cells }) => cells) }
      }
      expect(await codeOf(read, 0)).toBe('ADAPTER_FAULT')
    }
  })

  test('ADAPTER-17: a transaction whose answer does not say whether it was applied is OUTCOME_UNKNOWN, and so are rows to a plain write', async () => {
    for (const rows of [undefined, [], [{}], [{ '[applied]': null }], [{ '[applied]': 'true' }], [{ applied: true }]]) {
      hostile = async (query, send) => (query.startsWith('SELECT') ? send() : { ...(await send()), rows: rows as never })
      expect(await codeOf(() => db.repository(Rows).put(row('ann', 1)), 0)).toBe('OUTCOME_UNKNOWN')
    }
    hostile = async (_, send) => ({ ...(await send()), rows: [{ '[applied]': false }] })
    expect(await codeOf(() => db.repository(Plain).put(row('ann', 1)), 0)).toBe('OUTCOME_UNKNOWN')
  })

  test('ADAPTER-3 ADAPTER-17: paging states that repeat, with and without rows, end full scans and purges as ADAPTER_FAULT', async () => {
    for (const states of [['aa'], ['aa', 'bb'], ['01', '02', '03', 'aa', 'bb', 'cc']]) {
      for (const table of [Rows, Mortal]) {
        for (const withRows of [false, true]) {
          let at = 0
          const cells = { c0: 'ann', c1: 1, c2: 1, c3: 'x', c4: 2n ** 62n, written: 1n }
          const repeat: Answers = async () => ({ rows: withRows ? [cells] : [], pageState: states[at++ % states.length] }) as never
          hostile = repeat
          expect(await codeOf(() => db.repository(table).readAll().count(), 0)).toBe('ADAPTER_FAULT')
          expect(requests).toBeLessThan(30)
          if (table !== Mortal) continue
          hostile = repeat
          expect(await codeOf(() => db.purgeExpired(Mortal), 0)).toBe('ADAPTER_FAULT')
          expect(requests).toBeLessThan(30)
        }
      }
    }
    for (const pageState of ['', 7, {}]) {
      hostile = async () => ({ rows: [], pageState }) as never
      expect(await codeOf(() => db.repository(Rows).readAll().count(), 0)).toBe('ADAPTER_FAULT')
    }
  })

  test(
    'ADAPTER-17: rows of system tables that are changed anywhere end a change of a table with a typed error, or change nothing',
    async () => {
      const codes = new Set<string>()
      for (let seed = 1; seed <= 25; seed++) {
        const random = new Random(seed)
        let left = random.below(6)
        hostile = async (_, send) => (left-- === 0 ? changed(await send(), random) : send())
        codes.add(await codeOf(() => db.ensureTables([Rows]), seed))
      }
      expect([...codes]).toContain('ADAPTER_FAULT')
      expect(await sound.repository(Rows).scan({ user: 'bob' }).count()).toBe(4)
    },
    ms,
  )

  test(
    'ADAPTER-15: a table that was dropped has no splits, whoever dropped it',
    async () => {
      const Gone = defineTable('gone', { columns, key: ['user', 'n'] })
      await sound.ensureTables([Gone])
      const gone = db.repository(Gone)
      expect(await gone.parts(3)).toHaveLength(3)
      await sound.dropTables([Gone])
      expect(await refusalOf(() => gone.parts(3))).toMatchObject({ code: 'TABLE_NOT_FOUND' })
    },
    ms,
  )
})
