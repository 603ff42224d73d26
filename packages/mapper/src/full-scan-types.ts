import type { InferRow, Model } from '@rowkey/model'
import type { QueryStats } from '@rowkey/store'
import type { CancelOptions } from './cancellation.js'

/** Options of `fullScan()`. */
export interface FullScanOptions<M extends Model = Model, Name extends keyof InferRow<M> = keyof InferRow<M>> extends CancelOptions {
  /** Where an earlier full scan of this table in this store stood; undefined = from the start. */
  checkpoint?: string | undefined
  /** Columns to return; rows are then plain objects with just these. */
  select?: readonly Name[]
  /** A filter in code; rows it refuses are read but not returned. */
  filter?: (row: Pick<InferRow<M>, Name>) => boolean
  /** Default strong. */
  consistency?: 'strong' | 'eventual'
  /** When to give up, with `DEADLINE` and the checkpoint in its details: a `Date` or epoch milliseconds. */
  deadline?: Date | number
}

/** Some rows of a full scan. */
export interface FullScanPage<R> {
  /** In no particular order; may be empty. */
  readonly rows: R[]
  /** Continues behind this page, in this or another process. It belongs to this store and to this layout of the table. */
  readonly checkpoint: string
  /** Of the whole full scan up to here. */
  readonly stats: QueryStats
}

/**
 * Reads a whole table, page by page in the order the store likes best: for exports, repairs and counts, not for queries. Rows that are there
 * throughout come once, unless it is resumed from an older checkpoint; rows written meanwhile may come or not. Every use reads anew.
 *
 * @example
 * ```ts
 * for await (const { rows, checkpoint } of logs.fullScan({ checkpoint: saved }).pages()) {
 *   await archive(rows)
 *   saved = checkpoint
 * }
 * ```
 */
export interface FullScan<R> extends AsyncIterable<R> {
  /** Pages with a checkpoint behind each. */
  pages(): AsyncIterableIterator<FullScanPage<R>, undefined>
  /** The number of rows; reads them all. */
  count(): Promise<number>
}
