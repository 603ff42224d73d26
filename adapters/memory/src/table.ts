import { RowkeyError, type Row, type TableCatalog } from '@rowkey/store'
import { Tree } from './tree/tree.js'

/** The rows and the catalog of one table; every store of its name shares it. */
export class Table {
  readonly name: string
  catalog: TableCatalog
  /** Rows have different lengths: columns were added. */
  grown = false
  /** Where the last purge stopped. */
  sweptTo = ''
  private rows: Tree<Row> | undefined = new Tree()
  private gone: 'TABLE_MISSING' | 'CLOSED' = 'TABLE_MISSING'

  constructor(name: string, catalog: TableCatalog) {
    this.name = name
    this.catalog = catalog
  }

  /** @throws RowkeyError `TABLE_MISSING` after a drop, `CLOSED` after close */
  get tree(): Tree<Row> {
    return this.rows ?? this.refuse()
  }

  /** Takes over a catalog with more columns. */
  grow(catalog: TableCatalog): TableCatalog {
    if (catalog !== this.catalog) this.grown = true
    this.catalog = catalog
    return catalog
  }

  /** Lets the rows go; stores handed out before fail from now on. */
  release(code: 'TABLE_MISSING' | 'CLOSED'): void {
    this.rows = undefined
    this.gone = code
  }

  private refuse(): never {
    throw this.gone === 'CLOSED' ? closed() : tableMissing(this.name)
  }
}

export function closed(): RowkeyError<'CLOSED'> {
  return new RowkeyError('CLOSED', 'this memory store was closed and its rows are gone. Call memory() for a new one.', {})
}

export function tableMissing(table: string): RowkeyError<'TABLE_MISSING'> {
  return new RowkeyError('TABLE_MISSING', `table '${table}' does not exist or was dropped. Create it with ensureTables([…]).`, { table })
}
