import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { Daemon } from '../daemon.js'
import { host } from '../loopback.js'
import { fetchedJars, type Jars } from '../maven.js'
import { findProgram } from '../programs.js'
import { probe } from './probe.js'
import { gatewaySettings, logging, serverSettings, siteXml, zookeeperFolder, type Settings, type Transport } from './site.js'

export const jars: Jars = { name: 'hbase', version: '2.6.1' }

/** Java of JAVA_HOME, else of the PATH. */
export function findJava(): string | undefined {
  const home = process.env['JAVA_HOME']
  return home === undefined || home === '' ? findProgram('java') : join(home, 'bin', 'java')
}

/** What a Java program needs that uses the client of HBase. */
export const classPath = (): string => (fetchedJars(jars) ?? []).join(delimiter)

/** What HBase and Hadoop ask of the module system of Java 17. */
const opened = [
  'java.lang',
  'java.lang.reflect',
  'java.util',
  'java.util.concurrent',
  'java.nio',
  'sun.nio.ch',
  'java.net',
  'jdk.internal.ref',
]

interface ProcessOptions {
  readonly name: string
  /** Of its configuration and log. */
  readonly folder: string
  readonly settings: Settings
  readonly heap: string
  readonly main: readonly string[]
  ready(): Promise<unknown>
}

function start({ name, folder, settings, heap, main, ready }: ProcessOptions): Promise<Daemon> {
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  const log4j = join(folder, 'log4j.properties')
  writeFileSync(log4j, logging)
  writeFileSync(join(folder, 'hbase-site.xml'), siteXml(settings))
  const args = [
    ...['-Xms64m', `-Xmx${heap}`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:+ExitOnOutOfMemoryError'],
    ...['-XX:-UsePerfData', '-Djava.net.preferIPv4Stack=true', '-Djava.awt.headless=true', `-Djava.io.tmpdir=${join(folder, 'tmp')}`],
    ...opened.flatMap((module) => ['--add-opens', `java.base/${module}=ALL-UNNAMED`]),
    ...['--add-exports', 'java.base/jdk.internal.misc=ALL-UNNAMED', `-Dlog4j.configuration=file:${log4j}`],
    ...['-cp', [folder, classPath()].join(delimiter), ...main],
  ]
  return Daemon.start({ name, command: findJava() as string, args, folder, ready })
}

/** ZooKeeper, master and region server. It is ready for gateways when ZooKeeper listens. */
export function startServer(folder: string, zookeeper: number, settings: Settings): Promise<Daemon> {
  // What a crash leaves in it holds up the next start for 20 s. Tables and rows are elsewhere.
  rmSync(join(folder, zookeeperFolder), { recursive: true, force: true })
  return start({
    name: 'HBase',
    folder,
    settings: { ...serverSettings(folder, zookeeper), ...settings },
    // All tests of a run share it, and leave hundreds of tables.
    heap: '1536m',
    main: ['org.apache.hadoop.hbase.master.HMaster', 'start'],
    ready: () => listens(zookeeper),
  })
}

/** A Thrift2 gateway. It is ready when a call has gone through to the master. */
export function startGateway(
  folder: string,
  transport: Transport,
  { port, zookeeper, settings }: { readonly port: number; readonly zookeeper: number; readonly settings: Settings },
): Promise<Daemon> {
  const own = join(folder, `gateway-${transport}`)
  return start({
    name: `HBase's gateway (${transport})`,
    folder: own,
    settings: { ...serverSettings(folder, zookeeper), ...gatewaySettings(transport, port), ...settings },
    heap: '320m',
    main: ['org.apache.hadoop.hbase.thrift2.ThriftServer', '-b', host, '-p', String(port), '--infoport', '-1', 'start'],
    ready: () => probe(transport, port),
  })
}

async function listens(port: number): Promise<void> {
  const socket = connect({ port, host })
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}
