import type { Outcome } from '@rowkey/store'
import { isNamed } from './errors.js'

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

export const isBusy = (error: unknown): boolean => isNamed(error, ...busy)

/** The connection was not even made. */
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

export const isUnsent = (error: unknown): boolean => error instanceof Error && 'code' in error && unsent.has(String(error.code))

/** Of the answer, if there was one. */
export function statusOf(error: unknown): number | undefined {
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

/** What became of a write that failed, its condition apart. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof OpenOutcome) return { kind: 'unknown', cause: error.first }
  if (isOpen(error)) return { kind: 'unknown', cause: error }
  if (isUnsent(error) || isBusy(error)) return { kind: 'unprocessed' }
  return { kind: 'failed', cause: error }
}
