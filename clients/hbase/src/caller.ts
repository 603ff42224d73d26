// Tested by requests.test.ts and limits.test.ts.
import { callOptionNames } from './encode/known-names.js'
import { checkCount, checkNames, kindOf, Refusal, refused, refusing } from './encode/limits.js'
import { HBaseError } from './error.js'
import type { Settings } from './options.js'
import type { CallOptions } from './requests.js'
import { Writer } from './thrift/writer.js'
import { Http } from './transport/http.js'
import { Pending, type Answer } from './transport/pending.js'
import { Pool } from './transport/pool.js'
import type { Transport } from './transport/transport.js'

const maxSequence = 2 ** 31 - 1

/** What Thrift calls the methods that have another name here. */
const wireNames: Readonly<Record<string, string>> = {
  getMany: 'getMultiple',
  putMany: 'putMultiple',
  delete: 'deleteSingle',
  deleteMany: 'deleteMultiple',
  scan: 'getScannerResults',
  regions: 'getAllRegionLocations',
}

const wireNameOf = (call: string): string => wireNames[call] ?? call

/** A text or a number would be taken as options without any. */
function checkOptions(options: CallOptions): void {
  if (typeof options !== 'object' || (options as object | null) === null)
    throw new Refusal('options', `is ${kindOf(options)}. Give an object`)
  checkNames(options, callOptionNames, 'options')
}

/** Turns calls into requests, and sends them. */
export class Caller {
  readonly #settings: Settings
  readonly #transport: Transport
  readonly #writer: Writer
  readonly #running = new Set<Pending>()
  #sequence = 0
  #isWriting = false
  #isClosed = false

  constructor(settings: Settings) {
    this.#settings = settings
    this.#transport = settings.transport === 'http' ? new Http(settings) : new Pool(settings)
    this.#writer = new Writer(settings.transport === 'framed')
  }

  /** A call that is not sent yet. @throws HBaseError with `INVALID_ARGUMENT` if its arguments cannot be sent */
  prepare<Value>(call: string, answer: Answer<Value>, write: (writer: Writer) => void): Pending<Value> {
    return new Pending(call, this.#nextSequence(), this.#request(call, write), answer, wireNameOf(call))
  }

  /** Sends a call. @throws HBaseError if it cannot be sent */
  send<Value>(pending: Pending<Value>, options: CallOptions = {}): Promise<Value> {
    const { call } = pending
    if (this.#isClosed) throw new HBaseError('CLOSED', `${call}() was not sent: the client was closed.`, { call, isSent: false })
    refusing(call, () => checkOptions(options))
    const { timeout = this.#settings.timeout, signal } = options
    refusing(call, () => {
      checkCount('timeout', timeout, 1)
      if (signal !== undefined && !(signal instanceof AbortSignal)) throw new Refusal('signal', `is ${kindOf(signal)}. Give an AbortSignal`)
    })
    pending.limit(timeout, signal)
    if (pending.isSettled) return pending.promise
    const running = pending as Pending
    this.#running.add(running)
    pending.onSettled = () => this.#running.delete(running)
    this.#transport.send(running)
    return pending.promise
  }

  /** Prepares and sends a call. */
  async call<Value>(
    call: string,
    answer: Answer<Value>,
    options: CallOptions | undefined,
    write: (writer: Writer) => void,
  ): Promise<Value> {
    return this.send(this.prepare(call, answer, write), options)
  }

  /** Refuses further calls, and resolves when the running ones have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#transport.close()
    await Promise.allSettled([...this.#running].map(({ promise }) => promise))
  }

  #nextSequence(): number {
    this.#sequence = this.#sequence === maxSequence ? 1 : this.#sequence + 1
    return this.#sequence
  }

  #request(call: string, write: (writer: Writer) => void): Uint8Array {
    // An argument with getters could call the client again, in the middle of a request.
    if (this.#isWriting) throw refused(call, new Refusal('', 'an argument called the client while it was read'))
    const writer = this.#writer
    this.#isWriting = true
    writer.begin(wireNameOf(call), this.#sequence)
    try {
      return refusing(call, () => {
        write(writer)
        const request = writer.finish()
        const { maxRequestBytes } = this.#settings
        if (request.length > maxRequestBytes) {
          throw new Refusal(
            '',
            `the request has ${request.length} bytes. At most ${maxRequestBytes} are allowed (maxRequestBytes): divide it`,
          )
        }
        return request
      })
    } catch (error) {
      writer.cancel()
      throw error
    } finally {
      this.#isWriting = false
    }
  }
}
