import { hintsOf, Operations } from '@rowkey/store'
import type { Adapter, Locating, Mutation, Outcome, Row, TableCatalog, TableSchema, WriteOptions } from '@rowkey/store'
import { capabilities } from './capabilities.js'
import { createOrGrow, forget, readCatalog, sweep } from './catalogs.js'
import { CommitFailure } from './committer.js'
import { Environment } from './environment.js'
import { closed, keyTooLong, tableMissing } from './errors.js'
import { rowKey, tablePrefix } from './keys.js'
import { checkOptions, pathOf, type LmdbOptions } from './options.js'
import { LmdbTable } from './table-store.js'
import { prepare, writeAll, writeEach } from './write.js'

/**
 * Tables in a folder of this machine, kept by LMDB: a file mapped into memory, which several processes can use at a time. What was
 * acknowledged is on the disk.
 *
 * Cost: a get takes some microseconds, a scan about two per row; both answer at once and block the main thread while the disk is
 * read. A write waits for the disk; writes that are under way together share that. The file grows by itself and never shrinks; room
 * of deleted rows is used again.
 *
 * `close()` waits for the writes that have reached the store. Everything else is `CLOSED` from then on: a call whose table is not open
 * yet, and what a `load()` has not sent. So await your writes first.
 *
 * @param path a folder of its own, which is made if it is not there; also as `file:` URL
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
  return new FolderAdapter(Environment.acquire(pathOf(path), options.sync ?? true))
}

/** The adapter of a folder, which also tells where in LMDB a row is. */
export interface LmdbAdapter extends Adapter, Locating<LmdbAddress> {}

/** Where a row is for other programs that read LMDB files. */
export interface LmdbAddress {
  /** In the unnamed database: the number of the table, four bytes big-endian, and the rowkey. */
  readonly key: Uint8Array
}

/** Mutations of one transaction, unless they belong together: it is put together on the main thread, which others wait for. */
const partLength = 2000

class FolderAdapter implements LmdbAdapter {
  readonly name = 'lmdb'
  readonly capabilities = capabilities
  private readonly environment: Environment
  private readonly tables = new WeakMap<TableSchema, LmdbTable>()
  private readonly operations: Operations
  private released: Promise<void> | undefined

  constructor(environment: Environment) {
    this.environment = environment
    this.operations = new Operations(() => closed(environment.path))
  }

  table(schema: TableSchema, catalog: TableCatalog): LmdbTable {
    this.operations.mustBeOpen()
    hintsOf(this, schema)
    const table = new LmdbTable(schema, catalog, this.environment, this.operations)
    this.tables.set(schema, table)
    return table
  }

  write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    return this.operations.run(() => this.submit(batch, options))
  }

  private async submit(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    if (options.atomic !== undefined) return this.transact(batch, writeAll, options)
    const outcomes: Outcome[] = []
    for (let at = 0; at < batch.length; at += partLength) {
      outcomes.push(...(await this.transact(batch.slice(at, at + partLength), writeEach, options)))
    }
    return outcomes
  }

  private async transact(batch: readonly Mutation[], write: typeof writeEach, options: WriteOptions): Promise<readonly Outcome[]> {
    const prepared = prepare(batch, this.tableOf)
    try {
      return await this.environment.committer.submit(
        () => (options.cancellation?.isOver === true ? batch.map((): Outcome => ({ kind: 'unprocessed' })) : write(prepared, options)),
        batch.length,
      )
    } catch (failure) {
      if (!(failure instanceof CommitFailure)) throw failure
      return batch.map((): Outcome => ({ kind: failure.isUnknown ? 'unknown' : 'failed', cause: failure.cause }))
    }
  }

  ensureTable(schema: TableSchema, _found: TableCatalog | undefined): Promise<TableCatalog> {
    return this.operations.run(async () => {
      hintsOf(this, schema)
      // Not `found`: it may be older than the table.
      const catalog = await this.environment.committer.commit(() => createOrGrow(this.environment, schema))
      await sweep(this.environment, this.operations)
      return catalog
    })
  }

  async describeTable(name: string): Promise<TableCatalog | undefined> {
    this.operations.mustBeOpen()
    this.environment.refresh()
    return readCatalog(this.environment, name)
  }

  dropTable(name: string): Promise<void> {
    return this.operations.run(async () => {
      await this.environment.committer.commit(() => forget(this.environment, name))
      await sweep(this.environment, this.operations)
    })
  }

  locate(schema: TableSchema, catalog: TableCatalog, key: Row): LmdbAddress {
    const rowkey = schema.layout.rowkey(key)
    const native = rowKey(tablePrefix(catalog.store?.['table'] as number), rowkey)
    if (native === undefined) throw keyTooLong(schema.name, rowkey.length)
    return { key: native }
  }

  close(): Promise<void> {
    return (this.released ??= this.environment.release(this.operations.close()))
  }

  private readonly tableOf = (schema: TableSchema): LmdbTable => {
    const table = this.tables.get(schema)
    if (table === undefined) throw tableMissing(schema.name)
    return table
  }
}
