import { redis } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { afterAll, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { expectUsable, golden, type KeptCheckpoint } from '../../../test/written-before/kept.js'
import { dump, remove, restore, type RedisKeys } from '../../../test/written-before/redis.js'
import { expectSameBytes, writeRows } from '../../../test/written-before/write.js'

withServer('redis', ({ url }) => {
  const client = new Redis(url)
  afterAll(async () => {
    await remove(client)
    client.disconnect()
  })

  test('keys of Redis that were written before: tables, rows, order, cursors, checkpoints, and they can be written to', async () => {
    const { checkpoints, keys } = golden<{ readonly keys: RedisKeys; readonly checkpoints: readonly KeptCheckpoint[] }>('redis')
    await restore(client, keys)
    await expectUsable(redis(client), checkpoints)
  })

  test('what is written to Redis today is what was written before, byte for byte', async () => {
    await remove(client)
    await writeRows(redis(client, { shards: 8 }))
    expectSameBytes(await dump(client), golden<{ readonly keys: RedisKeys }>('redis').keys)
  })
})
