// Also tested by opening.test.ts.
import {
  BaseAdapter,
  BaseTable,
  InFlight,
  OpenTables,
  type Row,
  type SupportsLocate,
  type TableCatalog,
  type TableReads,
  type TableSchema,
} from 'rowkey/adapter'
import { Catalogs } from './catalogs.js'
import { TableContext } from './context.js'
import { lmdbStore } from './description.js'
import { closedStore } from './errors.js'
import { Environment } from './file/environment.js'
import { getRows } from './get.js'
import { locate, type LmdbAddress } from './locate.js'
import { checkOptions, pathOf, type LmdbOptions } from './options.js'
import { Purge } from './purge.js'
import { fullScan, scanSlice } from './scan.js'
import { splits } from './splits.js'
import { write } from './write.js'

/**
 * Tables in a folder of this machine, kept by LMDB: a file mapped into memory, which several processes can use at the same time. What was
 * acknowledged is on disk.
 *
 * Cost: a get takes some microseconds, a scan about two per row; both are synchronous and block the main thread while the disk is
 * read. A write waits for the disk, and concurrent writes share one flush. The file grows automatically and never shrinks. The space of
 * deleted rows is used again.
 *
 * `close()` waits for the writes that have reached the store. Everything else throws `CLOSED` from then on, also a call whose table is not
 * open yet, and the rest of a `putMany()`. So await your writes first.
 *
 * @param path a folder that only this store uses, also as a `file:` URL. It is created if it does not exist.
 * @throws RowkeyError `STORE_UNUSABLE` if the folder cannot be used, `INVALID_OPTION`
 * @example
 * ```ts
 * const db = createMapper(lmdb('data/orders'))
 * await db.ensureTables([Orders])
 * await db.repository(Orders).put(order) // on the disk
 * await db.close()
 * ```
 */
export function lmdb(path: string | URL, options: LmdbOptions = {}): LmdbAdapter {
  checkOptions(options)
  return new LmdbAdapter(pathOf(path), options.sync ?? true)
}

const reads: TableReads<TableContext> = { get: getRows, scan: scanSlice, fullScan, splits, purge: (table) => new Purge(table) }

/** The adapter of a folder, which also returns where a row is in LMDB. Made by {@link lmdb}. */
export class LmdbAdapter extends BaseAdapter implements SupportsLocate<LmdbAddress> {
  private readonly environment: Environment
  private released: Promise<void> | undefined

  // Its declaration names nothing of the driver, whose own does not compile in every project.
  /** @internal */
  constructor(path: string, sync: boolean) {
    const environment = Environment.acquire(path, sync)
    const calls = new InFlight(() => closedStore())
    const tables = new OpenTables<TableContext>()
    super({
      store: lmdbStore,
      calls,
      catalogs: new Catalogs(environment, () => calls.isClosed), // `close()` does not wait until all rows of dropped tables are deleted
      open: (schema, catalog) => new BaseTable(tables.add(schema, new TableContext(schema, catalog, environment, calls)), reads),
      write: (batch, options) => write(batch, options, tables.of, environment.committer),
    })
    this.environment = environment
  }

  /** The file, and the number of the table in it. */
  tableId(_schema: TableSchema, { store }: TableCatalog): string | undefined {
    const { identity } = this.environment
    return identity === undefined ? undefined : `${identity} ${store?.['table']}`
  }

  locate(schema: TableSchema, catalog: TableCatalog, key: Row): LmdbAddress {
    return locate(schema, catalog, key)
  }

  override close(): Promise<void> {
    return (this.released ??= this.environment.release(super.close()))
  }
}
