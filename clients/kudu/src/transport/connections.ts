// Tested by connection.test.ts.
import type { Settings } from '../options.js'
import type { Method } from '../proto/messages.js'
import { Connection } from './connection.js'
import { bodyOf, Pending, type Answered, type AttemptOptions } from './pending.js'
import { Security } from './security.js'
import type { Waiting } from './waiting.js'

/** Kudu resets the connection on a larger request. */
const maxRequestBytes = 50 * 2 ** 20
/** For the header of a request. */
const reserve = 1_024

/** The connections to all servers, one each, opened when calls need them. */
export class Connections {
  readonly #settings: Settings
  readonly #byAddress = new Map<string, Connection>()
  readonly security: Security

  constructor(settings: Settings) {
    this.#settings = settings
    this.security = new Security(settings)
  }

  /**
   * Sends a request to a server once. The request is read before it returns. An attempt that fails has a `KuduError` with `isSent` of this
   * attempt; one that ends with its call has that of all attempts.
   */
  call<Request, Response>(
    address: string,
    method: Method<Request, Response>,
    request: Request,
    waiting: Waiting,
    options: AttemptOptions = {},
  ): Promise<Answered<Response>> {
    try {
      waiting.throwIfOver()
      const body = bodyOf(method, request)
      if (body.length > maxRequestBytes - reserve) {
        const problem = `was not sent: a request of ${body.length} bytes is larger than Kudu takes (${maxRequestBytes}).`
        throw waiting.error('INVALID_ARGUMENT', problem, { isSent: false })
      }
      const pending = new Pending(method as Method<never, Response>, body, waiting, options)
      this.#to(address).send(pending)
      return pending.promise
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Closes connections as soon as no call uses them. */
  close(): void {
    for (const connection of [...this.#byAddress.values()]) connection.retire()
  }

  #to(address: string): Connection {
    const known = this.#byAddress.get(address)
    if (known?.isUsable === true) return known
    const connection: Connection = new Connection(address, this.#settings, this.security, () => {
      if (this.#byAddress.get(address) === connection) this.#byAddress.delete(address)
    })
    this.#byAddress.set(address, connection)
    return connection
  }
}
