import { redis } from '@rowkey/redis'
import { Cluster, Redis } from 'ioredis'
import type { Opened, StoreKit } from '../../../test/kit/store-kit.js'

/** What the adapter needs of a client, connected to nothing. */
export const fakeClient = (sendCommand: (...args: never[]) => unknown = () => undefined) => ({
  status: 'ready',
  sendCommand,
  options: { keyPrefix: '', role: 'master', redisOptions: { readOnly: false } },
})

const opened = (client: Redis | Cluster): Opened => ({ adapter: redis(client), close: () => client.disconnect() })

export const kit: StoreKit = {
  factory: [[fakeClient(), { shards: 4 }], (client, options) => redis(client, options)],
  offline: () => redis(new Redis({ lazyConnect: true })),
  on: {
    redis: ({ url }) => opened(new Redis(url)),
    'redis-cluster': ({ nodes }) => opened(new Cluster([...nodes])),
  },
}
