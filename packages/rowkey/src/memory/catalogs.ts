import { closed, grownCatalog, newCatalog, tableNotFound, type TableCatalog, type TableSchema } from '#store/adapter'
import { KeyedTree } from './tree/keyed-tree.js'

/** The catalog and the rows of one table. All {@link MemoryTable}s of its name share it. */
export class StoredTable {
  readonly name: string
  catalog: TableCatalog
  /** Whether records have different lengths, because columns were added. */
  hasGrown = false
  /** The rowkey at which the last purge stopped. */
  sweptTo = ''
  private present: KeyedTree | undefined = new KeyedTree()
  private gone: 'dropped' | 'closed' = 'dropped'

  constructor(name: string, catalog: TableCatalog) {
    this.name = name
    this.catalog = catalog
  }

  /** @throws RowkeyError `TABLE_NOT_FOUND` after a drop, `CLOSED` after close */
  get records(): KeyedTree {
    return this.present ?? this.refuse()
  }

  /** Replaces the catalog. The new one may have more columns. */
  grow(catalog: TableCatalog): TableCatalog {
    this.hasGrown ||= catalog !== this.catalog
    this.catalog = catalog
    return catalog
  }

  /** Releases the rows. Calls of tables that are still open throw from now on. */
  release(gone: 'dropped' | 'closed'): void {
    this.present = undefined
    this.gone = gone
  }

  private refuse(): never {
    throw this.gone === 'closed' ? closedStore() : tableNotFound(this.name)
  }
}

/** The tables of one store, by name. */
export class Catalogs {
  private readonly tables = new Map<string, StoredTable>()

  /** @throws RowkeyError `TABLE_NOT_FOUND` */
  tableOf(name: string): StoredTable {
    const table = this.tables.get(name)
    if (table === undefined) throw tableNotFound(name)
    return table
  }

  describe(name: string): TableCatalog | undefined {
    return this.tables.get(name)?.catalog
  }

  ensure(schema: TableSchema): TableCatalog {
    const table = this.tables.get(schema.name)
    if (table !== undefined) return table.grow(grownCatalog(table.catalog, schema))
    const catalog = newCatalog(schema)
    this.tables.set(schema.name, new StoredTable(schema.name, catalog))
    return catalog
  }

  drop(name: string): void {
    this.tables.get(name)?.release('dropped')
    this.tables.delete(name)
  }

  /** Releases all rows. */
  close(): void {
    for (const table of this.tables.values()) table.release('closed')
    this.tables.clear()
  }
}

export const closedStore = (): Error => closed('this memory store', 'Its rows are gone. Call memory() for a new one.')
