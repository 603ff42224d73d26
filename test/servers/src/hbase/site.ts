import { host } from '../loopback.js'

/** How a gateway frames its messages. */
export type Transport = 'unframed' | 'framed' | 'http'

/** Settings of hbase-site.xml, by name. */
export type Settings = Readonly<Record<string, string>>

/** One process with ZooKeeper, master and region server, on the local disk, small and quick to start. */
export const serverSettings = (folder: string, zookeeper: number): Settings => ({
  'hbase.cluster.distributed': 'false',
  'hbase.rootdir': `file://${folder}/root`,
  'hbase.tmp.dir': `${folder}/tmp`,
  'hbase.zookeeper.property.dataDir': `${folder}/${zookeeperFolder}`,
  'hbase.zookeeper.property.clientPort': String(zookeeper),
  'hbase.zookeeper.quorum': host,
  // Only the loopback interface, and no web pages. The master and the region server announce the ports that they get.
  'hbase.localcluster.assign.random.ports': 'true',
  'hbase.master.ipc.address': host,
  'hbase.regionserver.ipc.address': host,
  'hbase.master.hostname': 'localhost',
  'hbase.unsafe.regionserver.hostname': 'localhost',
  'hbase.master.info.port': '-1',
  'hbase.regionserver.info.port': '-1',
  // There is no other region server to wait for: it starts in 5 s, not in 15.
  'hbase.master.wait.on.regionservers.maxtostart': '1',
  'hbase.regionserver.msginterval': '500',
  // The master does not wait for more regions before it assigns one: a table is made in half of the time.
  'hbase.assignment.dispatch.wait.msec': '1',
  'hbase.procedure.remote.dispatcher.delay.msec': '1',
  // On a machine that is busy for a minute it does not give itself up for dead.
  'zookeeper.session.timeout': '300000',
  'hbase.zookeeper.property.tickTime': '15000',
  'zookeeper.recovery.retry': '5',
  'zookeeper.recovery.retry.intervalmill': '200',
})

/** What the server keeps in its ZooKeeper is who is alive. */
export const zookeeperFolder = 'zookeeper'

/** A gateway, which is a client of the server. */
export const gatewaySettings = (transport: Transport, port: number): Settings => ({
  'hbase.thrift.info.port': '-1',
  'hbase.regionserver.thrift.ipaddress': host,
  'hbase.regionserver.thrift.port': String(port),
  'hbase.regionserver.thrift.http': String(transport === 'http'),
  'hbase.regionserver.thrift.framed': String(transport === 'framed'),
  // It asks the master in growing pauses whether a table is made: at first after 10 ms, not 100. What the server cannot do is repeated over
  // 12 s, not 130.
  'hbase.client.pause': '10',
  'hbase.client.retries.number': '15',
  'hbase.client.operation.timeout': '30000',
})

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

export const siteXml = (settings: Settings): string => `<?xml version="1.0"?>
<configuration>
${Object.entries(settings)
  .map(([name, value]) => `  <property><name>${escaped(name)}</name><value>${escaped(value)}</value></property>`)
  .join('\n')}
</configuration>
`

/** Warnings to the log that the launcher keeps. */
export const logging = `log4j.rootLogger=WARN, OUT
log4j.appender.OUT=org.apache.log4j.ConsoleAppender
log4j.appender.OUT.layout=org.apache.log4j.PatternLayout
log4j.appender.OUT.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{2}: %m%n
`
