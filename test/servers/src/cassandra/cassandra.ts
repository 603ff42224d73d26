import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Launcher, Server, StartOptions } from '../server.js'
import { Daemon, folderFor } from '../daemon.js'
import { freePorts, host } from '../loopback.js'
import { fetchJars, fetchedJars } from './class-path.js'
import { configuration, logging, type CommitLogSync } from './configuration.js'
import { findJava, javaArguments } from './java.js'
import { releaseVersion } from './release-version.js'

/** How clients reach Cassandra. */
export interface CassandraConnection {
  readonly contactPoints: readonly string[]
  readonly localDataCenter: string
}

export interface CassandraOptions extends StartOptions {
  /** Default group: what was acknowledged survives a crash. */
  readonly commitLog?: CommitLogSync
}

/** One Cassandra node from the jars of Maven Central. */
export const cassandra: Omit<Launcher<CassandraConnection>, 'start'> & {
  start(options?: CassandraOptions): Promise<Server<CassandraConnection>>
} = {
  name: 'cassandra',
  missing() {
    if (findJava() === undefined) return 'there is no Java 17'
    return fetchedJars() === undefined ? 'Cassandra has not been fetched (pnpm test:servers)' : undefined
  },
  own() {
    const points = process.env['ROWKEY_CASSANDRA_CONTACT_POINTS']
    if (points === undefined || points === '') return undefined
    return { contactPoints: points.split(','), localDataCenter: process.env['ROWKEY_CASSANDRA_DATACENTER'] ?? 'datacenter1' }
  },
  async fetch() {
    if (findJava() === undefined) throw new Error('Cassandra needs Java 17')
    if (fetchedJars() === undefined) await fetchJars()
  },
  async start({ folder: given, port, commitLog = 'group' }: CassandraOptions = {}) {
    const [free, storage] = (await freePorts(2)) as [number, number]
    const cql = port ?? free
    const folder = folderFor('cassandra', given)
    const files = { yaml: join(folder.path, 'cassandra.yaml'), logback: join(folder.path, 'logback.xml') }
    mkdirSync(join(folder.path, 'tmp'), { recursive: true })
    writeFileSync(files.yaml, configuration(folder.path, { cql, storage }, commitLog))
    writeFileSync(files.logback, logging)
    const daemon = await Daemon.start({
      name: 'Cassandra',
      command: findJava() as string,
      args: javaArguments(fetchedJars() ?? [], folder.path, files),
      folder: folder.path,
      ready: () => releaseVersion(cql),
    })
    return {
      connection: { contactPoints: [`${host}:${cql}`], localDataCenter: 'datacenter1' },
      version: await releaseVersion(cql),
      kill: () => daemon.kill(),
      pause: () => daemon.signal('SIGSTOP'),
      resume: () => daemon.signal('SIGCONT'),
      async stop() {
        await daemon.stop()
        folder.remove()
      },
    }
  },
}
