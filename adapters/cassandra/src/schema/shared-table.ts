// Tested by test/stores/check.test.ts.
import type { Client } from 'cassandra-driver'
import type { SharedTable } from 'rowkey/adapter'
import { catalogTable, quoted } from '../client/cql.js'

/** The table of catalogs and of the lock. A dropped table leaves nothing in it. */
export function sharedTable(client: Pick<Client, 'execute'>, keyspace: string): SharedTable {
  const table = `${quoted(keyspace)}.${quoted(catalogTable)}`
  const isThere = async (): Promise<boolean> => {
    const query = 'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?'
    return (await client.execute(query, [keyspace, catalogTable], { prepare: true })).rows.length > 0
  }
  return {
    name: `${keyspace}.${catalogTable}`,
    isThere,
    async forget(_prefix, isNew) {
      if (!isNew || !(await isThere())) return
      const { rows } = await client.execute(`SELECT "name" FROM ${table} LIMIT 1`)
      if (rows.length === 0) await client.execute(`DROP TABLE IF EXISTS ${table}`)
    },
  }
}
