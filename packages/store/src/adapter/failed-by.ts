import { isRowkeyError } from '@rowkey/codec'
import type { Outcome } from '../contract/writing.js'
import { failed } from '../contract/outcomes.js'

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
