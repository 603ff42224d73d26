// Tested by opening.test.ts and closing.test.ts.
import { InFlight, OpenTables } from '@rowkey/store/adapter'
import type {
  Adapter,
  Capabilities,
  Mutation,
  Outcome,
  Row,
  SupportsLocate,
  TableCatalog,
  TableSchema,
  TableStore,
  WriteOptions,
} from '@rowkey/store/adapter'
import { Catalogs } from './catalogs.js'
import { TableContext } from './context.js'
import { lmdbStore } from './description.js'
import { closedStore } from './errors.js'
import { Environment } from './file/environment.js'
import { locate, type LmdbAddress } from './locate.js'
import { checkOptions, pathOf, type LmdbOptions } from './options.js'
import { LmdbTable } from './table.js'
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
 * open yet, and the rest of a `load()`. So await your writes first.
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

/** The adapter of a folder, which also returns where a row is in LMDB. Made by {@link lmdb}. */
export class LmdbAdapter implements Adapter, SupportsLocate<LmdbAddress> {
  readonly name: string = lmdbStore.name
  readonly capabilities: Capabilities = lmdbStore.capabilities
  private readonly environment: Environment
  private readonly catalogs: Catalogs
  private readonly tables = new OpenTables<TableContext>()
  private readonly calls: InFlight
  private released: Promise<void> | undefined

  // Its declaration names nothing of the driver, whose own does not compile in every project.
  /** @internal */
  constructor(path: string, sync: boolean) {
    const environment = Environment.acquire(path, sync)
    this.environment = environment
    this.catalogs = new Catalogs(environment)
    this.calls = new InFlight(() => closedStore())
  }

  /** The file, and the number of the table in it. */
  tableId(_schema: TableSchema, { store }: TableCatalog): string | undefined {
    const { identity } = this.environment
    return identity === undefined ? undefined : `${identity} ${store?.['table']}`
  }

  table(schema: TableSchema, catalog: TableCatalog): TableStore {
    this.calls.mustBeOpen()
    return new LmdbTable(this.tables.add(schema, new TableContext(schema, catalog, this.environment, this.calls)))
  }

  write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    return this.calls.run(() => write(batch, options, this.tables.of, this.environment.committer))
  }

  ensureTable(schema: TableSchema): Promise<TableCatalog> {
    return this.calls.run(async () => {
      const catalog = await this.catalogs.ensure(schema)
      await this.catalogs.sweep(this.isUnwanted)
      return catalog
    })
  }

  async describeTable(name: string): Promise<TableCatalog | undefined> {
    this.calls.mustBeOpen()
    this.environment.refresh()
    return this.catalogs.describe(name)
  }

  dropTable(name: string): Promise<void> {
    return this.calls.run(async () => {
      await this.catalogs.drop(name)
      await this.catalogs.sweep(this.isUnwanted)
    })
  }

  locate(schema: TableSchema, catalog: TableCatalog, key: Row): LmdbAddress {
    return locate(schema, catalog, key)
  }

  close(): Promise<void> {
    return (this.released ??= this.environment.release(this.calls.close()))
  }

  /** `close()` does not wait until all rows of dropped tables are deleted. */
  private readonly isUnwanted = (): boolean => this.calls.isClosed
}
