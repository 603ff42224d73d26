import type { Mutation, Outcome } from '../contract/writing.js'
import type { Writer } from './sending.js'

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
 * Whether the same mutation may be sent again after this outcome. If nobody knows whether it was applied, a repetition could undo what
 * others have written since, and been told that it is written. So only where the store sees to it that it does not, or the application
 * has allowed it; never one that gives a version, because others may have written on reading that.
 */
export function mayRepeat(mutation: Mutation, outcome: Outcome, { resendsUnknown }: Writer): boolean {
  if (outcome.kind === 'unprocessed') return true
  if (outcome.kind !== 'unknown') return false
  return outcome.repeatable === true || (resendsUnknown === true && isUnconditional(mutation) && versionGiven(mutation) === undefined)
}

/**
 * What is known after another attempt. Once nobody knows whether a mutation was applied, a later attempt that surely was not says
 * nothing about the first.
 */
export function inTheEnd(before: Outcome | undefined, now: Outcome): Outcome {
  return before?.kind === 'unknown' && (now.kind === 'unknown' || now.kind === 'unprocessed' || now.kind === 'failed') ? before : now
}
