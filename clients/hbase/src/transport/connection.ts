import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Settings } from '../options.js'
import { MalformedAnswer } from '../thrift/input.js'
import { Answers } from './answers.js'
import { handshakeOf, isOfOther, thrift2, unreachable, type Unreachable } from './handshake.js'
import type { Pending } from './pending.js'
import { Queue } from './queue.js'

/** How long an answer that nobody waits for may hold up others. */
const patience = 1_000

/** It is gone. `unsent` have not been handed to the socket; `reason` is there if it never was open. */
export type Closed = (unsent: readonly Pending[], reason: Unreachable | undefined) => void

/** A connection over TCP or TLS. Requests are sent in their order without waiting, and answered in the same order. */
export class Connection {
  readonly #settings: Settings
  readonly #closed: Closed
  readonly #socket: Socket
  readonly #answers: Answers
  readonly #sent = new Queue<Pending>()
  #waiting: Pending[] = []
  #state: 'opening' | 'open' | 'closed' = 'opening'
  #isRetired = false
  #isCorked = false
  #timer: NodeJS.Timeout | undefined
  #firstBytes: Uint8Array | undefined

  constructor(settings: Settings, closed: Closed) {
    this.#settings = settings
    this.#closed = closed
    this.#answers = new Answers(
      settings.transport === 'framed',
      settings.maxAnswerBytes,
      () => this.#sent.first,
      () => this.#answered(),
    )
    const { host, port, tls, connectTimeout, idleTimeout } = settings
    const isTls = tls !== undefined
    const name = isIP(host) === 0 ? { servername: host } : {}
    this.#socket = isTls ? connectTls({ ...name, ...tls, host, port }) : connectTcp({ host, port })
    this.#socket.setNoDelay(true)
    this.#socket.once(isTls ? 'secureConnect' : 'connect', () => this.#greet())
    this.#socket.on('data', (bytes) => this.#read(bytes))
    this.#socket.on('end', () => this.#close('the gateway closed the connection'))
    this.#socket.on('close', () => this.#close('the connection was closed'))
    this.#socket.on('error', (error) => this.#close('the connection broke', error))
    this.#socket.on('timeout', () => this.load === 0 && this.#close('it was idle'))
    this.#timer = setTimeout(() => this.#close(`it did not answer within ${connectTimeout} ms`), connectTimeout)
    this.#socket.setTimeout(idleTimeout)
  }

  /** How many calls are before a new one. */
  get load(): number {
    return this.#sent.length + this.#waiting.length
  }

  /** Whether it takes calls. */
  get isUsable(): boolean {
    return this.#state !== 'closed' && !this.#isRetired
  }

  /** Whether it has an answer to an earlier question, and so takes calls immediately. */
  get isOpen(): boolean {
    return this.#state === 'open' && !this.#isRetired
  }

  send(pending: Pending): void {
    if (this.#state === 'open') this.#write(pending)
    else this.#waiting.push(pending)
    pending.onGivenUp = () => this.#givenUp(pending)
  }

  /** Closes it as soon as no call waits. */
  retire(): void {
    this.#isRetired = true
    this.#closeIfUnused()
  }

  #greet(): void {
    const handshake = handshakeOf(this.#settings.transport === 'framed')
    handshake.promise.then(
      (type) => this.#greeted(type),
      // It is rejected because the connection was closed, or because the gateway does not know the call.
      (error: unknown) => this.#close((error as Error).message, error as Error),
    )
    this.#write(handshake)
  }

  #greeted(type: number): void {
    if (this.#state !== 'opening') return
    if (type !== thrift2) {
      this.#close(`it is a gateway of the older Thrift1 (it says that it is of type ${type})`)
      return
    }
    clearTimeout(this.#timer)
    this.#state = 'open'
    const waiting = this.#waiting
    this.#waiting = []
    for (const pending of waiting) if (!pending.isSettled) this.#write(pending)
    this.#restOrRef()
    this.#closeIfUnused()
  }

  #write(pending: Pending): void {
    pending.isSent = true
    this.#sent.push(pending)
    if (this.#sent.length === 1) this.#restOrRef()
    // Requests of one tick leave together.
    if (!this.#isCorked) {
      this.#isCorked = true
      this.#socket.cork()
      process.nextTick(() => {
        this.#isCorked = false
        this.#socket.uncork()
      })
    }
    this.#socket.write(pending.request)
  }

  #read(bytes: Uint8Array): void {
    if (this.#state === 'closed') return
    if (this.#firstBytes === undefined) {
      this.#firstBytes = bytes
      if (isOfOther(this.#settings, bytes)) {
        this.#close('it does not answer as a gateway with this transport')
        return
      }
    }
    try {
      this.#answers.push(bytes)
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error
      // Whatever came, it came where the answer of this one belongs.
      this.#sent.first?.fail('MALFORMED_ANSWER', `was answered wrongly: ${error.message}.`)
      this.#close(`an answer was wrong: ${error.message}`, error)
    }
  }

  #answered(): void {
    if (this.#sent.first !== undefined) this.#sent.first.isAnswered = true
    this.#sent.shift()
    if (this.#sent.length === 0) this.#restOrRef()
    this.#closeIfUnused()
  }

  /** A connection without calls does not keep the process alive. */
  #restOrRef(): void {
    if (this.#sent.length === 0) this.#socket.unref()
    else this.#socket.ref()
  }

  #givenUp(pending: Pending): void {
    if (this.#state === 'closed') return
    const waiting = this.#waiting.indexOf(pending)
    if (waiting >= 0) this.#waiting.splice(waiting, 1)
    if (!pending.isSent || this.#isRetired) {
      this.#closeIfUnused()
      return
    }
    // Its answer may be on its way. If it is not, no other call shall wait for it.
    setTimeout(() => !pending.isAnswered && this.retire(), patience).unref()
  }

  #closeIfUnused(): void {
    if (this.#isRetired && this.#waiting.length === 0 && this.#sent.all().every((pending) => pending.isSettled))
      this.#close('it was retired')
  }

  #close(reason: string, cause?: Error): void {
    if (this.#state === 'closed') return
    const wasOpen = this.#state === 'open'
    this.#state = 'closed'
    clearTimeout(this.#timer)
    const unsent = this.#waiting.filter((pending) => !pending.isSettled)
    this.#waiting = []
    for (const pending of this.#sent.all()) {
      pending.fail(
        'CONNECTION_LOST',
        `was sent and not answered: ${reason}. The server may have executed it.`,
        {},
        cause === undefined ? undefined : { cause },
      )
    }
    this.#socket.destroy()
    const why = wasOpen ? undefined : unreachable(this.#settings, reason, this.#firstBytes, cause)
    this.#closed(unsent, why)
  }
}
