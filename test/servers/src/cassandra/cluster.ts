import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Server, StartOptions } from '../server.js'
import { folderFor, type Daemon } from '../daemon.js'
import { freePorts } from '../loopback.js'
import type { CassandraConnection } from './cassandra.js'
import { missing, startNode } from './node.js'
import { releaseVersion } from './release-version.js'
import { releases } from './release.js'

/** A cluster whose nodes can be held up one by one. */
export interface CassandraCluster extends Server<CassandraConnection> {
  pauseNode(index: number): void
  resumeNode(index: number): void
}

/** Addresses of the loopback interface: clients take it that all nodes have the same port. Only Linux has the second and third by itself. */
const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const

/** Three nodes of Cassandra 5.0, for long runs. */
export const cassandraCluster: {
  missing(): string | undefined
  start(options?: StartOptions): Promise<CassandraCluster>
} = {
  missing: () => (process.platform === 'linux' ? missing(releases['5.0']) : 'three addresses of the loopback interface are Linux only'),
  async start({ folder: given } = {}) {
    const [cql, storage] = (await freePorts(2)) as [number, number]
    const folder = folderFor('cassandra-cluster', given)
    const nodes: Daemon[] = []
    // One after the other: the first is the one that the others ask.
    for (const [index, address] of addresses.entries()) {
      const path = join(folder.path, String(index))
      mkdirSync(path, { recursive: true })
      const token = BigInt(index - 1) * 2n ** 62n
      const node = startNode(path, releases['5.0'], { address, cql, storage, token, commitLog: 'group', isRestarted: given !== undefined })
      nodes.push(
        await node.catch(async (error: unknown) => {
          await Promise.all(nodes.map((other) => other.kill()))
          throw error
        }),
      )
    }
    const all = (signal: NodeJS.Signals): void => {
      for (const node of nodes) node.signal(signal)
    }
    return {
      connection: { contactPoints: addresses.map((address) => `${address}:${cql}`), localDataCenter: 'datacenter1' },
      version: await releaseVersion(cql),
      async kill() {
        await Promise.all(nodes.map((node) => node.kill()))
      },
      pauseNode: (index) => nodes[index]?.signal('SIGSTOP'),
      resumeNode: (index) => nodes[index]?.signal('SIGCONT'),
      pause: () => all('SIGSTOP'),
      resume: () => all('SIGCONT'),
      async stop() {
        all('SIGCONT')
        await Promise.all(nodes.map((node) => node.stop()))
        folder.remove()
      },
    }
  },
}
