// Tested by test/stores/check.test.ts.
import type { KuduClient, KuduTable } from '@rowkey/kudu-client'
import type { SharedTable } from 'rowkey/adapter'
import { isKudu } from '../errors.js'
import { catalogTable, nameIn, type KuduOptions } from '../options.js'

/** The table of catalogs, which keeps the last revisions of tables that were dropped. */
export function sharedTable(client: KuduClient, options: KuduOptions): SharedTable {
  const name = nameIn(options, catalogTable)
  return {
    name,
    isThere: () => client.tableExists(name),
    async forget(prefix, isNew) {
      const table = await client.openTable(name).catch(noneIfMissing)
      if (table === undefined) return
      const rows = await keysOf(client, table)
      const own = rows.filter((row) => row.name.startsWith(prefix))
      const { errors } = await client.write(
        table,
        own.map(({ name, revision, part }) => ({ type: 'deleteIgnore', row: [name, revision, part] })),
      )
      const error = errors.find((each) => each !== undefined)
      if (error !== undefined) throw error
      if (isNew && (await keysOf(client, table)).length === 0) await client.deleteTable(table)
    },
  }
}

interface CatalogKey {
  readonly name: string
  readonly revision: number
  readonly part: number
}

async function keysOf(client: KuduClient, table: KuduTable): Promise<readonly CatalogKey[]> {
  const keys: CatalogKey[] = []
  for await (const batch of client.scan(table, { columns: ['name', 'revision', 'part'] })) {
    keys.push(...(batch.rows() as readonly object[] as readonly CatalogKey[]))
  }
  return keys
}

function noneIfMissing(error: unknown): undefined {
  if (!isKudu(error, 'NOT_FOUND')) throw error
}
