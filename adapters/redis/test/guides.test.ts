import { redis } from '@rowkey/redis'
import { Redis } from 'ioredis'
import { withServer } from '../../../test/setup/with-server.js'
import { guidesOn } from '../../../test/guides/guides-on.js'

withServer('redis', ({ url }) => {
  guidesOn('redis', () => {
    const client = new Redis(url)
    return { adapter: redis(client), dispose: () => client.disconnect() }
  })
})
