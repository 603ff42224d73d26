import type { Launcher, Server, StartOptions } from '../server.js'
import { folderFor } from '../daemon.js'
import { freePorts, host } from '../loopback.js'
import type { CommitLogSync } from './configuration.js'
import { fetch, missing, startNode } from './node.js'
import { releaseVersion } from './release-version.js'
import { releases, type Line } from './release.js'

/** How clients reach Cassandra. */
export interface CassandraConnection {
  readonly contactPoints: readonly string[]
  readonly localDataCenter: string
}

interface CassandraOptions extends StartOptions {
  /** Default group: what was acknowledged survives a crash. */
  readonly commitLog?: CommitLogSync
}

/** One Cassandra node from the jars of Maven Central. */
export interface CassandraLauncher extends Omit<Launcher<CassandraConnection>, 'start'> {
  start(options?: CassandraOptions): Promise<Server<CassandraConnection>>
}

function launcherOf(line: Line): CassandraLauncher {
  const release = releases[line]
  return {
    name: line === '5.0' ? 'cassandra' : `cassandra ${line}`,
    missing: () => missing(release),
    fetch: () => fetch(release),
    async start({ folder: given, port, commitLog = 'group' }: CassandraOptions = {}) {
      const [free, storage] = (await freePorts(2)) as [number, number]
      const cql = port ?? free
      const folder = folderFor('cassandra', given)
      const isRestarted = given !== undefined
      const daemon = await startNode(folder.path, release, { address: host, cql, storage, token: 0n, commitLog, isRestarted })
      return {
        connection: { contactPoints: [`${host}:${cql}`], localDataCenter: 'datacenter1' },
        version: await releaseVersion(cql),
        ...daemon.control(folder),
      }
    },
  }
}

/** The newest, or the one that the environment names. */
export const cassandra: CassandraLauncher = {
  ...launcherOf('5.0'),
  own() {
    const points = process.env['ROWKEY_CASSANDRA_CONTACT_POINTS']
    if (points === undefined || points === '') return undefined
    return { contactPoints: points.split(','), localDataCenter: process.env['ROWKEY_CASSANDRA_DATACENTER'] ?? 'datacenter1' }
  },
}

/** An older one, for long runs. */
export const cassandra40: CassandraLauncher = launcherOf('4.0')
