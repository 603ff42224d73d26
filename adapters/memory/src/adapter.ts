import {
  grownCatalog,
  hintsOf,
  newCatalog,
  type Adapter,
  type Mutation,
  type Outcome,
  type TableCatalog,
  type TableSchema,
  type WriteOptions,
} from '@rowkey/store'
import { capabilities } from './capabilities.js'
import { closed, Table, tableMissing } from './table.js'
import { MemoryTable } from './table-store.js'
import { writeAll, writeEach } from './write.js'

/**
 * A store in the memory of this process: for tests, tools and data that fits. Nothing is written anywhere: its tables and rows end
 * with the process, or with `close()` of the mapper or the store, which every later call then answers with `CLOSED`. Each call of
 * `memory()` is a store of its own; mappers that are given the same one share its tables.
 *
 * Cost: a get is one lookup whatever the number of rows, a write O(log n) comparisons, a scan O(log n) to start and then one step
 * per row that it examines. A row takes about 110 bytes besides its values, with rowkeys of 40 bytes.
 *
 * It never waits: there is no I/O and no timer below a call, so what was written is there for the next read.
 *
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
export function memory(): Adapter {
  return new MemoryAdapter()
}

class MemoryAdapter implements Adapter {
  readonly name = 'memory'
  readonly capabilities = capabilities
  private readonly tables = new Map<string, Table>()
  private readonly stores = new WeakMap<TableSchema, MemoryTable>()
  private isClosed = false

  table(schema: TableSchema, _catalog: TableCatalog): MemoryTable {
    hintsOf(this, schema)
    const store = new MemoryTable(schema, this.existing(schema.name))
    this.stores.set(schema, store)
    return store
  }

  write(batch: readonly Mutation[], options: WriteOptions): readonly Outcome[] {
    this.mustBeOpen()
    return options.atomic === undefined ? writeEach(batch, options, this.storeOf) : writeAll(batch, options, this.storeOf)
  }

  async ensureTable(schema: TableSchema, _found: TableCatalog | undefined): Promise<TableCatalog> {
    this.mustBeOpen()
    hintsOf(this, schema)
    // Not `found`: it may be older than the table.
    const table = this.tables.get(schema.name)
    if (table !== undefined) return table.grow(grownCatalog(table.catalog, schema))
    const catalog = newCatalog(schema)
    this.tables.set(schema.name, new Table(schema.name, catalog))
    return catalog
  }

  async describeTable(name: string): Promise<TableCatalog | undefined> {
    this.mustBeOpen()
    return this.tables.get(name)?.catalog
  }

  async dropTable(name: string): Promise<void> {
    this.mustBeOpen()
    this.tables.get(name)?.release('TABLE_MISSING')
    this.tables.delete(name)
  }

  async close(): Promise<void> {
    this.isClosed = true
    for (const table of this.tables.values()) table.release('CLOSED')
    this.tables.clear()
  }

  private readonly storeOf = (schema: TableSchema): MemoryTable => {
    const store = this.stores.get(schema)
    if (store === undefined) throw tableMissing(schema.name)
    return store
  }

  private existing(name: string): Table {
    this.mustBeOpen()
    const table = this.tables.get(name)
    if (table === undefined) throw tableMissing(name)
    return table
  }

  private mustBeOpen(): void {
    if (this.isClosed) throw closed()
  }
}
