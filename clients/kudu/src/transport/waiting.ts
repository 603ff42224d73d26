import { KuduError, type KuduErrorCode, type KuduErrorDetails } from '../error.js'
import type { CallOptions } from '../requests.js'
import { joinSignal, leaveSignal } from './signal-hub.js'

/** How long the caller of one public call waits, over all its attempts. Whoever made it ends it. */
export class Waiting {
  /** The method of the client. */
  readonly call: string
  /** Set as soon as something was changed: an answer said so. */
  hasEffect = false
  /** Attempts that were sent and not answered, without those that only prepare the call. */
  inDoubt = 0
  readonly #timeout: number
  readonly #deadline: number
  readonly #timer: NodeJS.Timeout | undefined
  readonly #signal: AbortSignal | undefined
  readonly #listeners = new Set<() => void>()
  #over: 'TIMEOUT' | 'ABORTED' | undefined

  constructor(call: string, { timeout, signal }: CallOptions, defaultTimeout: number) {
    this.call = call
    this.#timeout = timeout ?? defaultTimeout
    this.#deadline = performance.now() + this.#timeout
    if (signal?.aborted === true) this.#over = 'ABORTED'
    else {
      this.#timer = setTimeout(() => this.#end('TIMEOUT'), this.#timeout)
      if (signal !== undefined) joinSignal(signal, this.#abort)
    }
    this.#signal = signal
  }

  /** What `work` returns, during which the caller waits. @throws KuduError in time, whatever `work` does */
  static async during<Value>(
    call: string,
    options: CallOptions,
    defaultTimeout: number,
    work: (waiting: Waiting) => Promise<Value>,
  ): Promise<Value> {
    const waiting = new Waiting(call, options, defaultTimeout)
    try {
      waiting.throwIfOver()
      return await work(waiting)
    } finally {
      waiting.end()
    }
  }

  /** Milliseconds that are left; 0 if none are. */
  get remaining(): number {
    return this.#over === undefined ? Math.max(0, this.#deadline - performance.now()) : 0
  }

  /** Whether something was sent that was executed, or may be. */
  get isSent(): boolean {
    return this.hasEffect || this.inDoubt > 0
  }

  get isOver(): boolean {
    return this.#over !== undefined
  }

  /** @throws KuduError with `TIMEOUT` or `ABORTED` */
  throwIfOver(isSent: boolean = this.isSent): void {
    if (this.#over !== undefined) throw this.overError(isSent)
  }

  /** Why the caller does not wait any longer. */
  overError(isSent: boolean = this.isSent): KuduError {
    const outcome = isSent ? 'It was sent, and the servers may execute it' : 'It was not sent'
    const isAborted = this.#over === 'ABORTED'
    const problem = isAborted ? 'was aborted' : `was not done within ${this.#timeout} ms`
    return this.error(
      isAborted ? 'ABORTED' : 'TIMEOUT',
      `${problem}. ${outcome}.`,
      { isSent },
      isAborted ? this.#signal?.reason : undefined,
    )
  }

  /** An error of this call. */
  error(code: KuduErrorCode, problem: string, details: Omit<KuduErrorDetails, 'call'>, cause?: unknown): KuduError {
    const options = cause === undefined ? undefined : { cause }
    return new KuduError(code, `${this.call}() ${problem}`, { ...details, call: this.call }, options)
  }

  /** Calls `listener` once when the caller does not wait any longer. */
  onOver(listener: () => void): void {
    this.#listeners.add(listener)
  }

  leave(listener: () => void): void {
    this.#listeners.delete(listener)
  }

  /** Waits before another attempt. @throws KuduError that tells of the last failure, if the caller does not wait so long */
  async sleep(milliseconds: number, last?: KuduError): Promise<void> {
    this.throwIfOver()
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.leave(done)
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      this.onOver(done)
    })
    if (this.#over === undefined) return
    const error = this.overError()
    if (last === undefined) throw error
    const { code, message, call, isSent, cause = last } = error
    const { status, serverMessage } = last
    throw new KuduError(code, `${message} The last attempt failed: ${last.message}`, { call, isSent, status, serverMessage }, { cause })
  }

  /** The call has ended: nothing of it stays. */
  end(): void {
    clearTimeout(this.#timer)
    if (this.#signal !== undefined) leaveSignal(this.#signal, this.#abort)
    this.#listeners.clear()
  }

  readonly #abort = (): void => this.#end('ABORTED')

  #end(reason: 'TIMEOUT' | 'ABORTED'): void {
    this.#over = reason
    const listeners = [...this.#listeners]
    this.end()
    for (const listener of listeners) listener()
  }
}
