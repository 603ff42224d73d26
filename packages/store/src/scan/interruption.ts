/** Why nobody waits any more. */
export type Interrupted = 'aborted' | 'time' | 'closed'

const longestTimer = 2 ** 31 - 1 // milliseconds, about 25 days

/**
 * Waits for answers until a signal, a deadline or a close comes first. What is given up is still listened to, so that it may fail
 * without anyone hearing. One listener and one timer for a whole run, both gone after `end()`.
 */
export class Interruption {
  private readonly signal: AbortSignal | undefined
  private readonly deadline: number | undefined
  private readonly clock: () => number
  private timer: ReturnType<typeof setTimeout> | undefined
  private armed = false
  private ended = false
  private giveUp: ((why: Interrupted) => void) | undefined
  private fail: ((error: unknown) => void) | undefined

  constructor(signal: AbortSignal | undefined, deadline: number | undefined, clock: () => number) {
    this.signal = signal
    this.deadline = deadline
    this.clock = clock
  }

  /** Whether the time is over; looked at between answers that come at once. */
  get isLate(): boolean {
    return this.deadline !== undefined && this.clock() >= this.deadline
  }

  /** The answer, or what came before it. */
  wait<T>(answer: Promise<T>): Promise<{ readonly answer: T } | { readonly why: Interrupted }> {
    this.arm()
    return new Promise((resolve, reject) => {
      this.giveUp = (why) => {
        resolve({ why })
      }
      this.fail = reject
      answer.then(
        (given) => {
          resolve({ answer: given })
        },
        (error: unknown) => {
          reject(error)
        },
      )
      if (this.signal?.aborted === true) this.giveUp('aborted')
      else if (this.ended) this.giveUp('closed')
    })
  }

  /** Lets go of signal and timer, and of whoever waits. */
  end(): void {
    this.ended = true
    this.signal?.removeEventListener('abort', this.onAbort)
    clearTimeout(this.timer)
    this.giveUp?.('closed')
    this.giveUp = undefined
    this.fail = undefined
  }

  private arm(): void {
    if (this.armed || this.ended) return
    this.armed = true
    this.signal?.addEventListener('abort', this.onAbort)
    if (this.deadline !== undefined) this.timer = setTimeout(this.onTime, Math.min(Math.max(0, this.deadline - this.clock()), longestTimer))
  }

  private readonly onAbort = (): void => {
    this.giveUp?.('aborted')
  }

  private readonly onTime = (): void => {
    try {
      if (this.isLate) this.giveUp?.('time')
      else {
        // The clock of the application may run slower than the timer's.
        this.armed = false
        this.arm()
      }
    } catch (error) {
      this.fail?.(error) // the application's clock threw
    }
  }
}
