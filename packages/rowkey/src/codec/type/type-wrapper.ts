import type { ColumnType } from './column-type.js'
import { show } from '../show.js'

/** Registered, so that two loaded copies of the package recognise each other's wrappers. */
const wrapperBrand: unique symbol = Symbol.for('rowkey.wrapper')

/**
 * desc() or nullable() without a type. It is not a column type: only a decorator of a field takes it, and wraps the type that it
 * infers from the field. `N` is `'null'` for nullable().
 */
export interface TypeWrapper<out N extends 'null' = never> {
  (type: ColumnType): ColumnType
  readonly [wrapperBrand]: { readonly text: string; readonly nullable: N }
}

/**
 * Whether `given` is desc() or nullable() without a type, also of another copy of this package.
 *
 * @example
 * ```ts
 * isTypeWrapper(desc()) //=> true
 * isTypeWrapper(desc)   //=> false
 * ```
 */
export function isTypeWrapper(given: unknown): given is TypeWrapper<'null'> {
  return typeof given === 'function' && wrapperBrand in given
}

/**
 * What is not a column type, as a message names it.
 *
 * @internal
 * @example
 * ```ts
 * shownType(desc()) //=> 'desc() without a type'
 * shownType('text') //=> '"text"'
 * ```
 */
export function shownType(given: unknown): string {
  return isTypeWrapper(given) ? `${given[wrapperBrand].text} without a type` : show(given)
}

/** `inner`: another one, which is applied first, or undefined. */
export function typeWrapper(name: string, wrap: (type: ColumnType) => ColumnType, inner: unknown): TypeWrapper<'null'> {
  const isWrapped = isTypeWrapper(inner)
  const made = (type: ColumnType): ColumnType => wrap(isWrapped ? inner(type) : type)
  const text = `${name}(${isWrapped ? inner[wrapperBrand].text : ''})`
  return Object.freeze(Object.defineProperty(made, wrapperBrand, { value: { text } })) as unknown as TypeWrapper<'null'>
}
