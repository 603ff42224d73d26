// Tested by adapter-kit.test.ts.
import type { EncodedKey, Row, Value } from '#codec'
import type { TableSchema } from '#model'
import type { Cancellation } from './cancellation.js'
import type { Conditions } from './reading.js'
import { latin1String } from '#codec/internal'

/** An amount to add to a column of integers or decimals. A null counts as the constant default of a required column, otherwise as 0. */
export interface Addition {
  readonly column: number
  /** A value of the column's storage class, but perhaps outside of its range. */
  readonly by: Value
}

/** One row's change. At most one per row in a batch. */
export type Mutation = {
  readonly schema: TableSchema
  /** The version the row must have now. */
  readonly version?: string | undefined
  /** What else must hold of the row now: conditions on value columns, never of an insert. */
  readonly conditions?: Conditions | undefined
  /**
   * The key of `row` in bytes, if the core has already encoded it; read it with {@link keyOf}. The bytes belong to the mutation. Like a row
   * they are immutable and stay valid: an adapter may keep them and hand them to a client as they are, but must not change them.
   */
  readonly key?: EncodedKey | undefined
} & (
  | {
      readonly kind: 'put' | 'insert'
      /** Full length: nulls, defaults, expiry and new version filled in. */ readonly row: Row
      /**
       * Of a put: columns that are null are not written, because the row is known to be new. What a row that exists has there stays. Only for stores
       * with the capability `unsetNulls`.
       */
      readonly nulls?: 'unset' | undefined
      /** Of a put with `conditions`, perhaps none, and perhaps a version: they are only for a row that exists. If none does, it is created. */
      readonly creates?: true | undefined
    }
  | {
      readonly kind: 'update'
      readonly row: Row
      /** Only these positions are written, including a new version. */ readonly set: readonly number[]
      /** Positions, none of them in `set`, whose value changes by an amount. */ readonly additions?: readonly Addition[] | undefined
      /** The whole row to write if none exists; absent = then the outcome is missing. */ readonly create?: Row | undefined
      /** The row as it will be, if the core knows it. It is for the entries of indexes; adapters ignore it. */ readonly after?:
        Row | undefined
      /** Whether the outcome should contain the row as it is afterwards. */ readonly returns?: boolean | undefined
    }
  | { readonly kind: 'delete'; /** The key. */ readonly row: Row }
)

/**
 * The key of a mutation in bytes. The mapper has encoded it to check its size; for other mutations it is encoded here.
 *
 * @example
 * ```ts
 * const { bytes, partitionBytes } = keyOf(mutation)
 * ```
 */
export const keyOf = (mutation: Mutation): EncodedKey => mutation.key ?? mutation.schema.layout.encodeKey(mutation.row)

/** Names the partition of a mutation among those of all tables, for maps. */
export function partitionOf(mutation: Mutation): string {
  const { bytes, partitionBytes } = keyOf(mutation)
  return `${mutation.schema.name} ${latin1String(bytes.subarray(0, partitionBytes))}`
}

/** Options of every write. */
export interface WriteOptions {
  /** A row with expiry <= now does not exist for the conditions. */
  readonly now: number
  /** All or none. The token is the same when the core repeats the call. */
  readonly atomic?: string | undefined
  /**
   * When the caller stops waiting. After that nothing more may be sent, and what was not sent is 'unprocessed'. An adapter that knows
   * outcomes by then returns them immediately; the core waits for that only a moment, and treats every other outcome as unknown.
   */
  readonly cancellation?: Cancellation | undefined
}

/**
 * What became of a mutation. insert: conflict if the row exists. update: missing if it does not, unless it creates the row. With `version`
 * or `conditions`: missing if the row does not exist and is not created, conflict if its version is different or a condition does not hold. An addition whose
 * sum is outside of its column: failed. Atomic batch: the outcome of the mutation that failed says why, all others are
 * 'unprocessed'. An adapter returns outcomes and does not throw them. If `write` throws, the core treats every outcome of the batch as
 * unknown, unless it throws a RowkeyError such as `CLOSED`.
 */
export type Outcome =
  | { readonly kind: 'missing' | 'unprocessed' } // unprocessed = certainly not applied, may be sent again
  | { readonly kind: 'applied'; /** If the mutation asks for it and the store knows it. */ readonly row?: Row }
  | { readonly kind: 'conflict'; /** Only if the store gave it for nothing. */ readonly current?: Row }
  | { readonly kind: 'failed'; readonly cause: unknown } // certainly not applied, pointless to repeat
  | {
      readonly kind: 'unknown'
      readonly cause: unknown
      /**
       * true: the store recognises this mutation object if it is passed to `write` again, or applies it with the time of the first attempt,
       * so that a repetition cannot undo what others have written since. Only then does the core send it again.
       */
      readonly repeatable?: true
    }
