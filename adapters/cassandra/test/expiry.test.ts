import { cassandra } from '@rowkey/cassandra'
import { bucket, defineTable, int32, nullable, renameTable, text } from 'rowkey'
import { Cancellation, type Row, type TableSchema } from 'rowkey/adapter'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { around, connect, interrupted, type Connected } from './connected.js'
import { kinds, open, opened, strong } from './tables.js'

const columns = { k: int32(), a: nullable(text()), b: nullable(text()) }
const Conditional = defineTable('expiring', { columns, key: ['k'], ttl: '1h' })
const Plain = defineTable('expiring_plain', { columns, key: ['k'], ttl: '1h', writes: 'plain' })
const Versioned = defineTable('expiring_versions', { columns, key: ['k'], ttl: '1h', version: 'rev' })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
/** After this a row that expires in a second is gone from the server. */
const untilGone = 11_000

withServer('cassandra', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  const stored = async (table: string, columns = '*'): Promise<readonly Record<string, unknown>[]> =>
    (await server.client.execute(`SELECT ${columns} FROM ${server.keyspace}.${table}`)).rows
  const cql = (statement: string): Promise<unknown> => server.client.execute(statement.replaceAll('$', `${server.keyspace}.`))

  // They wait for the server, so they wait together, each with tables of its own.
  test.concurrent('EXPIRY-1: the server removes what has expired, some seconds later than it is gone for readers', async () => {
    const check = async (schema: TableSchema): Promise<void> => {
      const table = await open(server.adapter, schema)
      const now = Date.now()
      await table.put([1, 'x', null, now + 1000], [2, 'x', null, now + 3_600_000], [3, 'x', null, null], [4, 'x', null, 4e12])
      const [one] = (await stored(schema.name, 'k, ttl(a) AS ttl, rk_expires')).filter(({ k }) => k === 1)
      expect(one?.['ttl']).toBeGreaterThanOrEqual(2)
      expect(Number(one?.['rk_expires'])).toBe(now + 1000)
      await pause(untilGone)
      expect((await stored(schema.name, 'k')).map(({ k }) => k)).toEqual([2, 3, 4])
      expect(await table.scan()).toEqual([
        [2, 'x', null, now + 3_600_000],
        [3, 'x', null, null],
        [4, 'x', null, 4e12], // beyond what servers keep in 32 bits
      ])
    }
    await Promise.all([Conditional, Plain].map((schema: TableSchema) => check(renameTable(schema, `${schema.name}_removed`))))
  })

  test.concurrent(
    'ADAPTER-9 EXPIRY-2: what an update writes goes with the row, and never comes back as one that lives for ever',
    async () => {
      const table = await open(server.adapter, Conditional)
      const now = Date.now()
      await table.put([10, 'a', 'b', now + 2000])
      expect(kinds(await table.write([{ kind: 'update', row: [10, null, 'B', null], set: [2] }]))).toEqual(['applied'])
      expect(await table.get(10)).toEqual([10, 'a', 'B', now + 2000])
      // All states in between: at no time the row is there without its expiry.
      for (let i = 0; i < 60; i++) {
        const row = await table.get(10)
        if (row !== undefined) expect(row).toEqual([10, 'a', 'B', now + 2000])
        await pause(200)
      }
      expect((await stored('expiring', 'k')).filter(({ k }) => k === 10)).toEqual([])
    },
    60_000,
  )

  test.concurrent(
    'ADAPTER-9: a put without expiry over a row with one lives on when the old time comes',
    async () => {
      const check = async (schema: TableSchema): Promise<void> => {
        const table = await open(server.adapter, schema)
        await table.put([30, 'old', 'old', Date.now() + 1000])
        await table.put([30, 'new', null, null])
        if (schema.writes === 'conditional') {
          await table.put([31, 'old', 'old', Date.now() + 1000])
          await pause(1100)
          expect(kinds(await table.write([{ kind: 'insert', row: [31, null, null, null] }]))).toEqual(['applied'])
        }
        await pause(untilGone)
        expect(await table.get(30)).toEqual([30, 'new', null, null])
        if (schema.writes === 'conditional') expect(await table.get(31)).toEqual([31, null, null, null])
      }
      await Promise.all([Conditional, Plain].map((schema: TableSchema) => check(renameTable(schema, `${schema.name}_again`))))
    },
    60_000,
  )

  test.concurrent(
    'ADAPTER-12: a purge takes what is left of a row that was to live longer before a condition replaced it',
    async () => {
      const schema = renameTable(Versioned, 'replaced')
      const table = await open(server.adapter, schema)
      await table.put([1, 'x', null, null, 'v1'], [2, 'x', null, null, 'v1'])
      const replaced: Row = [1, 'y', null, Date.now() + 1000, 'v2']
      expect(kinds(await table.write([{ kind: 'put', row: replaced, version: 'v1' }]))).toEqual(['applied'])
      await pause(untilGone)
      expect(await table.get(1)).toBeUndefined()
      expect((await stored('replaced', 'k')).length).toBe(2)
      expect(await table.store.purgeExpired?.(Date.now(), 10)).toBe(1)
      expect((await stored('replaced', 'k')).map(({ k }) => k)).toEqual([2])
    },
    60_000,
  )

  test('EXPIRY-1: the remains of a row, whichever cells are left, are no row for gets, scans, full scans and conditions', async () => {
    for (const like of [Conditional, Versioned]) {
      const schema = renameTable(like, `${like.name}_left`)
      const table = await open(server.adapter, schema)
      const version = like === Versioned ? ['v2'] : []
      for (const remains of [`a`, 'b']) {
        await cql(`INSERT INTO $${schema.name} (rk_bucket, k, ${remains}) VALUES (0, 20, 'left')`)
        await cql(`UPDATE $${schema.name} SET ${remains} = 'left' WHERE rk_bucket = 0 AND k = 21`)
        expect(await table.get(20)).toBeUndefined()
        expect(await table.scan()).toEqual([])
        const source = table.store.fullScan(undefined, strong)
        expect((await source.next(10))?.rows).toEqual([])
        const changed: Row = [20, 'n', null, null, ...version]
        expect(kinds(await table.write([{ kind: 'update', row: changed, set: [1] }]))).toEqual(['missing'])
        if (like === Versioned) {
          expect(kinds(await table.write([{ kind: 'delete', row: [20], version: 'v1' }]))).toEqual(['missing'])
          expect(kinds(await table.write([{ kind: 'put', row: changed, version: 'v1' }]))).toEqual(['missing'])
        }
        expect(kinds(await table.write([{ kind: 'insert', row: changed }]))).toEqual(['applied'])
        expect(await table.scan()).toEqual([changed])
        await table.write([20, 21].map((k) => ({ kind: 'delete', row: [k] }) as const))
      }
    }
  })

  test('TABLE-3: rows from before their table had expiry never expire; what is written later does', async () => {
    const before = defineTable('grown', { columns, key: ['k'] })
    const after = defineTable('grown', { columns, key: ['k'], ttl: '1h' })
    const old = await open(server.adapter, before)
    await old.put([1, 'old', null], [2, null, null])
    const catalog = await server.adapter.ensureTable(after)
    const table = opened(server.adapter, after, catalog)
    const now = Date.now()
    expect(await table.scan()).toEqual([
      [1, 'old', null, null],
      [2, null, null, null],
    ])
    expect(kinds(await table.write([{ kind: 'insert', row: [1, 'x', null, null] }]))).toEqual(['conflict'])
    expect(kinds(await table.write([{ kind: 'update', row: [2, 'x', null, null], set: [1] }]))).toEqual(['applied'])
    expect(kinds(await table.write([{ kind: 'update', row: [3, 'x', null, null], set: [1] }]))).toEqual(['missing'])
    await table.put([4, 'new', null, now + 1], [5, 'new', null, null], [6, 'new', null, now + 3_600_000])
    expect(await stored('grown', 'k, ttl(a) AS ttl')).toEqual([1, 2, 4, 5, 6].map((k) => ({ k, ttl: null }))) // nothing is left to the server
    await pause(5)
    expect(kinds(await table.write([{ kind: 'update', row: [4, 'x', null, null], set: [1] }]))).toEqual(['missing'])
    expect(kinds(await table.write([{ kind: 'insert', row: [4, 'y', null, null] }]))).toEqual(['applied'])
    expect(kinds(await table.write([{ kind: 'update', row: [6, null, 'z', null], set: [2] }]))).toEqual(['applied'])
    expect(await table.scan()).toEqual([
      [1, 'old', null, null],
      [2, 'x', null, null],
      [4, 'y', null, null],
      [5, 'new', null, null],
      [6, 'new', 'z', now + 3_600_000],
    ])
  })

  test('TABLE-3: rows of a table that somebody else made without expiry are no remains', async () => {
    await cql(`CREATE TABLE $by_hand (rk_bucket int, k int, a text, b text, PRIMARY KEY ((rk_bucket), k))`)
    await cql(`INSERT INTO $by_hand (rk_bucket, k, a) VALUES (0, 1, 'old')`)
    const table = await open(server.adapter, renameTable(Conditional, 'by_hand'))
    expect(await table.scan()).toEqual([[1, 'old', null, null]])
    expect(kinds(await table.write([{ kind: 'insert', row: [1, 'x', null, null] }]))).toEqual(['conflict'])
    expect(await table.store.purgeExpired?.(Date.now(), 10)).toBe(0)
  })

  test('WRITE-3: a row that goes between the look at it and the write is not made anew by the condition on it', async () => {
    const catalogs = {
      native: await server.adapter.ensureTable(renameTable(Conditional, 'between_native')),
      added: await (async () => {
        await server.adapter.ensureTable(defineTable('between_added', { columns, key: ['k'] }))
        return server.adapter.ensureTable(renameTable(Conditional, 'between_added'))
      })(),
    }
    for (const [mode, catalog] of Object.entries(catalogs)) {
      const schema = renameTable(Conditional, `between_${mode}`)
      for (const change of ['goes', 'changes'] as const) {
        await server.client.execute(`INSERT INTO ${server.keyspace}.between_${mode} (rk_bucket, k, a) VALUES (0, 1, 'x') IF NOT EXISTS`)
        const never = '9223372036854775807'
        if (mode === 'native') await cql(`UPDATE $between_native SET rk_expires = ${never} WHERE rk_bucket = 0 AND k = 1 IF EXISTS`)
        let isDone = false
        const client = interrupted(server.client, async (query) => {
          if (isDone || !query.startsWith('SELECT')) return
          isDone = true
          if (change === 'goes') await cql(`DELETE FROM $between_${mode} WHERE rk_bucket = 0 AND k = 1 IF EXISTS`)
          else await cql(`UPDATE $between_${mode} SET rk_expires = 4000000000000 WHERE rk_bucket = 0 AND k = 1 IF EXISTS`)
        })
        const table = opened(cassandra(client, { keyspace: server.keyspace }), schema, catalog)
        const outcomes = await table.write([{ kind: 'update', row: [1, null, 'B', null], set: [2] }])
        expect(isDone).toBe(true)
        expect(kinds(outcomes)).toEqual([change === 'goes' ? 'missing' : 'applied'])
        expect(await table.scan()).toEqual(change === 'goes' ? [] : [[1, 'x', 'B', 4e12]])
        expect(await stored(`between_${mode}`, 'k')).toHaveLength(change === 'goes' ? 0 : 1)
      }
    }
  })

  test('ADAPTER-9: an update of a row that gets more time after the look at it is not taken by the time that it had', async () => {
    const schema = renameTable(Conditional, 'prolonged')
    const direct = await open(server.adapter, schema)
    await direct.put([1, 'x', null, Date.now() + 60_000])
    let isDone = false
    const client = interrupted(server.client, async (query) => {
      if (isDone || !query.startsWith('SELECT')) return
      isDone = true
      await direct.put([1, 'x', null, null])
    })
    const catalog = await server.adapter.describeTable('prolonged')
    const table = opened(cassandra(client, { keyspace: server.keyspace }), schema, catalog)
    expect(kinds(await table.write([{ kind: 'update', row: [1, null, 'B', null], set: [2] }]))).toEqual(['applied'])
    expect(isDone).toBe(true)
    expect(await stored('prolonged', 'b, ttl(b) AS ttl')).toEqual([{ b: 'B', ttl: null }])
  })

  test('ADAPTER-12: conditional deletes of a purge take turns with each other and with writes, as transactions of one partition', async () => {
    const schema = renameTable(Conditional, 'in_turn')
    const past = Date.now() + 100_000 // as seen by the purge, whose clock is ahead
    await (await open(server.adapter, schema)).put(...Array.from({ length: 30 }, (_, k): Row => [k, 'old', null, past]))
    let running = 0
    const seen = { most: 0, deletes: 0 }
    const client = around(server.client, async (query, send) => {
      if (!/\bIF\b/.test(query) || !query.includes('in_turn')) return send()
      if (query.startsWith('DELETE')) seen.deletes++
      seen.most = Math.max(seen.most, ++running)
      return send().finally(() => running--)
    })
    const other = opened(cassandra(client, { keyspace: server.keyspace }), schema, await server.adapter.describeTable('in_turn'))
    const written = Promise.all(Array.from({ length: 10 }, (_, k) => other.put([100 + k, 'new', null, null])))
    expect(await other.store.purgeExpired?.(past + 1, 1000)).toBe(30)
    await written
    expect(seen).toEqual({ most: 1, deletes: 30 })
    expect((await stored('in_turn', 'k')).length).toBe(10)
  })

  test('ADAPTER-12: a purge that is cancelled deletes no more than it has begun', async () => {
    const schema = renameTable(Conditional, 'cancelled')
    const past = Date.now() + 100_000 // as seen by the purge, whose clock is ahead
    await (await open(server.adapter, schema)).put(...Array.from({ length: 60 }, (_, k): Row => [k, 'old', null, past]))
    const caller = new AbortController()
    const client = interrupted(server.client, async (query) => {
      if (query.startsWith('DELETE')) caller.abort(new Error('enough'))
      return Promise.resolve()
    })
    const other = opened(cassandra(client, { keyspace: server.keyspace }), schema, await server.adapter.describeTable('cancelled'))
    const cancellation = new Cancellation({ signal: caller.signal })
    await expect(other.store.purgeExpired?.(past + 1, 1000, { cancellation })).rejects.toThrow('enough')
    await pause(300) // those that had begun
    expect((await stored('cancelled', 'k')).length).toBeGreaterThanOrEqual(60 - 8)
  })

  test('ADAPTER-12: a purge does not take a row that was put anew after it was read', async () => {
    const salted = defineTable('purged', { columns, key: ['k'], ttl: '1h', writes: 'plain', salt: bucket({ of: 'k', count: 4 }) })
    const table = await open(server.adapter, salted)
    const past = Date.now() + 100_000 // as seen by the purge, whose clock is ahead
    await table.put(...Array.from({ length: 50 }, (_, k): Row => [k, 'old', null, past]))
    // Between its reading and its deleting, all rows are put again.
    let isDone = false
    const client = interrupted(server.client, async (query) => {
      if (isDone || !query.includes('writetime')) return
      isDone = true
      await table.put(...Array.from({ length: 50 }, (_, k): Row => [k, 'new', null, null]))
    })
    const other = opened(cassandra(client, { keyspace: server.keyspace }), salted, await server.adapter.describeTable('purged'))
    await other.store.purgeExpired?.(past + 1, 1000)
    expect(isDone).toBe(true)
    const rows = await Promise.all(Array.from({ length: 50 }, (_, k) => table.get(k)))
    expect(rows).toEqual(Array.from({ length: 50 }, (_, k) => [k, 'new', null, null]))
    await table.put(...Array.from({ length: 50 }, (_, k): Row => [k, 'old', null, k % 2 === 0 ? past : null]))
    expect(await table.store.purgeExpired?.(past, 10)).toBe(10)
    expect(await table.store.purgeExpired?.(past, 1000)).toBe(15)
    expect((await stored('purged', 'k')).length).toBe(25)
  })
})
