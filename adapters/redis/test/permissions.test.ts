import { redis } from '@rowkey/redis'
import { redis as server, redisCluster } from '@rowkey/servers'
import { Cluster, Redis } from 'ioredis'
import { createMapper, defineTable, text, uint32 } from 'rowkey'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listed, listedCommands, ofCluster } from './acl.js'
import { places } from './places.js'

const missing = server.missing()
const Rows = defineTable('rows', { columns: { id: uint32(), a: text() }, key: ['id'] })
const Expiring = defineTable('expiring', { columns: { id: uint32(), a: text() }, key: ['id'], ttl: '1h' })

// conformance.test.ts runs the suite as a user who may do what the README lists, and nothing else.
describe.skipIf(missing !== undefined)('a server of its own', () => {
  const { client, open } = places()
  let running: Awaited<ReturnType<typeof server.start>>
  let url: string
  let admin: Redis
  const as = (user: string): string => url.replace('redis://', `redis://${user}:secret@`)
  beforeAll(async () => {
    running = await server.start()
    url = running.connection.url
    admin = client(url)
    await admin.acl('SETUSER', 'app', ...listed, '+info')
  })
  afterAll(() => running.stop())

  const refused = (table: string) => ({ code: 'STORE_REFUSED', details: { adapter: 'redis', table, reason: 'access' } })

  test('ERR-1: each command that is missing is told as a lasting refusal by the calls that need it', async () => {
    await createMapper(redis(client(url))).ensureTables([Rows, Expiring])
    for (const [i, command] of listedCommands.entries()) {
      await admin.acl('SETUSER', `without${i}`, ...listed, '+info', `-${command}`)
      await admin.script('FLUSH') // a server that knows the scripts needs no EVAL
      const db = open(as(`without${i}`))
      const rows = db.repository(Rows)
      const found: unknown[] = []
      const calls: readonly (() => Promise<unknown>)[] = [
        () => db.ensureTables([Rows, Expiring]),
        () => rows.put({ id: 1, a: 'x' }),
        () => rows.insert({ id: 2, a: 'x' }),
        () => rows.get({ id: 1 }),
        () => rows.scan({}, { unbounded: true }).toArray(),
        () => rows.update({ id: 1 }, { a: 'y' }),
        () => db.repository(Expiring).put({ id: 1, a: 'x' }),
        () => db.purgeExpired(Expiring),
        () => rows.delete({ id: 1 }),
        () => db.dropTables([Rows]),
      ]
      for (const call of calls) await call().catch((error: unknown) => found.push(error))
      expect(found, `no call needs ${command}, which the README lists`).not.toEqual([])
      for (const error of found) {
        expect(error, command).toMatchObject({
          code: expect.stringMatching(/^(STORE_REFUSED|WRITE_FAILED|OUTCOME_UNKNOWN|ROW_NOT_FOUND|TABLE_NOT_FOUND|CORRUPT_ROW)$/) as string,
        })
        const { code, details } = error as { code: string; details: { reason?: string; repeatable?: boolean } }
        if (code === 'STORE_REFUSED') expect(details.reason, command).toBe('access')
        if (code === 'WRITE_FAILED') expect(details.repeatable, command).toBe(false)
      }
      await createMapper(redis(client(url))).ensureTables([Rows, Expiring])
    }
  })

  test('ERR-1: what a user may not do is STORE_REFUSED, and says what was refused and where the list is', async () => {
    await admin.acl('SETUSER', 'nobody', 'on', '>secret', '~rk:*', '+info')
    await admin.acl('SETUSER', 'halfway', 'on', '>secret', '~rk:*', '+info', '+get', '+hmget', '+eval', '+evalsha')
    await admin.acl('SETUSER', 'elsewhere', ...listed.filter((rule) => !rule.startsWith('~')), '~other:*', '+info')
    const { catalog, schema } = await opened()
    for (const [user, says] of [
      ['nobody', /NOPERM.*'get'/],
      ['elsewhere', /NOPERM.*keys/],
    ] as const) {
      const { adapter } = open(as(user))
      const store = adapter.table(schema, catalog)
      const calls = [
        () => adapter.describeTable(schema.name),
        () => adapter.ensureTable(schema),
        () => adapter.dropTable(schema.name),
        () => adapter.tableId(schema, catalog),
        () => store.get([[1]], { consistency: 'strong' }),
        () => store.get([[1], [2]], { consistency: 'strong' }),
        () => store.fullScan(undefined, { consistency: 'strong' }).next(1),
        () => store.splits?.(2, { consistency: 'strong' }),
        () => store.purgeExpired?.(0, 1),
      ]
      for (const call of calls) await expect((async () => call())(), `${user} ${String(call)}`).rejects.toMatchObject(refused(schema.name))
      const error = await adapter.describeTable(schema.name).catch((thrown: unknown) => thrown)
      expect((error as Error).message).toMatch(says)
      expect((error as Error).message).toContain('README of @rowkey/redis')
      const [outcome] = await adapter.write([{ kind: 'put', schema, row: [0, 'x', null] }], { now: 0 })
      expect(outcome).toMatchObject({ kind: 'failed', cause: { message: expect.stringMatching(/^NOPERM/) as string } })
    }
    const store = open(as('halfway')).adapter.table(schema, catalog)
    await expect(Promise.resolve(store.fullScan(undefined, { consistency: 'strong' }).next(1))).rejects.toMatchObject(refused(schema.name))
  })

  test('ERR-1: a wrong password, and none, is a refusal as well', async () => {
    const { adapter } = open(url.replace('redis://', 'redis://app:wrong@'))
    await expect(adapter.describeTable('rows')).rejects.toMatchObject(refused('rows'))
    await admin.acl('SETUSER', 'default', 'resetpass', '>locked')
    try {
      await expect(open(url).adapter.describeTable('rows')).rejects.toMatchObject(refused('rows'))
    } finally {
      await admin.acl('SETUSER', 'default', 'nopass')
    }
  })

  async function opened() {
    const { adapter, prefix } = open(url)
    const schema = defineTable(`${prefix}rows`, { columns: { id: uint32(), a: text() }, key: ['id'], ttl: '1h' })
    return { schema, catalog: await adapter.ensureTable(schema) }
  }
})

describe.skipIf(missing !== undefined)('a cluster of its own', () => {
  let running: Awaited<ReturnType<typeof redisCluster.start>>
  const clients: { disconnect(): void }[] = []
  beforeAll(async () => {
    running = await redisCluster.start()
    for (const { host, port } of running.connection.nodes) {
      const admin = new Redis(port, host)
      clients.push(admin)
      await admin.acl('SETUSER', 'app', ...listed, '+info', ...ofCluster)
    }
  })
  afterAll(async () => {
    for (const client of clients) client.disconnect()
    await running.stop()
  })
  const connect = (username: string): Cluster => {
    const cluster = new Cluster([...running.connection.nodes], {
      redisOptions: { username, password: 'secret' },
      clusterRetryStrategy: () => null,
    })
    cluster.on('error', () => undefined) // ioredis prints those nobody hears
    clients.push(cluster)
    return cluster
  }

  test('what the README lists for a cluster is enough', async () => {
    expect(ofCluster.length).toBeGreaterThan(0)
    const db = createMapper(redis(connect('app')))
    await db.ensureTables([Rows])
    await db.repository(Rows).put({ id: 1, a: 'x' })
    expect(await db.repository(Rows).scan({}, { unbounded: true }).toArray()).toEqual([{ id: 1, a: 'x' }])
    await db.dropTables([Rows])
  })
})
