import { hbase } from '@rowkey/hbase'
import { HBaseClient } from '@rowkey/hbase-client'
import type { Open } from './open-stores.js'

export const open: Open = async (servers) => {
  const server = await servers.connect('hbase')
  if (server === undefined) return undefined
  const { host, gateways } = server.connection
  const client = new HBaseClient({ host, port: gateways.unframed })
  return { version: server.version, adapter: hbase(client), close: () => client.close() }
}
