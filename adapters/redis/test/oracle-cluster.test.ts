import { redis } from '@rowkey/redis'
import { Cluster } from 'ioredis'
import { withServer } from '../../../test/setup/with-server.js'
import { oraclePoolSuite } from '../../../test/oracle/pool.js'

withServer('redis-cluster', ({ nodes }) => {
  const createAdapter = () => {
    const client = new Cluster([...nodes])
    return { adapter: redis(client), dispose: () => client.disconnect() }
  }
  oraclePoolSuite('Redis Cluster', { createAdapter, queries: 900, concurrency: 4 })
})
