import { redis } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { bucket, createMapper, defineTable, text, uint32 } from 'rowkey'
import { afterAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { places } from './places.js'

const columns = { host: text(), at: uint32(), message: text() }
const unused = new Redis({ lazyConnect: true })
afterAll(() => unused.disconnect())
const db = createMapper(redis(unused))

test('the key plan of a salted table, to the letter', () => {
  const Logs = defineTable('logs', { columns, key: ['host', 'at'], salt: bucket({ of: 'host', count: 16 }), ttl: '7d' })
  const { text: plan, statements, warnings } = db.ddl(Logs)
  expect(plan).toBe(`# logs: a shard for each bucket of the salt: 16
# <shard> is 00 to 0f. The text in braces decides the slot of a cluster, so all keys of a shard are in one slot.
rk:{logs}:catalog  # string: the catalog as JSON, with the id of the table and the number of shards, which never changes
rk:{logs.<shard>}:z  # sorted set: rowkeys, all with score 0, so that they are sorted by bytes
rk:{logs.<shard>}:h  # hash: rowkey to record (MessagePack)
rk:{logs.<shard>}:x  # sorted set: rowkeys by the epoch milliseconds at which they expire
# Each hash has the id of the table in its empty field, and each sorted set has the empty member. They show that a shard is complete.
# What the catalog contains:
#   salt: bucket(host; count 16)
#   host: key, text
#   at: key, uint32
#   message: value, text
#   rk_expires: expiry, nullable(timestamp('ms'))
`)
  expect(warnings).toEqual([])
  expect(statements).toHaveLength(1 + 16 * 3)
  expect(statements.slice(0, 4)).toEqual([
    ['SET', 'rk:{logs}:catalog', '<catalog>', 'NX'],
    ['HSET', 'rk:{logs.00}:h', '', '<id>'],
    ['ZADD', 'rk:{logs.00}:z', '0', ''],
    ['ZADD', 'rk:{logs.00}:x', '+inf', ''],
  ])
})

test('TABLE-5: there are no hints for Redis, and what is said to other stores is theirs', () => {
  const hinted = (stores: Record<string, unknown>) => defineTable('logs', { columns, key: ['host', 'at'], stores })
  expect(() => db.ddl(hinted({ redis: { shards: 4 } }))).toThrow(
    "INVALID_OPTION: in the model of 'logs', stores.redis.shards cannot be 4. redis has no hints. Leave it out.",
  )
  expect(db.ddl(hinted({ dynamodb: { anything: 1 } })).statements).toHaveLength(4)
})

test.each([
  ['no salt', { key: ['host', 'at'] as const }, 1, /^All rows of 'logs' are in one shard/],
  ['four buckets', { key: ['host', 'at'] as const, salt: bucket({ of: 'host', count: 4 }) }, 4, /^4 shards can use at most 4 nodes/],
  ['256 buckets', { key: ['host', 'at'] as const, salt: bucket({ of: 'host', count: 256 }) }, 256, undefined],
  ['257 buckets', { key: ['host', 'at'] as const, salt: bucket({ of: 'host', count: 257 }) }, 64, /^257 buckets share 64 shards/],
  ['partition columns', { partition: ['host'] as const, key: ['at'] as const }, 64, undefined],
])('a table with %s: %i shards, and what is said of it', (_, options, shards, warning) => {
  const Logs = defineTable('logs', { columns, ...options } as never)
  const { warnings, statements, text: plan } = db.ddl(Logs)
  expect(statements).toHaveLength(1 + shards * 3)
  if (warning === undefined) expect(warnings).toEqual([])
  else {
    expect(warnings).toMatchObject([
      { code: expect.stringMatching(/-shards?$/) as string, message: expect.stringMatching(warning) as string },
    ])
    expect(plan).toContain(`# Warning: ${warnings[0]?.message} ${warnings[0]?.fix}\n`)
  }
})

withServer('redis', ({ url }) => {
  const { open, client } = places()

  test.each([bucket({ of: 'host', count: 16 }), undefined])('ensureTables() makes what ddl() says, and nothing else', async (salt) => {
    const own = open(url)
    const Logs = defineTable('logs', { columns, key: ['host', 'at'], ...(salt === undefined ? {} : { salt }) })
    const { statements } = own.ddl(Logs)
    await own.ensureTables([Logs])
    const reader = client(url)
    const keys = await reader.keys(`rk:{${own.prefix}logs*`)
    expect(keys.sort()).toEqual([...new Set(statements.map(([, key]) => key))].sort())
    const catalog = JSON.parse((await reader.get(`rk:{${own.prefix}logs}:catalog`)) as string) as { store: { id: string } }
    for (const [command, key, first, second] of statements.slice(1)) {
      if (command === 'HSET') expect(await reader.hgetall(key as string)).toEqual({ [first as string]: catalog.store.id })
      else expect(await reader.zrange(key as string, '0', '-1', 'WITHSCORES')).toEqual([second, first === '+inf' ? 'inf' : first])
    }
  })
})
