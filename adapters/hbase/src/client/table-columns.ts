// Tested by nulls.test.ts and conformance.test.ts.
import type { MaybePromise, TableCatalog } from '@rowkey/store/adapter'

/** How long a list of columns is good for, in milliseconds. */
const maxAge = 1000

/**
 * The value columns of a table, by their names in the store: a put of a whole row clears those that it does not set. Other processes may add some, so
 * the catalog is read again before a write if that was more than a second ago.
 */
export class TableColumns {
  private readonly read: () => Promise<TableCatalog | undefined>
  private names: readonly string[] = []
  private readAt = -Infinity
  private reading: Promise<readonly string[]> | undefined

  /** `read`: reads the catalog. */
  constructor(read: () => Promise<TableCatalog | undefined>) {
    this.read = read
  }

  /** Columns are only ever added. */
  learn({ valueColumns }: TableCatalog): void {
    if (valueColumns.length > this.names.length) this.names = valueColumns
    this.readAt = performance.now()
  }

  all(): MaybePromise<readonly string[]> {
    if (performance.now() - this.readAt < maxAge) return this.names
    return (this.reading ??= this.refresh())
  }

  private async refresh(): Promise<readonly string[]> {
    try {
      const catalog = await this.read()
      if (catalog !== undefined) this.learn(catalog)
    } catch {
      // The write that needs them fails for the same reason, or the table is being dropped.
    }
    this.reading = undefined
    return this.names
  }
}
