// Tested by strict.test.ts.
import type { ColumnType, Trait, TypeData } from '../type/column-type.js'
import { checkOptions } from '../check.js'
import { show } from '../show.js'
import { invalidType, withData } from '../type/make-type.js'
import { isColumnType } from '../type/type-impl.js'
import { isTypeWrapper, shownType, typeWrapper, type TypeWrapper } from '../type/type-wrapper.js'

/**
 * The same column in descending order: every byte of its encoding is complemented. Predicates keep their meaning, `gt` stays
 * "greater than". Only the order of rows is reversed. The order of desc() and {@link nullable} around each other does not matter.
 * Without a type it is for decorators, which infer the type from the field.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if it is descending already.
 * @example
 * ```ts
 * toHex(keyLayout([['n', desc(uint8())]]).encode({ n: 1 })) //=> 'fe'
 * ```
 */
export function desc<V, T extends Trait>(type: ColumnType<V, T>): ColumnType<V, T>
export function desc<N extends 'null'>(inner: TypeWrapper<N>): TypeWrapper<N>
export function desc(): TypeWrapper
export function desc(...given: readonly unknown[]): unknown {
  const [type] = given
  if (given.length === 0 || isTypeWrapper(type)) return typeWrapper('desc', desc, type)
  checkWrapped('desc', type)
  if (type.desc) throw notWrapped('desc', type, 'It is already descending. Leave one desc() out.')
  return withData(type, { desc: true })
}

/**
 * The column may hold null. In a key, one marker byte before the value says where nulls sort: `nulls: 'first'` (default) null `00`, value
 * `01` + encoding; `'last'` value `01` + encoding, null `02`. {@link desc} does not change the marker, so nullable()
 * around desc() and desc() around nullable() are the same column. Without a type it is for decorators, which infer the type from the field.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if it is nullable already.
 * @example
 * ```ts
 * toHex(keyLayout([['n', nullable(uint8())]]).encode({ n: null })) //=> '00'
 * ```
 */
export function nullable<V, T extends Trait>(
  type: ColumnType<V, T>,
  options?: { readonly nulls: 'first' | 'last' },
): ColumnType<V | null, T | 'null'>
export function nullable(...inner: [] | [TypeWrapper]): TypeWrapper<'null'>
export function nullable(...given: readonly [type?: unknown, options?: { readonly nulls: 'first' | 'last' }]): unknown {
  const [type, options] = given
  if (given.length === 0 || (isTypeWrapper(type) && options === undefined)) return typeWrapper('nullable', nullable, type)
  checkWrapped('nullable', type)
  if (type.nullable) throw notWrapped('nullable', type, 'It is already nullable. Leave one nullable() out.')
  const invalid = (message: string): Error => invalidType(type.kind, message)
  if (options !== undefined) checkOptions('nullable()', options, ['nulls'], invalid)
  const nulls = options?.nulls ?? 'first'
  if (nulls === 'first' || nulls === 'last') return withData(type, { nullable: true, nulls })
  throw invalid(`nulls cannot be ${show(nulls)}. Use 'first' or 'last'.`)
}

export function checkWrapped(wrapper: string, given: unknown): asserts given is TypeData {
  if (isColumnType(given)) return
  throw invalidType(wrapper, `${wrapper}() cannot wrap ${shownType(given)}. Give a column type such as text() or int64().`)
}

export function notWrapped(wrapper: string, type: TypeData, remedy: string): Error {
  return invalidType(type.kind, `${wrapper}() cannot wrap this ${type.kind} column. ${remedy}`)
}
