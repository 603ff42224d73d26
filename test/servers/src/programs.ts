import { execFile } from 'node:child_process'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A program on the PATH, undefined if there is none. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Runs a program to its end and gives what it printed. */
export function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error }))
    })
  })
}

/** The package of the test servers. */
export const packageFolder: string = dirname(dirname(fileURLToPath(import.meta.url)))

/** A place for what is fetched: `.servers` of the repository. */
export function fetchedPath(name: string): string {
  const folder = join(packageFolder, '../../.servers')
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

/** Installs Debian packages, as root or by sudo that does not ask. */
export async function installPackages(...names: string[]): Promise<void> {
  if (findProgram('apt-get') === undefined) throw new Error(`install ${names.join(', ')} by the package manager of this system`)
  const apt = (...args: string[]): Promise<string> =>
    process.getuid?.() === 0 ? run('apt-get', args) : run('sudo', ['-n', 'apt-get', ...args])
  process.env['DEBIAN_FRONTEND'] = 'noninteractive'
  // No service of it starts: a server here is started by who needs it.
  const install = (): Promise<string> => apt('install', '-y', '--no-install-recommends', ...names)
  await install().catch(async () => {
    await apt('update')
    await install()
  })
}
