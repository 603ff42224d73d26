// Also tested by changes.test.ts.
import type { MaybePromise, TableCatalog } from 'rowkey/adapter'

/** How long a list of columns is good for, in milliseconds. */
const maxAge = 1000

/**
 * The value columns of a table, by their names in the store: a put of a whole row clears those that it does not set. Other processes may add some, so
 * the catalog is read again before a write if that was more than a second ago.
 */
export class TableColumns {
  private readonly read: () => Promise<TableCatalog | undefined>
  private names: readonly string[] = []
  /** The table that has them: another one may get its name. */
  private id: unknown
  private readAt = -Infinity
  private reading: Promise<readonly string[]> | undefined

  /** `read`: reads the catalog. */
  constructor(read: () => Promise<TableCatalog | undefined>) {
    this.read = read
  }

  /** Columns are only ever added. */
  learn({ valueColumns, store }: TableCatalog): void {
    const id = store?.['id']
    if (id !== this.id || valueColumns.length > this.names.length) this.names = valueColumns
    this.id = id
    this.readAt = performance.now()
  }

  /** Rejects if the catalog cannot be read: a put could leave a column that it has to clear. */
  all(): MaybePromise<readonly string[]> {
    if (performance.now() - this.readAt < maxAge) return this.names
    return (this.reading ??= this.refresh().finally(() => (this.reading = undefined)))
  }

  private async refresh(): Promise<readonly string[]> {
    const catalog = await this.read()
    if (catalog !== undefined) this.learn(catalog) // otherwise it is being dropped, and the write says so
    return this.names
  }
}
