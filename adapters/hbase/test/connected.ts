import { isLong } from '@rowkey/servers/scale'
import { hbase, type HBaseAdapter, type HBaseOptions } from '@rowkey/hbase'
import { HBaseClient, type HBaseClientOptions } from '@rowkey/hbase-client'
import type { HBaseConnection } from '../../../test/servers/src/index.js'

export type Transport = keyof HBaseConnection['gateways']

/** All transports of a gateway. */
export const transports: readonly Transport[] = ['unframed', 'framed', 'http']

/** Those that the suites run over. What they do is the same, and the tests of the client make every call over all of them. */
export const suiteTransports: readonly Transport[] = isLong ? transports : ['unframed']

export const clientOf = (
  { host, gateways }: HBaseConnection,
  transport: Transport = 'unframed',
  options: HBaseClientOptions = {},
): HBaseClient => new HBaseClient({ host, port: gateways[transport], transport, ...options })

export interface Connected {
  readonly client: HBaseClient
  readonly adapter: HBaseAdapter
  dispose(): Promise<void>
}

/** An adapter in a namespace of its own, if it is named. */
export async function connect(
  connection: HBaseConnection,
  transport: Transport = 'unframed',
  options: HBaseOptions = {},
): Promise<Connected> {
  const client = clientOf(connection, transport)
  const { namespace } = options
  if (namespace !== undefined && !(await client.listNamespaces()).includes(namespace)) await client.createNamespace(namespace)
  const adapter = hbase(client, options)
  return {
    client,
    adapter,
    async dispose() {
      await adapter.close()
      await client.close()
    },
  }
}

/** The same for suites: where a transport cannot create tables, another one does. */
export async function connectSuite(connection: HBaseConnection, transport: Transport, options: HBaseOptions = {}): Promise<Connected> {
  const connected = await connect(connection, transport, options)
  if (transport !== 'framed') return connected
  const { client, adapter, dispose } = connected
  const creator = await connect(connection, 'unframed', options)
  adapter.ensureTable = (schema, how) => creator.adapter.ensureTable(schema, how)
  return {
    client,
    adapter,
    async dispose() {
      await dispose()
      await creator.dispose()
    },
  }
}
