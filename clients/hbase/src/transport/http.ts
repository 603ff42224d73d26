import { Agent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import { HBaseError } from '../error.js'
import type { Settings } from '../options.js'
import { MalformedAnswer } from '../thrift/input.js'
import { Answers } from './answers.js'
import { handshakeOf, thrift2, unreachable } from './handshake.js'
import type { Pending } from './pending.js'
import type { Transport } from './transport.js'

/** Calls over HTTP or HTTPS: a POST for each, over connections that are kept. */
export class Http implements Transport {
  readonly #settings: Settings
  readonly #agent: Agent
  readonly #running = new Set<Pending>()
  readonly #connected = new WeakSet<Socket>()
  #handshake: Promise<void> | undefined
  #isClosed = false

  constructor(settings: Settings) {
    this.#settings = settings
    const { connections, idleTimeout, tls } = settings
    const kept = { keepAlive: true, maxSockets: connections, maxFreeSockets: connections, timeout: idleTimeout }
    this.#agent = tls === undefined ? new Agent(kept) : new HttpsAgent({ ...tls, ...kept })
  }

  send(pending: Pending): void {
    this.#running.add(pending)
    const ended = (): void => {
      this.#running.delete(pending)
      this.#closeIfUnused()
    }
    pending.promise.then(ended, ended)
    this.#handshake ??= this.#greet()
    this.#handshake.then(
      () => {
        if (!pending.isSettled) this.#post(pending)
      },
      (error: unknown) => pending.fail('UNREACHABLE', (error as Error).message, {}, { cause: (error as Error).cause }),
    )
  }

  close(): void {
    this.#isClosed = true
    this.#closeIfUnused()
  }

  #closeIfUnused(): void {
    if (this.#isClosed && this.#running.size === 0) this.#agent.destroy()
  }

  /** Asks once what answers there. After a failure the next call asks again. */
  async #greet(): Promise<void> {
    const handshake = handshakeOf(false)
    handshake.limit(this.#settings.connectTimeout, undefined)
    this.#post(handshake)
    try {
      const type = await handshake.promise
      if (type !== thrift2) throw new Error(`it is a gateway of the older Thrift1 (it says that it is of type ${type})`)
    } catch (error) {
      this.#handshake = undefined
      throw new Error(unreachable(this.#settings, reasonOf(error as Error, this.#settings), undefined, error as Error).problem, {
        cause: error,
      })
    }
  }

  #post(pending: Pending): void {
    const { host, port, path, headers, tls, maxAnswerBytes } = this.#settings
    const length = String(pending.request.length)
    const fixed = { 'content-type': 'application/x-thrift', accept: 'application/x-thrift', 'content-length': length }
    const options = { host, port, path, method: 'POST', agent: this.#agent, headers: { ...headers, ...fixed } }
    const request = tls === undefined ? requestHttp(options) : requestHttps({ ...tls, ...options })
    pending.onGivenUp = () => request.destroy()
    // As soon as the connection is ready, the server may get parts of it. One that a request has waited for has served others.
    const ready = (socket: Socket): void => {
      this.#connected.add(socket)
      pending.isSent = true
    }
    request.once('socket', (socket: Socket) => {
      if (this.#connected.has(socket)) ready(socket)
      else socket.once(tls === undefined ? 'connect' : 'secureConnect', () => ready(socket))
    })
    request.on('response', (response) => receive(response, pending, maxAnswerBytes))
    request.on('error', (error) => lost(pending, 'the connection broke', error))
    request.on('close', () => lost(pending, 'the connection was closed'))
    request.end(pending.request)
  }
}

/** Why the handshake failed, without what only matters of other calls. */
function reasonOf(error: Error, { connectTimeout }: Settings): string {
  if (!(error instanceof HBaseError)) return error.message
  if (error.code === 'TIMEOUT') return `it did not answer within ${connectTimeout} ms`
  return error.code === 'CONNECTION_LOST' || error.code === 'UNREACHABLE' ? 'the connection broke' : error.message
}

function lost(pending: Pending, reason: string, cause?: Error): void {
  const { isSent } = pending
  const options = cause === undefined ? undefined : { cause }
  if (isSent) pending.fail('CONNECTION_LOST', `was sent and not answered: ${reason}. The server may have executed it.`, {}, options)
  else pending.fail('UNREACHABLE', `was not sent: ${reason}.`, {}, options)
}

function receive(response: IncomingMessage, pending: Pending, maxBytes: number): void {
  const { statusCode = 0 } = response
  const wrong = (problem: string): void => {
    pending.fail('MALFORMED_ANSWER', `was answered wrongly: ${problem}.`)
    response.destroy()
  }
  if (statusCode !== 200) {
    pending.fail('GATEWAY', `was answered with HTTP status ${statusCode}. ${remedyFor(statusCode)}`)
    return void response.destroy()
  }
  if (Number(response.headers['content-length']) > maxBytes) {
    wrong(`it has more than ${maxBytes} bytes (maxAnswerBytes)`)
    return
  }
  let isAnswered = false
  const answers = new Answers(
    false,
    maxBytes,
    () => (isAnswered ? undefined : pending),
    () => (isAnswered = true),
  )
  response.on('data', (bytes: Uint8Array) => {
    try {
      answers.push(bytes)
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error
      wrong(error.message)
    }
  })
  response.on('end', () => pending.fail('MALFORMED_ANSWER', 'was answered wrongly: the answer ends too early.'))
  response.on('error', (error) => lost(pending, 'the connection broke', error))
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) return 'Look at the credentials in the option headers.'
  if (status === 404) return 'Look at the option path.'
  return 'The gateway, or a proxy before it, failed.'
}
