// Tested by packages/cli/test/stores-url.test.ts.
import type { StoreOpening } from 'rowkey/adapter'
import type * as ioredis from 'ioredis'

/** What the adapter sends, also inside of scripts. */
const commands = 'get hmget eval evalsha set del unlink hget hset hdel hlen zadd zrem zcard zcount zscore zrange zrangebyscore'.split(' ')

/** How a URL opens it. */
export const opening: StoreOpening = Object.freeze({
  form: 'redis://host:port/0 or rediss://host:port/0',
  parameters: [],
  credentials: 'REDIS_USERNAME and REDIS_PASSWORD',
  rights: (prefix) => [`ACL SETUSER app on >secret ~rk:{${prefix}* ${commands.map((each) => `+${each}`).join(' ')} +info`],
  drivers: ['ioredis'],
  open([{ Redis }]: readonly [typeof ioredis], { url: { scheme, place, inside }, host, credentials, connectMs, answerMs, refuse }) {
    if (!/^\d{0,4}$/.test(inside)) refuse('a redis: URL ends with the number of a database, such as redis://host:6379/0.')
    const { username, password } = credentials('REDIS')
    let isOpen = false
    let reason: Error | undefined
    const client = new Redis({
      ...host(place, 6379),
      db: Number(inside),
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(scheme === 'rediss' ? { tls: {} } : {}),
      lazyConnect: true,
      connectTimeout: connectMs,
      commandTimeout: answerMs,
      maxRetriesPerRequest: 5,
      retryStrategy: (times) => (isOpen && times <= 5 ? 100 * times : null),
    })
    client.on('error', (error: Error) => {
      reason ??= error
    })
    const connected = client.connect().then(
      async () => {
        await client.ping()
        isOpen = true
      },
      (error: unknown) => {
        throw reason ?? error
      },
    )
    return {
      arguments: [client],
      connected,
      product: async () => productOf(await client.info('server')),
      close: () => {
        client.disconnect()
      },
    }
  },
} satisfies StoreOpening)

/** What `INFO server` says of a server. Others that speak Redis have a line of their own next to that of Redis. */
function productOf(info: string): string {
  const versions = [...info.matchAll(/^(\w+)_version:(.+?)\r?$/gm)].filter(([, name]) => name !== 'gcc')
  return versions.map(([, name, version]) => `${name} ${version}`).join(', ')
}
