import { redis } from '@rowkey/redis'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { bucket, defineTable, int64, text } from 'rowkey'
import { expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { places } from './places.js'

const Rows = defineTable('rows', {
  columns: { id: text(), n: int64() },
  key: ['id'],
  salt: bucket({ of: 'id', count: 4 }),
  ttl: '1h',
  version: 'rev',
})

const lazy = { lazyConnect: true }
const refused: readonly (readonly [string, () => Redis | Cluster])[] = [
  ['keyPrefix', () => new Redis({ ...lazy, keyPrefix: 'app:' })],
  ['keyPrefix', () => new Cluster([], { ...lazy, keyPrefix: '{app}' })],
  ['readOnly', () => new Redis({ ...lazy, readOnly: true })],
  ['role', () => new Redis({ ...lazy, sentinels: [{ host: '127.0.0.1', port: 1 }], name: 'main', role: 'slave' })],
  ['autoResendUnfulfilledCommands', () => new Redis({ ...lazy, autoResendUnfulfilledCommands: false })],
  ['scaleReads', () => new Cluster([], { ...lazy, scaleReads: 'slave' })],
  ['scaleReads', () => new Cluster([], { ...lazy, scaleReads: 'all' })],
  ['scaleReads', () => new Cluster([], { ...lazy, scaleReads: () => [] as never })],
  ['keyPrefix', () => new Cluster([], { ...lazy, redisOptions: { keyPrefix: 'x' } })],
  ['redisOptions.role', () => new Cluster([], { ...lazy, redisOptions: { role: 'slave' } as never })],
]

test.each(refused)('a client with %s is refused before anything is sent', (option, make) => {
  const client = make()
  expect(() => redis(client)).toThrow(expect.objectContaining({ code: 'CLIENT_OPTION', details: expect.objectContaining({ option }) }))
  client?.disconnect?.()
})

test('what is not a client is INVALID_OPTION', () => {
  const message = 'INVALID_OPTION: redis(): client cannot be an object. Give new Redis(url) or new Cluster(nodes) of ioredis.'
  expect(() => redis({ client: new Redis({ ...lazy }) } as never)).toThrow(message)
  expect(() => redis({ get: () => undefined } as never)).toThrow(message)
  expect(() => redis(undefined as never)).toThrow('INVALID_OPTION: redis(): client cannot be undefined.')
})

test.each([[{ shards: 0 }], [{ shards: 1.5 }], [{ shards: 1025 }], [{ shard: 4 }], [null], [{ shards: '4' }]])(
  'options %j are refused',
  (options) => {
    const client = new Redis(lazy)
    expect(() => redis(client, options as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    client.disconnect()
  },
)

withServer('redis', ({ url }) => {
  const { open } = places()
  const kinds: readonly RedisOptions[] = [
    { protocol: 2 },
    { protocol: 3, replyMapping: 'legacy' },
    { protocol: 3, replyMapping: 'resp3' } as never,
    { stringNumbers: true },
    { enableAutoPipelining: true },
    { autoResendUnfulfilledCommands: false, commandTimeout: 20_000, maxRetriesPerRequest: null },
    { enableReadyCheck: false, showFriendlyErrorStack: true },
    { db: 3, connectionName: 'x' },
  ]
  test.each(kinds)('everything works with a client of %j', async (options) => {
    const db = open(url, options)
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    await rows.putMany(Array.from({ length: 300 }, (_, i) => ({ id: `\u00ff${i}`, n: 2n ** 60n + BigInt(i) })))
    await expect(rows.insert({ id: '\u00ff1', n: 0n })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
    await expect(rows.put({ id: '\u00ff1', n: 0n }, { if: { rev: 'x' } })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
    await rows.update({ id: '\u00ff7' }, { n: 7n })
    expect(await rows.get({ id: '\u00ff7' })).toMatchObject({ n: 7n })
    expect(await rows.scan({}, { unbounded: true, order: 'reverse' }).toArray()).toHaveLength(300)
    let count = 0
    for await (const _ of rows.readAll()) count++
    expect(count).toBe(300)
    expect(await db.purgeExpired(Rows)).toBe(0)
    await db.dropTables([Rows])
    expect(await db.client.get(`rk:{${db.prefix}rows}:catalog`)).toBeNull()
  })

  test('writes that land in a transaction of the caller are unknown: they are done at its end', async () => {
    const db = open(url)
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    await rows.insert({ id: 'a', n: 0n })
    const { adapter, prefix } = db
    const schema = defineTable(`${prefix}queued`, { columns: { id: text(), n: int64() }, key: ['id'] })
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    await db.client.multi({ pipeline: false })
    const writes = (['put', 'insert'] as const).map(async (kind) => adapter.write([{ kind, schema, row: [kind, 1n] }], { now: 0 }))
    expect((await Promise.all(writes)).flat().map(({ kind }) => kind)).toEqual(['unknown', 'unknown'])
    await db.client.exec()
    expect(await store.get([['put']], { consistency: 'strong' })).toEqual([['put', 1n]])
  })

  test('the client is the caller’s: close() leaves it open, and a closed adapter refuses calls', async () => {
    const db = open(url)
    await db.ensureTables([Rows])
    await db.adapter.close()
    expect(await db.client.ping()).toBe('PONG')
    await expect(db.adapter.describeTable('x')).rejects.toMatchObject({ code: 'CLOSED' })
  })
})
