import type { Value } from './column-type.js'
import { fromHex, toHex } from '../hex.js'

/**
 * A value as JSON. JSON has no bigint, bytes, NaN or -0: these are objects with their type as the property name, such as
 * `{ bigint: '9007199254740993' }` and `{ bytes: '00ff' }`.
 */
export type ValueJSON =
  null | boolean | number | string | { readonly bigint: string } | { readonly bytes: string } | { readonly number: string }

/**
 * A canonical value as JSON.
 *
 * @internal
 * @example
 * ```ts
 * valueToJSON(5)                         //=> 5
 * valueToJSON(5n)                        //=> { bigint: '5' }
 * valueToJSON(new Uint8Array([0, 0xff])) //=> { bytes: '00ff' }
 * valueToJSON(-0)                        //=> { number: '-0' }
 * ```
 */
export function valueToJSON(value: Value): ValueJSON {
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (value instanceof Uint8Array) return { bytes: toHex(value) }
  if (Object.is(value, -0)) return { number: '-0' }
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value
}

/**
 * The exact inverse of {@link valueToJSON}. It trusts its caller.
 *
 * @internal
 * @example
 * ```ts
 * valueFromJSON({ bigint: '5' }) //=> 5n
 * ```
 */
export function valueFromJSON(json: ValueJSON): Value {
  if (typeof json !== 'object' || json === null) return json
  if ('bigint' in json) return BigInt(json.bigint)
  return 'bytes' in json ? fromHex(json.bytes) : Number(json.number)
}
