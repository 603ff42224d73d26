import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'

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
  readonly signal?: AbortSignal
  /** Epoch ms by the system's clock. */
  readonly deadline?: number
}

/**
 * What became of a mutation. insert: conflict if present. update: missing if absent. `version` given: missing if absent, conflict
 * if different. Atomic batch: what failed says why, all others are 'unprocessed'. An adapter answers what became of mutations and does
 * not throw it: of a batch whose `write` throws, the core takes every outcome as unknown, unless it throws a RowkeyError such as `CLOSED`,
 * or the reason of an aborted signal.
 */
export type Outcome =
  | { readonly kind: 'applied' | 'missing' | 'unprocessed' } // unprocessed = surely not applied, may be sent again
  | { readonly kind: 'conflict'; /** Only if the store gave it for nothing. */ readonly current?: Row }
  | { readonly kind: 'unknown' | 'failed'; readonly cause: unknown } // failed = surely not applied, pointless to repeat
