import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fetchedPath, findProgram, packageFolder, run } from './programs.js'

/** A server out of jars. */
export interface Jars {
  /** `<name>.pom.xml` of this package names them. */
  readonly name: string
  readonly version: string
}

/** Another list of jars makes another file. */
function classPathFile({ name, version }: Jars): string {
  const hash = createHash('sha256')
    .update(readFileSync(pomOf(name)))
    .digest('hex')
    .slice(0, 12)
  return fetchedPath(`${name}-${version}-${hash}.classpath`)
}

const pomOf = (name: string): string => join(packageFolder, `${name}.pom.xml`)

/** The jars as they were fetched; undefined if one is not there (any more). */
export function fetchedJars(wanted: Jars): readonly string[] | undefined {
  const file = classPathFile(wanted)
  if (!existsSync(file)) return undefined
  const jars = readFileSync(file, 'utf8').trim().split(delimiter)
  return jars.every((jar) => existsSync(jar)) ? jars : undefined
}

/** Brings the jars into the local Maven repository. */
export async function fetchJars(wanted: Jars): Promise<void> {
  const { name, version } = wanted
  const maven = findProgram('mvn')
  if (maven === undefined) throw new Error(`${name} needs Maven 3.8 or later to be fetched`)
  const file = classPathFile(wanted)
  const fresh = `${file}.${process.pid}` // renamed into place: nobody sees half a file
  const given = [`-D${name}.version=${version}`, `-Dmdep.outputFile=${fresh}`]
  await run(maven, ['-q', '-B', '-Dstyle.color=never', '-f', pomOf(name), 'dependency:build-classpath', ...given])
  renameSync(fresh, file)
}
