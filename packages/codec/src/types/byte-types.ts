import type { ColumnType, TypeFactory, TypeOptions } from './column-type.js'
import { codecError } from '../error.js'
import { show } from '../values/show.js'
import { bytesKind, fixedBytesKind, jsonKind } from '../kinds/bytes.js'
import { make } from './make.js'

/**
 * Bytes of any length, compared unsigned. Encoded like text: `00` → `00 01`, then `00 00`.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['b', bytes()]]).encode({ b: new Uint8Array([0, 255]) })) //=> '0001ff0000'
 * ```
 */
export const bytes: TypeFactory<Uint8Array, 'range'> = (options?: object) => make({ kind: 'bytes' }, bytesKind, options)

/**
 * Exactly `length` bytes, written as they are.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `length` is not from 1 to 1000.
 * @example
 * ```ts
 * toHex(keyLayout([['b', fixedBytes(2)]]).encode({ b: new Uint8Array([0, 255]) })) //=> '00ff'
 * ```
 */
export function fixedBytes(
  length: number,
  options: TypeOptions & { readonly default: Uint8Array },
): ColumnType<Uint8Array, 'range' | 'default'>
export function fixedBytes(length: number, options?: TypeOptions): ColumnType<Uint8Array, 'range'>
export function fixedBytes(length: number, options?: TypeOptions): ColumnType<Uint8Array, 'range'> {
  if (!Number.isInteger(length) || length < 1 || length > 1000) {
    throw codecError('INVALID_COLUMN_TYPE', `fixedBytes(${show(length)}) needs a length from 1 to 1000.`, { type: 'fixedBytes' })
  }
  return make({ kind: 'fixedBytes', width: length }, fixedBytesKind, options)
}

/** Plain JSON data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/**
 * Plain JSON data in a value column, stored as its text; not for key columns. What JSON would drop or change (undefined, NaN,
 * Date, class instances, lone surrogates) is refused, and so are more than 1,000 lists and objects within each other.
 *
 * @example
 * ```ts
 * values(json(), 'tags').toValue(['new', 1])     //=> '["new",1]'
 * values(json(), 'tags').fromValue('["new",1]')  //=> [ 'new', 1 ]
 * values(json(), 'tags').toValue({ at: NaN })    //=> throws INVALID_VALUE: column 'tags' cannot hold an object.
 * ```
 */
export function json<V = Json>(options: TypeOptions & { readonly default: NoInfer<V> }): ColumnType<V, 'default'>
export function json<V = Json>(options?: TypeOptions): ColumnType<V, never>
export function json(options?: TypeOptions): ColumnType<never, never> {
  return make({ kind: 'json', ordered: false }, jsonKind, options)
}
