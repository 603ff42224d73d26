import { cassandra, type CassandraAdapter } from '@rowkey/cassandra'
import { cassandra as launcher } from '@rowkey/servers'
import { Cancellation, type Row, type TableSchema } from 'rowkey/adapter'
import { policies, type Client } from 'cassandra-driver'
import { createMapper, defineTable, int32, nullable, text } from 'rowkey'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, connect, type Connected } from './connected.js'
import { kinds, open, strong, type Change } from './tables.js'
import { openProxy, type Proxy } from '../../../test/setup/proxy.js'

const columns = { k: int32(), v: nullable(text()) }
const Plain = defineTable('plain_rows', { columns, key: ['k'], writes: 'plain' })
const Things = defineTable('things', { columns, key: ['k'] })
const Versioned = defineTable('versioned', { columns, key: ['k'], version: 'rev' })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Tries again for a while: a driver comes back in its own time. */
async function eventually<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === 100) throw error
      await pause(200)
    }
  }
}

withServer('cassandra', (connection) => {
  let server: Connected
  let proxy: Proxy
  let client: Client
  /** Behind the proxy. */
  let adapter: CassandraAdapter

  beforeAll(async () => {
    server = await connect(connection)
    proxy = await openProxy(Number((connection.contactPoints[0] as string).split(':')[1]))
    client = clientOf(
      { ...connection, contactPoints: [`127.0.0.1:${proxy.port}`] },
      {
        socketOptions: { readTimeout: 1500 },
        policies: { reconnection: new policies.reconnection.ConstantReconnectionPolicy(100) },
      },
    )
    adapter = cassandra(client, { keyspace: server.keyspace })
  })
  afterAll(async () => {
    await client.shutdown()
    await proxy.close()
    await server.dispose()
  })

  /** A change whose answer does not come in time; what becomes of it, and of the row in the end. */
  async function unanswered(
    schema: TableSchema,
    change: Change,
    deadline?: number,
  ): Promise<readonly [string | undefined, Row | undefined]> {
    const table = await eventually(() => open(adapter, schema))
    const direct = await open(server.adapter, schema)
    await eventually(() => table.store.get([[0]], strong) as Promise<unknown>)
    await eventually(() => table.put([99, null, ...schema.columns.slice(2).map(() => null)])) // statements are prepared
    if (change.kind === 'insert') await table.write([{ kind: 'insert', row: change.row.with(0, 98) }])
    proxy.holdAnswers(true)
    const outcomes = await table.write(
      [change],
      deadline === undefined ? {} : { cancellation: new Cancellation({ deadline: Date.now() + deadline }) },
    )
    proxy.holdAnswers(false)
    const [key] = change.row as [number]
    return [outcomes[0]?.kind, await direct.get(key)]
  }

  test('WRITE-8: a write that was applied and whose answer did not come is unknown, by time-out of the client or of the call', async () => {
    expect(await unanswered(Plain, { kind: 'put', row: [1, 'x'] })).toEqual(['unknown', [1, 'x']])
    expect(await unanswered(Plain, { kind: 'put', row: [2, 'x'] }, 300)).toEqual(['unknown', [2, 'x']])
    expect(await unanswered(Things, { kind: 'put', row: [3, 'x'] })).toEqual(['unknown', [3, 'x']])
    expect(await unanswered(Things, { kind: 'insert', row: [4, 'x'] }, 300)).toEqual(['unknown', [4, 'x']])
    expect(await unanswered(Versioned, { kind: 'put', row: [5, 'x', 'v1'] }, 300)).toEqual(['unknown', [5, 'x', 'v1']])
  })

  test('WRITE-11: a plain put whose answer does not come is sent again under its timestamp, conditional writes are OUTCOME_UNKNOWN', async () => {
    const db = createMapper(adapter)
    await eventually(() => db.ensureTables([Plain, Things]))
    const [plain, things] = [db.repository(Plain), db.repository(Things)]
    const writes = {
      plain: () => plain.put({ k: 10, v: 'x' }),
      conditional: () => things.put({ k: 11, v: 'x' }),
      insert: () => things.insert({ k: 12, v: 'x' }),
    }
    await eventually(() => plain.put({ k: 0, v: null })) // statements are prepared
    await eventually(() => things.put({ k: 0, v: null }))
    await things.insert({ k: -1, v: null })
    for (const [what, write] of Object.entries(writes)) {
      await eventually(() => things.get({ k: 0 }))
      proxy.holdAnswers(true)
      const written = write().then(
        () => 'applied',
        (error: unknown) => (error as { code?: string }).code,
      )
      await pause(2500) // longer than the client waits
      proxy.holdAnswers(false)
      expect(await written).toBe(what === 'plain' ? 'applied' : 'OUTCOME_UNKNOWN')
    }
    const direct = createMapper(server.adapter)
    expect(await direct.repository(Things).getMany([{ k: 11 }, { k: 12 }])).toEqual([
      { k: 11, v: 'x' },
      { k: 12, v: 'x' },
    ])
  })

  test('WRITE-10: where no server can be reached nothing was written, reads are STORE_UNAVAILABLE, and it goes on when it is back', async () => {
    const table = await eventually(() => open(adapter, Plain))
    await eventually(() => table.put([20, 'before']))
    await proxy.refuse(true)
    await pause(300) // the driver hears of it
    const outcomes = await table.write([{ kind: 'put', row: [20, 'meanwhile'] }])
    expect(kinds(outcomes)).toEqual(['unprocessed'])
    await expect(table.get(20)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { adapter: 'cassandra', reason: 'unanswered' },
    })
    await expect(adapter.describeTable('plain_rows')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await proxy.refuse(false)
    expect(await eventually(() => table.get(20))).toEqual([20, 'before'])
    await eventually(() => table.put([20, 'after']))
    expect(await (await open(server.adapter, Plain)).get(20)).toEqual([20, 'after'])
  })

  test('SCAN-3: a connection that is cut in the middle of a page fails the page; the cursor before goes on with every row once', async () => {
    const db = createMapper(adapter)
    const rows = Array.from({ length: 200 }, (_, k) => ({ k: 1000 + k, v: `${k} `.repeat(200) }))
    await createMapper(server.adapter).ensureTables([Plain])
    await createMapper(server.adapter).repository(Plain).putMany(rows)
    const table = db.repository(Plain)
    const seen: number[] = []
    let cursor: string | undefined
    let cuts = 0
    for (let pages = 0; pages < 400; pages++) {
      if (pages % 3 === 1) proxy.cutAfter(2000) // in the middle of the next answer
      try {
        const page = await table.scan({ k: { gte: 1000 } }).page({ size: 20, cursor })
        seen.push(...page.rows.map(({ k }) => k))
        cursor = page.cursor
        if (cursor === undefined) break
      } catch (error) {
        expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' })
        cuts++
        await pause(150)
      }
    }
    proxy.cutAfter(Infinity)
    expect(cuts).toBeGreaterThan(0)
    expect(seen).toEqual(rows.map(({ k }) => k))
  })

  test('a keyspace that asks for more replicas than there are: nothing plain is written, a condition is left open, a read refused', async () => {
    const keyspace = `${server.keyspace}_three`
    await server.client.execute(`CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}`)
    try {
      const wide = cassandra(server.client, { keyspace })
      await expect(wide.describeTable('plain_rows')).resolves.toBeUndefined()
      for (const schema of [Plain, Things]) for (const statement of wide.ddl(schema).statements) await server.client.execute(statement)
      const catalog = { format: 1, schema: {}, valueColumns: ['v'] } as const
      for (const [schema, kind] of [
        [Plain, 'unprocessed'],
        [Things, 'unknown'],
      ] as const) {
        const store = wide.table(schema, catalog)
        expect(kinds(await wide.write([{ schema, kind: 'put', row: [1, 'x'] }], { now: Date.now() }))).toEqual([kind])
        await expect(store.get([[1]], strong)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'refused' } })
        expect(await store.get([[1]], { consistency: 'eventual' })).toEqual([undefined])
      }
    } finally {
      await server.client.execute(`DROP KEYSPACE ${keyspace}`, [], { readTimeout: 120_000 })
    }
  })
})

const missing = launcher.missing()
test.skipIf(missing !== undefined)(
  'what was acknowledged is there after kill -9 and a restart, and a scan goes on behind its last page',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rowkey-cassandra-'))
    let node = await launcher.start({ folder })
    try {
      const port = Number((node.connection.contactPoints[0] as string).split(':')[1])
      const server = await connect(node.connection, {
        socketOptions: { readTimeout: 3000 },
        policies: { reconnection: new policies.reconnection.ConstantReconnectionPolicy(200) },
      })
      const table = await open(server.adapter, Plain)
      const things = await open(server.adapter, Things)
      const acknowledged: number[] = []
      let isOver = false
      const writer = async (from: number): Promise<void> => {
        for (let k = from; !isOver; k += 8) {
          const target = k % 4 === 0 ? things : table
          const outcomes = await target.write([{ kind: 'put', row: [k, 'x'.repeat(100)] }]).catch(() => [])
          if (kinds(outcomes)[0] === 'applied') acknowledged.push(k)
          else await pause(20)
        }
      }
      await table.put(...Array.from({ length: 100 }, (_, k): Row => [-100 + k, 'before']))
      const source = table.store.scan(
        { bucket: 0, from: { prefix: [], edge: 'before' }, to: { prefix: [0], edge: 'before' }, reverse: false },
        strong,
      )
      const first = await source.next(30)
      const writers = Promise.all(Array.from({ length: 8 }, (_, i) => writer(i)))
      await pause(1500)
      await node.kill()
      isOver = true
      await writers
      expect(acknowledged.length).toBeGreaterThan(50)
      node = await launcher.start({ folder, port })
      // A driver that has just come back loses connections again for a while.
      await eventually(async () => {
        for (let i = 0; i < 20; i++) {
          await pause(100)
          await table.scan()
        }
      })
      const seen = [...(first?.rows ?? [])]
      for (let page = await source.next(30); page !== undefined; page = await source.next(30)) seen.push(...page.rows)
      expect(seen.map(([k]) => k)).toEqual(Array.from({ length: 100 }, (_, k) => -100 + k))
      const there = new Set([...(await table.scan()), ...(await things.scan())].map(([k]) => k))
      expect(acknowledged.filter((k) => !there.has(k))).toEqual([])
      await server.client.shutdown()
    } finally {
      await node.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  300_000,
)
