import { inTime, type Cancellation } from '@rowkey/store'

const ofClients = new WeakMap<object, Turns>()

/** Those that all adapters of a client share. */
export function turnsOf(client: object): Turns {
  const known = ofClients.get(client) ?? new Turns()
  ofClients.set(client, known)
  return known
}

/** One after the other, by name: conditional writes of one process to one partition would only hinder each other at the server. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>()

  /** Who has no time left, or was given up, does not wait for its turn: `run` then comes too early, and has to see that nobody waits. */
  take<T>(name: string, run: () => Promise<T>, cancellation?: Cancellation): Promise<T> {
    const before = this.last.get(name)
    const ran = before === undefined ? run() : inTime(cancellation, before).then(run, run)
    const mine = Promise.allSettled([before, ran]).then(() => {
      if (this.last.get(name) === mine) this.last.delete(name)
    })
    this.last.set(name, mine)
    return ran
  }
}
