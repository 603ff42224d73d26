// Tested by packages/rowkey/test/mapper/writes.test.ts.
import { isRowkeyError, type Row } from '#codec'
import type { Outcome } from './writing.js'

/** The mutation was applied. */
export const applied: Outcome = Object.freeze({ kind: 'applied' })

/** The same, with the row as it is now, if the model can hold it. */
export const appliedTo = (row: Row | undefined): Outcome => (row === undefined ? applied : { kind: 'applied', row })

/** The row that the mutation should change does not exist. Nothing was applied. */
export const missing: Outcome = Object.freeze({ kind: 'missing' })

/** The store did not process the mutation. It was certainly not applied and may be sent again. */
export const unprocessed: Outcome = Object.freeze({ kind: 'unprocessed' })

const conflictOnly: Outcome = Object.freeze({ kind: 'conflict' })

/** The existing row does not meet the condition. `current`: that row, if the store returned it without another request. */
export const conflict = (current?: Row): Outcome => (current === undefined ? conflictOnly : { kind: 'conflict', current })

/** Certainly not applied, and repeating it is pointless. */
export const failed = (cause: unknown): Outcome => ({ kind: 'failed', cause })

/**
 * The outcome of a mutation that could not be prepared: a `RowkeyError` says what is wrong with this mutation and does not concern the
 * others.
 *
 * @throws `cause` itself if it is anything else, because then the adapter is at fault, not the mutation
 * @example
 * ```ts
 * try {
 *   return requestOf(mutation)
 * } catch (cause) {
 *   return failedBy(cause)
 * }
 * ```
 */
export function failedBy(cause: unknown): Outcome {
  if (!isRowkeyError(cause)) throw cause
  return failed(cause)
}

/**
 * The row that `read` returns, for an outcome which does not depend on it; undefined if the model cannot hold it. A write of an older model is
 * applied, or meets a row that exists, whatever a newer model has put into other columns. If the row was asked for, the core reads it again
 * and reports what is wrong with it.
 *
 * @example
 * ```ts
 * return conflict(heldRow(() => rowOf(record)))
 * ```
 */
export function heldRow(read: () => Row | undefined): Row | undefined {
  try {
    return read()
  } catch (error) {
    if (isRowkeyError(error, 'UNREADABLE_ROW') || isRowkeyError(error, 'CORRUPT_ROW')) return undefined
    throw error
  }
}

/** It is unknown whether it was applied. `cause`: the error of the store or its client, if any. */
export const unknown = (cause: unknown): Outcome => ({ kind: 'unknown', cause })
