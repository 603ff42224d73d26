import type { Adapter } from 'rowkey'
import { dynamodb } from '@rowkey/dynamodb'
import { lmdb } from '@rowkey/lmdb'
import { redis } from '@rowkey/redis'
import { redis as redisServer } from '@rowkey/servers'
import { scaled } from '@rowkey/servers/scale'
import { Redis } from 'ioredis'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as rowkey from 'rowkey'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect } from '../../adapters/cassandra/test/connected.js'
import { clientOf } from '../../adapters/dynamodb/test/client.js'
import { output } from '../../adapters/lmdb/test/child.js'
import { build } from '../setup/build.js'
import '../setup/serve.js'
import { modelOf, rowAfter, steps } from './steps.mjs'

const kills = scaled(2)
const folder = mkdtempSync(join(tmpdir(), 'rowkey-killed-'))
const Steps = modelOf(rowkey)

beforeAll(() => build('adapters/lmdb', 'adapters/redis', 'adapters/dynamodb', 'adapters/cassandra', 'packages/rowkey'), 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A store, as this process sees it, and what a writer connects to. */
interface Target {
  readonly adapter: Adapter
  readonly connection: object
  close(): unknown
}

/** Each opens its store; a reason if there is none. */
const targets: Readonly<Record<string, () => Promise<Target> | string>> = {
  lmdb: async () => {
    const adapter = lmdb(join(folder, 'db'))
    return { adapter, connection: { folder: join(folder, 'db') }, close: () => adapter.close() }
  },
  redis: () => {
    const server = inject('servers').redis
    if (server === undefined || 'missing' in server) return server?.missing ?? 'not served'
    const { url } = server.connection
    const client = new Redis(url)
    return Promise.resolve({ adapter: redis(client), connection: { url }, close: () => client.disconnect() })
  },
  dynalite: () => {
    const server = inject('servers').dynalite
    if (server === undefined || 'missing' in server) return server?.missing ?? 'not served'
    const client = clientOf(server.connection)
    const adapter = dynamodb(client, { transactions: false, nativeTtl: false })
    return Promise.resolve({ adapter, connection: { endpoint: server.connection.endpoint }, close: () => client.destroy() })
  },
  cassandra: () => {
    const server = inject('servers').cassandra
    if (server === undefined || 'missing' in server) return server?.missing ?? 'not served'
    const { connection } = server
    return connect(connection).then(({ adapter, keyspace, dispose }) => ({
      adapter,
      connection: { ...connection, keyspace },
      close: dispose,
    }))
  },
}

/** Kills a writer a moment after its first acknowledgements. Returns how many steps of each row were acknowledged. */
async function killedWriter(store: string, connection: object, prefix: string, seed: number): Promise<ReadonlyMap<number, number>> {
  const program = fileURLToPath(new URL('stepping.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, store, JSON.stringify(connection), prefix, String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  const ended = output(child)
  await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended])
  await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 400))
  child.kill('SIGKILL')
  const { signal, lines, errors } = await ended
  expect({ signal, errors }).toEqual({ signal: 'SIGKILL', errors: '' })
  return new Map(lines.map((line) => line.split(' ').map(Number) as [number, number]))
}

/** Every row is as its acknowledged steps left it, or one step further. */
async function checkRows(db: rowkey.Mapper, acknowledged: ReadonlyMap<number, number>): Promise<void> {
  const table = db.repository(Steps)
  for (const [id, count] of acknowledged) {
    const row = await table.get({ id })
    const found = row === undefined ? undefined : { id: row['id'], n: row['n'], b: row['b'] }
    const possible = [rowAfter(id, count), rowAfter(id, Math.min(count + 1, steps.length))]
    expect(possible, `row ${id} after ${count} acknowledged steps`).toContainEqual(found)
  }
}

for (const [store, open] of Object.entries(targets)) {
  test(
    `WRITE-8 WRITE-19 WRITE-21: kill -9 of a writer on ${store}: each increment, upsert and deleteAll was applied once, or the last one not at all`,
    { timeout: 180_000 + kills * 20_000 },
    async (context) => {
      const target = await open()
      if (typeof target === 'string') return context.skip(target)
      const prefix = `k${process.pid}_`
      const db = rowkey.createMapper(target.adapter, { prefix })
      await db.ensureTables([Steps])
      let looked = 0
      for (let time = 1; time <= kills; time++) {
        const acknowledged = await killedWriter(store, target.connection, prefix, time)
        await checkRows(db, acknowledged)
        looked += acknowledged.size
      }
      expect(looked).toBeGreaterThan(kills * 1.5)
      await db.dropTables([Steps])
      await target.close()
      console.log(`${store}: ${kills} kills, ${looked} rows`)
    },
  )
}

const missing = redisServer.missing()

test.skipIf(missing !== undefined)(
  'WRITE-8 WRITE-19 WRITE-21: kill -9 of Redis: each increment, upsert and deleteAll was applied once, or the last one not at all',
  { timeout: 180_000 },
  async () => {
    const own = mkdtempSync(join(folder, 'redis-'))
    let running = await redisServer.start({ folder: own })
    const { url } = running.connection
    const client = new Redis(url, { maxRetriesPerRequest: null })
    client.on('error', () => undefined)
    try {
      const db = rowkey.createMapper(redis(client))
      await db.ensureTables([Steps])
      const table = db.repository(Steps)
      const acknowledged = new Map<number, number>()
      let isDone = false
      let failed = 0
      const lane = async (lane: number): Promise<void> => {
        for (let turn = 0; !isDone && turn < 3000; turn++) {
          const id = lane * 100_000 + turn
          try {
            for (const [index, step] of steps.entries()) {
              await step(table, id)
              acknowledged.set(id, index + 1)
            }
          } catch (error) {
            failed++
            if (!rowkey.isRowkeyError(error)) throw error
          }
        }
      }
      const lanes = [0, 1, 2, 3].map(lane)
      for (let i = 0; i < 2000 && acknowledged.size < 200; i++) await new Promise((resolve) => setTimeout(resolve, 5))
      await running.kill()
      running = await redisServer.start({ folder: own, port: Number(new URL(url).port) })
      const before = acknowledged.size
      for (let i = 0; i < 2000 && acknowledged.size < before + 50; i++) await new Promise((resolve) => setTimeout(resolve, 5))
      isDone = true
      await Promise.all(lanes)
      expect(failed).toBeLessThanOrEqual(lanes.length * 2)
      await checkRows(db, acknowledged)
    } finally {
      client.disconnect()
      await running.stop()
    }
  },
)
