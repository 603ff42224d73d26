import type { Adapter, Mutation, Outcome, TableCatalog, TableSchema, WriteOptions } from '@rowkey/store'
import { capabilities } from './capabilities.js'
import { grownCatalog, newCatalog } from './catalog.js'
import { closed, Table, tableMissing } from './table.js'
import { MemoryTable } from './table-store.js'
import { writeAll, writeEach } from './write.js'

/**
 * A store in the memory of this process, and the reference for what every store answers: ordered by rowkey, with conditions,
 * versions, expiry and atomic batches over all tables. Reads and writes answer at once, without a promise. Its rows end with
 * the process or with `close()`.
 *
 * Rows handed in belong to the store; it gives out the same immutable arrays.
 *
 * Cost: get O(1), write O(log n) comparisons, scan O(log n) to start and O(1) per row; with rowkeys of 40 bytes about 110 bytes
 * per row besides the row itself.
 *
 * @throws RowkeyError from its methods: `TABLE_MISSING` (never created, or dropped), `SCHEMA_MISMATCH` (a column the table
 * lacks), `CLOSED` (after `close()`)
 * @example
 * ```ts
 * const store = memory()
 * const catalog = await store.ensureTable(Events, undefined)
 * const events = store.table(Events, catalog)
 * store.write([{ schema: Events, kind: 'insert', row: ['web-1', 7, 'ok'] }], { now: Date.now() }) //=> [{ kind: 'applied' }]
 * events.get([['web-1', 7]], { consistency: 'strong' }) //=> [['web-1', 7, 'ok']]
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
