// Also tested by write-repeats.test.ts.
import { isRowkeyError } from '#codec'
import type { MaybePromise } from '../contract/reading.js'
import type { Mutation, Outcome } from '../contract/writing.js'
import { whenOpen, type WriteRequest, type Writer } from './write-request.js'
import { storeError } from '../errors.js'
import { isPromise } from '../scan/maybe-promise.js'
import { sendBatch, resendBatch } from './send-batch.js'
import { backOff } from './back-off.js'
import { isOpenEnd, outcomesLeft, overError } from './outcome-error.js'
import { mergeOutcomes, isRetryable } from './retryable.js'
import { roundsOf, type Place, type Round } from './rounds.js'
import { resolveUnknown } from './resolve-unknown.js'

/**
 * Applies mutations of any tables, those of one row in their order and all others in any order. Resolves only when all are applied. A
 * failure does not stop the others; unprocessed ones are sent again after a pause.
 *
 * @param indexes where the mutations are in the caller's list, if they are a part of it: errors name these
 * @throws RowkeyError `WRITE_INCOMPLETE` with the outcome of every mutation that is not applied, `DEADLINE` with the same; the reason of an
 * aborted signal
 */
export async function writeMany(
  writer: Writer,
  mutations: readonly Mutation[],
  sending: WriteRequest,
  indexes?: readonly number[],
): Promise<void> {
  const outcomes = await writeEach(writer, mutations, sending)
  if (!outcomes.every(({ kind }) => kind === 'applied')) throw writeError(mutations, outcomes, sending, indexes)
}

/**
 * The same, but returns the outcome of each mutation, for callers to whom some are not errors. {@link writeError} is the error of the others.
 * Synchronous if the adapter is, and has applied all of them.
 *
 * @throws RowkeyError of the adapter, such as `CLOSED`; the reason of an aborted signal
 */
export function writeEach(writer: Writer, mutations: readonly Mutation[], sending: WriteRequest): MaybePromise<readonly Outcome[]> {
  const places = new Map<string, Place>()
  const rounds = roundsOf(mutations, places)
  return writer.turns.runAll(
    () => [...places.keys()],
    rounds.length > 1 || sending.opened !== undefined ? undefined : mutations.length,
    () => whenOpen(sending, () => writeRounds(writer, rounds, sending)),
    sending.cancellation,
  )
}

/** Synchronous if the adapter is, and has applied all of them. */
function writeRounds(writer: Writer, rounds: readonly Round[], sending: WriteRequest): MaybePromise<readonly Outcome[]> {
  const [first, ...others] = rounds
  if (first === undefined) return []
  const answer = sendBatch(writer, first.batch, sending)
  if (others.length === 0 && !isPromise(answer) && answer.every(({ kind }) => kind === 'applied')) return placed([], first, answer)
  return roundByRound(writer, first, answer, others, sending)
}

async function roundByRound(
  writer: Writer,
  first: Round,
  answer: MaybePromise<readonly Outcome[]>,
  others: readonly Round[],
  sending: WriteRequest,
): Promise<readonly Outcome[]> {
  const outcomes = placed([], first, await outcomesOf(writer, first.batch, sending, answer))
  for (const round of others) {
    placed(outcomes, round, await outcomesOf(writer, round.batch, sending, resendBatch(writer, round.batch, sending)))
  }
  return outcomes
}

/** Adds the outcomes of a round, each for all inputs that it represents. */
function placed(outcomes: Outcome[], { inputs }: Round, found: readonly Outcome[]): Outcome[] {
  inputs.forEach((places, slot) => {
    for (const place of places) outcomes[place] = found[slot] as Outcome
  })
  return outcomes
}

/** The error of outcomes of which at least one is not 'applied'. */
export function writeError(
  mutations: readonly Mutation[],
  outcomes: readonly Outcome[],
  { cancellation }: WriteRequest,
  indexes?: readonly number[],
): unknown {
  return cancellation?.isOver === true && outcomes.some(isOpenEnd)
    ? overError(cancellation, mutations, outcomes, indexes)
    : (withoutTable(outcomes) ?? incomplete(mutations, outcomes, indexes))
}

/** If nothing was written because there is no table, that is the error, as it is of one write. */
function withoutTable(outcomes: readonly Outcome[]): unknown {
  const isGone = (outcome: Outcome): boolean => outcome.kind === 'failed' && isRowkeyError(outcome.cause, 'TABLE_NOT_FOUND')
  const [first] = outcomes
  return first?.kind === 'failed' && outcomes.every(isGone) ? first.cause : undefined
}

/** The outcome of each mutation of a batch with one per row, which was sent for the first time. */
async function outcomesOf(
  writer: Writer,
  batch: readonly Mutation[],
  sending: WriteRequest,
  first: MaybePromise<readonly Outcome[]>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  let left = batch.map((_, i) => i)
  let answering = first
  for (let attempt = 1; ; attempt++) {
    const asked = left.map((i) => batch[i] as Mutation)
    const answer = await answering
    left.forEach((i, at) => (outcomes[i] = mergeOutcomes(outcomes[i], answer[at] as Outcome)))
    const again = left.filter((_, at) => isRetryable(asked[at] as Mutation, answer[at] as Outcome, writer))
    if (again.length < left.length) {
      attempt = 1 // it makes progress, even if slowly
      sending.acknowledged?.()
    }
    left = again
    if (left.length === 0 || !(await backOff(writer, attempt, sending))) break
    answering = resendBatch(
      writer,
      left.map((i) => batch[i] as Mutation),
      sending,
    )
  }
  return resolveUnknown(writer, batch, outcomes, sending)
}

function incomplete(mutations: readonly Mutation[], given: readonly Outcome[], indexes?: readonly number[]): Error {
  const left = outcomesLeft(mutations, given, indexes)
  const [first] = left
  const table = mutations[given.findIndex(({ kind }) => kind !== 'applied')]?.schema.name ?? ''
  const cause = left.find((outcome) => outcome.cause !== undefined)?.cause
  return storeError(
    'WRITE_INCOMPLETE',
    `${left.length} of ${mutations.length} writes to '${table}' are not known to be applied. The first is at index ${first?.index}: ${first?.kind}. ` +
      `details.outcomes lists them all. If a write is 'unprocessed', it is safe to repeat. If it is 'unknown', read the row first.`,
    { table, outcomes: left },
    cause === undefined ? {} : { cause },
  )
}
