import { redis, redisStore } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { schemas, testDescription } from '../../../test/kit/described.js'

const unused = new Redis({ lazyConnect: true })
afterAll(() => unused.disconnect())
testDescription(redisStore, redis(unused, { shards: 128 }), () => import('../src/description.js'), 'ioredis', {
  shards: 128,
})

test('the number of shards is that of the adapter, if none is given, and is checked', () => {
  const shardsOf = (options?: { shards: number }) => (redisStore.ddl(schemas[2] as never, options).statements.length - 1) / 3
  expect([shardsOf(), shardsOf({ shards: 2 })]).toEqual([64, 2])
  expect(redis(unused).ddl(schemas[2] as never)).toEqual(redisStore.ddl(schemas[2] as never))
  expect(() => shardsOf({ shards: 0 })).toThrow('INVALID_OPTION')
})
