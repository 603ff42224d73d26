// Tested by adapter-kit.test.ts.
import type { RowkeyError } from '#codec'
import type { StoreErrorDetails } from '../errors.js'
import { reasonOf } from '#codec/internal'
import { storeError } from '../errors.js'

/**
 * The error of a call after `close()`.
 *
 * @param what was closed, such as `the Redis adapter`
 * @param remedy one or two sentences
 */
export const closed = (what: string, remedy: string): RowkeyError<'CLOSED', StoreErrorDetails['CLOSED']> =>
  storeError('CLOSED', `${what} was closed. ${remedy}`, {})

/**
 * The error of a call for a table that was never created, was dropped, or was not handed out by `table()`.
 *
 * @param or another possible reason on this store, such as `the server has lost keys of it`, and what helps then
 */
export function tableNotFound(
  table: string,
  or?: { readonly why: string; readonly remedy: string },
): RowkeyError<'TABLE_NOT_FOUND', StoreErrorDetails['TABLE_NOT_FOUND']> {
  const why = or === undefined ? 'was dropped or was not opened' : `was dropped, was not opened, or ${or.why}`
  return storeError(
    'TABLE_NOT_FOUND',
    `table '${table}' does not exist, ${why}. Create it with ensureTables([…])${or === undefined ? '' : `, or ${or.remedy}`}.`,
    { table },
  )
}

/**
 * The error of a checkpoint of a read of the whole table, or of a split, that does not fit this table.
 *
 * @param reason completes "the checkpoint cannot be used: …"
 */
export function checkpointUnusable(
  reason: string,
  options?: ErrorOptions,
): RowkeyError<'CURSOR_INVALID', StoreErrorDetails['CURSOR_INVALID']> {
  return storeError('CURSOR_INVALID', `the checkpoint cannot be used: ${reason}. Start without one.`, { reason }, options)
}

/** The error of a table without a value column of the schema that it is opened with. */
export function columnNotFound(table: string, column: string): RowkeyError<'SCHEMA_MISMATCH', StoreErrorDetails['SCHEMA_MISMATCH']> {
  return storeError('SCHEMA_MISMATCH', `table '${table}' has no column '${column}'. Add it with ensureTables([…]).`, {
    table,
    differences: [`column '${column}' is not in the table`],
  })
}

/**
 * The error of a read, or of a change of a table, that a server did not answer or refused for a temporary reason. Writes of rows do not
 * throw it; they return an outcome. Its message says no address: clients may read it. The `cause` says where the server is.
 */
export function storeUnavailable(
  adapter: string,
  reason: StoreErrorDetails['STORE_UNAVAILABLE']['reason'],
  cause: unknown,
): RowkeyError<'STORE_UNAVAILABLE', StoreErrorDetails['STORE_UNAVAILABLE']> {
  const what = reason === 'unanswered' ? 'did not answer' : 'refused'
  const message = `the server of ${adapter} ${what}: ${reasonOf(cause)}. Repeat the call when the server is available again.`
  return storeError('STORE_UNAVAILABLE', message, { adapter, reason }, { cause })
}

/**
 * The error of a read, or of a change of a table, that the server, or the client before it sent anything, refuses and will refuse again. Its message
 * says no address, as that of {@link storeUnavailable}.
 *
 * @param reason `access`: the client may not do that; `other`: what the `cause` says
 * @param remedy for `access`: sentences that name the list of what must be allowed
 */
export function storeRefused(
  adapter: string,
  table: string,
  reason: 'access' | 'other',
  cause: unknown,
  remedy: string = otherRefusal,
): RowkeyError<'STORE_REFUSED', StoreErrorDetails['STORE_REFUSED']> {
  const message = `the server of ${adapter} refused a request for table '${table}': ${reasonOf(cause)}. ${remedy}`
  return storeError('STORE_REFUSED', message, { adapter, table, reason }, { cause })
}

const otherRefusal = 'Correct what it names; to repeat the call does not help.'

/**
 * The error of an answer that a server cannot give to what it was asked: the wrong types, lengths that do not agree, a loop that does not move on.
 * Nothing of such an answer is used, because rows could be missing silently. For a write whose outcome it leaves open, return it as the cause
 * of {@link unknown}.
 *
 * @param what completes "the server of … answered with"
 */
export function answerFault(
  adapter: string,
  table: string,
  what: string,
  options?: ErrorOptions,
): RowkeyError<'ADAPTER_FAULT', StoreErrorDetails['ADAPTER_FAULT']> {
  const message =
    `for table '${table}' the server of ${adapter} answered with ${what}, which is no answer to what it was asked. The answer is refused. ` +
    'Check what stands between this process and the server: a proxy, a wrapped client, a server of another kind.'
  return storeError('ADAPTER_FAULT', message, { table, bucket: 0 }, options)
}
