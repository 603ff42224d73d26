import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Cancellation } from './cancellation.js'
import type { Answer, PageSource, ReadOptions, Slice } from './reading.js'
import type { Mutation, Outcome, WriteOptions } from './writing.js'

/** What a store can do, as data; nothing above the adapter asks for its name. */
export interface Capabilities {
  /** false: reverse scans are STORE_LACKS. */
  readonly reverse: boolean
  /** presence: insert and update, but no version, no expiry. */
  readonly conditions: 'none' | 'presence' | 'version'
  /** partition = one table, one P. */
  readonly atomic: { readonly scope: 'row' | 'partition' | 'store'; readonly max: number; readonly isolated: boolean }
  /** false: consistency 'eventual' is answered strongly. */
  readonly eventual: boolean
  readonly limits: { readonly partitionBytes: number; readonly restBytes: number; readonly valueBytes: number }
}

/**
 * What a model may say of its table on a store, by the name of the hint. Those it does not know are refused where a model is first used.
 *
 * @example
 * ```ts
 * const hints: Hints = { shards: { fits: (value) => Number.isInteger(value), wants: 'a whole number' } }
 * ```
 */
export type Hints = Readonly<Record<string, Hint>>

/** One hint: plain JSON data. */
export interface Hint {
  readonly fits: (value: unknown) => boolean
  /** Ends the sentence "Give …" of a refusal. */
  readonly wants: string
}

/** What is known of an existing table. */
export interface TableCatalog {
  readonly format: 1
  /** `schema.toJSON()`: the fingerprints and the difference are computed from it. */
  readonly schema: object
  /** Physical names, append-only: the order inside stored records. */
  readonly values: readonly string[]
  /** The adapter's own, fixed at creation (redis: shards). */
  readonly store?: Readonly<Record<string, string | number>>
}

/** Options of changes of a table. */
export interface ChangeOptions {
  /** When the caller stops waiting. An adapter then begins nothing more; what it has begun it may bring to an end. */
  readonly cancellation?: Cancellation | undefined
}

/** The reads of one table. */
export interface TableStore {
  /** Distinct keys, any number; answers in input order. */
  get(keys: readonly Row[], options: ReadOptions): Answer<readonly (Row | undefined)[]>
  scan(slice: Slice, options: ReadOptions): PageSource
  /** Any order; expired rows included. */
  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource
  purgeExpired?(now: number, limit: number): Promise<number>
}

/** A store. The core validates, plans and merges; an adapter only maps clean input to native calls. */
export interface Adapter {
  readonly name: string
  readonly capabilities: Capabilities
  /**
   * The hints that it takes under its name in `stores` of a model; absent: none. The core refuses all others before it reads or writes.
   */
  readonly hints?: Hints
  /** No I/O; once per schema object and catalog, before its first mutation; data belongs to `schema.name`. */
  table(schema: TableSchema, catalog: TableCatalog): TableStore
  /** Any number, any tables; outcome i answers mutation i. */
  write(batch: readonly Mutation[], options: WriteOptions): Answer<readonly Outcome[]>
  /** Creates, or adds the value columns `found` lacks; safe to race. */
  ensureTable(schema: TableSchema, found: TableCatalog | undefined, options?: ChangeOptions): Promise<TableCatalog>
  describeTable(name: string): Promise<TableCatalog | undefined>
  /** By its catalog, not by today's model. */
  dropTable(name: string, options?: ChangeOptions): Promise<void>
  /** Closes only what the adapter opened. */
  close(): Promise<void>
}
