import { PutItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { grownCatalog, RowkeyError, type TableCatalog, type TableSchema } from '@rowkey/store'
import { setTimeout } from 'node:timers/promises'
import { catalogPut, readCatalog, type StoredCatalog } from './catalog-item.js'
import { definitionOf } from './ddl.js'
import { isNamed } from './errors.js'
import { createTable } from './native-table.js'
import { enableTtl } from './native-ttl.js'

const attempts = 20

/**
 * Creates a table or adds value columns to its catalog; goes on where another process, or one that ended, has got to.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH`, `STORE_LACKS`, `INVALID_OPTION`, `TABLE_MISSING`
 */
export async function ensureTable(client: DynamoDBClient, schema: TableSchema, nativeTtl: boolean): Promise<TableCatalog> {
  const { name } = schema
  const { create, ttl, catalog: first } = definitionOf(schema, nativeTtl)
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const found = await readCatalog(client, name)
    const stored = typeof found === 'string' ? undefined : found
    if (stored === undefined) await createTable(client, create)
    const catalog = stored === undefined ? first : grownCatalog(stored.catalog, schema)
    if (ttl !== undefined && catalog.values.includes('rk_expires')) await enableTtl(client, ttl)
    if (catalog === stored?.catalog) return catalog
    if (await put(client, name, catalog, stored)) return catalog
    await setTimeout(attempt * Math.random() * 50)
  }
  throw new RowkeyError(
    'TABLE_MISSING',
    `the catalog of table '${name}' changed ${attempts} times while it was written. Repeat the call.`,
    {
      table: name,
    },
  )
}

/** Whether nobody else was faster. */
async function put(client: DynamoDBClient, table: string, catalog: TableCatalog, found: StoredCatalog | undefined): Promise<boolean> {
  try {
    await client.send(new PutItemCommand(catalogPut(table, catalog, found)))
    return true
  } catch (error) {
    // Not found: dropped meanwhile, or not known to all of the server yet. A put that was repeated may meet itself, which the next look shows.
    if (isNamed(error, 'ConditionalCheckFailedException', 'ResourceNotFoundException')) return false
    throw error
  }
}
