import { kudu, type KuduAdapter, type KuduOptions } from '@rowkey/kudu'
import { KuduClient, type KuduClientOptions } from '@rowkey/kudu-client'
import type { KuduConnection } from '@rowkey/servers'

export interface Connected {
  readonly client: KuduClient
  readonly adapter: KuduAdapter
  readonly database: string
  dispose(): Promise<void>
}

let count = 0

/** An adapter in a database of its own, whose tables go with it. Tables that say nothing of partitions have two. */
export async function connect(
  { masters }: KuduConnection,
  options: KuduOptions = {},
  clientOptions: Omit<KuduClientOptions, 'masters'> = {},
  through: (client: KuduClient) => KuduClient = (client) => client,
): Promise<Connected> {
  const client = new KuduClient({ masters: [...masters], ...clientOptions })
  const database = options.database ?? `test_${process.pid}_${Date.now()}_${count++}`
  const adapter = kudu(through(client), { hash: 2, ...options, database })
  return {
    client,
    adapter,
    database,
    async dispose() {
      await adapter.close()
      const own = await client.listTables(`${database}.`)
      await Promise.all(own.map((name) => client.deleteTable(name).catch(() => undefined)))
      await client.close()
    },
  }
}
