// Tested by connection.test.ts.
import type { KuduErrorCode, KuduErrorDetails } from '../error.js'
import type { Method } from '../proto/messages.js'
import { writeMessage } from '../proto/codec.js'
import { Writer } from '../proto/writer.js'
import type { RequestIdPB } from '../proto/rpc.js'
import type { Waiting } from './waiting.js'

/** What a method answered. Sidecars are views of the bytes that arrived. */
export interface Answered<Response> {
  readonly message: Response
  readonly sidecars: readonly Uint8Array[]
}

/** Options of an attempt. */
export interface AttemptOptions {
  /** With it, attempts of one request are executed once. */
  readonly requestId?: RequestIdPB | undefined
  /** Milliseconds until this attempt fails with `CONNECTION_LOST`, if the call waits longer. */
  readonly timeout?: number | undefined
}

/** One attempt of a call, on its way to a server and back. */
export class Pending<Response = unknown> {
  readonly method: Method<never, Response>
  readonly waiting: Waiting
  readonly requestId: RequestIdPB | undefined
  readonly promise: Promise<Answered<Response>>
  isSent = false
  isSettled = false
  callId: number | undefined
  sentAt = 0
  /** The request; undefined as soon as it was sent or will not be. */
  body: Writer | undefined
  /** Whoever carries it hears that nobody waits for its answer any longer. */
  onGivenUp: (() => void) | undefined
  readonly #timeout: number | undefined
  readonly #timer: NodeJS.Timeout | undefined
  // Carriers do not care what it is.
  #resolve!: (value: never) => void
  #reject!: (error: Error) => void

  constructor(method: Method<never, Response>, body: Writer, waiting: Waiting, { requestId, timeout }: AttemptOptions) {
    this.method = method
    this.waiting = waiting
    this.requestId = requestId
    this.body = body
    this.promise = new Promise<Answered<Response>>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    if (timeout !== undefined && timeout < waiting.remaining) {
      this.#timeout = timeout
      this.#timer = setTimeout(this.#tooLate, timeout)
    }
    waiting.onOver(this.#over)
  }

  /** Whether the server may do what the call is for, once it was sent. */
  get mayAct(): boolean {
    return this.method.prepares !== true
  }

  /** Milliseconds that the server has. */
  get remaining(): number {
    return Math.max(1, Math.floor(Math.min(this.waiting.remaining, this.#timeout ?? Infinity)))
  }

  resolve(value: Answered<Response>): void {
    if (this.#settle()) this.#resolve(value as never)
  }

  fail(code: KuduErrorCode, problem: string, details: Partial<KuduErrorDetails> = {}, cause?: unknown): void {
    if (this.#settle()) this.#reject(this.waiting.error(code, problem, { isSent: this.isSent && this.mayAct, ...details }, cause))
  }

  readonly #over = (): void => {
    if (!this.#settle()) return
    this.#reject(this.waiting.overError())
    this.onGivenUp?.()
  }

  readonly #tooLate = (): void => {
    if (this.isSent) this.fail('CONNECTION_LOST', `was sent and not answered within ${this.#timeout} ms. The server may execute it.`)
    else this.fail('UNREACHABLE', `was not sent: no connection within ${this.#timeout} ms.`)
    this.onGivenUp?.()
  }

  #settle(): boolean {
    if (this.isSettled) return false
    this.isSettled = true
    this.body = undefined
    clearTimeout(this.#timer)
    this.waiting.leave(this.#over)
    return true
  }
}

/** The bytes of a request. */
export function bodyOf<Request, Response>(method: Method<Request, Response>, request: Request): Writer {
  const body = new Writer()
  writeMessage(method.request, body, request)
  return body
}
