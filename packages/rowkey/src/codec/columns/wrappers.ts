// Tested by strict.test.ts.
import type { ColumnType, Trait, TypeData } from '../type/column-type.js'
import { checkOptions } from '../check.js'
import { show } from '../show.js'
import { invalidType, withData } from '../type/make-type.js'
import { aConstant, isConstant } from '../type/constant.js'
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
export function desc<C extends ColumnType>(type: C): C
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
  if (type.followedBy !== undefined) throw notWrapped('nullable', type, neverNull)
  const invalid = (message: string): Error => invalidType(type.kind, message)
  if (options !== undefined) checkOptions('nullable()', options, ['nulls'], invalid)
  const nulls = options?.nulls ?? 'first'
  if (nulls === 'first' || nulls === 'last') return withData(type, { nullable: true, nulls })
  throw invalid(`nulls cannot be ${show(nulls)}. Use 'first' or 'last'.`)
}

const neverNull = 'Constant text follows its values, and null has none to follow. Leave out followedBy() or nullable().'

/**
 * The same column with constant text after its value in the key, as in `user + '_' + …`. It is always written, and checked on reading. The
 * column keeps its order, ranges and hashes. The text is not complemented: {@link desc} inside and outside followedBy() is the same column.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if the text is not of 1 to 8 UTF-16 units, or the column is nullable or has such a text already.
 * @example
 * ```ts
 * toHex(keyLayout([['day', followedBy(fixedText(2), '_')], ['n', uint8()]]).encode({ day: '31', n: 1 })) //=> '33315f01'
 * toHex(keyLayout([['n', followedBy(desc(uint8()), '_')]]).encode({ n: 1 }))                             //=> 'fe5f'
 * ```
 */
export function followedBy<V, T extends Trait>(type: ColumnType<V, T>, constant: string): ColumnType<V, T> {
  checkWrapped('followedBy', type)
  if (type.nullable) throw notWrapped('followedBy', type, neverNull)
  if (type.followedBy !== undefined) throw notWrapped('followedBy', type, 'It has such text already. Join the two texts.')
  if (isConstant(constant)) return withData(type, { followedBy: constant })
  throw invalidType(type.kind, `followedBy() cannot add ${show(constant)}. Give ${aConstant}.`)
}

export function checkWrapped(wrapper: string, given: unknown): asserts given is TypeData {
  if (isColumnType(given)) return
  throw invalidType(wrapper, `${wrapper}() cannot wrap ${shownType(given)}. Give a column type such as text() or int64().`)
}

export function notWrapped(wrapper: string, type: TypeData, remedy: string): Error {
  return invalidType(type.kind, `${wrapper}() cannot wrap this ${type.kind} column. ${remedy}`)
}
