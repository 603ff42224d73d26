import type { Launcher, Server, StartOptions } from '../server.js'
import { Daemon, folderFor } from '../daemon.js'
import { freePort, host } from '../loopback.js'
import { findProgram, installPackages, run } from '../programs.js'
import { pong, redisArguments, redisVersion } from './server.js'

/** How clients reach a Redis server. */
export interface RedisConnection {
  readonly url: string
}

/** One Redis server; it writes every change to the disk before it answers if a folder is given, else it keeps nothing. */
export const redis: Omit<Launcher<RedisConnection>, 'start'> & {
  start(options?: StartOptions & { readonly config?: readonly string[] }): Promise<Server<RedisConnection>>
} = {
  name: 'redis',
  missing: () => (findProgram('redis-server') === undefined ? 'redis-server is not installed' : undefined),
  own() {
    const url = process.env['ROWKEY_REDIS_URL']
    return url === undefined || url === '' ? undefined : { url }
  },
  async fetch() {
    if (findProgram('redis-server') === undefined) await installPackages('redis-server')
  },
  async start({ folder: given, port: wanted, config = [] }: StartOptions & { readonly config?: readonly string[] } = {}) {
    const port = wanted ?? (await freePort())
    const folder = folderFor('redis', given)
    const durable = given === undefined ? [] : ['--appendonly', 'yes', '--appendfsync', 'always']
    const daemon = await Daemon.start({
      name: 'Redis',
      command: findProgram('redis-server') as string,
      args: [...redisArguments(port, folder.path), ...durable, ...config],
      folder: folder.path,
      ready: () => pong(port),
    })
    return {
      connection: { url: `redis://${host}:${port}` },
      version: await redisVersion(),
      ...daemon.control(folder),
    }
  },
}

/** `redis-cli` of the same installation: another client, to read what ours wrote. */
export const redisCli = (port: number, ...args: string[]): Promise<string> =>
  run(findProgram('redis-cli') as string, ['-h', host, '-p', String(port), ...args])
