import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fetchedPath, findProgram, packageFolder, run } from '../programs.js'
import type { Release } from './release.js'

const pom = join(packageFolder, 'pom.xml')

/** A change of the list of jars makes another file. */
function classPathFile(version: string): string {
  const hash = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12)
  return fetchedPath(`cassandra-${version}-${hash}.classpath`)
}

/** The jars of the server as they were fetched; undefined if one is not there (any more). */
export function fetchedJars({ version }: Release): readonly string[] | undefined {
  const file = classPathFile(version)
  if (!existsSync(file)) return undefined
  const jars = readFileSync(file, 'utf8').trim().split(delimiter)
  return jars.every((jar) => existsSync(jar)) ? jars : undefined
}

/** Brings the jars into the local Maven repository. */
export async function fetchJars({ version }: Release): Promise<void> {
  const maven = findProgram('mvn')
  if (maven === undefined) throw new Error('Cassandra needs Maven 3.8 or later to be fetched')
  const file = classPathFile(version)
  const fresh = `${file}.${process.pid}` // renamed into place: nobody sees half a file
  const wanted = [`-Dcassandra.version=${version}`, `-Dmdep.outputFile=${fresh}`]
  await run(maven, ['-q', '-B', '-Dstyle.color=never', '-f', pom, 'dependency:build-classpath', ...wanted])
  renameSync(fresh, file)
}
