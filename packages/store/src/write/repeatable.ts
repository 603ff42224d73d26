import type { Capabilities } from '../contract/adapter.js'
import type { Mutation, Outcome } from '../contract/writing.js'

/** Writes whatever is there: of several that follow each other only the last counts. */
export function isUnconditional({ kind, version }: Mutation): boolean {
  return version === undefined && (kind === 'put' || kind === 'delete')
}

/** The version that a mutation gives to its row; a delete has the key only. */
export function versionGiven({ schema, row }: Mutation): string | undefined {
  const version = row[schema.versionAt]
  return typeof version === 'string' ? version : undefined
}

/**
 * Whether it does no harm when a mutation is applied twice. One that gives a version does: in between somebody may have read it and
 * written by it, and that would be undone.
 */
export function isHarmlessTwice(mutation: Mutation): boolean {
  return isUnconditional(mutation) && versionGiven(mutation) === undefined
}

/** Whether the same mutation may be sent again after this outcome. */
export function mayRepeat(mutation: Mutation, outcome: Outcome, { idempotentRetry }: Capabilities): boolean {
  if (outcome.kind === 'unprocessed') return true
  return outcome.kind === 'unknown' && (isHarmlessTwice(mutation) || (idempotentRetry && !isUnconditional(mutation)))
}

/**
 * What is known after another attempt. Once nobody knows whether a mutation was applied, a later attempt that surely was not says
 * nothing about the first.
 */
export function inTheEnd(before: Outcome | undefined, now: Outcome): Outcome {
  return before?.kind === 'unknown' && (now.kind === 'unknown' || now.kind === 'unprocessed' || now.kind === 'failed') ? before : now
}
