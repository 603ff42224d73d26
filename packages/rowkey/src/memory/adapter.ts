// Tested by catalogs.test.ts.
import {
  type Adapter,
  type Capabilities,
  type Definition,
  type Hints,
  type Mutation,
  type NameRules,
  OpenTables,
  type Outcome,
  type StoreDescription,
  type SupportsDdl,
  type TableCatalog,
  type TableSchema,
  type WriteOptions,
} from '#store/adapter'
import { Catalogs, closedStore } from './catalogs.js'
import { storeOf, type MemoryOptions } from './options.js'
import { MemoryTable } from './table.js'
import { writeAll, writeEach } from './write.js'

/**
 * A store in the memory of this process: for tests, tools and data that fits. Nothing is written to disk: tables and rows are gone
 * when the process ends, or after `close()` of the mapper or the store. Every call after that throws `CLOSED`. Each call of `memory()`
 * creates a new store. Mappers with the same store share its tables.
 *
 * Cost: a get is one lookup whatever the number of rows, a write O(log n) comparisons, a scan O(log n) to start and then one step
 * per row that it examines. A row takes about 110 bytes besides its values, with rowkeys of 40 bytes.
 *
 * It never waits, because no call does I/O or uses a timer. The next read returns what was written.
 *
 * In the tests of an application for another store, `memory({ like: redisStore })` refuses what that store refuses.
 *
 * @throws RowkeyError `INVALID_OPTION`
 * @example
 * ```ts
 * const db = createMapper(memory())
 * await db.ensureTables([Events])
 * const events = db.repository(Events)
 * await events.put({ host: 'web-1', at: new Date(0), message: 'up' })
 * await events.get({ host: 'web-1', at: new Date(0) }) //=> { host: 'web-1', at: 1970-01-01T00:00:00.000Z, message: 'up' }
 * await db.close() // the row is gone
 * ```
 */
export function memory(options: MemoryOptions = {}): Adapter {
  return new MemoryAdapter(storeOf(options))
}

class MemoryAdapter implements Adapter, Partial<SupportsDdl> {
  readonly name: string
  readonly capabilities: Capabilities
  readonly hints?: Hints
  readonly names?: NameRules
  readonly widens?: NonNullable<StoreDescription['widens']>
  /** Not there at all if the store has none: callers look for the property. */
  declare readonly ddl?: (schema: TableSchema) => Definition
  private readonly catalogs = new Catalogs()
  private readonly tables = new OpenTables<MemoryTable>()
  private isClosed = false

  constructor(store: StoreDescription) {
    const { name, capabilities, hints, names, widens } = store
    this.name = name
    this.capabilities = capabilities
    if (hints !== undefined) this.hints = hints
    if (names !== undefined) this.names = names
    if (widens !== undefined) this.widens = widens
    if (store.ddl !== undefined) this.ddl = (schema) => (store as SupportsDdl).ddl(schema)
  }

  table(schema: TableSchema, _catalog: TableCatalog): MemoryTable {
    this.mustBeOpen()
    return this.tables.add(schema, new MemoryTable(schema, this.catalogs.tableOf(schema.name)))
  }

  write(batch: readonly Mutation[], options: WriteOptions): readonly Outcome[] {
    this.mustBeOpen()
    return options.atomic === undefined ? writeEach(batch, options, this.tables.of) : writeAll(batch, options, this.tables.of)
  }

  async ensureTable(schema: TableSchema): Promise<TableCatalog> {
    this.mustBeOpen()
    return this.catalogs.ensure(schema)
  }

  async describeTable(name: string): Promise<TableCatalog | undefined> {
    this.mustBeOpen()
    return this.catalogs.describe(name)
  }

  async dropTable(name: string): Promise<void> {
    this.mustBeOpen()
    this.catalogs.drop(name)
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.catalogs.close()
  }

  private mustBeOpen(): void {
    if (this.isClosed) throw closedStore()
  }
}
