import type { Mutation, Outcome } from '../contract/writing.js'

/** Whether it writes unconditionally: of several such mutations in a row only the last one counts. */
export function isUnconditional({ kind, version, conditions }: Mutation): boolean {
  return version === undefined && conditions === undefined && (kind === 'put' || kind === 'delete')
}

/** Whether it leaves an existing row as it is: an upsert without columns. */
export function onlyCreates(mutation: Mutation): boolean {
  return mutation.kind === 'update' && mutation.create !== undefined && mutation.set.length === 0 && mutation.additions === undefined
}

/** Whether an existing row shows that nothing is left to do. */
export const isDoneByAnyRow = (mutation: Mutation): boolean =>
  onlyCreates(mutation) && mutation.conditions === undefined && mutation.version === undefined

/** The version that a mutation sets; a delete has the key only. */
export function versionGiven({ schema, row }: Mutation): string | undefined {
  const version = row[schema.versionIndex]
  return typeof version === 'string' ? version : undefined
}

/**
 * Whether the same mutation may be sent again after this outcome. If it is unknown whether it was applied, a repetition could undo a later,
 * acknowledged write of somebody else. So it is sent again only if the store prevents that, or if the application has allowed it. It is
 * never sent again if it sets a version, because others may already have written based on that version.
 */
export function isRetryable(mutation: Mutation, outcome: Outcome, { resendsUnknown }: { readonly resendsUnknown?: boolean }): boolean {
  if (outcome.kind === 'unprocessed') return true
  if (outcome.kind !== 'unknown') return false
  return outcome.repeatable === true || (resendsUnknown === true && isUnconditional(mutation) && versionGiven(mutation) === undefined)
}

/**
 * What is known after another attempt. If it is unknown whether the first attempt was applied, a later one that certainly was not says
 * nothing about the first.
 */
export function mergeOutcomes(before: Outcome | undefined, now: Outcome): Outcome {
  return before?.kind === 'unknown' && (now.kind === 'unknown' || now.kind === 'unprocessed' || now.kind === 'failed') ? before : now
}
