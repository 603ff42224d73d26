import { kudu } from '@rowkey/kudu'
import { KuduClient } from '@rowkey/kudu-client'
import type { StoreKit } from '../../../test/kit/store-kit.js'
import { connect } from './connected.js'

/** What the adapter needs of a client, connected to nothing: every call does this. */
export const fakeClient = (call: () => unknown = () => undefined) =>
  Object.fromEntries(
    ['openTable', 'tableExists', 'createTable', 'alterTable', 'deleteTable', 'getMany', 'scan', 'tablets', 'write'].map((name) => [
      name,
      call,
    ]),
  )

export const kit: StoreKit = {
  factory: [[fakeClient(), { database: 'shop', hash: 4 }], (client, options) => kudu(client, options)],
  offline: () => kudu(new KuduClient({ masters: ['127.0.0.1:1'] }), { hash: 4 }),
  on: {
    async kudu(connection) {
      // One database for all, so that two clients have the same tables.
      const { adapter, client } = await connect(connection, { database: 'stores' })
      return { adapter, close: () => client.close() }
    },
  },
}
