import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Cancellation } from './cancellation.js'

/** One row's change. At most one per row in a batch. `version` = the version the row must have now. */
export type Mutation = { readonly schema: TableSchema; readonly version?: string } & (
  | { readonly kind: 'put' | 'insert'; /** Full length: nulls, defaults, expiry and new version filled in. */ readonly row: Row }
  | {
      readonly kind: 'update'
      readonly row: Row
      /** Only these positions are written, a new version among them. */ readonly set: readonly number[]
    }
  | { readonly kind: 'delete'; /** The key. */ readonly row: Row }
)

/** Options of every write. */
export interface WriteOptions {
  /** A row with expiry <= now does not exist for the conditions. */
  readonly now: number
  /** All or none; a token that is the same when the core repeats the call. */
  readonly atomic?: string
  /**
   * When the caller stops waiting. After that nothing may be sent any more: what was not sent is 'unprocessed'. An adapter that knows
   * outcomes by then answers at once; the core waits for that only a moment, and takes what it was not told as unknown.
   */
  readonly cancellation?: Cancellation
}

/**
 * What became of a mutation. insert: conflict if present. update: missing if absent. `version` given: missing if absent, conflict
 * if different. Atomic batch: what failed says why, all others are 'unprocessed'. An adapter answers what became of mutations and does
 * not throw it: of a batch whose `write` throws, the core takes every outcome as unknown, unless it throws a RowkeyError such as `CLOSED`.
 */
export type Outcome =
  | { readonly kind: 'applied' | 'missing' | 'unprocessed' } // unprocessed = surely not applied, may be sent again
  | { readonly kind: 'conflict'; /** Only if the store gave it for nothing. */ readonly current?: Row }
  | { readonly kind: 'failed'; readonly cause: unknown } // surely not applied, pointless to repeat
  | {
      readonly kind: 'unknown'
      readonly cause: unknown
      /**
       * true: the store recognises this very mutation object if it is given to `write` again, or applies it as of the first time, so that
       * a repetition cannot undo what others have written since. Only then the core sends it again.
       */
      readonly repeatable?: true
    }
