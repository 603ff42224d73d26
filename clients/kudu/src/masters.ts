import { KuduError } from './error.js'
import type { Settings } from './options.js'
import type { MasterErrorPB, MasterResponsePB, Method } from './proto/messages.js'
import { connectToMaster } from './proto/messages.js'
import type { Connections } from './transport/connections.js'
import { said } from './transport/refusals.js'
import { Waiting } from './transport/waiting.js'

/** Milliseconds until a master that does not answer is taken for dead. Changes cannot be repeated, and wait as long as their caller does. */
const attemptTimeout = 5_000
/** A master says fast which role it has. */
const roleTimeout = 2_000

/** The masters, of which one leads at a time. */
export class Masters {
  readonly #settings: Settings
  readonly connections: Connections
  #leader: string | undefined
  /** Shared by the calls that wait for it. */
  #finding: Promise<string> | undefined
  #wasFound = false

  constructor(settings: Settings, connections: Connections) {
    this.#settings = settings
    this.connections = connections
    connections.security.renew = () => this.#lookFor()
  }

  /**
   * What the leader answers, with as many attempts as the time allows. Methods that change something are not repeated where an attempt may
   * have been executed. @throws KuduError also for what the leader refuses
   */
  async call<Request, Response extends MasterResponsePB>(
    method: Method<Request, Response>,
    request: Request,
    waiting: Waiting,
  ): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      let failure: KuduError
      try {
        const leader = await this.#find(waiting)
        const { message } = await this.connections.call(
          leader,
          method,
          request,
          waiting,
          method.changes === true ? {} : { timeout: attemptTimeout },
        )
        if (message.error === undefined) return message
        failure = refusal(message.error, waiting)
        if (!isOfOtherLeader(message.error)) throw failure
        this.#lose(leader)
      } catch (error) {
        if (!(error instanceof KuduError) || waiting.isOver || !this.#canRepeat(error, method)) throw error
        if (error.status !== 'ERROR_SERVER_TOO_BUSY') this.#leader = undefined
        failure = error
      }
      await waiting.sleep(delayOf(attempt), failure)
    }
  }

  #canRepeat({ code, status, isSent }: KuduError, { changes = false }: { readonly changes?: boolean | undefined }): boolean {
    if (isSent && changes) return false
    if (code === 'UNREACHABLE') return this.#wasFound
    return code === 'CONNECTION_LOST' || (code === 'SERVER' && isPassing(status))
  }

  #lose(leader: string): void {
    if (this.#leader === leader) this.#leader = undefined
  }

  /** The leader, as soon as it is known. @throws KuduError if the caller does not wait so long, or nothing answers */
  async #find(waiting: Waiting): Promise<string> {
    if (this.#leader !== undefined) return this.#leader
    const finding = this.#lookFor()
    let over: (() => void) | undefined
    try {
      return await Promise.race([finding, new Promise<never>((_, reject) => waiting.onOver((over = () => reject(waiting.overError()))))])
    } catch (error) {
      if (!(error instanceof KuduError) || error.call === waiting.call) throw error
      const { code, message, status, serverMessage } = error
      // Of the look for the leader only: the call itself may have more time.
      if (code === 'TIMEOUT')
        throw waiting.error(
          'UNREACHABLE',
          `was not sent: no master answered within ${this.#settings.connectTimeout} ms.`,
          { isSent: false },
          error,
        )
      throw waiting.error(code, message.slice(`${error.call}() `.length), { status, serverMessage, isSent: false }, error)
    } finally {
      if (over !== undefined) waiting.leave(over)
    }
  }

  #lookFor(): Promise<string> {
    this.#finding ??= this.#ask().finally(() => (this.#finding = undefined))
    return this.#finding
  }

  /** Asks all masters at the same time. The first one that leads is taken. */
  async #ask(): Promise<string> {
    const { masters } = this.#settings
    return Waiting.during('connect', {}, this.#settings.connectTimeout, async (waiting) => {
      const failures: KuduError[] = []
      let followers = 0
      const asked = masters.map(async (address) => {
        try {
          const { message } = await this.connections.call(address, connectToMaster, {}, waiting, { timeout: roleTimeout })
          if (message.error === undefined && message.role === 'LEADER') {
            this.connections.security.learn(message.authnToken, message.caCertDer)
            return address
          }
          followers++
        } catch (error) {
          failures.push(error as KuduError)
        }
        throw waiting.error('UNREACHABLE', '', { isSent: false })
      })
      try {
        this.#leader = await Promise.any(asked)
        this.#wasFound = true
        return this.#leader
      } catch {
        const failure = failures.find(({ code }) => code === 'NOT_AUTHORIZED') ?? failures[0]
        if (failure !== undefined && followers === 0) throw failure
        this.#wasFound = true
        throw waiting.error('UNREACHABLE', 'was not sent: no master of Kudu leads at the moment.', { isSent: false })
      }
    })
  }
}

/** Another master leads, or this one does not know yet that it does. */
const isOfOtherLeader = ({ code, status }: MasterErrorPB): boolean =>
  code === 'NOT_THE_LEADER' || code === 'CATALOG_MANAGER_NOT_INITIALIZED' || status.code === 'SERVICE_UNAVAILABLE'

/** Refusals of a moment. */
const isPassing = (status: string | undefined): boolean =>
  status === 'ERROR_SERVER_TOO_BUSY' || status === 'ERROR_UNAVAILABLE' || status === 'FATAL_SERVER_SHUTTING_DOWN'

/** Milliseconds before the next attempt: longer each time, and not the same for all. */
export const delayOf = (attempt: number): number => Math.min(1_000, 20 * 2 ** Math.min(attempt, 6)) * (0.5 + Math.random() / 2)

/** What a master said, as an error. */
function refusal({ code, status }: MasterErrorPB, waiting: Waiting): KuduError {
  const serverMessage = said(status.message ?? '')
  const name = code === 'UNKNOWN_ERROR' ? status.code : code
  const kind =
    code === 'TABLE_NOT_FOUND'
      ? 'NOT_FOUND'
      : code === 'TABLE_ALREADY_PRESENT'
        ? 'ALREADY_PRESENT'
        : name === 'NOT_AUTHORIZED'
          ? 'NOT_AUTHORIZED'
          : 'SERVER'
  const problem = `was refused by the master: ${serverMessage === '' ? '(no message)' : serverMessage} (${name}).`
  return waiting.error(kind, problem, { status: name, serverMessage, isSent: false })
}
