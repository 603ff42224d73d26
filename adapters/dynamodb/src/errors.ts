import { closed, isRowkeyError, RowkeyError, storeUnavailable, tableNotFound } from '@rowkey/store/adapter'
import { maxPartitionBytes, maxSortKeyBytes } from './keys.js'

/** After `close()`. */
export const closedAdapter = (): Error => closed('the DynamoDB adapter', 'Call dynamodb() for a new one; the client is still yours.')

/** A table that cannot be the adapter's. */
export function schemaMismatch(table: string, differences: readonly string[], remedy: string): RowkeyError<'SCHEMA_MISMATCH'> {
  const lines = differences.map((difference) => `\n  - ${difference}`).join('')
  return new RowkeyError('SCHEMA_MISMATCH', `the table '${table}' that is there does not fit:${lines}\n${remedy}`, { table, differences })
}

/** What an attribute holds is nothing that this column can have. */
export function corrupt(table: string, column: string, what: string): RowkeyError<'CORRUPT_ROW'> {
  return new RowkeyError(
    'CORRUPT_ROW',
    `a stored row of '${table}' cannot be read: column '${column}' ${what}. Something else wrote or damaged it; put the row again, or delete it.`,
    { table, column },
  )
}

/** The core refuses shorter ones already. */
export function keyTooLong(table: string, partition: number, rest: number): RowkeyError<'LIMIT_EXCEEDED'> {
  const isPartition = partition >= maxPartitionBytes
  const limit = isPartition ? 'partition' : 'sortKey'
  const [bytes, max] = isPartition ? [partition, maxPartitionBytes - 1] : [rest, maxSortKeyBytes - 1]
  const message = `in a row of '${table}', the ${isPartition ? 'partition' : 'part of the rowkey after the partition'} takes ${bytes} bytes, more than ${max}. Shorten it.`
  return new RowkeyError('LIMIT_EXCEEDED', message, { table, limit, bytes, max })
}

/** By the name that the server gave to an error. */
export const isNamed = (error: unknown, ...names: readonly string[]): boolean => error instanceof Error && names.includes(error.name)

/** A write was sent and nobody knows what became of it. Nothing about it makes a client repeat it; `cause` would. */
export class OpenOutcome extends Error {
  readonly first: unknown

  constructor(first: unknown) {
    super('the outcome of a write is not known')
    this.name = 'OpenOutcome'
    this.first = first
  }
}

/** The server had no time for it. */
const busy = [
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TransactionConflictException',
  'ReplicatedWriteConflictException',
]

const isBusy = (error: unknown): boolean => isNamed(error, ...busy)

/** The connection was not even made. */
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

const isUnsent = (error: unknown): boolean => error instanceof Error && 'code' in error && unsent.has(String(error.code))

/** The server did not take it: it had no time, or was not reached. */
export const isNotProcessed = (error: unknown): boolean => isUnsent(error) || isBusy(error)

/** Of the answer, if there was one. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  return (error.$metadata as { readonly httpStatusCode?: number } | undefined)?.httpStatusCode
}

/** Whether a write that failed so may have been applied: the server did not say that it refused it. */
export function isOpen(error: unknown): boolean {
  if (error instanceof OpenOutcome) return true
  if (isUnsent(error) || isBusy(error) || isNamed(error, 'CredentialsProviderError')) return false
  if (isNamed(error, 'TransactionInProgressException')) return true // an earlier attempt of it is
  const status = statusOf(error)
  return status === undefined || status < 400 || status >= 500
}

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
  if (isNamed(error, 'ResourceNotFoundException')) return tableNotFound(table)
  const status = statusOf(error)
  if (isBusy(error) || (status !== undefined && status >= 500)) return storeUnavailable('dynamodb', 'refused', error)
  return isUnsent(error) || isUnanswered(error) ? storeUnavailable('dynamodb', 'unanswered', error) : error
}

/** The connection was cut, or a time-out of the client. */
const isUnanswered = (error: unknown): boolean =>
  isNamed(error, 'TimeoutError', 'RequestTimeout') || (error instanceof Error && 'code' in error && statusOf(error) === undefined)
