import { redis, type RedisAdapter, type RedisOptions as AdapterOptions } from '@rowkey/redis'
import { Redis, type RedisOptions } from 'ioredis'
import { createMapper, type Mapper } from 'rowkey'
import { afterAll } from 'vitest'

let number = 0

/** Mappers on clients that are gone when the tests of a file are done. Each has names of its own for its tables. */
export function places(): {
  client(url: string, options?: RedisOptions): Redis
  open(
    url: string,
    options?: RedisOptions,
    store?: AdapterOptions,
  ): Mapper<RedisAdapter> & { readonly client: Redis; readonly prefix: string }
} {
  const clients: Redis[] = []
  afterAll(() => clients.forEach((client) => client.disconnect()))
  const open = (url: string, options: RedisOptions = {}): Redis => {
    const client = new Redis(url, { retryStrategy: () => 50, ...options } as object)
    client.on('error', () => undefined) // ioredis prints those nobody hears
    clients.push(client)
    return client
  }
  return {
    client: open,
    open(url, options, store) {
      const client = open(url, options)
      const prefix = `t${process.pid}x${Date.now().toString(36)}x${number++}_`
      return Object.assign(createMapper(redis(client, store), { prefix }), { client, prefix })
    },
  }
}
