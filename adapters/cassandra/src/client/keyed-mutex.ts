import { inTime, type Cancellation } from '@rowkey/store/adapter'

const ofClients = new WeakMap<object, KeyedMutex>()

/** The mutex that all adapters of a client share. */
export function mutexOf(client: object): KeyedMutex {
  const known = ofClients.get(client) ?? new KeyedMutex()
  ofClients.set(client, known)
  return known
}

/** Calls with the same key run one after the other: conditional writes of one process to one partition would only hinder each other. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>()

  /** A caller who is given up does not wait any longer: `call` then runs too early, and has to see that nobody waits. */
  run<T>(key: string, call: () => Promise<T>, cancellation?: Cancellation): Promise<T> {
    const before = this.last.get(key)
    const ran = before === undefined ? call() : inTime(cancellation, before).then(call, call)
    const mine = Promise.allSettled([before, ran]).then(() => {
      if (this.last.get(key) === mine) this.last.delete(key)
    })
    this.last.set(key, mine)
    return ran
  }
}
