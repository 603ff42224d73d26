import type { Adapter } from '../contract/adapter.js'
import type { Cancellation } from '../contract/cancellation.js'
import type { MaybePromise } from '../contract/reading.js'
import type { Mutation } from '../contract/writing.js'
import { isPromise } from '../scan/maybe-promise.js'
import { rowOf } from './rounds.js'

/** The writes of a row that are under way. */
interface Turn {
  /** Settles when all of them have ended. */
  readonly ended: Promise<unknown>
  /** Whether they are increments, whose order makes no difference, so that the next one goes with them. */
  readonly isShared: boolean
  /** What they waited for. */
  readonly before: Promise<unknown> | undefined
}

type Write<T> = () => MaybePromise<T>

/**
 * The order of writes of one process. Writes of different rows do not wait for each other. A write of a row waits for those before it until they
 * are answered, have been repeated, or their caller has stopped waiting. A row is remembered as long as it has writes.
 */
export class RowTurns {
  private readonly turns = new Map<string, Turn>()
  private readonly ordered: number
  /** The last call that the adapter keeps in order, which ends after those before it. */
  private last: Promise<unknown> | undefined

  /** @param ordered the size of calls that the adapter keeps in order by itself, so that they are not remembered */
  constructor(ordered = 0) {
    this.ordered = ordered
  }

  get areIdle(): boolean {
    return this.turns.size === 0
  }

  /** Runs `write` when a row is free. If the caller is cancelled, it runs before its turn, and has to check the cancellation itself. */
  runOne<T>(mutation: Mutation, write: Write<T>, cancellation: Cancellation | undefined): MaybePromise<T> {
    const [rows, isShared] = [[rowOf(mutation)], commutes(mutation)]
    const before = this.before(rows, isShared)
    if (before === undefined) return this.sentOne(mutation, write(), cancellation)
    const answer = waiting(before, cancellation).then(write)
    this.enter(rows, isShared, before, answer)
    return answer
  }

  /** The answer to a write of one row that waited for nothing, until which later ones wait. */
  sentOne<T>(mutation: Mutation, answer: MaybePromise<T>, cancellation: Cancellation | undefined): MaybePromise<T> {
    if (!isPromise(answer)) return answer
    if (this.ordered > 0) this.keep(answer, cancellation)
    else this.enter([rowOf(mutation)], commutes(mutation), undefined, answer)
    return answer
  }

  /**
   * Runs `write` when all of these rows are free.
   *
   * @param rows the different rows
   * @param size the number of mutations, if they are sent immediately and in one call
   * @param write sends the mutations, again if need be, and checks the cancellation before
   */
  runAll<T>(
    rows: () => readonly string[],
    size: number | undefined,
    write: Write<T>,
    cancellation: Cancellation | undefined,
  ): MaybePromise<T> {
    const isOrdered = size !== undefined && size <= this.ordered
    const before = allOf([this.areIdle ? undefined : this.before(rows(), false), isOrdered ? undefined : this.last])
    const answer = before === undefined ? write() : waiting(before, cancellation).then(write)
    if (!isPromise(answer)) return answer
    if (isOrdered && before === undefined) this.keep(answer, cancellation)
    else this.enter(rows(), false, before, answer)
    return answer
  }

  /**
   * Runs `change`, which reads and writes a row, when the writes of it that were called before have ended. Those that are called later wait until it
   * has ended, or calls `leave`. Until then it writes with `writeNow()`.
   */
  hold<T>(mutation: Mutation, change: (leave: () => void) => Promise<T>, cancellation: Cancellation | undefined): Promise<T> {
    const rows = [rowOf(mutation)]
    const before = allOf([this.before(rows, false), this.last])
    let leave = ignore
    const left = new Promise<void>((resolve) => (leave = resolve))
    const answer = before === undefined ? change(leave) : waiting(before, cancellation).then(async () => change(leave))
    this.enter(rows, false, before, Promise.race([answer, left]))
    return answer
  }

  /** Settles when the writes of the rows have ended; undefined if there are none. */
  private before(rows: readonly string[], isShared: boolean): Promise<unknown> | undefined {
    if (this.areIdle) return undefined
    const waits = new Set<Promise<unknown> | undefined>()
    for (const row of rows) {
      const turn = this.turns.get(row)
      waits.add(turn?.isShared === true && isShared ? turn.before : turn?.ended)
    }
    return allOf([...waits])
  }

  /** The last call that the adapter keeps in order. One whose caller stops waiting may end before those before it. */
  private keep(answer: Promise<unknown>, cancellation: Cancellation | undefined): void {
    const ended = answer.then(ignore, ignore)
    this.last = cancellation === undefined ? ended : allOf([this.last, ended])
  }

  /** A write of the rows is under way until `answer` settles, and what it waits for has. */
  private enter(rows: readonly string[], isShared: boolean, before: Promise<unknown> | undefined, answer: Promise<unknown>): void {
    const ended = before === undefined ? answer : settled([before, answer])
    for (const row of rows) {
      const turn = this.turns.get(row)
      const isTogether = isShared && turn?.isShared === true
      this.turns.set(row, isTogether ? { ...turn, ended: this.both(row, turn.ended, ended) } : { ended, isShared, before })
    }
    const leave = (): void => {
      for (const row of rows) this.leave(row, ended)
    }
    ended.then(leave, leave)
  }

  /** Ends with both, and forgets the row then. */
  private both(row: string, one: Promise<unknown>, other: Promise<unknown>): Promise<unknown> {
    const ended: Promise<unknown> = settled([one, other]).then(() => this.leave(row, ended))
    return ended
  }

  private leave(row: string, ended: Promise<unknown>): void {
    if (this.turns.get(row)?.ended === ended) this.turns.delete(row)
  }
}

const ignore = (): void => undefined

/** Without what they were answered with: each would hold the answers before it. */
const settled = (all: readonly Promise<unknown>[]): Promise<unknown> => Promise.allSettled(all).then(ignore)

function allOf(given: readonly (Promise<unknown> | undefined)[]): Promise<unknown> | undefined {
  const waits = given.filter((wait) => wait !== undefined)
  return waits.length < 2 ? waits[0] : settled(waits)
}

/** Never rejects: what becomes of the writes before is no matter of this one. */
const waiting = (before: Promise<unknown>, cancellation: Cancellation | undefined): Promise<unknown> =>
  (cancellation === undefined ? before : cancellation.race(before)).then(ignore, ignore)

/** By adapter, because several mappers may share one. */
const known = new WeakMap<Adapter, RowTurns>()

/** The order of the writes to an adapter, of all its mappers. */
export function turnsOf(adapter: Adapter): RowTurns {
  let turns = known.get(adapter)
  if (turns === undefined) known.set(adapter, (turns = new RowTurns(adapter.capabilities.ordered)))
  return turns
}

/** Whether it makes no difference to the row if another such write goes first. */
const commutes = (mutation: Mutation): boolean =>
  mutation.kind === 'update' &&
  mutation.additions !== undefined &&
  mutation.set.length === 0 &&
  mutation.create === undefined &&
  mutation.returns !== true &&
  mutation.version === undefined &&
  mutation.conditions === undefined
