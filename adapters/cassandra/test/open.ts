import { cassandra } from '@rowkey/cassandra'
import { Client } from 'cassandra-driver'
import type { StoreKit } from '../../../test/kit/store-kit.js'

/** What the adapter needs of a client, connected to nothing. */
export const fakeClient = (execute: (...args: never[]) => unknown = () => undefined) => ({
  execute,
  hosts: { keys: () => [] },
  options: { keyspace: 'shop', protocolOptions: { maxVersion: 4 }, encoding: { useUndefinedAsUnset: true } },
})

export const kit: StoreKit = {
  factory: [[fakeClient(), { keyspace: 'shop' }], (client, options) => cassandra(client, options)],
  offline: () => cassandra(new Client({ contactPoints: ['127.0.0.1'], localDataCenter: 'dc1' }), { keyspace: 'app' }),
  on: {
    async cassandra({ contactPoints, localDataCenter }) {
      const client = new Client({ contactPoints: [...contactPoints], localDataCenter })
      await client.execute(
        `CREATE KEYSPACE IF NOT EXISTS rowkey_stores WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
      )
      return { adapter: cassandra(client, { keyspace: 'rowkey_stores' }), close: () => client.shutdown() }
    },
  },
}
