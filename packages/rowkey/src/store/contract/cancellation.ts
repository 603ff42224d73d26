import { RowkeyError } from '#codec'
import { show } from '#codec/internal'
import { joinSignal, leaveSignal } from './signal-hub.js'

/** When a caller stops waiting. */
export interface CancellationOptions {
  readonly signal?: AbortSignal | undefined
  /** Epoch milliseconds by `clock`, in the range of a `Date`. */
  readonly deadline?: number | undefined
  /**
   * The clock of `deadline`; default `Date.now`. It is read once. From then on the elapsed time is measured, so changes of a clock have no
   * effect.
   */
  readonly clock?: () => number
  /** The error of a call that the deadline ends; default a `DEADLINE` without a table. */
  readonly late?: (deadline: number) => Error
}

/** The maximum of a timer; longer waits use several. */
const maxTimer = 2 ** 31 - 1

/**
 * When a caller stops waiting: an abort, a deadline, or `cancel()`, whichever comes first. There is one per call. The layers below share
 * it, so that one timer and one listener decide for all of them, once.
 *
 * The core does not wait longer for an adapter. An adapter uses it to stop work that nobody waits for any more: `isOver` before each
 * request, `withSignal()` for clients that take an `AbortSignal`, `race()` for its own waits. It holds a timer and a listener only while
 * somebody waits.
 *
 * @example
 * ```ts
 * const cancellation = new Cancellation({ deadline: Date.now() + 500 })
 * const item = await cancellation.withSignal((signal) => fetch(url, { signal }))
 * ```
 */
export class Cancellation {
  readonly signal: AbortSignal | undefined
  /** As it was passed; undefined if there is none. */
  readonly deadline: number | undefined
  /** By `performance.now()`, which cannot be set. */
  private readonly expires: number
  private readonly late: (deadline: number) => Error
  private ended: { readonly isLate: boolean; readonly reason: unknown } | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly listeners = new Set<() => void>()

  /** The remaining time is measured from here. @throws RowkeyError `INVALID_OPTION` for an invalid time; what `clock` throws */
  constructor({ signal, deadline, clock = Date.now, late = deadlinePassed }: CancellationOptions = {}) {
    this.signal = signal
    this.deadline = deadline
    this.expires =
      deadline === undefined ? Infinity : performance.now() + (checkedTime('deadline', deadline) - checkedTime('clock', clock()))
    this.late = late
  }

  /** Whether nobody waits any more. */
  get isOver(): boolean {
    return this.end() !== undefined
  }

  /** Whether the deadline ended it, not an abort. */
  get isLate(): boolean {
    return this.end()?.isLate === true
  }

  /** Milliseconds until the deadline, 0 after it; Infinity without one. */
  get remaining(): number {
    return Math.max(0, this.expires - performance.now())
  }

  /** What a cancelled call rejects with: the reason of the signal, or the error of the deadline. undefined before the end. */
  get reason(): unknown {
    return this.end()?.reason
  }

  /** @throws the reason */
  throwIfOver(): void {
    const end = this.end()
    if (end !== undefined) throw end.reason
  }

  /** Ends it now, unless it has already ended. */
  cancel(reason: unknown): void {
    if (this.end() === undefined) this.ended = { isLate: false, reason }
    this.tell()
  }

  /**
   * Calls `listener` once at the end, or now if it has already ended. Returns a function that removes the listener.
   */
  onOver(listener: () => void): () => void {
    if (this.end() !== undefined) {
      listener()
      return () => undefined
    }
    this.listeners.add(listener)
    if (this.listeners.size === 1) this.arm()
    return () => {
      if (this.listeners.delete(listener) && this.listeners.size === 0) this.disarm()
    }
  }

  /**
   * Resolves to the answer if it comes before the end, and otherwise rejects with the reason. An abandoned answer keeps a rejection
   * handler, so a later failure of it is not an unhandled rejection.
   */
  race<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = this.onOver(() => {
        reject(this.reason)
      })
      answer.then(
        (value) => {
          leave()
          resolve(value)
        },
        (error: unknown) => {
          leave()
          reject(this.isOver ? this.reason : error)
        },
      )
    })
  }

  /** The same for a call that takes a signal: it gets one of its own, which is aborted at the end. */
  async withSignal<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const leave = this.onOver(() => {
      controller.abort(this.reason)
    })
    try {
      return await this.race(call(controller.signal))
    } finally {
      leave()
    }
  }

  /** Waits. @throws the reason, at the end */
  pause(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const rest = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
    return this.race(rest).finally(() => {
      clearTimeout(timer)
    })
  }

  /** What ended it; the first one that notices decides for all. */
  private end(): Cancellation['ended'] {
    if (this.ended === undefined) {
      if (this.signal?.aborted === true) this.ended = { isLate: false, reason: this.signal.reason }
      else if (this.expires <= performance.now()) this.ended = { isLate: true, reason: this.late(this.deadline as number) }
    }
    return this.ended
  }

  private arm(): void {
    if (this.signal !== undefined) joinSignal(this.signal, this.tell)
    if (this.expires !== Infinity) this.timer = setTimeout(this.onTimer, Math.min(Math.ceil(this.remaining), maxTimer))
  }

  private disarm(): void {
    if (this.signal !== undefined) leaveSignal(this.signal, this.tell)
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private readonly onTimer = (): void => {
    if (this.remaining >= 1) {
      this.timer = setTimeout(this.onTimer, Math.min(Math.ceil(this.remaining), maxTimer))
      return
    }
    // Timers count whole milliseconds and may fire a fraction early.
    if (this.end() === undefined) this.ended = { isLate: true, reason: this.late(this.deadline as number) }
    this.tell()
  }

  private readonly tell = (): void => {
    if (this.end() === undefined || this.listeners.size === 0) return
    const listeners = [...this.listeners]
    this.listeners.clear()
    this.disarm()
    for (const listener of listeners) listener()
  }
}

/**
 * The answer, or a rejection when the caller stops waiting; without a cancellation always the answer.
 *
 * @throws what the answer rejects with, or the reason of the cancellation
 * @example
 * ```ts
 * const catalog = await inTime(options.cancellation, adapter.describeTable('orders'))
 * ```
 */
export function inTime<T>(cancellation: Cancellation | undefined, answer: Promise<T>): Promise<T> {
  return cancellation === undefined ? answer : cancellation.race(answer)
}

/**
 * Waits; without a cancellation for the whole time.
 *
 * @throws the reason of the cancellation, at its end
 * @example
 * ```ts
 * while (!(await isReady())) await pause(50, options.cancellation)
 * ```
 */
export function pause(ms: number, cancellation: Cancellation = new Cancellation()): Promise<void> {
  return cancellation.pause(ms)
}

/** With NaN the deadline would never come, but its timer would fire all the time. */
function checkedTime(option: string, given: number): number {
  if (Math.abs(given) <= 8.64e15) return given
  throw new RowkeyError('INVALID_OPTION', `${option} cannot be ${show(given)}. Give epoch milliseconds.`, { option, value: show(given) })
}

function deadlinePassed(deadline: number): Error {
  const message = `the call did not finish before its deadline (${new Date(deadline).toISOString()}). Allow more time.`
  return new RowkeyError('DEADLINE', message, { table: '', deadline })
}
