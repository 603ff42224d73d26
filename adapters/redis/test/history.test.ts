import { redis } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { withServer } from '../../../test/setup/with-server.js'
import { underFaults } from '../../../test/history/faults.js'

withServer('redis', ({ url }) => {
  underFaults({
    name: 'redis',
    port: Number(new URL(url).port),
    survivesCuts: true,
    hasBatches: true,
    open(port) {
      const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 20, maxRetriesPerRequest: 1 })
      client.on('error', () => undefined) // ioredis prints those nobody hears
      return { adapter: redis(client), close: () => client.disconnect() }
    },
  })
})
