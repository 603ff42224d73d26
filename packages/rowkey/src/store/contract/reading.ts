// Tested by adapter-kit.test.ts.
import type { Bound, Bucket, Row, Value } from '#codec'
import type { Cancellation } from './cancellation.js'

/** A call may answer synchronously. A throw and a rejection mean the same. */
export type MaybePromise<T> = T | Promise<T>

/** One interval of one bucket and one partition. `from` < `to` in key order, also when `reverse` walks it backwards. */
export interface Slice {
  readonly bucket: Bucket
  readonly from: Bound
  readonly to: Bound
  readonly reverse: boolean
  readonly filter?: Conditions | undefined
}

/** One end of a value range. */
export interface Endpoint {
  readonly value: Value
  readonly inclusive: boolean
}

/** One condition on one column; values in value order, not key order. A stored null passes `isNull: true` only. */
export type Condition = { readonly column: number } & (
  { readonly in: readonly Value[] } | { readonly low?: Endpoint; readonly high?: Endpoint } | { readonly isNull: boolean }
)

/** All conditions must hold. */
export type Conditions = readonly Condition[]

/** Options of every read. */
export interface ReadOptions {
  readonly consistency: 'strong' | 'eventual'
  /** Value, expiry and version positions to fill; key positions are always filled. Absent = all. */
  readonly columns?: readonly number[] | undefined
  /**
   * When the caller stops waiting. The core then ends the call, whatever the adapter does. An adapter uses it to stop what it has started.
   */
  readonly cancellation?: Cancellation | undefined
}

/** What a page cost: native calls, rows and bytes that were sent, and the store's own units (capacity) if it reports them. */
export interface Cost {
  readonly calls: number
  /** Rows that the store sent; default the number of `rows` of the page. Fewer than `examined` if the store applied a filter. */
  readonly sent?: number
  readonly bytes?: number
  readonly units?: number
}

/** One answer of a page source. */
export interface Page {
  /** In the order of the scan; may be empty. Immutable. A position that was not requested is null. */
  readonly rows: readonly Row[]
  /** Rows that the store read for it, including dropped ones. */
  readonly examined: number
  /** Key of the last examined row; required if that is not the last of `rows`, unless the page is `exhausted`. */
  readonly last?: Row | undefined
  /** The slice has been examined to its end. For stores that do not tell the last examined key there. `next()` still ends with undefined. */
  readonly exhausted?: true
  /** fullScan only, in every page. */
  readonly checkpoint?: string | undefined
  readonly cost?: Cost | undefined
}

/**
 * Rows in pages. `scan()` does no I/O; `next()` is never called again before it has settled, nor after undefined, an error or
 * `close()`.
 */
export interface PageSource {
  /** `want` = rows to examine: a target, never a limit (block reads return more, size limits fewer). Only undefined is the end. */
  next(want: number): MaybePromise<Page | undefined>
  /** Never waits, never throws, may be called twice. The result of a pending `next()` is discarded. */
  close(): void
}
