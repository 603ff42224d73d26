import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Daemon, folderFor } from '../daemon.js'
import { findJava } from '../hbase/processes.js'
import { freePorts, host } from '../loopback.js'
import { run } from '../programs.js'
import type { Launcher, Server, StartOptions } from '../server.js'
import { flagsOf, masterFlags, tabletServerFlags } from './flags.js'
import { classPath, environment, fetch, home, missing, version } from './installation.js'

/** How clients reach Kudu. */
export interface KuduConnection {
  /** host:port of each. */
  readonly masters: readonly string[]
}

/** How a cluster is started. What was acknowledged survives a crash of its machine only with a folder. */
export interface KuduOptions extends Pick<StartOptions, 'folder'> {
  /** Default 1. */
  readonly masters?: number
  /** Default 1. */
  readonly tabletServers?: number
  /** More flags, `--name=value`. */
  readonly masterFlags?: readonly string[]
  readonly tabletServerFlags?: readonly string[]
}

/** One process of a cluster. It keeps its address when it starts again. */
export interface KuduProcess {
  readonly address: string
  kill(): Promise<void>
  pause(): void
  resume(): void
  restart(): Promise<void>
}

/** A cluster, the processes of which can also end alone. */
export interface KuduServer extends Server<KuduConnection> {
  readonly masters: readonly KuduProcess[]
  readonly tabletServers: readonly KuduProcess[]
  /** Runs `kudu`, the program of its administrators. */
  tool(...words: readonly string[]): Promise<string>
}

/** Kudu 1.18 from the jar that its makers publish for tests: ready within a second. */
export const kudu: Omit<Launcher<KuduConnection>, 'start'> & {
  start(options?: KuduOptions): Promise<KuduServer>
  /** For Java programs that use the client of Kudu. */
  readonly java: { classPath(): string; command(): string }
} = {
  name: 'kudu',
  java: { classPath, command: () => findJava() as string },
  missing,
  fetch,
  own() {
    const masters = process.env['ROWKEY_KUDU_MASTERS']
    return masters === undefined || masters === '' ? undefined : { masters: masters.split(',') }
  },
  async start(options = {}) {
    const folder = folderFor('kudu', options.folder)
    const isDurable = options.folder !== undefined
    const count = options.masters ?? 1
    const masters: Process[] = []
    const tabletServers: Process[] = []
    const all = (): readonly Process[] => [...masters, ...tabletServers]
    const stop = async (): Promise<void> => {
      await Promise.all(all().map((each) => each.stop()))
      folder.remove()
    }
    try {
      const addresses = count === 1 ? undefined : await addressesOf(folder.path, count)
      await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const own = addresses === undefined ? [] : [`--master_addresses=${addresses.join(',')}`]
          const flags = [...masterFlags, '--default_num_replicas=1', ...own, ...(options.masterFlags ?? [])]
          const port = addresses === undefined ? undefined : portOf(addresses[index] as string)
          masters[index] = await Process.start('kudu-master', join(folder.path, `master-${index}`), isDurable, flags, port)
        }),
      )
      const names = masters.map(({ address }) => address)
      const flags = [`--tserver_master_addrs=${names.join(',')}`, ...tabletServerFlags, ...(options.tabletServerFlags ?? [])]
      await Promise.all(
        Array.from({ length: options.tabletServers ?? 1 }, async (_, index) => {
          tabletServers[index] = await Process.start('kudu-tserver', join(folder.path, `tserver-${index}`), isDurable, flags)
        }),
      )
      await registered(names, tabletServers.length)
      return {
        connection: { masters: names },
        version,
        masters,
        tabletServers,
        tool,
        kill: async () => {
          await Promise.all(all().map((each) => each.kill()))
        },
        pause: () => all().forEach((each) => each.pause()),
        resume: () => all().forEach((each) => each.resume()),
        stop,
      }
    } catch (error) {
      await stop()
      throw error
    }
  },
}

const tool = (...words: readonly string[]): Promise<string> =>
  run('/usr/bin/env', [...Object.entries(libraries()).map(([name, value]) => `${name}=${value}`), join(home(), 'bin', 'kudu'), ...words])

function libraries(): Record<string, string> {
  const { LD_LIBRARY_PATH = '', SASL_PATH = '' } = environment()
  return { LD_LIBRARY_PATH, SASL_PATH }
}

/** Waits until the master knows so many tablet servers. */
async function registered(masters: readonly string[], count: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const text = await tool('tserver', 'list', masters.join(','), '-format=json', '-columns=uuid,rpc-addresses,state').catch(() => '[]')
    if ((JSON.parse(text === '' ? '[]' : text) as unknown[]).length >= count) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${count} tablet servers of Kudu did not register with their master`)
}

/** Masters of one cluster know each other's addresses before they start, and keep them. */
async function addressesOf(folder: string, count: number): Promise<readonly string[]> {
  const file = join(folder, 'masters.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as readonly string[]
  const addresses = (await freePorts(count)).map((port) => `${host}:${port}`)
  writeFileSync(file, JSON.stringify(addresses))
  return addresses
}

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1))

class Process implements KuduProcess {
  readonly address: string
  private daemon: Daemon
  private readonly again: (port: number) => Promise<Daemon>

  private constructor(address: string, daemon: Daemon, again: (port: number) => Promise<Daemon>) {
    this.address = address
    this.daemon = daemon
    this.again = again
  }

  static async start(program: string, folder: string, isDurable: boolean, flags: readonly string[], wanted?: number): Promise<Process> {
    mkdirSync(folder, { recursive: true })
    const info = join(folder, 'info.json')
    const again = (port: number): Promise<Daemon> => {
      rmSync(info, { force: true })
      return Daemon.start({
        name: program,
        command: join(home(), 'bin', program),
        args: [...flagsOf(folder, port, isDurable), ...flags],
        folder,
        env: environment(),
        ready: async () => boundIn(info),
      })
    }
    // Replicas are stored with addresses: a cluster that starts again in its folder needs the old ones.
    const portFile = join(folder, 'port')
    const daemon = await again(wanted ?? (existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0))
    const address = boundIn(info)
    writeFileSync(portFile, String(portOf(address)))
    return new Process(address, daemon, again)
  }

  kill(): Promise<void> {
    return this.daemon.kill()
  }

  pause(): void {
    this.daemon.signal('SIGSTOP')
  }

  resume(): void {
    this.daemon.signal('SIGCONT')
  }

  stop(): Promise<void> {
    return this.daemon.stop()
  }

  async restart(): Promise<void> {
    await this.daemon.kill()
    this.daemon = await this.again(portOf(this.address))
  }
}

/** The address that a server has written down. @throws if it has not yet */
function boundIn(info: string): string {
  const { bound_rpc_addresses: bound } = JSON.parse(readFileSync(info, 'utf8')) as {
    readonly bound_rpc_addresses: readonly { readonly host: string; readonly port: number }[]
  }
  const [address] = bound
  if (address === undefined) throw new Error('not yet')
  return `${address.host}:${address.port}`
}
