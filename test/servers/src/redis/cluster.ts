import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Launcher, Server, StartOptions } from '../server.js'
import { Daemon, folderFor } from '../daemon.js'
import { ask, freePorts, host } from '../loopback.js'
import { findProgram, run } from '../programs.js'
import { redis } from './redis.js'
import { pong, redisArguments, redisVersion } from './server.js'

/** How clients reach a Redis Cluster. */
export interface RedisClusterConnection {
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
}

/** A cluster of three masters, whose nodes can be lost one by one. */
export interface RedisCluster extends Server<RedisClusterConnection> {
  killNode(index: number): Promise<void>
  /** Again, with the place it had in the cluster. */
  startNode(index: number): Promise<void>
}

const size = 3

export const redisCluster: Omit<Launcher<RedisClusterConnection>, 'start'> & { start(options?: StartOptions): Promise<RedisCluster> } = {
  name: 'redis-cluster',
  missing: () => redis.missing(),
  fetch: () => redis.fetch(),
  async start({ folder: given }: StartOptions = {}) {
    const free = await freePorts(2 * size)
    const ports = free.slice(0, size)
    const folder = folderFor('redis-cluster', given)
    const startNode = (index: number): Promise<Daemon> => {
      const port = ports[index] as number
      const path = join(folder.path, String(index))
      mkdirSync(path, { recursive: true })
      return Daemon.start({
        name: `Redis node ${index}`,
        command: findProgram('redis-server') as string,
        args: [
          ...redisArguments(port, path),
          ...['--cluster-enabled', 'yes', '--cluster-port', String(free[size + index]), '--cluster-node-timeout', '2000'],
          // A slot without a node is an error of its own keys only.
          ...['--cluster-require-full-coverage', 'no'],
        ],
        folder: path,
        ready: () => pong(port),
      })
    }
    const nodes = await Promise.all(ports.map((_, index) => startNode(index)))
    const addresses = ports.map((port) => `${host}:${port}`)
    await run(findProgram('redis-cli') as string, ['--cluster', 'create', ...addresses, '--cluster-yes'])
    await Promise.all(ports.map(knowsAllSlots))
    const all = (signal: NodeJS.Signals): void => {
      for (const node of nodes) node.signal(signal)
    }
    return {
      connection: { nodes: ports.map((port) => ({ host, port })) },
      version: await redisVersion(),
      async kill() {
        await Promise.all(nodes.map((node) => node.kill()))
      },
      killNode: (index) => (nodes[index] as Daemon).kill(),
      async startNode(index) {
        nodes[index] = await startNode(index)
        await Promise.all(ports.map(knowsAllSlots))
      },
      pause: () => all('SIGSTOP'),
      resume: () => all('SIGCONT'),
      async stop() {
        await Promise.all(nodes.map((node) => node.stop()))
        folder.remove()
      },
    }
  },
}

/** Each node learns of the others by and by. */
async function knowsAllSlots(port: number): Promise<void> {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    const info = (await ask(port, 'CLUSTER INFO\r\n')).toString()
    if (info.includes('cluster_state:ok') && info.includes('cluster_slots_ok:16384')) return
    await sleep(50)
  }
  throw new Error(`the Redis node at port ${port} has not found its cluster`)
}
