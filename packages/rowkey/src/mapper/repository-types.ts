// Tested by test/types/mapper.test-d.ts.
import type {
  InferAmounts,
  InferFullWhere,
  InferInsert,
  InferKey,
  InferPatch,
  InferRow,
  InferWhere,
  InferWholeKey,
  InferWrites,
  Model,
  ModelClass,
  TableSchema,
} from '#model'
import type { CancelOptions } from './call/cancellation.js'
import type { Located } from './native.js'
import type { Operation } from './write/operations.js'
import type { IndexScanOptions, ReadAll, ReadAllOptions, Scan, ScanOptions } from './scan/scan-types.js'
import type {
  ChangeOptions,
  IncrementOptions,
  InsertOptions,
  ModifyOptions,
  OperationOptions,
  PutManyOptions,
  PutOptions,
  UpdateOptions,
  UpsertOptions,
  WriteOptions,
  Written,
  WrittenMany,
  WrittenRow,
} from './write/write-options.js'

/** A row that was read with its expiry. Written again, it keeps that, unless the write says otherwise. */
export interface Expiring {
  /** When the row expires; null = never. */
  readonly $expires: Date | null
}

/** A row of a read, with its expiry if `withExpiry` asks for it. */
export type WithExpiry<Row, Asked extends boolean> = Asked extends true ? Row & Expiring : Row

/** Options of reads by key. */
export interface GetOptions<Asked extends boolean = boolean> extends CancelOptions {
  /** Whether rows come with their expiry, as `$expires`: only for tables that declare a ttl. Default false. */
  withExpiry?: Asked
  /** Default strong. */
  consistency?: 'strong' | 'eventual'
}

// Editors show a member of an interface with the interface and its type parameters before the name, which would be lines of schema; that of an
// object type alone. And an intersection costs the compiler less than an interface that extends its parts.
/* eslint-disable @typescript-eslint/consistent-type-definitions */

/** Reads and unconditional writes; every table has them. */
type TableMethods<M extends object> = {
  /** The compiled schema, with the mapper's prefix in its name. */
  readonly schema: TableSchema
  /** The row with this key, undefined if there is none. Wherever a key is expected, a whole row may be passed, as reads return it. */
  get<E extends boolean = false>(key: InferKey<M>, options?: GetOptions<E>): Promise<WithExpiry<InferRow<M>, E> | undefined>
  /** The row that has these values in a unique index, undefined if there is none. Reads the entry, then the row. */
  get<E extends boolean = false>(
    values: Partial<InferRow<M>>,
    options: GetOptions<E> & { index: string },
  ): Promise<WithExpiry<InferRow<M>, E> | undefined>
  /** The row with this key. @throws RowkeyError `ROW_NOT_FOUND` */
  getOrThrow<E extends boolean = false>(key: InferKey<M>, options?: GetOptions<E>): Promise<WithExpiry<InferRow<M>, E>>
  exists(key: InferKey<M>, options?: Omit<GetOptions, 'withExpiry'>): Promise<boolean>
  /** Rows in the order of the keys, undefined for a row that does not exist. A key may appear twice. */
  getMany<E extends boolean = false>(
    keys: readonly InferKey<M>[],
    options?: GetOptions<E>,
  ): Promise<(WithExpiry<InferRow<M>, E> | undefined)[]>
  /**
   * Writes the whole row and replaces an existing one. Columns left out become their default or null, and the time until it expires starts
   * again.
   * @throws RowkeyError with `if`: `ROW_NOT_FOUND`, `VERSION_CONFLICT`, `CONDITION_FAILED`
   * @example
   * ```ts
   * await latest.put(reading, { if: { at: { lt: reading.at } }, create: true }) // unless the row is newer
   * ```
   */
  put(row: InferInsert<M>, options?: PutOptions<M>): Promise<Written<InferWholeKey<M>>>
  /**
   * Puts the rows of a list, a generator or a stream, in any order; of several with one key the last one stays. A list is checked as a whole before
   * anything is written. Any other source has to wait while the store is busy: at most two windows of `concurrency` × 256 rows are in memory. Its
   * rows before a refused one are written; after an abort or its time nothing more is written.
   * @throws RowkeyError with the `index` of the refused row, `WRITE_INCOMPLETE`, `DEADLINE`
   * @example
   * ```ts
   * await orders.putMany([first, second])
   * await orders.putMany(linesOf(file), { onProgress: ({ certain }) => save(certain) })
   * ```
   */
  putMany(rows: Iterable<InferInsert<M>> | AsyncIterable<InferInsert<M>>, options?: PutManyOptions): Promise<WrittenMany>
  /**
   * Deletes the row if it exists; with `if` it has to exist. @throws RowkeyError with `if`: `ROW_NOT_FOUND`, `VERSION_CONFLICT`,
   * `CONDITION_FAILED`
   */
  delete(key: InferKey<M>, options?: ChangeOptions<M>): Promise<void>
  /** @throws RowkeyError `WRITE_INCOMPLETE` */
  deleteMany(keys: readonly InferKey<M>[], options?: WriteOptions): Promise<WrittenMany>
  /** Rows of key ranges, in key order. Nothing happens until the scan is used. */
  scan<Name extends keyof InferRow<M>, E extends boolean = false>(
    where: InferWhere<M>,
    options: ScanOptions<M, Name, E> & { select: readonly Name[]; unbounded?: false },
  ): Scan<WithExpiry<Pick<InferRow<M>, Name>, E>, InferKey<M>>
  scan<E extends boolean = false>(
    where: InferWhere<M>,
    options?: ScanOptions<M, keyof InferRow<M>, E> & { unbounded?: false },
  ): Scan<WithExpiry<InferRow<M>, E>, InferKey<M>>
  /** Rows in the order of an index, which the conditions have to bind as its key says. */
  scan<Name extends keyof InferRow<M>, E extends boolean = false>(
    where: Partial<InferFullWhere<M>>,
    options: IndexScanOptions<M, Name, E> & { select: readonly Name[] },
  ): Scan<WithExpiry<Pick<InferRow<M>, Name>, E>, InferRow<M> & object>
  scan<E extends boolean = false>(
    where: Partial<InferFullWhere<M>>,
    options: IndexScanOptions<M, keyof InferRow<M>, E>,
  ): Scan<WithExpiry<InferRow<M>, E>, InferRow<M> & object>
  scan<Name extends keyof InferRow<M>, E extends boolean = false>(
    where: InferFullWhere<M>,
    options: ScanOptions<M, Name, E> & { select: readonly Name[]; unbounded: true },
  ): Scan<WithExpiry<Pick<InferRow<M>, Name>, E>, InferKey<M>>
  scan<E extends boolean = false>(
    where: InferFullWhere<M>,
    options: ScanOptions<M, keyof InferRow<M>, E> & { unbounded: true },
  ): Scan<WithExpiry<InferRow<M>, E>, InferKey<M>>
  /** Every row of the table, in any order, page by page, with checkpoints to resume from. Nothing happens until it is used. */
  readAll<Name extends keyof InferRow<M>, E extends boolean = false>(
    options: ReadAllOptions<M, Name, E> & { select: readonly Name[] },
  ): ReadAll<WithExpiry<Pick<InferRow<M>, Name>, E>>
  readAll<E extends boolean = false>(options?: ReadAllOptions<M, keyof InferRow<M>, E>): ReadAll<WithExpiry<InferRow<M>, E>>
  /** The key of a row, or of any object that has the key columns. @throws RowkeyError `INVALID_VALUE` */
  keyOf(row: InferKey<M>): InferWholeKey<M>
  /**
   * Checkpoints of up to `count` (1,024) parts of the table, about equally large, which together are the table: for `readAll({ checkpoint })` in
   * several processes. A store that cannot split a table, or not as finely, returns fewer.
   * @throws RowkeyError `INVALID_OPTION`
   * @example
   * ```ts
   * const parts = await logs.parts(8)
   * await Promise.all(parts.map((checkpoint) => worker.run({ checkpoint }))) // each reads logs.readAll({ checkpoint })
   * ```
   */
  parts(count: number, options?: CancelOptions): Promise<string[]>
  /** The rowkey of a key. */
  encodeKey(key: InferKey<M>): Uint8Array
  /** The key of a rowkey. @throws RowkeyError `MALFORMED_KEY` */
  decodeKey(rowkey: Uint8Array): InferWholeKey<M>
}

/** Conditional writes; tables with `writes: 'plain'` do not have them. */
type ConditionalMethods<M extends object> = {
  /** Makes writes of one row for `db.write()`. Nothing is written here. */
  readonly ops: Operations<M>
  /** Writes a new row. @throws RowkeyError `ROW_EXISTS` */
  insert(row: InferInsert<M>, options?: InsertOptions): Promise<Written<InferWholeKey<M>>>
  /**
   * Changes value columns of an existing row. undefined leaves a column as it is, null clears it; the expiry stays. It is one request, and the
   * store need not return the row. Only if the model has a check that may look at other columns than its own, the row is read first and
   * checked as it will be.
   * @throws RowkeyError `ROW_NOT_FOUND`, `KEY_IMMUTABLE`; with `if`: `VERSION_CONFLICT`, `CONDITION_FAILED`
   * @example
   * ```ts
   * await orders.update(key, { state: 'paid' }, { if: { state: 'open', rev: order.rev } })
   * const { row } = await orders.update(key, { note: null }, { returning: true })
   * ```
   */
  update(
    key: InferKey<M>,
    patch: InferPatch<M>,
    options: UpdateOptions<M> & { returning: true },
  ): Promise<WrittenRow<InferRow<M>, InferWholeKey<M>>>
  update(key: InferKey<M>, patch: InferPatch<M>, options?: UpdateOptions<M>): Promise<Written<InferWholeKey<M>>>
  /**
   * Creates the row, or changes the given value columns of the existing one: what is left out becomes a default or null in a new row, and
   * stays in an existing one. One atomic write on every store.
   * @throws RowkeyError `NOT_SUPPORTED` on a store without conditions on columns; with `if`: `VERSION_CONFLICT`, `CONDITION_FAILED`
   * @example
   * ```ts
   * await users.upsert({ id: 'ann', lastSeen: new Date() })
   * ```
   */
  upsert(row: InferInsert<M>, options: UpsertOptions<M> & { returning: true }): Promise<WrittenRow<InferRow<M>, InferWholeKey<M>>>
  upsert(row: InferInsert<M>, options?: UpsertOptions<M>): Promise<Written<InferWholeKey<M>>>
  /**
   * Adds amounts to integer and decimal columns, atomically: of concurrent increments none is lost. A null counts as 0. The row must exist,
   * unless `create` is given. An increment whose outcome is unknown is not sent again: the caller gets `OUTCOME_UNKNOWN`.
   * @throws RowkeyError `ROW_NOT_FOUND`, `OUT_OF_RANGE` if the column cannot hold the sum, `INVALID_VALUE`, `CONDITION_FAILED`,
   * `VERSION_CONFLICT`, `NOT_SUPPORTED`
   * @example
   * ```ts
   * await pages.increment({ path: '/' }, { hits: 1 }, { create: true })
   * const { row } = await stock.increment({ sku: 'a-1' }, { count: -1 }, { if: { count: { gte: 1 } }, returning: true })
   * ```
   */
  increment(
    key: InferKey<M>,
    by: InferAmounts<M>,
    options: IncrementOptions<M> & { returning: true },
  ): Promise<WrittenRow<InferRow<M>, InferWholeKey<M>>>
  increment(key: InferKey<M>, by: InferAmounts<M>, options?: IncrementOptions<M>): Promise<Written<InferWholeKey<M>>>
  /**
   * Reads the row, calls `change` to make a patch from it, and writes the patch if the row is still the same. Otherwise it starts again
   * after a random pause, up to `attempts` (8) times. So `change` may be called several times. If it returns undefined, nothing is written.
   * The model's version says whether it is the same; without one, its values do, on a store that can compare them.
   * @throws RowkeyError `ROW_NOT_FOUND`, `NOT_SUPPORTED`, after the last attempt `VERSION_CONFLICT`, or `WRITE_FAILED` without a version
   * @example
   * ```ts
   * await stock.modify({ sku: 'a-1' }, ({ count }) => ({ count: count - 1 }))
   * ```
   */
  modify(
    key: InferKey<M>,
    change: (row: InferRow<M>) => InferPatch<M> | undefined | Promise<InferPatch<M> | undefined>,
    options?: ModifyOptions,
  ): Promise<Written<InferWholeKey<M>>>
}

/** What tables with `writes: 'plain'` have instead. */
type PlainMethods<M extends object> = {
  /** Makes writes of one row for `db.write()`. Nothing is written here. */
  readonly ops: PlainOperations<M>
}

/** Writes that every table has, for `db.write()`. */
type TableOperations<M extends object> = {
  put(row: InferInsert<M>, options?: OperationOptions<PutOptions<M>>): Operation
  delete(key: InferKey<M>, options?: OperationOptions<ChangeOptions<M>>): Operation
}

/** Conditional writes, for `db.write()`. */
type ConditionalOperations<M extends object> = {
  insert(row: InferInsert<M>, options?: OperationOptions<InsertOptions>): Operation
  update(key: InferKey<M>, patch: InferPatch<M>, options?: OperationOptions<UpdateOptions<M>>): Operation
  upsert(row: InferInsert<M>, options?: OperationOptions<UpsertOptions<M>>): Operation
  increment(key: InferKey<M>, by: InferAmounts<M>, options?: OperationOptions<IncrementOptions<M>>): Operation
}

/* eslint-enable @typescript-eslint/consistent-type-definitions */

/** Makes writes of one row for `db.write()`. */
export type Operations<M extends object> = TableOperations<M> & ConditionalOperations<M>

/** Makes writes of one row for `db.write()`, for a table with `writes: 'plain'`. */
export type PlainOperations<M extends object> = TableOperations<M>

/**
 * The rows of one table: `Repository<Order>` for a decorated class, `Repository<typeof Orders>` for `defineTable()`.
 *
 * @example
 * ```ts
 * const logs = db.repository(LogEvent)
 * await logs.insert({ host: 'web-1', event: 'login', at: new Date(), seq: 1, message: null })
 * const newest = await logs.scan({ host: 'web-1', event: 'login' }, { limit: 10 }).toArray()
 * ```
 */
export type Repository<M extends object> = TableMethods<M> & ConditionalMethods<M>

/** The rows of a table with `writes: 'plain'`: without conditional writes. */
export type PlainRepository<M extends object> = TableMethods<M> & PlainMethods<M>

/** The repository of a model; on an adapter whose rows have addresses, with `locate()`. */
export type RepositoryOf<M extends Model, Address = never> = [M] extends [ModelClass<infer T extends object>]
  ? RowsOf<T, Address>
  : RowsOf<M, Address>
// In one type, because an intersection with another one would be shown by its parts.
type RowsOf<M extends object, Address> = [Address] extends [never]
  ? [InferWrites<M>] extends ['plain']
    ? PlainRepository<M>
    : Repository<M>
  : RowsOf<M, never> & Located<M, Address>
