// Tested by conformance.test.ts and options.test.ts.
import type { KuduClient, TableDefinition } from '@rowkey/kudu-client'
import {
  BaseAdapter,
  BaseTable,
  type Definition,
  InFlight,
  OpenTables,
  type Row,
  type SupportsDdl,
  type Partition,
  type PartitionsOptions,
  type RangeChanges,
  type RotateOptions,
  type SupportsLocate,
  type SupportsRanges,
  type ChangeOptions,
  type TableCatalog,
  type TableReads,
  type TableSchema,
} from 'rowkey/adapter'
import type { KuduCode } from './advice.js'
import { Catalogs } from './catalogs.js'
import { TableContext } from './context.js'
import { kuduStore } from './description.js'
import { closedAdapter } from './errors.js'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { locate, type KuduAddress } from './locate.js'
import { checkClient, checkOptions, idOf, type KuduOptions } from './options.js'
import { changeRanges, partitionsOf, rotate } from './ranges/partitions.js'
import { scanSlice } from './scan.js'
import { splits } from './splits.js'
import { write } from './write.js'

/**
 * Tables in Apache Kudu, with a client of `@rowkey/kudu-client`. `close()` does not close the client. Key columns are columns of Kudu, in the types
 * that SQL engines read; a `kuduHash()` salt becomes hash partitions.
 *
 * Cost: a batch of writes is one request for each tablet, and so are the gets of a call. A page of a scan is one request for each bucket.
 * Kudu writes a row with its log; whether that survives the crash of a machine depends on its replicas, and on the server's `log_force_fsync_all`.
 *
 * @throws RowkeyError `INVALID_OPTION` for what is not a client and for options
 * @example
 * ```ts
 * const client = new KuduClient({ masters: ['kudu-1:7051', 'kudu-2:7051', 'kudu-3:7051'] })
 * const db = createMapper(kudu(client))
 * await db.ensureTables([Orders])
 * await db.repository(Orders).put(order)
 * await db.close()
 * await client.close()
 * ```
 */
export function kudu(client: KuduClient, options: KuduOptions = {}): KuduAdapter {
  checkClient(client)
  return new KuduAdapter(client, checkOptions(options))
}

const reads: TableReads<TableContext> = {
  get: getRows,
  scan: scanSlice,
  fullScan: (table, checkpoint, options) => new FullScan(table, checkpoint, options),
  splits,
}

/** The adapter of a Kudu client, which also returns the definition of a table and where a row is. Made by {@link kudu}. */
export class KuduAdapter
  extends BaseAdapter
  implements SupportsDdl<Definition<TableDefinition, KuduCode>>, SupportsLocate<KuduAddress>, SupportsRanges
{
  private readonly client: KuduClient
  private readonly options: KuduOptions

  /** @internal */
  constructor(client: KuduClient, options: KuduOptions) {
    const calls = new InFlight(closedAdapter)
    const tables = new OpenTables<TableContext>()
    super({
      store: kuduStore,
      calls,
      catalogs: new Catalogs(client, options),
      open: (schema, catalog) => new BaseTable(tables.add(schema, new TableContext(client, options, schema, catalog, calls)), reads),
      write: (batch, how) => write(batch, tables.of, how),
    })
    this.client = client
    this.options = options
  }

  /** The master gives every table an id when it is created. */
  tableId(_schema: TableSchema, catalog: TableCatalog): string {
    return idOf(catalog)
  }

  ddl(schema: TableSchema): Definition<TableDefinition, KuduCode> {
    return kuduStore.ddl(schema, this.options)
  }

  partitions(schema: TableSchema, catalog: TableCatalog, options: PartitionsOptions): Promise<readonly Partition[]> {
    return this.calls.run(() => partitionsOf(this.contextOf(schema, catalog), options))
  }

  changeRanges(schema: TableSchema, catalog: TableCatalog, changes: RangeChanges, options: ChangeOptions): Promise<void> {
    return this.calls.run(() => changeRanges(this.contextOf(schema, catalog), changes, options))
  }

  rotate(schema: TableSchema, catalog: TableCatalog, options: RotateOptions): Promise<RangeChanges> {
    return this.calls.run(() => rotate(this.contextOf(schema, catalog), options))
  }

  private contextOf(schema: TableSchema, catalog: TableCatalog): TableContext {
    return new TableContext(this.client, this.options, schema, catalog, this.calls)
  }

  locate(schema: TableSchema, _catalog: TableCatalog, key: Row): KuduAddress {
    return locate(this.options, schema, key)
  }
}
