import type { Salt, SaltImpl } from './salt.js'
import { hashImpl, moduloImpl } from './bucket.js'
import { kuduHashImpl } from './kudu-hash.js'
import { hashPrefixImpl } from './hash-prefix.js'

// A record, so that a kind which is missing does not compile.
const builtIn: Readonly<Record<Salt['kind'], SaltImpl>> = {
  hash: hashImpl,
  modulo: moduloImpl,
  hashPrefix: hashPrefixImpl,
  hashPartition: kuduHashImpl,
}

const registered = new Map<string, SaltImpl>(Object.entries(builtIn))

/**
 * Makes a kind of salt known to schemas that are read from JSON. Salts made by a constructor need no registration.
 *
 * @internal
 * @example
 * ```ts
 * registerSalt('hash', registeredSalt('hash'))
 * registeredSalt('hash') === undefined //=> false
 * ```
 */
export function registerSalt(kind: string, impl: SaltImpl): void {
  registered.set(kind, impl)
}

/**
 * The implementation of a kind that JSON names; undefined for one that this version does not know.
 *
 * @internal
 * @example
 * ```ts
 * registeredSalt('geohash') //=> undefined
 * ```
 */
export function registeredSalt(kind: string): SaltImpl | undefined {
  return registered.get(kind)
}
