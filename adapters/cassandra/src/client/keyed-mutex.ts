import { inTime, type Cancellation } from '@rowkey/store/adapter'

const ofClients = new WeakMap<object, KeyedMutex>()

/** The mutex that all adapters of a client share. */
export function mutexOf(client: object): KeyedMutex {
  const known = ofClients.get(client) ?? new KeyedMutex()
  ofClients.set(client, known)
  return known
}

/** Calls with the same key run one after the other, because concurrent conditional writes to one partition only hinder each other. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>()

  /** If the caller is cancelled, `call` runs before its turn, and has to check the cancellation itself. */
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
