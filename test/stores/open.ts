import type { Connections, ServerName } from '@rowkey/servers'
import type { Adapter } from 'rowkey'
import { cassandra } from '@rowkey/cassandra'
import { dynamodb } from '@rowkey/dynamodb'
import { redis } from '@rowkey/redis'
import { Client } from 'cassandra-driver'
import { Cluster, Redis } from 'ioredis'
import { inject } from 'vitest'
import { clientOf } from '../dynamodb/client.js'
import '../setup/serve.js'

/** A store of a server, or why there is none. */
export interface StoreUnderTest {
  readonly name: string
  readonly missing?: string
  /** How many operations it is asked to do. */
  readonly length: number
  open(): Promise<{ readonly adapter: Adapter; close(): unknown }>
}

/** The stores of all servers of this run; `length` for those that are fast. */
export function openStores(length: number): readonly StoreUnderTest[] {
  return [
    store('redis', length, ({ url }) => {
      const client = new Redis(url)
      return { adapter: redis(client), close: () => client.disconnect() }
    }),
    store('redis-cluster', length, ({ nodes }) => {
      const client = new Cluster([...nodes])
      return { adapter: redis(client), close: () => client.disconnect() }
    }),
    store('dynalite', length, ({ endpoint }) => openDynamodb(endpoint, false)),
    store('moto', 100 * Math.ceil(length / 1000), ({ endpoint }) => openDynamodb(endpoint, true)), // about a hundred writes a second
    store('cassandra', length, async ({ contactPoints, localDataCenter }) => {
      const client = new Client({ contactPoints: [...contactPoints], localDataCenter })
      await client.execute(
        `CREATE KEYSPACE IF NOT EXISTS rowkey_stores WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
      )
      return { adapter: cassandra(client, { keyspace: 'rowkey_stores' }), close: () => client.shutdown() }
    }),
  ]
}

function openDynamodb(endpoint: string, isComplete: boolean): { readonly adapter: Adapter; close(): void } {
  const client = clientOf({ endpoint })
  return {
    adapter: dynamodb(client, { transactions: isComplete, nativeTtl: isComplete, segments: !isComplete }),
    close: () => client.destroy(),
  }
}

type Open<Name extends ServerName> = (
  connection: Connections[Name],
) => ReturnType<StoreUnderTest['open']> | Awaited<ReturnType<StoreUnderTest['open']>>

function store<Name extends ServerName>(name: Name, length: number, open: Open<Name>): StoreUnderTest {
  const server = inject('servers')[name]
  if (server === undefined || 'missing' in server)
    return { name, length, missing: server?.missing ?? 'not served', open: () => Promise.reject(new Error(name)) }
  return { name, length, open: async () => open(server.connection) }
}
