import { isLong } from '@rowkey/servers/scale'
import { hbase, type HBaseAdapter, type HBaseOptions, type Profile } from '@rowkey/hbase'
import { HBaseClient, type HBaseClientOptions } from '@rowkey/hbase-client'
import type { HBaseConnection } from '../../../test/servers/src/index.js'

export type Transport = keyof HBaseConnection['gateways']

/** All transports of a gateway. */
const transports: readonly Transport[] = ['unframed', 'framed', 'http']

/**
 * What the suites run over. It makes no difference to what they do, and the tests of the client make every call over all transports. The profile
 * of Lindorm runs on HBase here, on tables without NEW_VERSION_BEHAVIOR.
 */
export const suiteRuns: readonly (readonly [Transport, Profile])[] = isLong
  ? [...transports.map((transport) => [transport, 'hbase'] as const), ['http', 'lindorm']]
  : [['unframed', 'hbase']]

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

/** An adapter in a namespace of its own, if it is named, over the client that `through` makes of a new one. */
export async function connect(
  connection: HBaseConnection,
  transport: Transport = 'unframed',
  options: HBaseOptions = {},
  clientOptions: HBaseClientOptions = {},
  through: (client: HBaseClient) => HBaseClient = (client) => client,
): Promise<Connected> {
  const client = clientOf(connection, transport, clientOptions)
  const { namespace } = options
  if (namespace !== undefined) await ensureNamespace(client, namespace)
  const adapter = hbase(through(client), options)
  return {
    client,
    adapter,
    async dispose() {
      await adapter.close()
      await client.close()
    },
  }
}

/** Other test files may create it at the same time. */
async function ensureNamespace(client: HBaseClient, namespace: string): Promise<void> {
  const isThere = async (): Promise<boolean> => (await client.listNamespaces()).includes(namespace)
  if (await isThere()) return
  try {
    await client.createNamespace(namespace)
  } catch (error) {
    if (!(await isThere())) throw error
  }
}

/** The same for suites: where a transport cannot create tables, another one does. */
export async function connectSuite(
  connection: HBaseConnection,
  transport: Transport,
  options: HBaseOptions = {},
  clientOptions: HBaseClientOptions = {},
  through?: (client: HBaseClient) => HBaseClient,
): Promise<Connected> {
  const connected = await connect(connection, transport, options, clientOptions, through)
  if (transport !== 'framed') return connected
  const { client, adapter, dispose } = connected
  const creator = await connect(connection, 'unframed', options)
  adapter.ensureTable = (schema, how) => creator.adapter.ensureTable(schema, how)
  const close = adapter.close.bind(adapter)
  adapter.close = async () => {
    await creator.adapter.close()
    await close()
  }
  return {
    client,
    adapter,
    async dispose() {
      await dispose()
      await creator.dispose()
    },
  }
}
