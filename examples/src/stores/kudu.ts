import { kudu } from '@rowkey/kudu'
import { KuduClient } from '@rowkey/kudu-client'
import type { Open } from './open-stores.js'

export const open: Open = async (servers) => {
  const server = await servers.connect('kudu')
  if (server === undefined) return undefined
  const client = new KuduClient({ masters: [...server.connection.masters] })
  return { version: server.version, adapter: kudu(client, { hash: 4 }), close: () => client.close() }
}
