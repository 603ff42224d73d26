// Tested by write-repeats.test.ts.
import { isRowkeyError, type Row } from '#codec'
import type { Cancellation } from '../contract/cancellation.js'
import type { Mutation, Outcome } from '../contract/writing.js'
import { reasonOf, show, showNames } from '#codec/internal'
import { storeError, type StoreErrorDetails } from '../errors.js'
import { keyObject, keyText } from './key-text.js'
import { isUnconditional } from './retryable.js'

/** The error that an outcome other than 'applied' stands for. */
export function outcomeError(mutation: Mutation, outcome: Outcome): Error {
  const { schema, row, kind } = mutation
  const { name: table } = schema
  const key = keyObject(schema, row)
  const where = `the row with key (${keyText(key)}) of '${table}'`
  switch (outcome.kind) {
    case 'conflict':
      if (isVersionConflict(mutation, outcome.current)) return versionConflict(mutation, outcome.current, where)
      if (mutation.conditions !== undefined) {
        const columns = mutation.conditions.map(({ column }) => schema.columns[column]?.name ?? '')
        const names = showNames(columns, "'")
        const message = `${where} does not meet the condition on ${names}. Nothing was written. Read the row and decide again.`
        return storeError('CONDITION_FAILED', message, { table, key, columns })
      }
      return storeError('ROW_EXISTS', `${where} already exists. Nothing was written. Use put() to replace it, or another key.`, {
        table,
        key,
      })
    case 'missing':
      return storeError('ROW_NOT_FOUND', `${where} does not exist. Nothing was written. ${creatingOf(mutation)}`, {
        table,
        key,
      })
    case 'failed': {
      if (isRowkeyError(outcome.cause)) return outcome.cause // such as TABLE_NOT_FOUND: the same error as that of a read
      const message = `${kind} of ${where} was not applied: ${reasonOf(outcome.cause)}. Fix the cause before you repeat it.`
      return storeError('WRITE_FAILED', message, { table, key, repeatable: false }, causedBy(outcome.cause))
    }
    case 'unprocessed': {
      const message = `${kind} of ${where} was not applied, because the store did not process it. It is safe to repeat it.`
      return storeError('WRITE_FAILED', message, { table, key, repeatable: true })
    }
    default: {
      const why = isUnconditional(mutation)
        ? `It was not sent again, because that could undo what others have written since (retry: { onUnknown: 'resend' } allows it). `
        : ''
      const message = `${kind} of ${where} may or may not have been applied. ${why}Read the row to find out before you repeat it.`
      return storeError('OUTCOME_UNKNOWN', message, { table, key }, causedBy(outcome.kind === 'unknown' ? outcome.cause : undefined))
    }
  }
}

/** How a row that is missing comes into being. */
function creatingOf(mutation: Mutation): string {
  if (mutation.kind === 'put') return 'Give put() { create: true } too, or create the row with insert().'
  return mutation.kind === 'update' && mutation.additions !== undefined
    ? 'Give increment() { create: true }, or create the row with insert() or put().'
    : 'Use insert() or put() to create it.'
}

/** Whether an outcome may be due to a caller that stopped waiting. */
export const isOpenEnd = ({ kind }: Outcome): boolean => kind === 'unknown' || kind === 'unprocessed'

/** What a write rejects with after its caller has stopped waiting: the reason of the signal, or `DEADLINE` with the known outcomes. */
export function overError(
  cancellation: Cancellation,
  mutations: readonly Mutation[],
  outcomes: readonly Outcome[],
  indexes?: readonly number[],
): unknown {
  if (!cancellation.isLate) return cancellation.reason
  const left = outcomesLeft(mutations, outcomes, indexes)
  const { deadline = 0 } = cancellation
  const first = left[0] as (typeof left)[number]
  const { schema, row, kind } = mutations[outcomes.findIndex((outcome) => outcome.kind !== 'applied')] as Mutation
  const table = schema.name
  const until = `before the deadline (${new Date(deadline).toISOString()})`
  const what =
    mutations.length > 1
      ? `${left.length} of ${mutations.length} writes to '${table}' are not known to be applied ${until}. The first is at index ${first.index}: ` +
        `${first.kind}. details.outcomes lists them all. If a write is 'unprocessed', it was not applied. If it is 'unknown', read the row before you repeat it.`
      : `${kind} of the row with key (${keyText(keyObject(schema, row))}) of '${table}' ${
          first.kind === 'unknown'
            ? `was not answered ${until}. It may or may not have been applied: read the row before you repeat it.`
            : `was not applied ${until}. It is safe to repeat it.`
        }`
  return storeError('DEADLINE', what, { table, deadline, outcomes: left }, causedBy(left.find(({ cause }) => cause !== undefined)?.cause))
}

/** The mutations that are not known to be applied, by their index in the caller's list, with their outcomes. */
export function outcomesLeft(
  mutations: readonly Mutation[],
  given: readonly Outcome[],
  indexes?: readonly number[],
): StoreErrorDetails['WRITE_INCOMPLETE']['outcomes'] {
  const left = mutations.flatMap((mutation, i) => {
    const outcome = given[i] as Outcome
    if (outcome.kind === 'applied') return []
    const refused = outcome.kind === 'conflict' || outcome.kind === 'missing'
    const cause = refused ? outcomeError(mutation, outcome) : 'cause' in outcome ? outcome.cause : undefined
    return [{ index: indexes?.[i] ?? i, kind: outcome.kind, ...(cause === undefined ? {} : { cause }) }]
  })
  return indexes === undefined ? left : left.sort((a, b) => a.index - b.index)
}

/** Of a mutation with a version and other conditions, the version is to blame unless the row is known to have it. */
function isVersionConflict(mutation: Mutation, current: Row | undefined): boolean {
  const { schema, conditions } = mutation
  const version = versionRequired(mutation)
  if (version === undefined) return false
  const isAlone = conditions === undefined || conditions.length === 0 || (version === null && conditions.length === 1)
  return isAlone || (current !== undefined && (current[schema.versionIndex] ?? null) !== version)
}

/** null: the row must not have one. */
const versionRequired = ({ schema, version, conditions = [] }: Mutation): string | null | undefined =>
  version ?? (conditions.some((test) => test.column === schema.versionIndex && 'isNull' in test && test.isNull) ? null : undefined)

function versionConflict(mutation: Mutation, current: Row | undefined, where: string): Error {
  const { schema, row, kind } = mutation
  const version = versionRequired(mutation) ?? null
  const now = current?.[schema.versionIndex]
  const has = current === undefined ? 'another version' : typeof now === 'string' ? `version ${show(now)}` : 'no version'
  return storeError(
    'VERSION_CONFLICT',
    `${where} has ${has}, not ${version === null ? 'none' : show(version)}, because somebody else has written it. This write was not applied. Read the row again and decide again${kind === 'delete' ? '' : ', or use modify()'}.`,
    {
      table: schema.name,
      key: keyObject(schema, row),
      expected: version,
      ...(current === undefined ? {} : { current: typeof now === 'string' ? now : null }),
    },
  )
}

const causedBy = (cause: unknown): ErrorOptions => (cause === undefined ? {} : { cause })
