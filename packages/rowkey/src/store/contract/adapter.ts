// Tested by adapter-kit.test.ts.
import type { Row } from '#codec'
import type { TableSchema } from '#model'
import type { Cancellation } from './cancellation.js'
import type { StoreDescription } from './description.js'
import type { MaybePromise, PageSource, ReadOptions, Slice } from './reading.js'
import type { Mutation, Outcome, WriteOptions } from './writing.js'

/**
 * `building`: all writes keep the entries of the index, but rows that are older may have none. `readable`: all rows have theirs. `dropped`: programs
 * whose models still have it need not keep it.
 */
export type IndexState = 'building' | 'readable' | 'dropped'

/** What a store keeps about an existing table. */
export interface TableCatalog {
  readonly format: 1
  /** `schema.toJSON()`: the fingerprints and the difference are computed from it. */
  readonly schema: object
  /** Physical names, append-only: the order inside stored records. */
  readonly valueColumns: readonly string[]
  /** Milliseconds from 1970: up to when rows of a table with a period may be dated. Absent: no further than a day ahead. */
  readonly dated?: number
  /** The indexes of the table, by name. Absent: it has none. */
  readonly indexes?: Readonly<Record<string, IndexState>>
  /** The adapter's own, fixed at creation (redis: shards). */
  readonly store?: Readonly<Record<string, string | number>>
}

/** Options for changes of a table and for purges. */
export interface ChangeOptions {
  /** When the caller stops waiting. The adapter then starts nothing more, but may finish what it has started. */
  readonly cancellation?: Cancellation | undefined
}

/** Options of {@link Adapter.ensureTable}. */
export interface EnsureOptions extends ChangeOptions {
  /** Returns epoch milliseconds by the clock of the mapper, for what a table has by now. Absent: `Date.now`. */
  readonly clock?: () => number
}

/** The reads of one table. */
export interface TableStore {
  /** Distinct keys, any number. Returns the rows in input order. */
  get(keys: readonly Row[], options: ReadOptions): MaybePromise<readonly (Row | undefined)[]>
  scan(slice: Slice, options: ReadOptions): PageSource
  /** Any order; expired rows included. From a split, and from the checkpoints of its pages, only up to the end of the split. */
  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource
  /**
   * From one to `count` checkpoints for full scans that together return every row once, about equally many each. The checkpoints of their
   * pages contain the end of the split. Absent: a table is only read as a whole.
   */
  splits?(count: number, options: ReadOptions): MaybePromise<readonly string[]>
  /** Deletes up to `limit` rows whose expiry is `now` or earlier, and resolves to their number. Only called if rows of the table expire. */
  purgeExpired?(now: number, limit: number, options?: ChangeOptions): Promise<number>
}

/** A store. The core validates, plans and merges; an adapter only maps valid input to native calls. */
export interface Adapter extends Omit<StoreDescription, 'ddl' | 'facts' | 'opening'> {
  /**
   * Names a table among all tables of all stores of this kind: two adapters, which may be in two processes, return the same text only for the
   * same rows. Absent or undefined: the store cannot tell.
   */
  tableId?(schema: TableSchema, catalog: TableCatalog): MaybePromise<string | undefined>
  /** No I/O. Called once per schema object and catalog, before the first mutation of the schema. The data is that of `schema.name`. */
  table(schema: TableSchema, catalog: TableCatalog): TableStore
  /** Any number of mutations, of any tables. Outcome i is that of mutation i. */
  write(batch: readonly Mutation[], options: WriteOptions): MaybePromise<readonly Outcome[]>
  /** Creates the table, or adds the value columns that it lacks. Must be safe to call concurrently. */
  ensureTable(schema: TableSchema, options?: EnsureOptions): Promise<TableCatalog>
  describeTable(name: string): Promise<TableCatalog | undefined>
  /** Uses the stored catalog, not the schema of a model. */
  dropTable(name: string, options?: ChangeOptions): Promise<void>
  /** Closes only what the adapter opened. */
  close(): Promise<void>
}
