import { redis } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { withServer } from '../../../test/setup/with-server.js'
import { oraclePoolSuite } from '../../../test/oracle/pool.js'

withServer('redis', ({ url }) => {
  const createAdapter = () => {
    const client = new Redis(url)
    return { adapter: redis(client), dispose: () => client.disconnect() }
  }
  oraclePoolSuite('Redis', { createAdapter, queries: 2_400, concurrency: 4 })
})
