import { afterAll, beforeAll } from 'vitest'
import { kudu, type KuduOptions, type KuduServer } from '../../../test/servers/src/index.js'
import { KuduClient, type Column, type KuduClientOptions, type KuduTable, type RowBatch, type Scanner } from '../src/index.js'

/** Starts servers for the tests of a file, and makes clients that are closed after them. */
export function clientsOf(options: KuduOptions = {}) {
  let server: KuduServer | undefined
  const clients: KuduClient[] = []
  beforeAll(async () => {
    server = await kudu.start(options)
  }, 60_000)
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await server?.stop()
  })
  const running = (): KuduServer => server as KuduServer
  return {
    server: running,
    client(more: Partial<KuduClientOptions> = {}): KuduClient {
      const client = new KuduClient({ masters: running().connection.masters, ...more })
      clients.push(client)
      return client
    },
  }
}

export const metricColumns: readonly Column[] = [
  { name: 'host', type: 'STRING', isKey: true },
  { name: 'time', type: 'INT64', isKey: true },
  { name: 'load', type: 'DOUBLE', isKey: false, isNullable: true },
  { name: 'note', type: 'STRING', isKey: false, isNullable: true },
]

let tables = 0

/** A table with the key (host, time), in so many hash buckets of the host; 1 = none. */
export const metrics = (client: KuduClient, buckets = 1, replicas = 1): Promise<KuduTable> =>
  client.createTable({
    name: `metrics${++tables}`,
    columns: metricColumns,
    hash: buckets === 1 ? [] : [{ columns: ['host'], buckets }],
    replicas,
  })

/** All batches of a scan. */
export async function batchesOf(scanner: Scanner): Promise<RowBatch[]> {
  const batches: RowBatch[] = []
  for await (const batch of scanner) batches.push(batch)
  return batches
}

/** All rows of a scan. */
export const rowsOf = async (scanner: Scanner) => (await batchesOf(scanner)).flatMap((batch) => batch.rows())
