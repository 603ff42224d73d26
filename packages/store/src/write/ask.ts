import type { Answer } from '../contract/reading.js'
import type { Cancellation } from '../contract/cancellation.js'
import type { Mutation, Outcome, WriteOptions } from '../contract/writing.js'
import type { Writer } from './sending.js'
import { isRowkeyError } from '@rowkey/codec'
import { isPromise } from '../scan/answer.js'

/** How long an adapter may take, once the deadline has passed, to say what it knows of a batch. */
const concludeMs = 50

/**
 * Sends mutations and has an outcome for each of them. An adapter that throws, or answers with a list of another length, leaves open what
 * it has applied. After the deadline nothing is sent, and nobody waits for an answer.
 *
 * @throws RowkeyError of the adapter, such as `CLOSED`; the reason of an aborted signal
 */
export function ask(writer: Writer, mutations: readonly Mutation[], options: WriteOptions): Answer<readonly Outcome[]> {
  const { cancellation } = options
  if (cancellation?.isOver === true) {
    if (!cancellation.isLate) throw cancellation.reason
    return mutations.map(() => ({ kind: 'unprocessed' })) // the same on every store
  }
  try {
    const answer = writer.adapter.write(mutations, options)
    return isPromise(answer) ? answered(answer, mutations, cancellation) : whole(answer, mutations)
  } catch (error) {
    return open(error, mutations)
  }
}

/**
 * The same for a call of which something is known already: what the adapter throws is what became of these mutations, and takes nothing along
 * of what earlier ones have told.
 *
 * @throws the reason of an aborted signal
 */
export async function askAgain(writer: Writer, mutations: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
  try {
    return await ask(writer, mutations, options)
  } catch (cause) {
    if (!isRowkeyError(cause) || cause === options.cancellation?.reason) throw cause
    return mutations.map(() => ({ kind: 'failed', cause }))
  }
}

async function answered(
  answer: Promise<readonly Outcome[]>,
  mutations: readonly Mutation[],
  cancellation: Cancellation | undefined,
): Promise<readonly Outcome[]> {
  try {
    if (cancellation === undefined) return whole(await answer, mutations)
    return whole(await inTheEnd(answer, cancellation), mutations).map((outcome) => withoutReason(outcome, cancellation))
  } catch (error) {
    if (cancellation?.isOver !== true) return open(error, mutations)
    if (!cancellation.isLate) throw cancellation.reason
    return open(undefined, mutations)
  }
}

/** The answer; after the deadline what the adapter says at once, so that what was not sent is known not to be. */
async function inTheEnd(answer: Promise<readonly Outcome[]>, cancellation: Cancellation): Promise<readonly Outcome[]> {
  try {
    return await cancellation.race(answer)
  } catch (error) {
    if (!cancellation.isLate) throw error
    let timer: ReturnType<typeof setTimeout> | undefined
    const moment = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(error)
      }, concludeMs)
    })
    return Promise.race([answer, moment]).finally(() => {
      clearTimeout(timer)
    })
  }
}

/** That the time was over is said by the error of the call. */
function withoutReason(outcome: Outcome, { reason }: Cancellation): Outcome {
  return outcome.kind === 'unknown' && reason !== undefined && outcome.cause === reason ? { kind: 'unknown', cause: undefined } : outcome
}

/** Nobody knows which answer is whose unless there is one for each. */
function whole(answer: readonly Outcome[], mutations: readonly Mutation[]): readonly Outcome[] {
  return answer.length === mutations.length ? answer : mutations.map(() => ({ kind: 'unknown', cause: undefined }))
}

function open(error: unknown, mutations: readonly Mutation[]): readonly Outcome[] {
  if (isRowkeyError(error)) throw error
  return mutations.map(() => ({ kind: 'unknown', cause: error }))
}
