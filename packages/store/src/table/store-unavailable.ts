import type { RowkeyError } from '@rowkey/codec'
import type { StoreErrorDetails } from '../errors.js'
import { storeError } from '../errors.js'

/**
 * The error of a read, or of a change of a table, that a server did not answer or refused for a reason that passes. Writes of rows do not
 * throw it: what became of them is their outcome.
 */
export function storeUnavailable(
  adapter: string,
  reason: StoreErrorDetails['STORE_UNAVAILABLE']['reason'],
  cause: unknown,
): RowkeyError<'STORE_UNAVAILABLE', StoreErrorDetails['STORE_UNAVAILABLE']> {
  const said = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')
  const what = reason === 'unanswered' ? 'did not answer' : 'refused'
  const message = `the server of ${adapter} ${what}: ${said}. Repeat the call when it is there again.`
  return storeError('STORE_UNAVAILABLE', message, { adapter, reason }, { cause })
}
