import type { ColumnType, Trait, TypeData } from './column-type.js'
import { codecError } from '../error.js'
import { kindCode } from '../kinds/kind-code.js'
import { reversedKind } from '../kinds/reversed.js'
import { linked } from '../link.js'
import { checkOptions } from '../options.js'
import { integerKinds } from '../values/integer-range.js'
import { show } from '../values/show.js'
import { isColumnType } from './is-column-type.js'
import { remake } from './make.js'

/**
 * The same column in descending order: every byte of its encoding is complemented. Predicates keep their meaning, `gt` stays
 * "greater than"; only the order of rows turns. The order of desc() and {@link nullable} around each other does not matter.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if it is descending already.
 * @example
 * ```ts
 * toHex(keyLayout([['n', desc(uint8())]]).encode({ n: 1 })) //=> 'fe'
 * ```
 */
export function desc<V, T extends Trait>(type: ColumnType<V, T>): ColumnType<V, T> {
  checkType('desc', type)
  if (type.desc) throw refused('desc', type, 'It is descending already; leave one out.')
  return remake(type, { desc: true })
}

/**
 * The column may hold null. In a key, one marker byte in front says where nulls sort: `nulls: 'first'` (default) null `00`, value
 * `01` + encoding; `'last'` value `01` + encoding, null `02`. The marker is not turned by {@link desc}, so nullable()
 * around desc() and desc() around nullable() are the same column.
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
): ColumnType<V | null, T | 'null'> {
  checkType('nullable', type)
  if (type.nullable) throw refused('nullable', type, 'It is nullable already; leave one out.')
  const invalid = (message: string): Error => codecError('INVALID_COLUMN_TYPE', message, { type: type.kind })
  if (options !== undefined) checkOptions('nullable()', options, ['nulls'], invalid)
  const nulls = options?.nulls ?? 'first'
  if (nulls === 'first' || nulls === 'last') return remake(type, { nullable: true, nulls })
  throw invalid(`nulls cannot sort ${show(nulls)}. Use 'first' or 'last'.`)
}

/**
 * Vendor idiom `reverse(userid)`: the text, or the decimal digits of an integer, back to front by code point. Spreads ids that
 * begin alike; range and prefix queries are lost.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` for a type other than plain text or an integer.
 * @example
 * ```ts
 * toHex(keyLayout([['user', reversed(text())]]).encode({ user: 'abc' })) //=> '6362610000'
 * ```
 */
export function reversed<V, T extends Trait>(type: ColumnType<V, T>): ColumnType<V, Exclude<T, 'range' | 'prefix'>> {
  checkType('reversed', type)
  if (type.kind !== 'text' && integerKinds[type.kind] === undefined) throw refused('reversed', type, 'Use it on text or integers.')
  if (type.desc || type.nullable) throw refused('reversed', type, 'Put desc() and nullable() around reversed(), not inside.')
  const { name, default: initial, ...data } = type
  const inner = linked(data, kindCode(type))
  const outer = linked<TypeData>({ kind: 'reversed', desc: false, nullable: false, ordered: false, inner }, reversedKind)
  return remake(outer, { ...(name === undefined ? {} : { name }), ...(initial === undefined ? {} : { default: initial }) })
}

function checkType(wrapper: string, given: unknown): void {
  if (isColumnType(given)) return
  throw codecError('INVALID_COLUMN_TYPE', `${wrapper}() cannot wrap ${show(given)}. Give a column type such as text() or int64().`, {
    type: wrapper,
  })
}

function refused(wrapper: string, type: TypeData, remedy: string): Error {
  return codecError('INVALID_COLUMN_TYPE', `${wrapper}() cannot wrap this ${type.kind} column. ${remedy}`, { type: type.kind })
}
