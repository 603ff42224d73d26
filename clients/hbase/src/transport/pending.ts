// Tested by connection.test.ts and http.test.ts.
import { HBaseError, type HBaseErrorCode, type HBaseErrorDetails } from '../error.js'
import type { Reader } from '../thrift/input.js'
import { joinSignal, leaveSignal } from './signal-hub.js'

/** What a call returns: `undefined` if its answer says no more than that it was done. */
export type Answer<Value> = Reader<Value> | undefined

/** A call under way: its request, what its answer is, and the promise that its caller has. */
export class Pending<Value = unknown> {
  /** The method of the client. */
  readonly call: string
  /** What its answer is called. */
  readonly wireName: string
  readonly sequence: number
  readonly request: Uint8Array
  readonly answer: Answer<Value>
  readonly promise: Promise<Value>
  /** Whether a part of the request may have reached the server. */
  isSent = false
  /** Whether its caller knows how it ended. */
  isSettled = false
  /** Whether its answer has been read, or passed over. */
  isAnswered = false
  onSettled: (() => void) | undefined
  /** Whoever carries the call hears that nobody waits for its answer any longer. */
  onGivenUp: (() => void) | undefined
  // Carriers do not care what it is: a call of any value is a call.
  #resolve!: (value: never) => void
  #reject!: (error: HBaseError) => void
  #timer: NodeJS.Timeout | undefined
  #signal: AbortSignal | undefined

  constructor(call: string, sequence: number, request: Uint8Array, answer: Answer<Value>, wireName: string = call) {
    this.call = call
    this.wireName = wireName
    this.sequence = sequence
    this.request = request
    this.answer = answer
    this.promise = new Promise<Value>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** Ends the call when its time is over or its caller does not want it any longer. */
  limit(timeout: number, signal: AbortSignal | undefined): void {
    if (signal?.aborted === true) {
      this.#abort()
      return
    }
    this.#timer = setTimeout(() => this.#giveUp('TIMEOUT', `was not answered within ${timeout} ms`), timeout)
    if (signal === undefined) return
    this.#signal = signal
    joinSignal(signal, this.#abort)
  }

  resolve(value: Value): void {
    if (this.#settle()) this.#resolve(value as never)
  }

  fail(code: HBaseErrorCode, problem: string, details: Omit<HBaseErrorDetails, 'call' | 'isSent'> = {}, options?: ErrorOptions): void {
    if (!this.#settle()) return
    const { call, isSent } = this
    this.#reject(new HBaseError(code, `${call}() ${problem}`, { ...details, call, isSent }, options))
  }

  readonly #abort = (): void => this.#giveUp('ABORTED', 'was aborted', this.#signal?.reason)

  #giveUp(code: HBaseErrorCode, problem: string, cause?: unknown): void {
    const outcome = this.isSent ? 'It was sent, and the server may execute it' : 'It was not sent'
    this.fail(code, `${problem}. ${outcome}.`, {}, cause === undefined ? undefined : { cause })
    this.onGivenUp?.()
  }

  #settle(): boolean {
    if (this.isSettled) return false
    this.isSettled = true
    clearTimeout(this.#timer)
    this.onSettled?.()
    if (this.#signal !== undefined) leaveSignal(this.#signal, this.#abort)
    return true
  }
}
