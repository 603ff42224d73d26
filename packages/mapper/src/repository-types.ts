import type {
  InferFullWhere,
  InferInsert,
  InferKey,
  InferPatch,
  InferRow,
  InferWhere,
  InferWrites,
  Model,
  TableSchema,
} from '@rowkey/model'
import type { CancelOptions } from './call/cancellation.js'
import type { LoadProgress } from './load/load-windows.js'
import type { Operation } from './write/operations.js'
import type { FullScan, FullScanOptions, Scan, ScanOptions } from './scan/scan-types.js'
import type { ChangeOptions, InsertOptions, OperationOptions, PutOptions, WriteOptions } from './write/write-options.js'

/** What a write resolves to: the whole key, generated parts included. */
export interface Written<M extends Model> {
  readonly key: InferKey<M>
  /** The new version of the row, if the model declares one. */
  readonly version?: string
}

/** Options of reads by key. */
export interface GetOptions extends CancelOptions {
  /** Default strong. */
  consistency?: 'strong' | 'eventual'
}

/** Reads and unconditional writes; every table has them. */
export interface TableMethods<M extends Model> {
  /** The compiled schema, with the mapper's prefix in its name. */
  readonly schema: TableSchema
  /** The row with this key, undefined if there is none. */
  get(key: InferKey<M>, options?: GetOptions): Promise<InferRow<M> | undefined>
  /** The row with this key. @throws RowkeyError `ROW_NOT_FOUND` */
  getOrThrow(key: InferKey<M>, options?: GetOptions): Promise<InferRow<M>>
  exists(key: InferKey<M>, options?: GetOptions): Promise<boolean>
  /** Rows in the order of the keys, undefined for a row that does not exist. A key may appear twice. */
  getMany(keys: readonly InferKey<M>[], options?: GetOptions): Promise<(InferRow<M> | undefined)[]>
  /**
   * Writes the whole row and replaces an existing one. Columns left out become their default or null, and the time until it expires starts
   * again.
   * @throws RowkeyError with `ifVersion`: `ROW_NOT_FOUND`, `VERSION_CONFLICT`
   */
  put(row: InferInsert<M>, options?: PutOptions): Promise<Written<M>>
  /** Puts many rows, in any order; of several with one key the last one stays. @throws RowkeyError `WRITE_INCOMPLETE` */
  putMany(rows: readonly InferInsert<M>[], options?: InsertOptions): Promise<void>
  /**
   * Deletes the row if it exists; with `ifVersion` it has to exist. @throws RowkeyError with `ifVersion`: `ROW_NOT_FOUND`,
   * `VERSION_CONFLICT`
   */
  delete(key: InferKey<M>, options?: ChangeOptions): Promise<void>
  /** @throws RowkeyError `WRITE_INCOMPLETE` */
  deleteMany(keys: readonly InferKey<M>[], options?: WriteOptions): Promise<void>
  /**
   * Puts the rows of a list, a generator or a stream. The source has to wait while the store is busy: at most two windows of `concurrency`
   * × 256 rows are in memory. Rows before a refused one are written; after an abort or the `deadline` nothing more is written.
   * @throws RowkeyError with the `index` of the refused row, `WRITE_INCOMPLETE`, `DEADLINE`
   */
  load(rows: Iterable<InferInsert<M>> | AsyncIterable<InferInsert<M>>, options?: LoadOptions): Promise<LoadProgress>
  /** Makes writes of one row for `db.write()`. Nothing is written here. */
  readonly op: Operations<M>
  /** Rows of key ranges, in key order. Nothing happens until the scan is used. */
  scan<Name extends keyof InferRow<M>>(
    where: InferWhere<M>,
    options: ScanOptions<M, Name> & { select: readonly Name[]; allowFullScan?: false },
  ): Scan<Pick<InferRow<M>, Name>>
  scan(where: InferWhere<M>, options?: ScanOptions<M> & { allowFullScan?: false }): Scan<InferRow<M>>
  scan<Name extends keyof InferRow<M>>(
    where: InferFullWhere<M>,
    options: ScanOptions<M, Name> & { select: readonly Name[]; allowFullScan: true },
  ): Scan<Pick<InferRow<M>, Name>>
  scan(where: InferFullWhere<M>, options: ScanOptions<M> & { allowFullScan: true }): Scan<InferRow<M>>
  /** Every row of the table, in any order, page by page, with checkpoints to resume from. Nothing happens until it is used. */
  fullScan<Name extends keyof InferRow<M>>(
    options: FullScanOptions<M, Name> & { select: readonly Name[] },
  ): FullScan<Pick<InferRow<M>, Name>>
  fullScan(options?: FullScanOptions<M>): FullScan<InferRow<M>>
  /**
   * Checkpoints of up to `count` (1,024) parts of the table, about equally large, which together are the table: for `fullScan({ checkpoint })` in
   * several processes. A store that cannot split a table, or not as finely, returns fewer.
   * @throws RowkeyError `INVALID_OPTION`
   * @example
   * ```ts
   * const splits = await logs.splits(8)
   * await Promise.all(splits.map((checkpoint) => worker.run({ checkpoint }))) // each reads logs.fullScan({ checkpoint })
   * ```
   */
  splits(count: number, options?: CancelOptions): Promise<string[]>
  /** The rowkey of a key. */
  encodeKey(key: InferKey<M>): Uint8Array
  /** The key of a rowkey. @throws RowkeyError `MALFORMED_KEY` */
  decodeKey(rowkey: Uint8Array): InferKey<M>
}

/** Conditional writes; tables with `writes: 'plain'` do not have them. */
export interface ConditionalMethods<M extends Model> {
  /** Writes a new row. @throws RowkeyError `ROW_EXISTS` */
  insert(row: InferInsert<M>, options?: InsertOptions): Promise<Written<M>>
  /**
   * Changes value columns of an existing row. null clears a column; the expiry stays. It is one request and does not read the row, so only
   * the size of key and patch is checked, and checks of whole rows do not run. `modify()` does both.
   * @throws RowkeyError `ROW_NOT_FOUND`, `KEY_IMMUTABLE`, with `ifVersion`: `VERSION_CONFLICT`
   */
  update(key: InferKey<M>, patch: InferPatch<M>, options?: ChangeOptions): Promise<Written<M>>
  /**
   * Reads the row, calls `change` to make a patch from it, and writes the patch if the row is still the same. Otherwise it starts again
   * after a random pause, up to `attempts` (8) times. So `change` may be called several times. If it returns undefined, nothing is written.
   * @throws RowkeyError `VERSION_REQUIRED` without a version in the model, `ROW_NOT_FOUND`, after the last attempt `VERSION_CONFLICT`
   * @example
   * ```ts
   * await stock.modify({ sku: 'a-1' }, ({ count }) => ({ count: count - 1 }))
   * ```
   */
  modify(
    key: InferKey<M>,
    change: (row: InferRow<M>) => InferPatch<M> | undefined | Promise<InferPatch<M> | undefined>,
    options?: WriteOptions,
  ): Promise<Written<M>>
}

/** Options of `load()`. */
export interface LoadOptions extends InsertOptions {
  /** Batches under way at a time; default 4. */
  concurrency?: number
  /**
   * Called after each batch with the number of rows written so far. The load does not wait for it; what it throws or rejects with goes to
   * `console.error`.
   */
  onProgress?: (progress: LoadProgress) => unknown
}

/** Writes that every table has, for `db.write()`. */
export interface PlainOperations<M extends Model> {
  put(row: InferInsert<M>, options?: OperationOptions<PutOptions>): Operation
  delete(key: InferKey<M>, options?: OperationOptions<ChangeOptions>): Operation
}

/** Conditional writes, for `db.write()`. */
export interface ConditionalOperations<M extends Model> {
  insert(row: InferInsert<M>, options?: OperationOptions<InsertOptions>): Operation
  update(key: InferKey<M>, patch: InferPatch<M>, options?: OperationOptions<ChangeOptions>): Operation
}

/** The writes that a model's table has, for `db.write()`. */
export type Operations<M extends Model> = PlainOperations<M> & ([InferWrites<M>] extends ['plain'] ? unknown : ConditionalOperations<M>)

/**
 * The rows of one table, typed by its model.
 *
 * @example
 * ```ts
 * const logs = db.repository(LogEvent)
 * await logs.insert({ host: 'web-1', event: 'login', at: new Date(), seq: 1, message: null })
 * const newest = await logs.scan({ host: 'web-1', event: 'login' }, { limit: 10 }).toArray()
 * ```
 */
export type Repository<M extends Model> = TableMethods<M> & ([InferWrites<M>] extends ['plain'] ? unknown : ConditionalMethods<M>)
