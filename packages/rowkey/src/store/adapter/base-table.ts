import type { Row } from '#codec'
import type { TableSchema } from '#model'
import type { ChangeOptions, TableStore } from '../contract/adapter.js'
import type { Cancellation } from '../contract/cancellation.js'
import type { MaybePromise, PageSource, ReadOptions, Slice } from '../contract/reading.js'
import type { InFlight } from './in-flight.js'

/** What the reads of one table share, as one schema sees it. An adapter adds what its requests need. */
export interface OpenTable {
  readonly schema: TableSchema
  readonly calls: InFlight
}

/**
 * How a store reads a table: the members of {@link TableStore}, as functions of what the adapter knows of the table. `get` and `splits` are only
 * called while the store is open; the pages of `scan` and `fullScan` have to check it before each request.
 */
export interface TableReads<Table extends OpenTable> {
  readonly get: (table: Table, keys: readonly Row[], options: ReadOptions) => MaybePromise<readonly (Row | undefined)[]>
  readonly scan: (table: Table, slice: Slice, options: ReadOptions) => PageSource
  readonly fullScan: (table: Table, checkpoint: string | undefined, options: ReadOptions) => PageSource
  readonly splits?: (table: Table, count: number, options: ReadOptions) => MaybePromise<readonly string[]>
  /** Makes what deletes expired rows, and may remember how far it has come. Only called for a table whose rows expire. Absent: no rows of the store do. */
  readonly purge?: (table: Table) => { run(now: number, limit: number, cancellation?: Cancellation): Promise<number> }
}

/**
 * The reads of one table, for `open` of a {@link BaseAdapter}.
 *
 * @example
 * ```ts
 * const reads: TableReads<TableContext> = { get: getRows, scan: scanSlice, fullScan, purge: (table) => new Purge(table) }
 * new BaseTable(new TableContext(schema, client, calls), reads)
 * ```
 */
export class BaseTable<Table extends OpenTable> implements TableStore {
  /** Absent if the store reads a table only as a whole. */
  readonly splits?: NonNullable<TableStore['splits']>
  /** Absent if rows of the store do not expire one by one. */
  readonly purgeExpired?: NonNullable<TableStore['purgeExpired']>
  private readonly table: Table
  private readonly reads: TableReads<Table>

  constructor(table: Table, reads: TableReads<Table>) {
    this.table = table
    this.reads = reads
    const { splits, purge } = reads
    if (purge !== undefined) {
      const own = table.schema.expiryIndex < 0 ? undefined : purge(table)
      this.purgeExpired = (now, limit, { cancellation }: ChangeOptions = {}) =>
        table.calls.run(async () => (own === undefined ? 0 : own.run(now, limit, cancellation)))
    }
    if (splits === undefined) return
    this.splits = (count, options) => {
      table.calls.mustBeOpen()
      return splits(table, count, options)
    }
  }

  get(keys: readonly Row[], options: ReadOptions): MaybePromise<readonly (Row | undefined)[]> {
    this.table.calls.mustBeOpen()
    return this.reads.get(this.table, keys, options)
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    return this.reads.scan(this.table, slice, options)
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    return this.reads.fullScan(this.table, checkpoint, options)
  }
}
