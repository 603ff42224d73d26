import type { Salt } from './salt-data.js'
import { laterOptions } from '../types/type-options.js'
import { saltKind } from './salt-kind.js'

/**
 * What the buckets and bytes of a salt depend on, as JSON data, its columns by the names that `nameOf` has for them. As with
 * {@link byteOptions}, the first five places never change, and later options follow.
 *
 * @internal
 * @example
 * ```ts
 * saltOptions(bucket({ of: 'host', count: 16 }), (name) => name) //=> [ 'hash', [ 'host' ], 16, 0, null ]
 * ```
 */
export function saltOptions(salt: Salt, nameOf: (column: string) => string | undefined): readonly unknown[] {
  const { kind, of, count, seed, digits, ...later } = salt
  return [kind, of.map(nameOf), count, seed ?? null, digits ?? null, ...laterOptions(later)]
}

/**
 * A salt as text, its columns by the names that `nameOf` has for them.
 *
 * @internal
 * @example
 * ```ts
 * saltText(bucket({ of: 'host', count: 16 }), (name) => name) //=> 'bucket(host; count 16)'
 * ```
 */
export function saltText(salt: Salt, nameOf: (column: string) => string | undefined): string {
  const columns = salt.of.map(nameOf).join(', ')
  return saltKind(salt).text?.(salt, columns) ?? `${salt.kind}(${columns})`
}
