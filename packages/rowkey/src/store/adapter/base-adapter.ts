import type { TableSchema } from '#model'
import type { Adapter, ChangeOptions, EnsureOptions, TableCatalog, TableStore } from '../contract/adapter.js'
import type { Cancellation } from '../contract/cancellation.js'
import type { Capabilities, Hints, NameRules, StoreDescription } from '../contract/description.js'
import type { Mutation, Outcome, WriteOptions } from '../contract/writing.js'
import type { InFlight } from './in-flight.js'

/** The existing tables of a store. */
export interface TableCatalogs {
  /** Creates the table, or adds the value columns that it lacks. Must be safe to call concurrently. `clock`: that of the mapper. */
  ensure(schema: TableSchema, cancellation?: Cancellation, clock?: () => number): Promise<TableCatalog>
  describe(name: string): Promise<TableCatalog | undefined>
  /** Uses the stored catalog, not the schema of a model. */
  drop(name: string, cancellation?: Cancellation): Promise<void>
}

/** What a {@link BaseAdapter} consists of. It calls all of them only while the store is open. */
export interface AdapterParts {
  readonly store: StoreDescription
  readonly calls: InFlight
  readonly catalogs: TableCatalogs
  /** No I/O. Usually returns a {@link BaseTable}, and keeps what it has opened for the writes. */
  open(schema: TableSchema, catalog: TableCatalog): TableStore
  write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]>
}

/**
 * An adapter whose calls take time: it counts them, so that `close()` waits for those under way, and refuses those that come later. A class of
 * a store extends it with what only that store has.
 *
 * @example
 * ```ts
 * export class SqliteAdapter extends BaseAdapter {
 *   constructor(client: SqliteClient) {
 *     const calls = new InFlight(() => closed('the SQLite adapter', 'Call sqlite() for a new one.'))
 *     const tables = new OpenTables<TableContext>()
 *     super({
 *       store: sqliteStore,
 *       calls,
 *       catalogs: new Catalogs(client),
 *       open: (schema, catalog) => new BaseTable(tables.add(schema, new TableContext(schema, catalog, client, calls)), reads),
 *       write: (batch, options) => write(batch, tables.of, options),
 *     })
 *   }
 * }
 * ```
 */
export class BaseAdapter implements Adapter {
  readonly name: string
  readonly capabilities: Capabilities
  readonly hints?: Hints
  readonly names?: NameRules
  readonly widens?: NonNullable<StoreDescription['widens']>
  protected readonly calls: InFlight
  private readonly parts: AdapterParts

  constructor(parts: AdapterParts) {
    const { name, capabilities, hints, names, widens } = parts.store
    this.name = name
    this.capabilities = capabilities
    if (hints !== undefined) this.hints = hints
    if (names !== undefined) this.names = names
    if (widens !== undefined) this.widens = widens
    this.calls = parts.calls
    this.parts = parts
  }

  table(schema: TableSchema, catalog: TableCatalog): TableStore {
    this.calls.mustBeOpen()
    return this.parts.open(schema, catalog)
  }

  write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    return this.calls.run(() => this.parts.write(batch, options))
  }

  ensureTable(schema: TableSchema, { cancellation, clock }: EnsureOptions = {}): Promise<TableCatalog> {
    return this.calls.run(() => this.parts.catalogs.ensure(schema, cancellation, clock))
  }

  describeTable(name: string): Promise<TableCatalog | undefined> {
    return this.calls.run(() => this.parts.catalogs.describe(name))
  }

  dropTable(name: string, { cancellation }: ChangeOptions = {}): Promise<void> {
    return this.calls.run(() => this.parts.catalogs.drop(name, cancellation))
  }

  close(): Promise<void> {
    return this.calls.close()
  }
}
