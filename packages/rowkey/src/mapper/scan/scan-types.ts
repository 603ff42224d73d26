// Tested by scan-options.test.ts.
import type { Duration, InferKey, InferRow } from '#model'
import type { Explanation, QueryStats } from '#store'
import type { Partition } from '#store/adapter'
import type { CancelOptions } from '../call/cancellation.js'
import type { PartitionsOptions } from '../partitions.js'

/** Options of `scan()`. */
export interface ScanOptions<
  M extends object = object,
  Name extends keyof InferRow<M> = keyof InferRow<M>,
  Asked extends boolean = boolean,
> extends CancelOptions {
  /**
   * The requested order: `'reverse'` of that of the key, or a direction by column, as in `{ at: 'desc' }`. It never sorts: it sets the direction
   * in which the key is read, or is refused with `ORDER_UNAVAILABLE`. With `in` on the columns before the first one that it names, the rows of all listed values are merged: `{ buyer: { in: followed } }` with
   * `order: { placedAt: 'desc' }` is one feed, newest first. A page then requests one page for each value, of which there may be `maxFanOut`.
   */
  order?: 'reverse' | KeyOrder<keyof InferKey<M>> | undefined
  /** How many rows the scan returns in all, with all of its pages; default all. The size of a page is an option of `page()`. */
  limit?: number
  /**
   * Where to start, in the order of the scan: at the rows that start with this key. It is a whole key, its first columns, or a row. Columns
   * that the predicate binds to one value may be left out.
   */
  from?: ScanBoundary<M> | undefined
  /** The same, but after the rows that start with this key. */
  after?: ScanBoundary<M> | undefined
  /** Where to end, in the order of the scan: after the rows that start with this key. */
  to?: ScanBoundary<M> | undefined
  /** The same, but before the rows that start with this key. */
  before?: ScanBoundary<M> | undefined
  /** Columns to return; rows are then plain objects with just these. */
  select?: readonly Name[]
  /** Whether rows come with their expiry, as `$expires`: only for tables that declare a ttl. Default false. */
  withExpiry?: Asked
  /** A last filter in code; rows it refuses are read but not returned. */
  filter?: (row: Pick<InferRow<M>, Name>) => boolean
  /** Default strong. */
  consistency?: 'strong' | 'eventual'
  /** How many key ranges a plan may have before its last `in` is read as one range with a filter; default 1,000, at most 100,000. */
  maxRanges?: number
  /** How many buckets may be read; default 256. */
  maxFanOut?: number
  /** Allows a scan that does not bind the first key column, so it reads all buckets from end to end. */
  unbounded?: boolean
  /**
   * Rows the store may read for this call; the last round of requests may read a few more. `page()` then stops with a cursor, everything
   * else throws `EXAMINED_LIMIT` with the cursor in its details. Default no cap.
   */
  maxExamined?: number
  /**
   * How long a call may take, such as `'500ms'`: `page()` then stops with what it has and a cursor, everything else throws `DEADLINE` with the
   * cursor in its details. It does not wait for a request that is under way.
   */
  timeout?: Duration
  /** The same as an instant: a `Date` or epoch milliseconds, by the clock of the mapper. With `timeout` too, the earlier counts. */
  deadline?: Date | number
  /** Requests the next pages while rows of the current ones are used. For scans without a limit over asynchronous stores; default false. */
  prefetch?: boolean
}

/** Options of a scan by an index. Its order and its bounds are those of the key of the index, with the missing columns of the rows' own key after it. */
export type IndexScanOptions<
  M extends object = object,
  Name extends keyof InferRow<M> = keyof InferRow<M>,
  Asked extends boolean = boolean,
> = Omit<ScanOptions<M, Name, Asked>, 'order' | keyof IndexBounds<M>> &
  IndexBounds<M> & {
    order?: 'reverse' | KeyOrder<keyof InferRow<M>> | undefined
    /**
     * The name of the index. Each entry's row is fetched, and left out if it has other values by now: entries stay after a row has changed, until
     * `verifyIndex()` removes them.
     */
    index: string
  }

/** Where a scan by an index starts or ends: a row, or columns of the key of the index. */
interface IndexBounds<M extends object> {
  from?: Partial<InferRow<M>> | undefined
  after?: Partial<InferRow<M>> | undefined
  to?: Partial<InferRow<M>> | undefined
  before?: Partial<InferRow<M>> | undefined
}

/** Directions by key column. Rows are only in the order of their keys, so a value column is none of them. */
// eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style -- messages of compilers show this type under its name
export type KeyOrder<KeyColumns extends PropertyKey> = { [N in KeyColumns]?: 'asc' | 'desc' }

/** Where a scan starts or ends: a key, its first columns, or a row. */
export type ScanBoundary<M extends object> = Partial<InferKey<M>> | InferRow<M>

/** Options of `page()`. */
export interface PageOptions {
  /** How many rows the page has at most; default 100. Fewer if the `limit` of the scan is reached. */
  size?: number
  /** The `cursor` or `previous` of a page of the same query; undefined = from the start. */
  cursor?: string | undefined
}

/** One page of a scan. */
export interface ScanPage<R> {
  readonly rows: R[]
  /** Continues after this page; absent = the end, or the `limit` of the scan. A page may be short or empty and still have one. */
  readonly cursor?: string
  /**
   * Continues before this page: the rows before its first one, in the same order, as a page of at most `size`. Absent = there are none, or
   * the store cannot read backwards.
   */
  readonly previous?: string
  /** Why the page ends here: no more rows, `size` of them, the `limit` of the scan, `maxExamined`, or its time. */
  readonly stop: 'exhausted' | 'size' | 'limit' | 'examined' | 'time'
  /** What the page cost: streams, calls, rows examined and returned, and bytes and units if the store reports them. */
  readonly stats: QueryStats
}

/**
 * A scan that has not run yet. Rows come in key order, from however many buckets. Every method call runs it again.
 *
 * @example
 * ```ts
 * for await (const event of logs.scan({ host: 'web-1' })) console.log(event.at)
 * const { rows, cursor } = await logs.scan({ host: 'web-1' }).page({ size: 10 })
 * ```
 */
export interface Scan<R, Key extends object = object> extends AsyncIterable<R> {
  /** One page, from the start or after a cursor. With the `previous` cursor of a page it is the page before that one. */
  page(options?: PageOptions): Promise<ScanPage<R>>
  /** All rows, up to `limit`, in memory. */
  toArray(): Promise<R[]>
  /** The number of rows, up to `limit`; reads them all. */
  count(): Promise<number>
  /**
   * Deletes the rows, up to `limit`, while it reads them, and resolves to the number that it deleted. A row that somebody else changes in the
   * meantime is only deleted if it still meets the scan. Tables with `writes: 'plain'`, and stores that cannot compare values, delete what was
   * read without looking again.
   *
   * Cost: the scan, and one delete for each row: conditional if the scan has conditions on value columns or a `filter`. With a `filter` all
   * columns are read.
   *
   * @param options `cursor`: that of the call which ended at `maxExamined` or its deadline, where this one goes on
   * @throws RowkeyError `WRITE_INCOMPLETE`; calling it again deletes what is left. `EXAMINED_LIMIT` and `DEADLINE` with a `cursor`
   */
  deleteAll(options?: { cursor?: string | undefined }): Promise<number>
  /**
   * Resolves to the cursor of a page that ends with this row, or with this key, whether it exists or not. Await it before it is passed on. It
   * reads no rows, so it does not know how many came before: the `limit` of a scan counts from there.
   */
  cursorOf(row: Key): Promise<string>
  /** How it would run. No I/O. */
  explain(): Explanation
  /**
   * The partitions that it reads, in stores that cut tables by hash and by ranges: the others are pruned.
   * @throws RowkeyError `NOT_SUPPORTED` elsewhere
   */
  partitions(options?: PartitionsOptions): Promise<readonly Partition[]>
}

/** Options of `readAll()`. */
export interface ReadAllOptions<
  M extends object = object,
  Name extends keyof InferRow<M> = keyof InferRow<M>,
  Asked extends boolean = boolean,
> extends CancelOptions {
  /** A checkpoint of an earlier `readAll()` of this table in this store, or a part; undefined = from the start. */
  checkpoint?: string | undefined
  /**
   * Splits the table and reads so many parts at a time, 1 to 16; default 1. Checkpoints contain all parts that are left, and are read the same
   * way. A part that was begun is not split again. At most one page of each part is in memory.
   */
  parallel?: number
  /** Columns to return; rows are then plain objects with just these. */
  select?: readonly Name[]
  /** Whether rows come with their expiry, as `$expires`: only for tables that declare a ttl. Default false. */
  withExpiry?: Asked
  /** A filter in code; rows it refuses are read but not returned. */
  filter?: (row: Pick<InferRow<M>, Name>) => boolean
  /** Default strong. */
  consistency?: 'strong' | 'eventual'
  /** How long a call may take, such as `'10m'`. Then it throws `DEADLINE` with the checkpoint in its details. */
  timeout?: Duration
  /** The same as an instant: a `Date` or epoch milliseconds, by the clock of the mapper. With `timeout` too, the earlier counts. */
  deadline?: Date | number
}

/** Some rows of a whole table. */
export interface ReadAllPage<R> {
  /** In no particular order; may be empty. */
  readonly rows: R[]
  /** Continues after this page, in this or another process. It belongs to this store and to this layout of the table. */
  readonly checkpoint: string
  /** The cost up to here. */
  readonly stats: QueryStats
}

/**
 * Reads a whole table, page by page, in the order that suits the store best: for exports, repairs and counts, not for queries. Rows that
 * exist throughout come once, unless it is resumed from an older checkpoint. Rows written in the meantime may or may not come. Every use
 * reads again.
 *
 * @example
 * ```ts
 * for await (const { rows, checkpoint } of logs.readAll({ checkpoint: saved }).pages()) {
 *   await archive(rows)
 *   saved = checkpoint
 * }
 * ```
 */
export interface ReadAll<R> extends AsyncIterable<R> {
  /** All rows at once, for a table that fits into memory. */
  toArray(): Promise<R[]>
  /** Pages, each with a checkpoint after it. */
  pages(): AsyncIterable<ReadAllPage<R>> & AsyncIterator<ReadAllPage<R>, undefined>
  /** The number of rows; reads them all. */
  count(): Promise<number>
}
