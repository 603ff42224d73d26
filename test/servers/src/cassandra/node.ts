import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Daemon } from '../daemon.js'
import { fetchedJars, fetchJars, type Jars } from '../maven.js'
import { configuration, logging, type NodeOptions } from './configuration.js'
import { fetchJava, findJava, javaArguments } from './java.js'
import { releaseVersion } from './release-version.js'
import type { Release } from './release.js'

const jarsOf = ({ version }: Release): Jars => ({ name: 'cassandra', version })

/** A node of Cassandra with its files in `folder`; it answers CQL. */
export function startNode(folder: string, release: Release, options: NodeOptions): Promise<Daemon> {
  const files = { yaml: join(folder, 'cassandra.yaml'), logback: join(folder, 'logback.xml') }
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  writeFileSync(files.yaml, configuration(folder, release, options))
  writeFileSync(files.logback, logging)
  return Daemon.start({
    name: 'Cassandra',
    command: findJava(release) as string,
    args: javaArguments(release, options, fetchedJars(jarsOf(release)) ?? [], folder, files),
    folder,
    ready: () => releaseVersion(options.cql, options.address),
  })
}

/** What is not on this machine. */
export function missing(release: Release): string | undefined {
  if (findJava(release) === undefined) return `there is no Java ${release.java}`
  return fetchedJars(jarsOf(release)) === undefined ? `Cassandra ${release.version} has not been fetched (pnpm test:servers)` : undefined
}

export async function fetch(release: Release): Promise<void> {
  if (findJava(release) === undefined) await fetchJava(release)
  if (fetchedJars(jarsOf(release)) === undefined) await fetchJars(jarsOf(release))
}
