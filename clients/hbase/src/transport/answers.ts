// Tested by results.test.ts and fuzz.test.ts.
import { printable, show } from '../show.js'
import { Input, MalformedAnswer, type Reading } from '../thrift/input.js'
import { bool, int32, skip, struct, text } from '../thrift/read.js'
import { EXCEPTION, REPLY, STOP, STRUCT, VERSION_1 } from '../thrift/types.js'
import type { Pending } from './pending.js'

/** Longer than the name of any call. */
const maxNameLength = 100

interface ServerError {
  readonly message?: string
  readonly canRetry?: boolean
}
/** `TIOError`, and `TIllegalArgument` without the second field. */
const serverError = struct<ServerError>({ 1: { name: 'message', reader: text }, 2: { name: 'canRetry', reader: bool } }, [])

interface GatewayError {
  readonly message?: string
  readonly type?: number
}
/** `TApplicationException` */
const gatewayError = struct<GatewayError>({ 1: { name: 'message', reader: text }, 2: { name: 'type', reader: int32 } }, [])

/** Reads the answers of one connection as they arrive, and settles the calls that they answer. */
export class Answers {
  readonly #input = new Input()
  readonly #isFramed: boolean
  readonly #maxBytes: number
  readonly #next: () => Pending | undefined
  readonly #done: () => void
  #reading: Reading<void> | undefined

  /** `next`: the call that is answered next, which stays until `done`. */
  constructor(isFramed: boolean, maxBytes: number, next: () => Pending | undefined, done: () => void) {
    this.#isFramed = isFramed
    this.#maxBytes = maxBytes
    this.#next = next
    this.#done = done
  }

  /** @throws MalformedAnswer */
  push(bytes: Uint8Array): void {
    if (!this.#input.append(bytes)) return
    do {
      this.#reading ??= this.#read()
      if (this.#reading.next().done !== true) return
      this.#reading = undefined
    } while (!this.#input.isEmpty)
  }

  *#read(): Reading<void> {
    const input = this.#input
    input.begin(this.#isFramed ? 4 : this.#maxBytes)
    if (this.#isFramed) {
      while (!input.has(4)) yield
      const length = input.int32()
      if (length < 0 || length > this.#maxBytes)
        throw new MalformedAnswer(`a frame has ${length} bytes where at most ${this.#maxBytes} are allowed`)
      input.begin(length)
    }
    const { kind, pending } = yield* this.#readHead()
    // An answer that nobody waits for is passed over without a trace.
    if (pending.isSettled) yield* skip(input, STRUCT)
    else if (kind === EXCEPTION) gatewayFailed(pending, yield* gatewayError.read(input))
    else yield* this.#readReply(pending)
    if (this.#isFramed && !input.isAtLimit) throw new MalformedAnswer('a frame is longer than its answer')
    this.#done()
  }

  /** The kind of the answer, and the call that it answers. */
  *#readHead(): Reading<{ readonly kind: number; readonly pending: Pending }> {
    const input = this.#input
    while (!input.has(8)) yield
    const version = input.int32()
    if (version >>> 16 !== VERSION_1) throw new MalformedAnswer('it is not in the binary protocol of Thrift')
    const length = input.int32()
    if (length < 0 || length > maxNameLength) throw new MalformedAnswer(`the name of its call has ${length} bytes`)
    while (!input.has(length + 4)) yield
    const name = Buffer.from(input.view(length)).toString('latin1')
    const sequence = input.int32()
    const pending = this.#next()
    if (pending === undefined) throw new MalformedAnswer(`it answers ${show(name)}, and nothing was asked`)
    if (name !== pending.wireName || sequence !== pending.sequence) {
      throw new MalformedAnswer(
        `it answers ${show(name)}, number ${sequence}, where ${pending.wireName}, number ${pending.sequence}, is next`,
      )
    }
    const kind = version & 0xff
    if (kind !== REPLY && kind !== EXCEPTION) throw new MalformedAnswer(`there is no kind ${kind} of answers`)
    return { kind, pending }
  }

  *#readReply(pending: Pending): Reading<void> {
    const input = this.#input
    const { answer } = pending
    let value: unknown
    let hasValue = answer === undefined
    let error: ServerError | undefined
    for (;;) {
      while (!input.has(1)) yield
      const type = input.byte()
      if (type === STOP) break
      while (!input.has(2)) yield
      const id = input.int16()
      if (id === 0 && answer?.type === type) {
        value = yield* answer.read(input)
        hasValue = true
      } else if ((id === 1 || id === 2) && type === STRUCT) error = yield* serverError.read(input)
      else yield* skip(input, type)
    }
    if (error !== undefined) serverFailed(pending, error)
    else if (hasValue) pending.resolve(value)
    else throw new MalformedAnswer('it has no result')
  }
}

const maxMessage = 500

/** What the gateway repeated until it gave up has one line for each attempt: that of the last one says why. */
const attempt = /^\d{4}-\d\d-\d\dT[^ ]+, [^{\n]*\{[^}\n]*\}, (.+)$/gm

function firstLineOf(message: string): string {
  const [line = ''] = message.split(/\r?\n/, 1)
  if (!line.startsWith('Failed after attempts=')) return line
  return [...message.matchAll(attempt)].at(-1)?.[1] ?? line
}

function serverFailed(pending: Pending, { message = '', canRetry = false }: ServerError): void {
  const line = firstLineOf(message)
  const serverMessage = printable(line.length > maxMessage ? `${line.slice(0, maxMessage)}…` : line)
  const javaClass = /^(?:[\w$]+\.)*([A-Z]\w*(?:Exception|Error))(?::|$)/.exec(line)?.[1]
  pending.fail('SERVER', `was refused by HBase: ${serverMessage === '' ? '(no message)' : serverMessage}`, {
    canRetry,
    serverMessage,
    ...(javaClass === undefined ? {} : { javaClass }),
  })
}

const unknownMethod = 1

function gatewayFailed(pending: Pending, { message = '', type }: GatewayError): void {
  const remedy =
    type === unknownMethod
      ? 'The gateway does not know this call: it is a Thrift1 gateway, or older.'
      : 'Its log says why: an argument that it does not take, or a fault of its own.'
  pending.fail('GATEWAY', `failed in the gateway: ${show(message)}. ${remedy}`)
}
