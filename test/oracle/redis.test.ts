import { redis } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { withServer } from '../setup/with-server.js'
import { oraclePoolSuite } from './pool.js'

withServer('redis', ({ url }) => {
  oraclePoolSuite('redis', {
    createAdapter() {
      const client = new Redis(url)
      return { adapter: redis(client, { shards: 5 }), dispose: () => client.disconnect() }
    },
    queries: 2000,
    concurrency: 4,
  })
})
