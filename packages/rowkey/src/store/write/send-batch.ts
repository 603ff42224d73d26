// Also tested by write-repeats.test.ts and progress.test.ts.
import type { MaybePromise } from '../contract/reading.js'
import type { Cancellation } from '../contract/cancellation.js'
import type { Mutation, Outcome, WriteOptions } from '../contract/writing.js'
import { applied, conflict, failed, unknown, unprocessed } from '../contract/outcomes.js'
import type { Writer } from './write-request.js'
import { isRowkeyError } from '#codec'
import { isPromise } from '../scan/maybe-promise.js'
import { isRow } from '../scan/page-shape.js'

/** How long an adapter may take, once the deadline has passed, to say what it knows of a batch. */
const concludeMs = 50

/**
 * Sends mutations and returns an outcome for each of them. If the adapter throws, or returns a list of another length, the outcomes are
 * unknown. After the deadline nothing is sent, and the answer is not awaited any more.
 *
 * @throws RowkeyError of the adapter, such as `CLOSED`; the reason of an aborted signal
 */
export function sendBatch(writer: Writer, mutations: readonly Mutation[], options: WriteOptions): MaybePromise<readonly Outcome[]> {
  const { cancellation } = options
  if (cancellation?.isOver === true) {
    if (!cancellation.isLate) throw cancellation.reason
    return mutations.map(() => unprocessed) // the same on every store
  }
  try {
    const answer = writer.adapter.write(mutations, options)
    return isPromise(answer) ? answered(answer, mutations, cancellation) : whole(answer, mutations)
  } catch (error) {
    return open(error, mutations)
  }
}

/**
 * The same for a call that already has some outcomes: if the adapter throws, only these mutations have that outcome, and earlier outcomes
 * are kept.
 *
 * @throws the reason of an aborted signal
 */
export async function resendBatch(writer: Writer, mutations: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
  try {
    return await sendBatch(writer, mutations, options)
  } catch (cause) {
    if (!isRowkeyError(cause) || cause === options.cancellation?.reason) throw cause
    return mutations.map(() => failed(cause))
  }
}

async function answered(
  answer: Promise<readonly Outcome[]>,
  mutations: readonly Mutation[],
  cancellation: Cancellation | undefined,
): Promise<readonly Outcome[]> {
  try {
    if (cancellation === undefined) return whole(await answer, mutations)
    return whole(await concluded(answer, cancellation), mutations).map((outcome) => withoutReason(outcome, cancellation))
  } catch (error) {
    if (cancellation?.isOver !== true) return open(error, mutations)
    if (!cancellation.isLate) throw cancellation.reason
    return open(undefined, mutations)
  }
}

/** The answer; after the deadline what the adapter returns immediately, so that it is known which mutations were not sent. */
async function concluded(answer: Promise<readonly Outcome[]>, cancellation: Cancellation): Promise<readonly Outcome[]> {
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

/** The error of the call already says that the deadline has passed. */
function withoutReason(outcome: Outcome, { reason }: Cancellation): Outcome {
  return outcome.kind === 'unknown' && reason !== undefined && outcome.cause === reason ? unknown(undefined) : outcome
}

/** Outcomes are matched by index, so the lengths must agree. What is no outcome says nothing about its mutation. */
function whole(answer: readonly Outcome[], mutations: readonly Mutation[]): readonly Outcome[] {
  if (answer.length !== mutations.length) return mutations.map(() => unknown(undefined))
  const [only] = answer
  if (answer.length === 1 && only === applied) return answer // most writes
  return answer.every(isSound) ? answer : answer.map((outcome, i) => sound(outcome, mutations[i] as Mutation))
}

const kinds: ReadonlySet<unknown> = new Set<Outcome['kind']>(['applied', 'missing', 'unprocessed', 'conflict', 'failed', 'unknown'])

const isOutcome = (outcome: unknown): outcome is Outcome =>
  typeof outcome === 'object' && outcome !== null && 'kind' in outcome && kinds.has(outcome.kind)

/** Whether it is an outcome without a row. Mostly it is `applied`. */
const isSound = (outcome: unknown): boolean => outcome === applied || (isOutcome(outcome) && !('row' in outcome) && !('current' in outcome))

/** The same outcome, without a row that is none. Its caller then reads the row. */
function sound(outcome: Outcome, { schema }: Mutation): Outcome {
  if (!isOutcome(outcome)) return unknown(undefined)
  const width = schema.columns.length
  if (outcome.kind === 'applied' && outcome.row !== undefined && !isRow(outcome.row, width)) return applied
  return outcome.kind === 'conflict' && outcome.current !== undefined && !isRow(outcome.current, width) ? conflict() : outcome
}

function open(error: unknown, mutations: readonly Mutation[]): readonly Outcome[] {
  if (isRowkeyError(error)) throw error
  return mutations.map(() => unknown(error))
}
