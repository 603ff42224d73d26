import type { Answer } from '../contract/reading.js'
import type { Mutation, Outcome, WriteOptions } from '../contract/writing.js'
import type { Writer } from './sending.js'
import { isRowkeyError } from '@rowkey/codec'
import { isPromise } from '../scan/answer.js'

/**
 * Sends mutations and has an outcome for each of them. An adapter that throws, or answers with a list of another length, leaves open what
 * it has applied. After the deadline nothing is sent.
 *
 * @throws RowkeyError of the adapter, such as `CLOSED`; the reason of an aborted signal
 */
export function ask(writer: Writer, mutations: readonly Mutation[], given: WriteOptions): Answer<readonly Outcome[]> {
  const left = given.deadline === undefined ? undefined : given.deadline - writer.now()
  if (left !== undefined && left <= 0) return mutations.map(() => ({ kind: 'unprocessed' })) // the same on every store
  // Adapters look at the system's clock, whatever clock the application has given.
  const options = left === undefined ? given : { ...given, deadline: Date.now() + left }
  try {
    const answer = writer.adapter.write(mutations, options)
    return isPromise(answer) ? answered(answer, mutations, options) : whole(answer, mutations)
  } catch (error) {
    return open(error, mutations, options)
  }
}

async function answered(
  answer: Promise<readonly Outcome[]>,
  mutations: readonly Mutation[],
  options: WriteOptions,
): Promise<readonly Outcome[]> {
  try {
    return whole(await answer, mutations)
  } catch (error) {
    return open(error, mutations, options)
  }
}

/** Nobody knows which answer is whose unless there is one for each. */
function whole(answer: readonly Outcome[], mutations: readonly Mutation[]): readonly Outcome[] {
  return answer.length === mutations.length ? answer : mutations.map(() => ({ kind: 'unknown', cause: undefined }))
}

function open(error: unknown, mutations: readonly Mutation[], { signal }: WriteOptions): readonly Outcome[] {
  if (isRowkeyError(error) || (signal?.aborted === true && error === signal.reason)) throw error
  return mutations.map(() => ({ kind: 'unknown', cause: error }))
}
