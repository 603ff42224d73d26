import { redis, type RedisClient } from '@rowkey/redis'
import { isRowkeyError } from 'rowkey/adapter'
import { bucket, createMapper, defineTable, nullable, text, uint32, type Mapper } from 'rowkey'
import { expect, test } from 'vitest'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { mangled } from '../../../test/setup/mangled.js'
import { withServer } from '../../../test/setup/with-server.js'
import { refusalOf } from '../../../test/kit/refusal.js'
import { places } from './places.js'

const Rows = defineTable('rows', {
  columns: { user: text(), n: uint32(), v: nullable(text()), count: uint32() },
  key: ['user', 'n'],
  salt: bucket({ of: 'user', count: 3 }),
  ttl: '1d',
})
/** More than a loop of this adapter may need for any of these calls. */
const maxRequests = 500

type Answered = (command: string, reply: unknown) => unknown

/** A client whose replies are changed on the way, and which counts its requests. */
function answering(client: RedisClient, answered: Answered): RedisClient & { requests: number } {
  const other = {
    status: client.status,
    options: client.options,
    requests: 0,
    sendCommand(command: never): unknown {
      if (++other.requests > maxRequests) throw new Error('it does not end')
      return (client.sendCommand(command) as Promise<unknown>).then((reply) => answered((command as { name: string }).name, reply))
    },
  }
  return other
}

const ms = 60_000
const row = (user: string, n: number) => ({ user, n, v: n % 2 === 0 ? 'even' : null, count: n })
const stored = ['ann', 'bob', 'cid'].flatMap((user) => [1, 2, 3, 4, 5].map((n) => row(user, n)))
const sorted = (rows: readonly { readonly user: string; readonly n: number }[]): unknown =>
  rows.toSorted((a, b) => (a.user === b.user ? a.n - b.n : a.user < b.user ? -1 : 1))
const drained = async (pages: AsyncIterable<unknown>): Promise<never[]> => {
  const rows: unknown[] = []
  for await (const each of pages) rows.push(each)
  return rows as never[]
}

withServer('redis', ({ url }) => {
  const { open } = places()
  /** Two mappers on one table: of a sound client, and of one whose replies are changed once `hostile.answer` is set. */
  const setUp = async () => {
    const sound = open(url)
    await sound.ensureTables([Rows])
    await sound.repository(Rows).putMany(stored)
    const hostile: { answer: Answered | undefined } = { answer: undefined }
    const client = answering(sound.client, (command, reply) => hostile.answer?.(command, reply) ?? reply)
    const db = createMapper(redis(client), { prefix: sound.prefix, retry: { attempts: 2 } })
    await db.repository(Rows).get({ user: 'ann', n: 1 }) // reads the catalog
    return { sound, db, client, hostile }
  }
  type Db = Mapper<ReturnType<typeof redis>>

  const reads: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
    get: (db) => db.repository(Rows).get({ user: 'ann', n: 1 }),
    getMany: (db) => db.repository(Rows).getMany(stored.map(({ user, n }) => ({ user, n }))),
    scan: (db) => db.repository(Rows).scan({ user: 'ann' }).toArray(),
    'scan of two columns': (db) =>
      db
        .repository(Rows)
        .scan({ user: 'bob' }, { select: ['n', 'count'] })
        .toArray(),
    'scan with a filter': (db) => db.repository(Rows).scan({ user: 'cid', v: 'even' }).toArray(),
    'scan of all buckets': (db) => db.repository(Rows).scan({}, { unbounded: true }).toArray(),
    'reverse scan': (db) => db.repository(Rows).scan({ user: 'ann' }, { order: 'reverse', limit: 3 }).toArray(),
    'full scan': async (db) => sorted(await drained(db.repository(Rows).readAll())),
    'full scan in parts': async (db) => sorted(await drained(db.repository(Rows).readAll({ parallel: 3 }))),
    count: (db) => db.repository(Rows).readAll().count(),
    purge: (db) => db.purgeExpired(Rows, { limit: 5 }),
    splits: async (db) => (await db.repository(Rows).parts(4)).length,
  }
  const writes: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
    put: (db) => db.repository(Rows).put({ ...row('ann', 9), v: 'put' }),
    putMany: (db) => db.repository(Rows).putMany([row('ann', 9), row('bob', 9)]),
    insert: (db) => db.repository(Rows).insert(row('new', 1)),
    'insert over a row': (db) => db.repository(Rows).insert(row('ann', 1)),
    update: (db) => db.repository(Rows).update({ user: 'ann', n: 1 }, { v: 'updated' }),
    increment: (db) => db.repository(Rows).increment({ user: 'ann', n: 1 }, { count: 1 }, { returning: true }),
    upsert: (db) => db.repository(Rows).upsert({ user: 'ann', n: 7, v: 'upserted', count: 1 }),
    delete: (db) => db.repository(Rows).delete({ user: 'ann', n: 1 }, { if: { count: 1 } }),
  }

  test.each(Object.keys(reads))(
    'ADAPTER-17: %s with a reply that is changed anywhere: the right answer or a typed error',
    async (name) => {
      const { sound, db, client, hostile } = await setUp()
      const call = reads[name] as (of: Db) => Promise<unknown>
      const right = await call(sound)
      const codes = new Map<string, number>()
      for (let seed = 1; seed <= 150; seed++) {
        const random = new Random(seed)
        let left = random.below(4)
        let isNothing = false // a value that is null says that there is no row, which is a right reply
        hostile.answer = (command, reply) => {
          if (left-- !== 0) return reply
          const other = mangled(reply, random)
          isNothing =
            command === 'hmget' && Array.isArray(other) && Array.isArray(reply) && other.length === reply.length && other.includes(null)
          return other
        }
        client.requests = 0
        try {
          const answer = await call(db)
          if (!isNothing) expect(answer, `seed ${seed}`).toEqual(right)
          codes.set('right', (codes.get('right') ?? 0) + 1)
        } catch (error) {
          if (!isRowkeyError(error)) throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
          codes.set(error.code, (codes.get(error.code) ?? 0) + 1)
        }
      }
      const allowed = ['right', 'ADAPTER_FAULT', 'CORRUPT_ROW', 'UNREADABLE_ROW', 'TABLE_NOT_FOUND', 'STORE_UNUSABLE']
      expect(allowed).toEqual(expect.arrayContaining([...codes.keys()]))
      expect(codes.get('ADAPTER_FAULT')).toBeGreaterThan(20)
    },
    ms,
  )

  test.each(Object.keys(writes))(
    'ADAPTER-17: %s with a reply that is changed anywhere is done, refused or unknown',
    async (name) => {
      const { sound, db, client, hostile } = await setUp()
      const call = writes[name] as (of: Db) => Promise<unknown>
      const codes = new Set<string>()
      for (let seed = 1; seed <= 60; seed++) {
        const random = new Random(seed)
        await sound.repository(Rows).putMany(stored)
        for (const [user, n] of [['new', 1], ['ann', 9], ['ann', 7]] as const) await sound.repository(Rows).delete({ user, n }) // prettier-ignore
        let [left, wrote] = [random.below(3), false]
        hostile.answer = (command, reply) => {
          wrote ||= command.startsWith('eval')
          return left-- === 0 ? mangled(reply, random) : reply
        }
        client.requests = 0
        const code = await call(db).then(
          () => 'done',
          (error: unknown) => {
            if (!isRowkeyError(error)) throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
            return error.code
          },
        )
        codes.add(code)
        if (code === 'done') expect(wrote).toBe(true) // nothing is said to be written that was not sent
      }
      expect([...codes]).toEqual(
        expect.arrayContaining([
          name === 'insert over a row' ? 'ROW_EXISTS' : 'done',
          expect.stringMatching(/^(OUTCOME_UNKNOWN|WRITE_INCOMPLETE)$/),
        ]),
      )
    },
    ms,
  )

  test(
    'ADAPTER-17: a catalog that is changed anywhere is refused, and a change of a table ends',
    async () => {
      const codes = new Set<string>()
      for (let seed = 1; seed <= 120; seed++) {
        const random = new Random(seed)
        let left = random.below(3)
        const sound = open(url)
        const client = answering(sound.client, (_, reply) => (left-- === 0 ? mangled(reply, random) : reply))
        const db = createMapper(redis(client), { prefix: sound.prefix })
        const run = seed % 2 === 0 ? () => db.ensureTables([Rows]) : () => db.repository(Rows).get({ user: 'ann', n: 1 })
        await run().then(
          () => codes.add('done'),
          (error: unknown) => {
            if (!isRowkeyError(error)) throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
            codes.add(error.code)
          },
        )
        await sound.dropTables([Rows])
        sound.client.disconnect()
      }
      expect([...codes]).toContain('ADAPTER_FAULT')
    },
    ms,
  )

  /** Replies that a server could repeat for ever. */
  const endless: readonly (readonly [string, string, unknown])[] = [
    ['full scan', 'a page that is cut and has no rows', [[], [], 1]],
    ['scan', 'a page that is cut and has no rows', [[], [], 1]],
    ['scan with a filter', 'a page that read nothing', [[], [], 1, 0, null]],
    ['scan', 'values without members', [[], [Buffer.from('a')], 0]],
    ['full scan', 'values without members', [[], [Buffer.from('a'), Buffer.from('b')], 0]],
    ['scan', 'members without values', [[Buffer.from('a')], [], 0]],
    ['purge', 'a purge that deletes nothing and leaves rows', [0, 5, 700]],
    ['purge', 'a purge that deletes nothing, all the time', [0, 0, 1]],
    ['purge', 'a purge that deletes more than it saw', [9, 5, 0]],
  ]
  test.each(endless)('ADAPTER-3 ADAPTER-17: %s: %s, again and again, is ADAPTER_FAULT', async (name, _, reply) => {
    const { db, client, hostile } = await setUp()
    hostile.answer = (command) => (command.startsWith('eval') ? reply : undefined)
    client.requests = 0
    const call = reads[name] as (of: Db) => Promise<unknown>
    expect(await refusalOf(() => call(db))).toMatchObject({
      code: 'ADAPTER_FAULT',
      details: { table: expect.stringContaining('rows') as string },
    })
    expect(client.requests).toBeLessThan(150)
  })

  test('ADAPTER-17: a server that repeats a state of a catalog for ever ends as STORE_UNAVAILABLE', async () => {
    const { sound, db, client, hostile } = await setUp()
    const key = `rk:{${sound.prefix}rows}:catalog`
    const before = await sound.client.get(key)
    for (const state of ['creating', 'dropping']) {
      hostile.answer = (command, reply) => {
        if (command === 'get') return Buffer.from((before ?? '').replace('"ready"', `"${state}"`))
        return typeof reply === 'number' ? 0 : reply // no catalog is ever replaced
      }
      client.requests = 0
      expect(await refusalOf(() => db.ensureTables([Rows]))).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'refused' } })
      await sound.client.set(key, before ?? '')
    }
  })

  test('ADAPTER-17: a catalog with a number of shards that no table has is STORE_UNUSABLE', async () => {
    const { sound } = await setUp()
    const key = `rk:{${sound.prefix}rows}:catalog`
    const text = (await sound.client.get(key)) ?? ''
    for (const shards of ['-1', '0', '1.5', '2', '1e9', '"3"', 'null']) {
      await sound.client.set(key, text.replace('"shards":3', `"shards":${shards}`))
      const other = createMapper(redis(sound.client as never), { prefix: sound.prefix })
      expect(await refusalOf(() => other.repository(Rows).get({ user: 'ann', n: 1 })), shards).toMatchObject({ code: 'STORE_UNUSABLE' })
    }
    await sound.client.set(key, text)
  })
})
