import type { Daemon } from '../daemon.js'
import { folderFor } from '../daemon.js'
import { freePorts, host } from '../loopback.js'
import { fetchedJars, fetchJars } from '../maven.js'
import type { Launcher, Server, StartOptions } from '../server.js'
import { classPath, findJava, jars, startGateway, startServer } from './processes.js'
import type { Settings, Transport } from './site.js'

/** How clients reach HBase: by a Thrift2 gateway for each transport, or like Java programs by its ZooKeeper. */
export interface HBaseConnection {
  readonly host: string
  /** Ports; 0 for a transport that was not asked for. */
  readonly gateways: Readonly<Record<Transport, number>>
  /** host:port */
  readonly zookeeper: string
}

export interface HBaseOptions extends Pick<StartOptions, 'folder'> {
  /** Default: all. */
  readonly transports?: readonly Transport[]
  /** Default: free ones. */
  readonly ports?: Partial<HBaseConnection['gateways']>
  /** More of hbase-site.xml. */
  readonly settings?: Settings
}

/** A server with its gateways, which can also end alone. */
export interface HBaseServer extends Server<HBaseConnection> {
  /** Ends the gateways as a crash does, and not the server. */
  killGateways(): Promise<void>
  /** Starts them again, on their ports. */
  restartGateways(): Promise<void>
}

/** Standalone HBase 2.6 with Thrift2 gateways, from the jars of Maven Central. What was acknowledged survives a crash. */
export const hbase: Omit<Launcher<HBaseConnection>, 'start'> & {
  start(options?: HBaseOptions): Promise<HBaseServer>
  /** For Java programs that use the client of HBase. */
  readonly java: { classPath(): string; command(): string }
} = {
  name: 'hbase',
  java: { classPath, command: () => findJava() as string },
  /** For examples: tests that need other transports, ZooKeeper or a crash start their own. */
  own() {
    const [own, port] = process.env['ROWKEY_HBASE_GATEWAY']?.split(':') ?? []
    if (own === undefined || port === undefined) return undefined
    return { host: own, gateways: { unframed: Number(port), framed: 0, http: 0 }, zookeeper: '' }
  },
  missing() {
    if (findJava() === undefined) return 'there is no Java 17'
    return fetchedJars(jars) === undefined ? `HBase ${jars.version} has not been fetched (pnpm test:servers)` : undefined
  },
  async fetch() {
    if (findJava() === undefined) throw new Error('HBase needs Java 17')
    if (fetchedJars(jars) === undefined) await fetchJars(jars)
  },
  async start({ folder: given, transports = ['unframed', 'framed', 'http'], ports = {}, settings = {} }: HBaseOptions = {}) {
    const free = await freePorts(1 + transports.length)
    const [zookeeper = 0] = free
    const gateways = { unframed: 0, framed: 0, http: 0 }
    transports.forEach((transport, i) => (gateways[transport] = ports[transport] ?? (free[i + 1] as number)))
    const folder = folderFor('hbase', given)
    const server = await startServer(folder.path, zookeeper, settings)
    const startAll = (): Promise<Daemon[]> =>
      Promise.all(
        transports.map((transport) => startGateway(folder.path, transport, { port: gateways[transport], zookeeper, settings })),
      ).catch(async (error: unknown) => {
        await server.kill()
        throw error
      })
    let daemons = await startAll()
    const all = (): readonly Daemon[] => [...daemons, server]
    const signal = (name: NodeJS.Signals): void => {
      for (const daemon of all()) daemon.signal(name)
    }
    const killGateways = async (): Promise<void> => {
      await Promise.all(daemons.map((daemon) => daemon.kill()))
    }
    const kill = async (): Promise<void> => {
      await Promise.all(all().map((daemon) => daemon.kill()))
    }
    return {
      connection: { host, gateways, zookeeper: `${host}:${zookeeper}` },
      version: jars.version,
      kill,
      killGateways,
      async restartGateways() {
        daemons = await startAll()
      },
      pause: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
      async stop() {
        // An orderly end takes up to 8 s. It writes what a crash leaves in the log, and the next start reads that as well.
        await kill()
        folder.remove()
      },
    }
  },
}
