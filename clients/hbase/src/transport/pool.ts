import type { Settings } from '../options.js'
import { Connection } from './connection.js'
import type { Unreachable } from './handshake.js'
import type { Pending } from './pending.js'
import type { Transport } from './transport.js'

/** Connections over TCP or TLS, opened when calls need them. A call goes where the fewest are before it. */
export class Pool implements Transport {
  readonly #settings: Settings
  #connections: readonly Connection[] = []

  constructor(settings: Settings) {
    this.#settings = settings
  }

  send(pending: Pending): void {
    const usable = this.#connections.filter((connection) => connection.isUsable)
    const best = leastBusy(usable)
    if (best === undefined || (best.load > 0 && usable.length < this.#settings.connections)) this.#open().send(pending)
    else best.send(pending)
  }

  close(): void {
    for (const connection of this.#connections) connection.retire()
  }

  #open(): Connection {
    const connection = new Connection(this.#settings, (unsent, reason) => this.#closed(connection, unsent, reason))
    this.#connections = [...this.#connections, connection]
    return connection
  }

  /** Calls that were not sent go to another connection. If this one could not be opened, only one that is open will do: a new one would fail as well. */
  #closed(gone: Connection, unsent: readonly Pending[], reason: Unreachable | undefined): void {
    this.#connections = this.#connections.filter((connection) => connection !== gone)
    for (const pending of unsent) {
      const open = leastBusy(this.#connections.filter((connection) => connection.isOpen))
      if (reason === undefined) this.send(pending)
      else if (open !== undefined) open.send(pending)
      else pending.fail('UNREACHABLE', reason.problem, {}, reason.cause === undefined ? undefined : { cause: reason.cause })
    }
  }
}

function leastBusy(connections: readonly Connection[]): Connection | undefined {
  let best: Connection | undefined
  for (const connection of connections) if (best === undefined || connection.load < best.load) best = connection
  return best
}
