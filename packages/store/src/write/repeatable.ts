import type { Capabilities } from '../contract/adapter.js'
import type { Mutation, Outcome } from '../contract/writing.js'

/** Writes whatever is there: it does not matter how often, nor whether another one of its kind comes between. */
export function isUnconditional({ kind, version }: Mutation): boolean {
  return version === undefined && (kind === 'put' || kind === 'delete')
}

/** Whether the same mutation may be sent again after this outcome. */
export function mayRepeat(mutation: Mutation, outcome: Outcome, { idempotentRetry }: Capabilities): boolean {
  if (outcome.kind === 'unprocessed') return true
  return outcome.kind === 'unknown' && (isUnconditional(mutation) || idempotentRetry)
}
