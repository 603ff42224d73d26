import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fetchedJars, fetchJars } from '../maven.js'
import { fetchedPath, findProgram, packageFolder, run } from '../programs.js'

/** The servers and the client for Java have one version. */
export const version = '1.18.1'
const jars = { name: 'kudu', version }

/** The folder of the unpacked servers. */
export const home = (): string => fetchedPath(`kudu-binary-${version}`)

const isUnpacked = (): boolean => existsSync(join(home(), 'bin', 'kudu-master'))

/** What is not on this machine; undefined if nothing is. */
export function missing(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'its programs are for Linux on x86-64'
  return isUnpacked() && fetchedJars(jars) !== undefined ? undefined : `Kudu ${version} has not been fetched (pnpm test:servers)`
}

/** The class path of the client for Java. */
export function classPath(): string {
  const found = fetchedJars(jars)
  if (found === undefined) throw new Error(`the client of Kudu ${version} for Java has not been fetched (pnpm test:servers)`)
  return found.join(delimiter)
}

/** The environment of its programs: their libraries do not find each other by themselves. */
export function environment(): NodeJS.ProcessEnv {
  const lib = join(home(), 'lib')
  const path = process.env['LD_LIBRARY_PATH']
  return { ...process.env, LD_LIBRARY_PATH: path === undefined ? lib : lib + delimiter + path, SASL_PATH: join(lib, 'sasl2') }
}

/** Brings the servers and the client for Java from Maven Central. */
export async function fetch(): Promise<void> {
  const maven = findProgram('mvn')
  if (maven === undefined) throw new Error('Kudu needs Maven 3.8 or later to be fetched')
  if (fetchedJars(jars) === undefined) await fetchJars(jars)
  if (isUnpacked()) return
  const unpacked = mkdtempSync(fetchedPath('kudu-'))
  try {
    const pom = join(packageFolder, 'kudu.pom.xml')
    const given = [`-Dkudu.version=${version}`, `-Dkudu.out=${unpacked}`]
    await run(maven, ['-q', '-B', '-Dstyle.color=never', '-f', pom, 'dependency:unpack@binary', ...given])
    const name = readdirSync(unpacked).find((each) => each.startsWith(`kudu-binary-${version}`))
    if (name === undefined) throw new Error(`the jar of Kudu ${version} has no folder of its name`)
    const programs = join(unpacked, name, 'bin')
    for (const program of readdirSync(programs)) chmodSync(join(programs, program), 0o755) // a jar keeps no modes
    // Renamed into place: nobody sees half a folder. Another run may have been faster.
    try {
      renameSync(join(unpacked, name), home())
    } catch (error) {
      if (!isUnpacked()) throw error
    }
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}
