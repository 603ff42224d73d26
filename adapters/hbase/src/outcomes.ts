// Tested by faults.test.ts.
import { failed, isRowkeyError, unknown, unprocessed, type Outcome } from 'rowkey/adapter'
import { errorOn, type TableContext } from './context.js'
import { isClosed, isInvalid, isRefused, isUnsent } from './errors.js'

/** The outcome of a write for which the client threw an error. The gateway goes on with what it was sent, even if nobody waits for it. */
export async function outcomeOf(table: TableContext, error: unknown): Promise<Outcome> {
  if (isInvalid(error) || isClosed(error)) return failed(error)
  if (isUnsent(error)) return unprocessed
  const told = await errorOn(table, error)
  if (isRowkeyError(told, 'TABLE_NOT_FOUND')) return failed(told)
  return isRefused(error) ? failed(error) : unknown(error)
}

/** The outcome of a mutation whose row could not be read. Nothing was written, so it is never unknown. */
export function failedRead(cause: unknown): Outcome {
  if (!isRowkeyError(cause)) throw cause
  return cause.code === 'STORE_UNAVAILABLE' ? unprocessed : failed(cause)
}
