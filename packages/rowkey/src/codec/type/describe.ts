import type { Default, TypeData } from './column-type.js'
import { quoted, showWhole } from '../show.js'
import { typeImpl } from './type-impl.js'

/** The order of a type's fields in JSON. A field that is not here comes after them, sorted by name, so none is forgotten. */
const order: readonly string[] = [
  'kind',
  'desc',
  'nullable',
  'nulls',
  'as',
  'unit',
  'every',
  'changes',
  'of',
  'offset',
  'precision',
  'scale',
  'order',
  'width',
  'max',
  'format',
  'pad',
  'separator',
  'split',
  'codes',
  'inner',
  'followedBy',
  'default',
] satisfies readonly (keyof TypeData)[]

/** Fields that are not part of a type's own data: the name identifies a column, and `ordered` follows from the rest. */
const outside = ['name', 'ordered'] as const satisfies readonly (keyof TypeData)[]

/**
 * Fields on which neither the bytes nor the values of a column depend: `as` is how values look, defaults are compared by themselves, and
 * `nulls` is there exactly where the column is nullable. Every other field is a byte option, also one that is added later.
 */
const besides: readonly string[] = ['as', 'default', 'nullable', ...outside] satisfies readonly (keyof TypeData)[]

/**
 * The data of a column type in the order of its JSON: all of its fields but `name` and `ordered`.
 *
 * @internal
 * @example
 * ```ts
 * typeFields(text()) //=> [ [ 'kind', 'text' ], [ 'desc', false ], [ 'nullable', false ] ]
 * ```
 */
export function typeFields(type: TypeData): readonly (readonly [field: string, value: unknown])[] {
  const rank = (field: string): number => (order.includes(field) ? order.indexOf(field) : order.length)
  return Object.entries(type)
    .filter(([field, value]) => value !== undefined && !(outside as readonly string[]).includes(field))
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

/**
 * What the bytes of a column, and the values that it takes, depend on, as JSON data. Two types whose byte options differ are different
 * columns; two with the same ones differ at most in `as`, `name` and `default`.
 *
 * Fingerprints are made from this: the first nine items never change, and later options follow if a type has them.
 *
 * @internal
 * @example
 * ```ts
 * byteOptions(decimal(9, 2)).slice(9) //=> [ [ 'precision', 9 ], [ 'scale', 2 ] ]
 * ```
 */
export function byteOptions(type: TypeData): readonly unknown[] {
  const { kind, desc, nulls, unit, width, pad, separator, codes, inner, ...later } = type
  return [
    kind,
    desc,
    nulls ?? null,
    unit ?? null,
    width ?? null,
    pad ?? null,
    separator ?? null,
    codes === undefined ? null : codes.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    inner === undefined ? null : byteOptions(inner),
    ...laterOptions(later, besides),
  ]
}

/**
 * Whether two types have the same values and bytes.
 *
 * @internal
 * @example
 * ```ts
 * sameBytes(timestamp('ms'), timestamp('ms', { as: 'number' })) //=> true
 * sameBytes(text(), desc(text()))                               //=> false
 * ```
 */
export const sameBytes = (a: TypeData, b: TypeData): boolean => JSON.stringify(byteOptions(a)) === JSON.stringify(byteOptions(b))

/** Options as pairs, sorted by name: those that were added after a format was fixed. The format contains only those that are set. */
export function laterOptions(options: object, without: readonly string[] = []): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(options)
    .filter(([name, value]) => value !== undefined && !without.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * A column type as text, nearly as it is written in code, with everything that its bytes depend on.
 *
 * @internal
 * @example
 * ```ts
 * typeText(nullable(desc(decimal(9, 2)))) //=> 'nullable(desc(decimal(9, 2)))'
 * typeText(dictionary({ a: 'x' }))        //=> "dictionary(a: 'x')"
 * ```
 */
export function typeText(type: TypeData): string {
  const parameters = typeImpl(type).parameters?.(type) ?? []
  const bare = parameters.length === 0 ? type.kind : `${type.kind}(${parameters.join(', ')})`
  const directed = type.desc ? `desc(${bare})` : bare
  if (type.followedBy !== undefined) return `followedBy(${directed}, ${quoted(type.followedBy)})`
  return type.nullable ? `nullable(${directed}${type.nulls === 'last' ? ", { nulls: 'last' }" : ''})` : directed
}

/**
 * A default as text, whole.
 *
 * @internal
 * @example
 * ```ts
 * defaultText({ kind: 'constant', value: 5n })  //=> '5n'
 * defaultText({ kind: 'random', below: 100 })   //=> 'random(100)'
 * ```
 */
export function defaultText(initial: Default): string {
  if (initial.kind === 'constant') return showWhole(initial.value)
  return initial.kind === 'random' ? `random(${initial.below})` : `'${initial.kind}'`
}
