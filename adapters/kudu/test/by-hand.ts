import type { KuduClient, KuduTable, Partitioning } from '@rowkey/kudu-client'
import { InFlight, type TableCatalog, type TableSchema } from 'rowkey/adapter'
import { TableContext } from '../src/context.js'
import { closedAdapter } from '../src/errors.js'
import { newTable } from '../src/native-table.js'
import type { Connected } from './connected.js'

/** Creates the table of a model as an administrator may: with partitions of his own. */
export function createByHand({ client, database }: Connected, schema: TableSchema, partitioning: Partitioning): Promise<KuduTable> {
  const { name, columns } = newTable(schema, { database, hash: 2 }, Date.now)
  return client.createTable({ name, columns, ...partitioning })
}

/** What the reads and writes of a table share, over this client. */
export const contextOf = (
  { client: own, database }: Connected,
  schema: TableSchema,
  catalog: TableCatalog,
  client: KuduClient = own,
): TableContext => new TableContext(client, { database, hash: 2 }, schema, catalog, new InFlight(closedAdapter))
