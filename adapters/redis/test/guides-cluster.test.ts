import { redis } from '@rowkey/redis'
import { Cluster } from 'ioredis'
import { withServer } from '../../../test/setup/with-server.js'
import { guidesOn } from '../../../test/guides/guides-on.js'

withServer('redis-cluster', ({ nodes }) => {
  guidesOn('redis-cluster', () => {
    const client = new Cluster([...nodes])
    return { adapter: redis(client), dispose: () => client.disconnect() }
  })
})
