// Tested by write-repeats.test.ts and row-turns.test.ts.
import type { Row } from '#codec'
import type { MaybePromise } from '../contract/reading.js'
import type { Mutation, Outcome } from '../contract/writing.js'
import { whenOpen, type WriteRequest, type Writer } from './write-request.js'
import { isPromise } from '../scan/maybe-promise.js'
import { rowOf } from './rounds.js'
import { sendBatch, resendBatch } from './send-batch.js'
import { backOff } from './back-off.js'
import { isOpenEnd, outcomeError, overError } from './outcome-error.js'
import { mergeOutcomes, isRetryable } from './retryable.js'
import { resolveUnknown } from './resolve-unknown.js'

/**
 * Applies one mutation or throws why not. Returns the row after it, if the mutation asks for it and the store knows it. If the store did not process it, it is sent again after a pause, and so is a mutation with an
 * unknown outcome that may be repeated. Synchronous if the adapter is.
 *
 * @throws RowkeyError `ROW_EXISTS` (insert), `ROW_NOT_FOUND` (update), `VERSION_CONFLICT`, `CONDITION_FAILED`, `OUT_OF_RANGE`, `WRITE_FAILED` (certainly not applied),
 * `OUTCOME_UNKNOWN`, `DEADLINE`; the reason of an aborted signal
 */
export function writeOne(writer: Writer, mutation: Mutation, sending: WriteRequest): MaybePromise<Row | undefined> {
  const { turns } = writer
  // Mostly nothing waits, and every write of one row passes here, so it makes no function.
  const { cancellation } = sending
  if (sending.opened !== undefined) {
    return turns.runAll(
      () => [rowOf(mutation)],
      undefined,
      () => whenOpen(sending, () => writeNow(writer, mutation, sending)),
      cancellation,
    )
  }
  return turns.areIdle
    ? turns.sentOne(mutation, writeNow(writer, mutation, sending), cancellation)
    : turns.runOne(mutation, () => writeNow(writer, mutation, sending), cancellation)
}

/** The same without waiting for its turn, for a caller that holds it. */
export function writeNow(writer: Writer, mutation: Mutation, sending: WriteRequest): MaybePromise<Row | undefined> {
  const answer = sendBatch(writer, [mutation], sending)
  if (isPromise(answer)) return finished(writer, mutation, sending, answer)
  const [outcome] = answer
  return outcome?.kind === 'applied' ? outcome.row : finished(writer, mutation, sending, answer)
}

async function finished(
  writer: Writer,
  mutation: Mutation,
  sending: WriteRequest,
  first: MaybePromise<readonly Outcome[]>,
): Promise<Row | undefined> {
  const last = await outcomeOf(writer, mutation, sending, first)
  if (last.kind === 'applied') return last.row
  if (sending.cancellation?.isOver === true && isOpenEnd(last)) throw overError(sending.cancellation, [mutation], [last])
  throw outcomeError(mutation, last)
}

/** The outcome of one mutation, without its turn, for a caller to whom some are not errors. Synchronous if the adapter is, and has applied it. */
export function outcomeNow(writer: Writer, mutation: Mutation, sending: WriteRequest): MaybePromise<Outcome> {
  const answer = sendBatch(writer, [mutation], sending)
  if (isPromise(answer)) return outcomeOf(writer, mutation, sending, answer)
  const [outcome] = answer
  return outcome?.kind === 'applied' ? outcome : outcomeOf(writer, mutation, sending, answer)
}

async function outcomeOf(
  writer: Writer,
  mutation: Mutation,
  sending: WriteRequest,
  first: MaybePromise<readonly Outcome[]>,
): Promise<Outcome> {
  let answer = first
  let known: Outcome | undefined
  for (let attempt = 1; ; attempt++) {
    const outcome = (await answer)[0] as Outcome
    known = mergeOutcomes(known, outcome)
    if (known.kind === 'applied') return known
    if (!isRetryable(mutation, outcome, writer) || !(await backOff(writer, attempt, sending))) break
    answer = resendBatch(writer, [mutation], sending)
  }
  const [last = known] = await resolveUnknown(writer, [mutation], [known], sending)
  return last
}
