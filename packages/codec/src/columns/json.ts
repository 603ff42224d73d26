import type { ColumnType, TypeOptions, Value } from '../type/column-type.js'
import type { TypeImpl } from '../type/type-impl.js'
import { isPlainObject } from '../built-in.js'
import { compareText } from '../compare.js'
import { show, showName, showPath } from '../show.js'
import { makeType } from '../type/make-type.js'

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
 * values(json(), 'tags').toValue({ at: NaN })    //=> throws INVALID_VALUE: column 'tags' cannot hold an object: at is NaN.
 * ```
 */
export function json<V = Json>(options: TypeOptions & { readonly default: NoInfer<V> }): ColumnType<V, 'default'>
export function json<V = Json>(options?: TypeOptions): ColumnType<V, never>
export function json(options?: TypeOptions): ColumnType<never, never> {
  return makeType({ kind: 'json', ordered: false }, jsonImpl, options)
}

/** Levels of lists and objects within each other. Far above what rows need, and far below what the call stack of any engine allows. */
const maxDepth = 1000

/** Characters of a text: far above what any column of a store holds. */
const maxTextLength = 16_777_216

/**
 * The JSON text of plain data, or undefined where JSON.stringify would drop or change something: undefined, functions,
 * symbols, bigint, NaN, infinities, lone surrogates, Date and other classes, holes, hidden properties, cycles; also if it is
 * deeper than {@link maxDepth} or longer than {@link maxTextLength}. -0 becomes 0.
 *
 * Each list and object is looked at once, however often it is in the data: thirty lists of which each holds the next one twice would be a
 * text of a billion characters, and are refused before anyone begins to write it.
 */
function jsonText(given: unknown): string | undefined {
  return sizeOf(given, 0, new Map()) === undefined ? undefined : JSON.stringify(given)
}

/** The least number of characters of the JSON text, and the levels of lists and objects within each other. */
interface Size {
  readonly characters: number
  readonly levels: number
}

const scalar: Size = { characters: 1, levels: 0 }

/** The size of plain data, or undefined for other data. `known` contains the size of each object that was visited, or 'open' while it is being visited. */
function sizeOf(given: unknown, above: number, known: Map<object, Size | 'open'>): Size | undefined {
  if (given === null || typeof given === 'boolean') return scalar
  if (typeof given === 'number') return Number.isFinite(given) ? scalar : undefined
  if (typeof given === 'string') {
    return given.length <= maxTextLength && given.isWellFormed() ? { characters: given.length + 2, levels: 0 } : undefined
  }
  if (typeof given !== 'object' || above === maxDepth) return undefined
  const before = known.get(given)
  if (before === 'open') return undefined // a cycle
  if (before !== undefined) return above + before.levels > maxDepth ? undefined : before
  if ('toJSON' in given) return undefined
  known.set(given, 'open')
  const size = Array.isArray(given) ? listSize(given, above, known) : mapSize(given, above, known)
  if (size !== undefined) known.set(given, size)
  return size
}

function listSize(list: readonly unknown[], above: number, known: Map<object, Size | 'open'>): Size | undefined {
  // The length is an own property too; if there are others next to the items, they would be lost.
  if (Reflect.ownKeys(list).length !== list.length + 1) return undefined
  return summed(Array.from(list), 0, above, known)
}

function mapSize(object: object, above: number, known: Map<object, Size | 'open'>): Size | undefined {
  if (!isPlainObject(object)) return undefined
  const names = Object.keys(object)
  if (Reflect.ownKeys(object).length > names.length || !names.every((name) => name.isWellFormed())) return undefined
  const characters = names.reduce((sum, name) => sum + name.length + 3, 0)
  return summed(Object.values(object), characters, above, known)
}

function summed(items: readonly unknown[], characters: number, above: number, known: Map<object, Size | 'open'>): Size | undefined {
  let levels = 0
  for (const item of items) {
    const size = sizeOf(item, above + 1, known)
    if (size === undefined) return undefined
    characters += size.characters + 1
    if (characters > maxTextLength) return undefined
    levels = Math.max(levels, size.levels)
  }
  return { characters, levels: levels + 1 }
}

/**
 * No more characters than the JSON text of `given` has, counted up to `enough`. What is in it several times counts several times, as in the
 * text, which is how a few objects can make a text that no memory holds.
 */
function leastText(given: unknown, enough: number): number {
  let count = 0
  const add = (value: unknown, depth: number): void => {
    count += typeof value === 'string' ? value.length + 2 : 1
    if (depth === maxDepth) return
    const [names, items] = Array.isArray(value) ? [undefined, value as readonly unknown[]] : entriesOf(value)
    if (items === undefined) return
    count += Math.max(1, items.length) // the second bracket and the commas
    for (let i = 0; i < items.length && count <= enough; i++) {
      if (names !== undefined) count += (names[i] as string).length + 3 // quotes and colon
      add(items[i], depth + 1)
    }
  }
  add(given, 0)
  return count
}

function entriesOf(value: unknown): readonly [names: readonly string[], items: readonly unknown[]] | readonly [] {
  return typeof value === 'object' && isPlainObject(value) ? [Object.keys(value), Object.values(value)] : []
}

/**
 * The first part of lists and objects that JSON would drop or change, as `items[3].at is undefined`; undefined if the data as a whole is what
 * does not fit: it, its depth, its length or a cycle. Each list and object is looked at once.
 */
function faultIn(given: unknown): string | undefined {
  const seen = new Set<object>()
  const path: string[] = []
  const faultOf = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null) return isScalar(value) ? undefined : show(value)
    if (seen.has(value) || path.length > maxDepth) return undefined
    seen.add(value)
    if ('toJSON' in value || !isPlain(value)) return described(value)
    const isList = Array.isArray(value)
    for (const [name, part] of Object.entries(value)) {
      path.push(isList ? `[${name}]` : `${path.length === 0 ? '' : '.'}${showName(name)}`)
      const fault = faultOf(part)
      if (fault !== undefined) return fault
      path.pop()
    }
    return undefined
  }
  const fault = faultOf(given)
  return fault === undefined || path.length === 0 ? undefined : `${showPath(path)} is ${fault}`
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' && sizeOf(value, 0, new Map()) !== undefined

/** Whether it is a list or plain object, and all that it has would be in its text. */
function isPlain(value: object): boolean {
  const keys = Reflect.ownKeys(value).length
  return Array.isArray(value) ? keys === value.length + 1 : isPlainObject(value) && keys === Object.keys(value).length
}

function described(value: object): string {
  if (Array.isArray(value)) return 'a list with holes or properties'
  const name: unknown = (value as { readonly constructor?: { readonly name?: unknown } }).constructor?.name
  return isPlainObject(value) || typeof name !== 'string' ? show(value) : `an object of class ${showName(name)}`
}

/** Whether the text of a store is JSON. Another program may have written it with other spaces than `jsonText`. */
function isJsonText(text: Value): boolean {
  try {
    JSON.parse(text as string)
    return typeof text === 'string'
  } catch {
    return false
  }
}

/** No key holds it: the same data has many texts. */
export const jsonImpl: TypeImpl = {
  conversion: () => ({
    parse: jsonText,
    leastBytes: leastText,
    fault: faultIn,
    format: (text) => JSON.parse(text as string) as unknown,
    compare: compareText,
    expected: `plain JSON data: booleans, finite numbers, well-formed strings, and lists and plain objects of these and null, at most ${maxTextLength} characters and at most ${maxDepth} levels deep`,
  }),
  storage: () => ({ class: 'json' }),
  accepts: (_, value) => isJsonText(value),
  fromJSON: (options) => json(options),
}
