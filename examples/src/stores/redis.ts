import { redis } from '@rowkey/redis'
import { Redis } from 'ioredis'
import type { Open } from './open-stores.js'

export const open: Open = async (servers) => {
  const server = await servers.connect('redis')
  if (server === undefined) return undefined
  const client = new Redis(server.connection.url)
  return { version: server.version, adapter: redis(client), close: () => client.disconnect() }
}
