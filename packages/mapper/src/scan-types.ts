import type { InferRow, Model } from '@rowkey/model'
import type { Explanation, QueryStats, Stop } from '@rowkey/store'
import type { CancelOptions } from './cancellation.js'

/** Options of `scan()`. */
export interface ScanOptions<M extends Model = Model, Name extends keyof InferRow<M> = keyof InferRow<M>> extends CancelOptions {
  /** Against the order of the key; on a DESC column that is oldest first. */
  reverse?: boolean
  /** The order wanted, checked against the key: it sets the direction or is refused with ORDER_UNAVAILABLE. */
  order?: { [N in keyof InferRow<M>]?: 'asc' | 'desc' }
  /** Rows returned by this call: the page size of `page()` (default 100), the total of everything else (default all). */
  limit?: number
  /** Where an earlier page of the same query ended; undefined = from the start. */
  cursor?: string | undefined
  /** Columns to return; rows are then plain objects with just these. */
  select?: readonly Name[]
  /** A last filter in code; rows it refuses are read but not returned. */
  filter?: (row: Pick<InferRow<M>, Name>) => boolean
  /** Default strong. */
  consistency?: 'strong' | 'eventual'
  /** How many key ranges a plan may have before its last `in` becomes one range and a filter; default 1,000, at most 100,000. */
  maxRanges?: number
  /** How many buckets may be read; default 256. */
  maxFanOut?: number
  /** Allows a scan that does not bind the first key column. */
  allowFullScan?: boolean
  /**
   * Rows the store may read for this call; the last round of requests may read a few more. `page()` then stops with a cursor, everything
   * else throws `EXAMINED_LIMIT` with the cursor in its details. Default no cap.
   */
  maxExamined?: number
  /**
   * When to give up: a `Date` or epoch milliseconds, by the clock of the mapper. `page()` then stops with what it has and a cursor, everything
   * else throws `DEADLINE` with the cursor in its details. A request that is on its way is not waited for.
   */
  deadline?: Date | number
  /** Ask for the next pages while rows of these are used. For scans without a limit over stores that answer late; default false. */
  prefetch?: boolean
}

/** One page of a scan. */
export interface ScanPage<R> {
  readonly rows: R[]
  /** Continues behind this page; absent = the end. A page may be short or empty and still have one. */
  readonly cursor?: string
  /** Why the page ends here: no more rows, `limit` of them, `maxExamined`, or `deadline`. */
  readonly stop: Stop
  /** What the page took: streams, calls, rows examined and returned, bytes and units where the store tells. */
  readonly stats: QueryStats
}

/**
 * A scan that has not run yet. Rows come in key order, from however many buckets. Every method runs it anew.
 *
 * @example
 * ```ts
 * for await (const event of logs.scan({ host: 'web-1' })) console.log(event.at)
 * const { rows, cursor } = await logs.scan({ host: 'web-1' }, { limit: 10 }).page()
 * ```
 */
export interface Scan<R> extends AsyncIterable<R> {
  /** One page of at most `limit` rows. */
  page(): Promise<ScanPage<R>>
  /** All rows, up to `limit`, in memory. */
  toArray(): Promise<R[]>
  /** The number of rows, up to `limit`; reads them all. */
  count(): Promise<number>
  /**
   * Deletes the rows, up to `limit`, while it reads them, and resolves to their number. A row that others write meanwhile is deleted too if
   * it was read before. @throws RowkeyError `WRITE_INCOMPLETE`; calling it again deletes what is left
   */
  deleteAll(): Promise<number>
  /** How it would run; no I/O. */
  explain(): Explanation
}
