import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Adapter, Capabilities, Defining, Definition, Locating, Mutation, Outcome } from '@rowkey/store'
import type { Row, TableCatalog, TableSchema, WriteOptions } from '@rowkey/store'
import { capabilitiesOf } from './capabilities.js'
import { readCatalog } from './catalog-item.js'
import { ddl, type DynamoDBStatement } from './ddl.js'
import { ensureTable } from './ensure-table.js'
import { closed } from './errors.js'
import { dynamodbHints, hints, name } from './hints.js'
import { ItemFormat } from './item-format.js'
import type { ItemKey } from './keys.js'
import { checkNames } from './names.js'
import { deleteTable } from './native-table.js'
import { checkClient, checkOptions, type DynamoDBOptions } from './options.js'
import { DynamoDBTable } from './table-store.js'
import { onTable } from './read-error.js'
import { write } from './write.js'

/** The adapter of a DynamoDB client, which also shows definitions of tables and where rows are. */
export interface DynamoDBAdapter extends Adapter, Defining<Definition<DynamoDBStatement>>, Locating<DynamoDBAddress> {}

/** Where a row is for other clients, ready for GetItem. */
export interface DynamoDBAddress {
  readonly TableName: string
  /** `p`: 01, salt and partition columns; `s`: 01 and the other key columns. */
  readonly Key: ItemKey
}

/**
 * Tables in DynamoDB, by a client of AWS SDK version 3 that is yours: `close()` leaves it open. What was acknowledged is on the disks of
 * several data centers.
 *
 * Cost: a get is one GetItem, several are BatchGetItem with up to 100 keys; a scan is a Query per key range and megabyte, for each bucket;
 * unconditional writes go 25 by a call, conditional ones take a call each. Reads are strongly consistent, which costs twice as much as
 * `consistency: 'eventual'`.
 *
 * The client may repeat what fails, but for writes whose outcome is open: those are sent once, whatever its `maxAttempts`.
 *
 * @throws RowkeyError `CLIENT_OPTION` for anything but a client of DynamoDB, `INVALID_OPTION`
 * @example
 * ```ts
 * const client = new DynamoDBClient({ region: 'eu-central-1' })
 * const db = createMapper(dynamodb(client))
 * await db.ensureTables([Orders])
 * await db.repository(Orders).put(order)
 * await db.close()
 * client.destroy()
 * ```
 */
export function dynamodb(client: DynamoDBClient, options: DynamoDBOptions = {}): DynamoDBAdapter {
  checkClient(client)
  return new ClientAdapter(client, checkOptions(options))
}

class ClientAdapter implements DynamoDBAdapter {
  readonly name: string = name
  readonly hints = hints
  readonly capabilities: Capabilities
  private readonly client: DynamoDBClient
  private readonly options: Required<DynamoDBOptions>
  private readonly formats = new WeakMap<TableSchema, ItemFormat>()
  private isClosed = false

  constructor(client: DynamoDBClient, options: Required<DynamoDBOptions>) {
    this.client = client
    this.options = options
    this.capabilities = capabilitiesOf(options.transactions)
  }

  table(schema: TableSchema, _catalog: TableCatalog): DynamoDBTable {
    this.mustBeOpen()
    dynamodbHints(schema)
    checkNames(schema)
    return new DynamoDBTable(this.client, this.formatOf(schema), this.mustBeOpen)
  }

  async write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    this.mustBeOpen()
    const { client, formatOf } = this
    return write({ client, formatOf, transactions: this.options.transactions }, batch, options)
  }

  async ensureTable(schema: TableSchema, _found: TableCatalog | undefined): Promise<TableCatalog> {
    this.mustBeOpen()
    // Not `found`: it may be older than the table.
    return onTable(schema.name, () => ensureTable(this.client, schema, this.options.nativeTtl))
  }

  async describeTable(name: string): Promise<TableCatalog | undefined> {
    this.mustBeOpen()
    const found = await onTable(name, () => readCatalog(this.client, name))
    return typeof found === 'string' ? undefined : found.catalog
  }

  async dropTable(name: string): Promise<void> {
    this.mustBeOpen()
    await onTable(name, async () => {
      // A table without a catalog may be somebody else's.
      if (typeof (await readCatalog(this.client, name)) !== 'string') await deleteTable(this.client, name)
    })
  }

  ddl(schema: TableSchema): Definition<DynamoDBStatement> {
    return ddl(schema, this.options.nativeTtl)
  }

  locate(schema: TableSchema, _catalog: TableCatalog, key: Row): DynamoDBAddress {
    return { TableName: schema.name, Key: this.formatOf(schema).keyToWrite(key) }
  }

  async close(): Promise<void> {
    this.isClosed = true
  }

  private readonly mustBeOpen = (): void => {
    if (this.isClosed) throw closed()
  }

  private readonly formatOf = (schema: TableSchema): ItemFormat => {
    const known = this.formats.get(schema)
    if (known !== undefined) return known
    const format = new ItemFormat(schema)
    this.formats.set(schema, format)
    return format
  }
}
