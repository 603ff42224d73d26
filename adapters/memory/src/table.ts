import { RowkeyError, type TableCatalog } from '@rowkey/store'
import { Rows } from './rows.js'

/** The rows and the catalog of one table; every store of its name shares it. */
export class Table {
  readonly name: string
  catalog: TableCatalog
  /** Rows have different lengths: columns were added. */
  grown = false
  /** Where the last purge stopped. */
  sweptTo = ''
  private present: Rows | undefined = new Rows()
  private gone: 'TABLE_MISSING' | 'CLOSED' = 'TABLE_MISSING'

  constructor(name: string, catalog: TableCatalog) {
    this.name = name
    this.catalog = catalog
  }

  /** @throws RowkeyError `TABLE_MISSING` after a drop, `CLOSED` after close */
  get rows(): Rows {
    return this.present ?? this.refuse()
  }

  /** Takes over a catalog, which may have more columns. */
  grow(catalog: TableCatalog): TableCatalog {
    this.grown ||= catalog !== this.catalog
    this.catalog = catalog
    return catalog
  }

  /** Lets the rows go; stores handed out before fail from now on. */
  release(code: 'TABLE_MISSING' | 'CLOSED'): void {
    this.present = undefined
    this.gone = code
  }

  private refuse(): never {
    throw this.gone === 'CLOSED' ? closed() : tableMissing(this.name)
  }
}

/** After `close()`. */
export function closed(): RowkeyError<'CLOSED'> {
  return new RowkeyError('CLOSED', 'this memory store was closed and its rows are gone. Call memory() for a new one.', {})
}

/** Never created, dropped, or not handed out by `table()`. */
export function tableMissing(table: string): RowkeyError<'TABLE_MISSING'> {
  return new RowkeyError(
    'TABLE_MISSING',
    `table '${table}' does not exist, was dropped or was not opened. Create it with ensureTables([…]).`,
    { table },
  )
}
