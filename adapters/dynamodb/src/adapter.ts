import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { InFlight } from '@rowkey/store/adapter'
import type {
  Adapter,
  Capabilities,
  ChangeOptions,
  Definition,
  Hints,
  Mutation,
  Outcome,
  Row,
  SupportsDdl,
  SupportsLocate,
  TableCatalog,
  TableSchema,
  TableStore,
  WriteOptions,
} from '@rowkey/store/adapter'
import { capabilitiesOf } from './capabilities.js'
import { Catalogs } from './catalogs.js'
import { checkNames, ddl, type DynamoDBStatement } from './ddl.js'
import { closedAdapter } from './errors.js'
import { locate, type DynamoDBAddress } from './locate.js'
import { checkClient, checkOptions, dynamodbHints, hints, name, type DynamoDBOptions } from './options.js'
import { ItemFormat } from './rows.js'
import { DynamoDBTable } from './table.js'
import { write } from './write.js'

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
  return new DynamoDBAdapter(client, checkOptions(options))
}

/** The adapter of a DynamoDB client, which also shows definitions of tables and where rows are. Made by {@link dynamodb}. */
export class DynamoDBAdapter implements Adapter, SupportsDdl<Definition<DynamoDBStatement>>, SupportsLocate<DynamoDBAddress> {
  readonly name: string = name
  readonly hints: Hints = hints
  readonly capabilities: Capabilities
  private readonly client: DynamoDBClient
  private readonly options: Required<DynamoDBOptions>
  private readonly catalogs: Catalogs
  /** Not only of tables that are open: items need no catalog. */
  private readonly formats = new WeakMap<TableSchema, ItemFormat>()
  private readonly calls = new InFlight(closedAdapter)

  /** @internal */
  constructor(client: DynamoDBClient, options: Required<DynamoDBOptions>) {
    this.client = client
    this.options = options
    this.catalogs = new Catalogs(client, options.nativeTtl)
    this.capabilities = capabilitiesOf(options.transactions)
  }

  table(schema: TableSchema, _catalog: TableCatalog): TableStore {
    this.calls.mustBeOpen()
    dynamodbHints(schema)
    checkNames(schema)
    return new DynamoDBTable(this.client, this.formatOf(schema), this.calls)
  }

  write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    const { client, formatOf } = this
    return this.calls.run(() => write({ client, formatOf, transactions: this.options.transactions }, batch, options))
  }

  ensureTable(schema: TableSchema, _found?: TableCatalog, { cancellation }: ChangeOptions = {}): Promise<TableCatalog> {
    return this.calls.run(() => this.catalogs.ensure(schema, cancellation)) // not `_found`: it may be older than the table
  }

  describeTable(name: string): Promise<TableCatalog | undefined> {
    return this.calls.run(() => this.catalogs.describe(name))
  }

  dropTable(name: string, { cancellation }: ChangeOptions = {}): Promise<void> {
    return this.calls.run(() => this.catalogs.drop(name, cancellation))
  }

  ddl(schema: TableSchema): Definition<DynamoDBStatement> {
    return ddl(schema, this.options.nativeTtl)
  }

  locate(schema: TableSchema, _catalog: TableCatalog, key: Row): DynamoDBAddress {
    return locate(schema, this.formatOf(schema), schema.layout.encodeKey(key))
  }

  close(): Promise<void> {
    return this.calls.close()
  }

  private readonly formatOf = (schema: TableSchema): ItemFormat => {
    const known = this.formats.get(schema)
    if (known !== undefined) return known
    const format = new ItemFormat(schema)
    this.formats.set(schema, format)
    return format
  }
}
