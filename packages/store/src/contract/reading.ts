import type { Bound, Bucket, Row, Value } from '@rowkey/codec'
import type { Cancellation } from './cancellation.js'

/** A call may answer at once. A throw and a rejection mean the same. */
export type Answer<T> = T | Promise<T>

/** One interval of one bucket and one partition. `from` < `to` in key order, also when `reverse` walks it backwards. */
export interface Slice {
  readonly bucket: Bucket
  readonly from: Bound
  readonly to: Bound
  readonly reverse: boolean
  readonly filter?: Filter
}

/** One end of a value range. */
export interface Limit {
  readonly value: Value
  readonly inclusive: boolean
}

/** One condition on one column; values in value order, not key order. A stored null passes `isNull: true` only. */
export type Test = { readonly column: number } & (
  { readonly in: readonly Value[] } | { readonly low?: Limit; readonly high?: Limit } | { readonly isNull: boolean }
)

/** All tests must hold. */
export type Filter = readonly Test[]

/** Options of every read. */
export interface ReadOptions {
  readonly consistency: 'strong' | 'eventual'
  /** Value, expiry and version positions to fill; key positions always are. Absent = all. */
  readonly columns?: readonly number[]
  /** When the caller stops waiting. The core ends the call then, whatever the adapter does; an adapter uses it to stop what it has begun. */
  readonly cancellation?: Cancellation
}

/** What a page cost: native calls, bytes, and the store's own units (capacity) where it tells them. */
export interface Cost {
  readonly calls: number
  readonly bytes?: number
  readonly units?: number
}

/** One answer of a page source. */
export interface Page {
  /** In the order of the scan; may be empty. Immutable, a position that was not asked for is null. */
  readonly rows: readonly Row[]
  /** Rows the store read for it, dropped ones included. */
  readonly examined: number
  /** Key of the last examined row; required if that is not the last of `rows`. */
  readonly last?: Row
  /** fullScan only, in every page. */
  readonly checkpoint?: string
  readonly cost?: Cost
}

/**
 * Rows in pages. `scan()` does no I/O; `next()` is never called again before it has settled, nor after undefined, an error or
 * `close()`.
 */
export interface PageSource {
  /** `want` = rows to examine: a target, never a limit (block reads give more, size cuts fewer). Only undefined is the end. */
  next(want: number): Answer<Page | undefined>
  /** Never waits, never throws, may be called twice. What a pending `next()` then does is ignored. */
  close(): void
}
