// Tested by tables.test.ts.
import { GetItemCommand, PutItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  type Cancellation,
  catalogOfJSON,
  grownCatalog,
  newCatalog,
  parseObject,
  pause,
  RowkeyError,
  type TableCatalog,
  type TableSchema,
} from 'rowkey/adapter'
import { checkedItem } from './client/answers.js'
import { catalogAttribute, catalogPut, definitionOf } from './ddl.js'
import { corrupt, isNamed, noCatalog, onTable, schemaMismatch } from './errors.js'
import { catalogKey, firstForm, keyAttributes, rowkeyForm, withForm, type RowForm } from './keys.js'
import { createTable, deleteTable, describe, enableTtl, formOfKey } from './native-table.js'

/** Max attempts to write a catalog that other processes change at the same time. */
const attempts = 20

/** The tables. Each contains its catalog in a separate item. */
export class Catalogs {
  private readonly client: DynamoDBClient
  private readonly nativeTtl: boolean

  constructor(client: DynamoDBClient, nativeTtl: boolean) {
    this.client = client
    this.nativeTtl = nativeTtl
  }

  /** @throws RowkeyError `SCHEMA_MISMATCH`, `CORRUPT_ROW`, `STORE_UNAVAILABLE` */
  async describe(name: string): Promise<TableCatalog | undefined> {
    const found = await onTable(name, () => readCatalog(this.client, name))
    return typeof found === 'string' ? undefined : found.catalog
  }

  /** @throws RowkeyError `STORE_UNAVAILABLE` */
  async idOf(name: string): Promise<string | undefined> {
    const { TableId, TableArn, CreationDateTime } = (await onTable(name, () => describe(this.client, name))) ?? {}
    // Not every server of this kind gives its tables ids.
    return TableId ?? (TableArn === undefined || CreationDateTime === undefined ? undefined : `${TableArn} ${CreationDateTime.getTime()}`)
  }

  /**
   * Creates a table or adds value columns to its catalog. Continues what another process has begun.
   *
   * @throws RowkeyError `SCHEMA_MISMATCH`, `NOT_SUPPORTED`, `INVALID_OPTION`, `TABLE_NOT_FOUND`; the reason of the cancellation
   */
  ensure(schema: TableSchema, cancellation: Cancellation | undefined): Promise<TableCatalog> {
    return onTable(schema.name, () => this.createOrGrow(schema, cancellation), cancellation)
  }

  /** @throws RowkeyError `TABLE_NOT_FOUND`; the reason of the cancellation */
  drop(name: string, cancellation: Cancellation | undefined): Promise<void> {
    const run = async (): Promise<void> => {
      const found = await readCatalog(this.client, name)
      if (found === 'bare') throw noCatalog(name)
      if (found !== 'absent') await deleteTable(this.client, name, cancellation)
    }
    return onTable(name, run, cancellation)
  }

  private async createOrGrow(schema: TableSchema, cancellation: Cancellation | undefined): Promise<TableCatalog> {
    const { client } = this
    const { name } = schema
    const { create, ttl } = definitionOf(schema, this.nativeTtl)
    for (let attempt = 1; attempt <= attempts; attempt++) {
      cancellation?.throwIfOver()
      const found = await readCatalog(client, name)
      const stored = typeof found === 'string' ? undefined : found
      const form = stored?.form ?? (await createTable(client, create, cancellation))
      refuseTaken(schema, form)
      const catalog = stored === undefined ? withForm(newCatalog(schema), form) : grownCatalog(stored.catalog, schema)
      if (ttl !== undefined && catalog.valueColumns.includes('rk_expires')) await enableTtl(client, ttl)
      if (catalog === stored?.catalog) return catalog
      if (await put(client, name, form, catalog, stored)) return catalog
      await pause(attempt * Math.random() * 50, cancellation)
    }
    const message = `the catalog of table '${name}' changed ${attempts} times while it was written. Repeat the call.`
    throw new RowkeyError('TABLE_NOT_FOUND', message, { table: name })
  }
}

/** In a table of the first form, a column would overwrite the key attribute of its name. @throws RowkeyError `SCHEMA_MISMATCH` */
function refuseTaken({ name, columns, keyLength }: TableSchema, { partition, sort }: RowForm): void {
  const taken = columns.slice(keyLength).find(({ physical }) => physical === partition || physical === sort)
  if (taken === undefined) return
  const remedy = 'Give the column another name with { name }, or copy the rows into a new table with copyTable().'
  throw schemaMismatch(name, [`column '${taken.physical}' has the name of an attribute of its key`], remedy)
}

/** A catalog as it is stored. */
interface StoredCatalog {
  readonly form: RowForm
  readonly catalog: TableCatalog
  readonly text: string
}

/**
 * The catalog of a table: 'absent' if there is no table that can be read, 'bare' if the table has no catalog yet.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH` for a table with another key, `CORRUPT_ROW`
 */
async function readCatalog(client: DynamoDBClient, table: string, form = rowkeyForm): Promise<StoredCatalog | 'absent' | 'bare'> {
  try {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: keyAttributes(form, catalogKey), ConsistentRead: true }))
    if (Item === undefined) return 'bare'
    const text: unknown = checkedItem(table, form, Item, catalogKey)[catalogAttribute]?.S
    const catalog = typeof text === 'string' ? catalogOfJSON(parseObject(text)) : undefined
    if (typeof text !== 'string' || catalog === undefined) throw corrupt(table, catalogAttribute, 'does not contain a catalog')
    return { form, catalog, text }
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return 'absent'
    // The server refuses a key that does not fit the key of the table. Whoever reads rows may not be allowed to describe the table.
    if (!isNamed(error, 'ValidationException')) throw error
    if (form !== firstForm) return readCatalog(client, table, firstForm)
    const found = await describe(client, table)
    if (found !== undefined) formOfKey(table, found)
    throw error
  }
}

/** Writes a catalog. Returns false if another process was faster. */
async function put(
  client: DynamoDBClient,
  table: string,
  form: RowForm,
  catalog: TableCatalog,
  found: StoredCatalog | undefined,
): Promise<boolean> {
  try {
    await client.send(new PutItemCommand(catalogPut(table, form, catalog, found?.text)))
    return true
  } catch (error) {
    // Not found: dropped in the meantime, or not yet known to all nodes of the server. A repeated put may fail because of itself. The next
    // read shows that.
    if (isNamed(error, 'ConditionalCheckFailedException', 'ResourceNotFoundException')) return false
    throw error
  }
}
