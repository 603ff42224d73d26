// Tested by tables.test.ts.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BaseAdapter,
  BaseTable,
  type Definition,
  InFlight,
  type Row,
  type SupportsDdl,
  type SupportsLocate,
  type TableCatalog,
  type TableReads,
  type TableSchema,
} from 'rowkey/adapter'
import type { DynamoDBCode } from './advice.js'
import { capabilitiesOf } from './capabilities.js'
import { Catalogs } from './catalogs.js'
import type { DynamoDBStatement } from './ddl.js'
import { TableContext } from './context.js'
import { dynamodbStore } from './description.js'
import { closedAdapter } from './errors.js'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { formOf, rowkeyForm, type RowForm } from './keys.js'
import { locate, type DynamoDBAddress } from './locate.js'
import { checkClient, checkOptions, type DynamoDBOptions } from './options.js'
import { Purge } from './purge.js'
import { scanSlice } from './scan.js'
import { splits } from './splits.js'
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

const reads: TableReads<TableContext> = {
  get: getRows,
  scan: scanSlice,
  fullScan: (table, checkpoint, options) => new FullScan(table, checkpoint, options),
  purge: (table) => new Purge(table),
}

/** Of a server whose scans have segments. */
const readsWithSplits: TableReads<TableContext> = { ...reads, splits: (_table, count) => splits(count) }

/** The adapter of a DynamoDB client, which also returns the definition of a table and where a row is. Made by {@link dynamodb}. */
export class DynamoDBAdapter
  extends BaseAdapter
  implements SupportsDdl<Definition<DynamoDBStatement, DynamoDBCode>>, SupportsLocate<DynamoDBAddress>
{
  private readonly options: Required<DynamoDBOptions>
  private readonly catalogs: Catalogs
  private readonly contextOf: (schema: TableSchema, catalog: TableCatalog) => TableContext

  /** @internal */
  constructor(client: DynamoDBClient, options: Required<DynamoDBOptions>) {
    const { transactions, segments, nativeTtl } = options
    const catalogs = new Catalogs(client, nativeTtl)
    const calls = new InFlight(closedAdapter)
    /** Also those that were not opened, because items need no catalog. */
    const tables = new WeakMap<TableSchema, TableContext>()
    const opened = (schema: TableSchema, form: RowForm): TableContext => {
      const table = new TableContext(client, schema, calls, form)
      tables.set(schema, table)
      return table
    }
    const tableOf = (schema: TableSchema): TableContext => tables.get(schema) ?? opened(schema, rowkeyForm)
    super({
      store: transactions ? dynamodbStore : { ...dynamodbStore, capabilities: capabilitiesOf(false) },
      calls,
      catalogs,
      open: (schema, catalog) => new BaseTable(opened(schema, formOf(catalog)), segments ? readsWithSplits : reads),
      write: (batch, how) => write({ client, tableOf, transactions }, batch, how),
    })
    this.options = options
    this.catalogs = catalogs
    this.contextOf = (schema, catalog) => new TableContext(client, schema, calls, formOf(catalog))
  }

  /** The service gives every table an id when it is created. */
  tableId({ name }: TableSchema): Promise<string | undefined> {
    return this.calls.run(() => this.catalogs.idOf(name))
  }

  ddl(schema: TableSchema): Definition<DynamoDBStatement, DynamoDBCode> {
    return dynamodbStore.ddl(schema, this.options)
  }

  locate(schema: TableSchema, catalog: TableCatalog, key: Row): DynamoDBAddress {
    return locate(this.contextOf(schema, catalog), key)
  }
}
