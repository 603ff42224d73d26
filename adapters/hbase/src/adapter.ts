import type { HBaseClient } from '@rowkey/hbase-client'
import {
  BaseAdapter,
  BaseTable,
  type Definition,
  InFlight,
  KeyedMutex,
  OpenTables,
  type Row,
  type SupportsDdl,
  type SupportsLocate,
  type TableCatalog,
  type TableReads,
  type TableSchema,
} from 'rowkey/adapter'
import type { HBaseCode } from './advice.js'
import { profiles, type ProfileLimits } from './capabilities.js'
import { Catalogs, idOf, isWithoutNewVersions } from './catalogs.js'
import { TableColumns } from './client/table-columns.js'
import { RowTimestamps } from './client/timestamps.js'
import { Deletes, Gets, Puts } from './client/together.js'
import { TableContext, type ServerTable } from './context.js'
import { hbaseStore } from './description.js'
import { closedAdapter, onServer } from './errors.js'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { locate, type HBaseAddress } from './locate.js'
import { checkClient, checkOptions, type HBaseOptions } from './options.js'
import { Purge } from './purge.js'
import { scanSlice } from './scan.js'
import { splits } from './splits.js'
import { write } from './write.js'

/**
 * Tables in HBase 2 through its Thrift2 gateway, with a client of `@rowkey/hbase-client`. `close()` does not close the client. The row
 * key is the rowkey; each column is a qualifier of family `f` with the bytes of Java's `Bytes.toBytes`.
 *
 * Cost: gets of the same tick are one request, and so are puts of rows without nulls, and deletes. A put of a row with nulls, an insert and a
 * write with a version are a request each; other updates read the row first. A page of a scan is one request for each bucket. Acknowledged
 * writes are in the write-ahead log.
 *
 * @throws RowkeyError `INVALID_OPTION` for what is not a client and for options
 * @example
 * ```ts
 * const client = new HBaseClient({ host: 'gateway', port: 9090 })
 * const db = createMapper(hbase(client))
 * await db.ensureTables([Orders])
 * await db.repository(Orders).put(order)
 * await db.close()
 * await client.close()
 * ```
 */
export function hbase(client: HBaseClient, options: HBaseOptions = {}): HBaseAdapter {
  checkClient(client)
  return new HBaseAdapter(client, checkOptions(options))
}

const reads: TableReads<TableContext> = {
  get: getRows,
  scan: scanSlice,
  fullScan: (table, checkpoint, options) => new FullScan(table, checkpoint, options),
  splits,
  purge: (table) => new Purge(table),
}

/** The adapter of an HBase client, which also returns the definition of a table and where a row is. Made by {@link hbase}. */
export class HBaseAdapter extends BaseAdapter implements SupportsDdl<Definition<string, HBaseCode>>, SupportsLocate<HBaseAddress> {
  private readonly client: HBaseClient
  private readonly options: Required<HBaseOptions>
  private readonly limits: ProfileLimits
  private readonly catalogs: Catalogs
  private readonly servers = new Map<string, ServerTable>()
  private clusterId: string | undefined

  /** @internal */
  constructor(client: HBaseClient, options: Required<HBaseOptions>) {
    const limits = profiles[options.profile]
    const catalogs = new Catalogs(client, limits, options.namespace)
    const tables = new OpenTables<TableContext>()
    super({
      store: { ...hbaseStore, capabilities: limits.capabilities },
      calls: new InFlight(closedAdapter),
      catalogs: {
        ensure: async (schema, cancellation) => {
          const catalog = await catalogs.ensure(schema, cancellation)
          this.serverTable(schema.name).columns.learn(catalog)
          return catalog
        },
        describe: (name) => catalogs.describe(name),
        drop: (name, cancellation) => catalogs.drop(name, cancellation),
      },
      open: (schema, catalog) => {
        this.learn(schema.name, catalog)
        return new BaseTable(tables.add(schema, this.contextOf(schema)), reads)
      },
      write: (batch, how) => write(batch, tables.of, how),
    })
    this.client = client
    this.options = options
    this.limits = limits
    this.catalogs = catalogs
  }

  /** Its id is made when it is created, and a copy of the cluster has another one of its own. */
  tableId({ name }: TableSchema, catalog: TableCatalog): Promise<string | undefined> {
    return this.calls.run(async () => {
      this.clusterId ??= await onServer(name, () => this.client.getClusterId())
      return `${this.clusterId} ${this.options.namespace} ${idOf(catalog)}`
    })
  }

  ddl(schema: TableSchema): Definition<string, HBaseCode> {
    return hbaseStore.ddl(schema, this.options)
  }

  locate(schema: TableSchema, _catalog: TableCatalog, key: Row): HBaseAddress {
    return locate(this.contextOf(schema), key)
  }

  private learn(table: string, catalog: TableCatalog): void {
    const server = this.serverTable(table)
    server.columns.learn(catalog)
    if (isWithoutNewVersions(catalog)) server.timestamps ??= new RowTimestamps()
    else if (this.limits.newVersionBehavior) server.timestamps = undefined // a table of this name that was dropped
  }

  private contextOf(schema: TableSchema): TableContext {
    return new TableContext(this.client, this.serverTable(schema.name), schema, { limits: this.limits, calls: this.calls })
  }

  /** What all schemas of a table share. */
  private serverTable(table: string): ServerTable {
    let found = this.servers.get(table)
    if (found === undefined) {
      const { client, limits } = this
      const name = this.catalogs.named(table)
      found = {
        name,
        gets: new Gets(client, name, limits),
        puts: new Puts(client, name, limits),
        deletes: new Deletes(client, name, limits),
        columns: new TableColumns(() => this.catalogs.describe(table)),
        timestamps: limits.newVersionBehavior ? undefined : new RowTimestamps(),
        turns: new KeyedMutex(),
      }
      this.servers.set(table, found)
    }
    return found
  }
}
