// Tested by tables.test.ts.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { InFlight } from '@rowkey/store/adapter'
import type {
  Adapter,
  Capabilities,
  ChangeOptions,
  Definition,
  Hints,
  Mutation,
  NameRules,
  Outcome,
  Row,
  SupportsDdl,
  SupportsLocate,
  TableCatalog,
  TableSchema,
  TableStore,
  WriteOptions,
} from '@rowkey/store/adapter'
import type { DynamoDBCode } from './advice.js'
import { capabilitiesOf } from './capabilities.js'
import { Catalogs } from './catalogs.js'
import type { DynamoDBStatement } from './ddl.js'
import { TableContext } from './context.js'
import { dynamodbStore } from './description.js'
import { closedAdapter } from './errors.js'
import { locate, type DynamoDBAddress } from './locate.js'
import { checkClient, checkOptions, type DynamoDBOptions } from './options.js'
import { DynamoDBTable } from './table.js'
import { write } from './write.js'

/**
 * Tables in DynamoDB, with your client of AWS SDK version 3. `close()` does not close the client. Acknowledged writes are on disk in
 * several data centers.
 *
 * Cost: a get is one GetItem, and several are BatchGetItem with up to 100 keys. A scan is a Query per key range and megabyte, for each
 * bucket. Up to 25 unconditional writes are one call, and each conditional write is a call. Reads are strongly consistent, which costs
 * twice as much as `consistency: 'eventual'`.
 *
 * The client may repeat failed requests. But it never repeats a write whose outcome is unknown, whatever its `maxAttempts` is.
 *
 * @throws RowkeyError `CLIENT_OPTION` for a client of another service, `INVALID_OPTION` for what is not a client and for options
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
  return new DynamoDBAdapter(client, checkOptions(options))
}

/** The adapter of a DynamoDB client, which also returns the definition of a table and where a row is. Made by {@link dynamodb}. */
export class DynamoDBAdapter implements Adapter, SupportsDdl<Definition<DynamoDBStatement, DynamoDBCode>>, SupportsLocate<DynamoDBAddress> {
  readonly name: string = dynamodbStore.name
  readonly hints: Hints = dynamodbStore.hints
  readonly names: NameRules = dynamodbStore.names
  readonly capabilities: Capabilities
  private readonly client: DynamoDBClient
  private readonly options: Required<DynamoDBOptions>
  private readonly catalogs: Catalogs
  /** Also those that were not opened, because items need no catalog. */
  private readonly tables = new WeakMap<TableSchema, TableContext>()
  private readonly calls = new InFlight(closedAdapter)

  /** @internal */
  constructor(client: DynamoDBClient, options: Required<DynamoDBOptions>) {
    this.client = client
    this.options = options
    this.catalogs = new Catalogs(client, options.nativeTtl)
    this.capabilities = options.transactions ? dynamodbStore.capabilities : capabilitiesOf(false)
  }

  /** The service gives every table an id when it is created. */
  tableId({ name }: TableSchema): Promise<string | undefined> {
    return this.calls.run(() => this.catalogs.idOf(name))
  }

  table(schema: TableSchema, _catalog: TableCatalog): TableStore {
    this.calls.mustBeOpen()
    return new DynamoDBTable(this.tableOf(schema), this.options.segments)
  }

  write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    const { client, tableOf } = this
    return this.calls.run(() => write({ client, tableOf, transactions: this.options.transactions }, batch, options))
  }

  ensureTable(schema: TableSchema, { cancellation }: ChangeOptions = {}): Promise<TableCatalog> {
    return this.calls.run(() => this.catalogs.ensure(schema, cancellation))
  }

  describeTable(name: string): Promise<TableCatalog | undefined> {
    return this.calls.run(() => this.catalogs.describe(name))
  }

  dropTable(name: string, { cancellation }: ChangeOptions = {}): Promise<void> {
    return this.calls.run(() => this.catalogs.drop(name, cancellation))
  }

  ddl(schema: TableSchema): Definition<DynamoDBStatement, DynamoDBCode> {
    return dynamodbStore.ddl(schema, this.options)
  }

  locate(schema: TableSchema, _catalog: TableCatalog, key: Row): DynamoDBAddress {
    return locate(this.tableOf(schema), key)
  }

  close(): Promise<void> {
    return this.calls.close()
  }

  private readonly tableOf = (schema: TableSchema): TableContext => {
    const known = this.tables.get(schema)
    if (known !== undefined) return known
    const table = new TableContext(this.client, schema, this.calls)
    this.tables.set(schema, table)
    return table
  }
}
