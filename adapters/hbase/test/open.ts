import { hbase } from '@rowkey/hbase'
import { HBaseClient } from '@rowkey/hbase-client'
import type { StoreKit } from '../../../test/kit/store-kit.js'
import { connect } from './connected.js'

/** What the adapter needs of a client, connected to nothing: every call does this. */
export const fakeClient = (call: () => unknown = () => undefined) =>
  Object.fromEntries(
    ['get', 'getMany', 'scan', 'checkAndMutate', 'checkAndPut', 'checkAndDelete', 'put', 'putMany', 'tableExists'].map((name) => [
      name,
      call,
    ]),
  )

export const kit: StoreKit = {
  factory: [[fakeClient(), { namespace: 'shop' }], (client, options) => hbase(client, options)],
  offline: () => hbase(new HBaseClient({ host: '127.0.0.1', port: 1 })),
  on: {
    async hbase(connection) {
      const { adapter, dispose } = await connect(connection, 'unframed', { namespace: 'stores' })
      return { adapter, close: dispose }
    },
  },
}
