import { isRowkeyError, storeUnavailable } from '@rowkey/store'
import { isNamed, tableMissing } from './errors.js'
import { isBusy, isUnsent, statusOf } from './outcome-of-error.js'

/** Runs reads of a table, or a change of it: that it is gone, and that the service does not answer, are errors of rowkey. */
export async function onTable<T>(table: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw readError(table, error)
  }
}

function readError(table: string, error: unknown): unknown {
  // Whoever aborts knows why.
  if (isRowkeyError(error) || isNamed(error, 'AbortError')) return error
  if (isNamed(error, 'ResourceNotFoundException')) return tableMissing(table)
  const status = statusOf(error)
  if (isBusy(error) || (status !== undefined && status >= 500)) return storeUnavailable('dynamodb', 'refused', error)
  return isUnsent(error) || isUnanswered(error) ? storeUnavailable('dynamodb', 'unanswered', error) : error
}

/** The connection was cut, or a time-out of the client. */
const isUnanswered = (error: unknown): boolean =>
  isNamed(error, 'TimeoutError', 'RequestTimeout') || (error instanceof Error && 'code' in error && statusOf(error) === undefined)
