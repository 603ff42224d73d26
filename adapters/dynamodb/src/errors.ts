// Tested by unavailable.test.ts.
import {
  answerFault,
  closed,
  isRowkeyError,
  RowkeyError,
  storeRefused,
  storeUnavailable,
  tableNotFound,
  type Cancellation,
} from 'rowkey/adapter'
import { maxPartitionBytes, maxSortKeyBytes } from './keys.js'

/** After `close()`. */
export const closedAdapter = (): Error => closed('the DynamoDB adapter', 'Call dynamodb() for a new one. The client is still open.')

/** The error for an existing table that is not of this adapter, or differs. */
export function schemaMismatch(table: string, differences: readonly string[], remedy: string): RowkeyError<'SCHEMA_MISMATCH'> {
  const lines = differences.map((difference) => `  - ${difference}`)
  return new RowkeyError('SCHEMA_MISMATCH', [`the existing table '${table}' does not fit:`, ...lines, remedy], { table, differences })
}

/** A table that is not dropped: it may belong to another program. */
export function noCatalog(table: string): RowkeyError<'SCHEMA_MISMATCH'> {
  const differences = ['it has no catalog item']
  const message =
    `the DynamoDB table '${table}' is not known to be of rowkey, because it has no catalog item, so it was not dropped. It belongs to another ` +
    'program. Or a call of ensureTables() was cut off before its end: then call it again, and dropTables() after it.'
  return new RowkeyError('SCHEMA_MISMATCH', message, { table, differences })
}

/** The error for an attribute that does not contain a value of its column. */
export function corrupt(table: string, column: string, what: string): RowkeyError<'CORRUPT_ROW'> {
  return new RowkeyError(
    'CORRUPT_ROW',
    `a stored row of '${table}' cannot be read: column '${column}' ${what}. Another program wrote or damaged it. Put the row again, or delete it.`,
    { table, column },
  )
}

/** The error for an answer that DynamoDB never gives. Nothing of it is used. */
export function badAnswer(table: string, what: string, cause?: unknown): Error {
  return answerFault('dynamodb', table, what, cause === undefined ? {} : { cause })
}

/** The core already refuses such keys. This is for callers without the core. */
export function keyTooLong(table: string, partition: number, rest: number): RowkeyError<'LIMIT_EXCEEDED'> {
  const isPartition = partition >= maxPartitionBytes
  const limit = isPartition ? 'partition' : 'sortKey'
  const [bytes, max] = isPartition ? [partition, maxPartitionBytes - 1] : [rest, maxSortKeyBytes - 1]
  const message = `in a row of '${table}', the ${isPartition ? 'partition' : 'part of the rowkey after the partition'} takes ${bytes} bytes, more than ${max}. Shorten it.`
  return new RowkeyError('LIMIT_EXCEEDED', message, { table, limit, bytes, max })
}

/** Whether an error has one of these names. */
export const isNamed = (error: unknown, ...names: readonly string[]): boolean => error instanceof Error && names.includes(error.name)

/** What servers say of a key with other attributes than those of the table. */
const otherKey = /key element does not match the schema|missing the key|missed key schema element/i

/** Whether the table is not there, or only another one that was created under its name with the key attributes of the other form. */
export const isTableGone = (error: unknown): boolean =>
  isNamed(error, 'ResourceNotFoundException') || (isNamed(error, 'ValidationException') && isOtherKey((error as Error).message))

export const isOtherKey = (message: string | undefined): boolean => message !== undefined && otherKey.test(message)

/** A write was sent, and its outcome is unknown. The first error is not in `cause`, because the client would then repeat the write. */
export class OpenOutcome extends Error {
  readonly first: unknown

  constructor(first: unknown) {
    super('the outcome of a write is unknown')
    this.name = 'OpenOutcome'
    this.first = first
  }
}

/** Errors of a busy server, which has not applied the request. */
const busy = [
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TransactionConflictException',
  'ReplicatedWriteConflictException',
]

const isBusy = (error: unknown): boolean => isNamed(error, ...busy)

/** Errors of a connection that was not established. */
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

const isUnsent = (error: unknown): boolean => error instanceof Error && 'code' in error && unsent.has(String(error.code))

/** Whether the server certainly has not applied the request, because it was busy or not reached. */
export const isNotProcessed = (error: unknown): boolean => isUnsent(error) || isBusy(error)

/** The HTTP status of the answer, if there was one. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  return (error.$metadata as { readonly httpStatusCode?: number } | undefined)?.httpStatusCode
}

/** Whether a write with this error may have been applied, because the server did not refuse it. */
export function isOpen(error: unknown): boolean {
  if (error instanceof OpenOutcome) return true
  if (isUnsent(error) || isBusy(error) || isAccess(error)) return false
  if (isNamed(error, 'TransactionInProgressException')) return true // an earlier attempt is still running
  const status = statusOf(error)
  return status === undefined || status < 400 || status >= 500
}

/**
 * Runs reads or changes of a table. Throws `TABLE_NOT_FOUND` if it does not exist, `STORE_UNAVAILABLE` if the server does not answer,
 * `ADAPTER_FAULT` if it answers something else, and `STORE_REFUSED` if it refuses, or the client does.
 */
export async function onTable<T>(table: string, run: () => Promise<T>, cancellation?: Cancellation): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw cancellation?.isOver === true && error === cancellation.reason ? error : readError(table, error)
  }
}

function readError(table: string, error: unknown): unknown {
  // An abort is not an error of the store.
  if (isRowkeyError(error) || isNamed(error, 'AbortError')) return error
  if (isAccess(error)) return storeRefused('dynamodb', table, 'access', error, accessRemedy)
  if (isTableGone(error)) return tableNotFound(table)
  const status = statusOf(error)
  if (isBusy(error) || (status !== undefined && status >= 500)) return storeUnavailable('dynamodb', 'refused', error)
  if (isUnsent(error) || isUnanswered(error)) return storeUnavailable('dynamodb', 'unanswered', error)
  return isIllegible(error)
    ? badAnswer(table, 'something that the client cannot read', error)
    : storeRefused('dynamodb', table, 'other', error)
}

const accessRemedy =
  'Check the credentials and the clock of this machine, and allow the role what the README of @rowkey/dynamodb lists under "Permissions".'

/** What the service says if it does not know who asks, or does not allow it, and what the client says that finds no credentials. */
const accessNames = [
  'AccessDeniedException',
  'AccessDenied',
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'IncompleteSignatureException',
  'IncompleteSignature',
  'MissingAuthenticationTokenException',
  'MissingAuthenticationToken',
  'ExpiredTokenException',
  'ExpiredToken',
  'NotAuthorized',
  'UnauthorizedException',
  'OptInRequired',
  'SubscriptionRequiredException',
  'KMSAccessDeniedException',
  'CredentialsProviderError',
  'TokenProviderError',
]

/** Whether the service does not know who asks, or does not allow it: every request of this kind ends like this. */
export const isAccess = (error: unknown): boolean => isNamed(error, ...accessNames)

/** Whether the connection was cut, perhaps within an answer, or the client has timed out. */
const isUnanswered = (error: unknown): boolean =>
  isNamed(error, 'TimeoutError', 'RequestTimeout') ||
  (error instanceof Error && 'code' in error && (statusOf(error) === undefined || /^E[A-Z]+$/.test(String(error.code))))

/** Whether there was an answer that is neither a result nor an error of the service. */
function isIllegible(error: unknown): boolean {
  const status = statusOf(error)
  return status !== undefined && (status < 400 || (error instanceof Error && !('$fault' in error)))
}
