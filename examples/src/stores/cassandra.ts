import { cassandra } from '@rowkey/cassandra'
import { Client } from 'cassandra-driver'
import type { Open } from './open-stores.js'

export const open: Open = async (servers) => {
  const server = await servers.connect('cassandra')
  if (server === undefined) return undefined
  const { contactPoints, localDataCenter } = server.connection
  const client = new Client({ contactPoints: [...contactPoints], localDataCenter })
  await client.execute(
    `CREATE KEYSPACE IF NOT EXISTS rowkey_examples WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
  )
  return { version: server.version, adapter: cassandra(client, { keyspace: 'rowkey_examples' }), close: () => client.shutdown() }
}
