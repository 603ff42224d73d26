// Tested by row-turns.test.ts.
import type { Adapter } from '../contract/adapter.js'
import type { Cancellation } from '../contract/cancellation.js'
import type { MaybePromise } from '../contract/reading.js'
import type { Mutation } from '../contract/writing.js'
import { isPromise } from '../scan/maybe-promise.js'
import type { WriteRequest, Writer } from './write-request.js'

/** The writes of a row that are under way. */
interface Turn {
  /** Settled when all of them have ended. */
  readonly ended: Promise<unknown>
  /** Whether they are increments, whose order makes no difference, so that the next one goes with them. */
  readonly isShared: boolean
  /** What they waited for. */
  readonly before: Promise<unknown> | undefined
}

/**
 * The order of writes of one process. Writes of different rows do not wait for each other. A write of a row waits for those before it until they
 * are answered, have been repeated, or their caller has stopped waiting. A row is remembered as long as it has writes.
 */
class RowTurns {
  private readonly turns = new Map<string, Turn>()

  /** Runs `write` when the rows are free. If the caller is cancelled, it runs before its turn, and has to check the cancellation itself. */
  run<T>(rows: readonly string[], isShared: boolean, write: () => MaybePromise<T>, cancellation?: Cancellation): MaybePromise<T> {
    const before = this.before(rows, isShared)
    const answer = before === undefined ? write() : waiting(before, cancellation).then(write)
    if (!isPromise(answer)) return answer
    const ended = before === undefined ? answer.then(ignore, ignore) : Promise.allSettled([before, answer]).then(ignore)
    for (const row of rows) this.enter(row, isShared, before, ended)
    void ended.then(() => {
      for (const row of rows) this.leave(row, ended)
    })
    return answer
  }

  private before(rows: readonly string[], isShared: boolean): Promise<unknown> | undefined {
    if (this.turns.size === 0) return undefined
    const waits = new Set<Promise<unknown>>()
    for (const row of rows) {
      const turn = this.turns.get(row)
      const wait = turn?.isShared === true && isShared ? turn.before : turn?.ended
      if (wait !== undefined) waits.add(wait)
    }
    const [only] = waits
    return waits.size < 2 ? only : Promise.allSettled(waits)
  }

  private enter(row: string, isShared: boolean, before: Promise<unknown> | undefined, ended: Promise<unknown>): void {
    const turn = this.turns.get(row)
    const isTogether = isShared && turn?.isShared === true
    this.turns.set(row, isTogether ? { ...turn, ended: this.both(row, turn.ended, ended) } : { ended, isShared, before })
  }

  /** Ends with both, and forgets the row then. */
  private both(row: string, one: Promise<unknown>, other: Promise<unknown>): Promise<unknown> {
    const ended: Promise<unknown> = Promise.all([one, other]).then(() => this.leave(row, ended))
    return ended
  }

  private leave(row: string, ended: Promise<unknown>): void {
    if (this.turns.get(row)?.ended === ended) this.turns.delete(row)
  }
}

const ignore = (): void => undefined

/** Never rejects: what becomes of the writes before is no matter of this one. */
const waiting = (before: Promise<unknown>, cancellation: Cancellation | undefined): Promise<unknown> =>
  cancellation === undefined ? before : cancellation.race(before).then(ignore, ignore)

/** By adapter, because several mappers may share one. */
const known = new WeakMap<Adapter, RowTurns>()

/** Whether the adapter keeps the order by itself. */
export const keepsOrder = ({ adapter }: Writer): boolean => adapter.capabilities.ordered === true

/**
 * Writes when the writes of the same rows that were called before have ended. Immediately if the adapter keeps the order by itself.
 *
 * @param rows the different rows
 * @param write sends the mutations, again if need be, and checks the cancellation before
 */
export function inTurn<T>(
  writer: Writer,
  rows: () => readonly string[],
  write: () => MaybePromise<T>,
  { cancellation }: WriteRequest,
  isShared = false,
): MaybePromise<T> {
  if (keepsOrder(writer)) return write()
  const { adapter } = writer
  let turns = known.get(adapter)
  if (turns === undefined) known.set(adapter, (turns = new RowTurns()))
  return turns.run(rows(), isShared, write, cancellation)
}

/** Whether it makes no difference to the row if another such write goes first. */
export const commutes = (mutation: Mutation): boolean =>
  mutation.kind === 'update' &&
  mutation.additions !== undefined &&
  mutation.set.length === 0 &&
  mutation.create === undefined &&
  mutation.returns !== true &&
  mutation.version === undefined &&
  mutation.conditions === undefined
