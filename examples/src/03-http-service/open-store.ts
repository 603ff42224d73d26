import { memory, type Adapter } from 'rowkey'

/** A store, and how its client is closed. */
export interface OpenStore {
  readonly adapter: Adapter
  readonly close?: () => unknown
}

/** Redis, or memory without a URL: nothing else of the service depends on it. */
export async function openStore(redisUrl: string | undefined): Promise<OpenStore> {
  if (redisUrl === undefined) return { adapter: memory() }
  const [{ Redis }, { redis }] = await Promise.all([import('ioredis'), import('@rowkey/redis')])
  const client = new Redis(redisUrl, { commandTimeout: 2_000 })
  client.on('error', () => undefined) // every call reports its own error; without a listener they are printed as well
  return { adapter: redis(client), close: () => client.disconnect() } // quit() would wait for a server that is down
}
