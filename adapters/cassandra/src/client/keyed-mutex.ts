import { KeyedMutex } from 'rowkey/adapter'

const ofClients = new WeakMap<object, KeyedMutex>()

/** The mutex that all adapters of a client share. */
export function mutexOf(client: object): KeyedMutex {
  const known = ofClients.get(client) ?? new KeyedMutex()
  ofClients.set(client, known)
  return known
}
