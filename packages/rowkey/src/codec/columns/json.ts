// Also tested by strict.test.ts.
import type { ColumnType, NoDefault, TypeOptions, Value } from '../type/column-type.js'
import type { TypeImpl } from '../type/type-impl.js'
import { isInstance, isPlainObject } from '../built-in.js'
import { compareText } from '../compare.js'
import { show, showName, showPath } from '../show.js'
import { makeType } from '../type/make-type.js'

/** Plain JSON data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** What the compiler shows in place of a type that JSON cannot hold. */
type NotInJson = 'JSON holds no Date, bigint, bytes, Map or function: declare what is stored, such as a text or a number'

type JsonMember<V> = unknown extends V
  ? V
  : V extends Json | undefined
    ? V
    : V extends bigint | symbol | ((...given: never) => unknown)
      ? NotInJson
      : { readonly [N in keyof V]: JsonMember<V[N]> }

/** No condition on the call if `V` is `unknown`. */
type IfUnknown<V> = unknown extends V ? unknown : NotInJson

/**
 * `V` if JSON can hold it: `json<V>()` takes no other, except `unknown`. A generic function that makes a column has it as the constraint of its
 * parameter: `<T extends JsonData<T>>() => json<T>()`.
 *
 * @example
 * ```ts
 * values(json(), 'address').toValue({ city: 'Rome' }) //=> '{"city":"Rome"}'
 * ```
 */
export type JsonData<V> = { readonly [N in keyof V]: JsonMember<V[N]> } | null | undefined

/**
 * Plain JSON data in a value column, stored as its text; not for key columns. What JSON would drop or change (undefined, NaN,
 * Date, Map, lone surrogates) is refused, and so are more than 1,000 lists and objects within each other. Of an instance of a class its own
 * enumerable properties are the data, without those that are undefined: fields that were not set. It comes back as a plain object.
 *
 * @example
 * ```ts
 * values(json(), 'tags').toValue(['new', 1])     //=> '["new",1]'
 * values(json(), 'tags').fromValue('["new",1]')  //=> [ 'new', 1 ]
 * values(json(), 'tags').toValue({ at: NaN })    //=> throws INVALID_VALUE: column 'tags' cannot hold an object: at is NaN.
 * ```
 */
export function json(options?: NoDefault): ColumnType<Json, never>
/** With `unknown`: what it is, is only known when it is written. */
export function json<V>(this: IfUnknown<V>, options?: NoDefault): ColumnType<V, never>
export function json<V extends JsonData<V>>(options?: NoDefault): ColumnType<V, never>
export function json<V extends JsonData<V> = Json>(options: TypeOptions & { readonly default: NoInfer<V> }): ColumnType<V, 'default'>
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
  return sizeOf(given) === undefined ? undefined : JSON.stringify(given)
}

// Data is walked in loops, not by functions that call themselves: how deep it is, is up to whoever sent it, and how much of the call stack is
// left is up to the caller.

/** The least number of characters of the JSON text, and the levels of lists and objects within each other. */
interface Size {
  readonly characters: number
  readonly levels: number
}

/** A list or object of which some items were visited. */
interface Open {
  readonly object: object
  readonly items: readonly unknown[]
  at: number
  characters: number
  levels: number
}

/** The size of plain data, or undefined for other data. */
function sizeOf(root: unknown): Size | undefined {
  if (typeof root !== 'object' || root === null) {
    const characters = charactersOf(root)
    return characters < 0 ? undefined : { characters, levels: 0 }
  }
  const known = new Map<object, Size | 'open'>([[root, 'open']])
  const around: Open[] = []
  let open = openedOf(root)
  while (open !== undefined) {
    const inner = nextInside(open, around.length + 1, known)
    if (inner === undefined || open.characters > maxTextLength) return undefined
    if (inner === 'end') {
      const size: Size = { characters: open.characters, levels: open.levels + 1 }
      known.set(open.object, size)
      open = around.pop()
      if (open === undefined) return size
      add(open, size)
    } else {
      known.set(inner, 'open')
      around.push(open)
      open = openedOf(inner)
    }
  }
  return undefined
}

/** Visits items up to the first list or object that is not known, and returns that. undefined: an item does not fit. */
function nextInside(open: Open, depth: number, known: ReadonlyMap<object, Size | 'open'>): object | 'end' | undefined {
  const { items } = open
  while (open.at < items.length) {
    const item = items[open.at++]
    if (typeof item !== 'object' || item === null) {
      const characters = charactersOf(item)
      if (characters < 0) return undefined
      open.characters += characters + 1
    } else {
      const size = known.get(item)
      if (size === undefined) return depth === maxDepth ? undefined : item
      if (size === 'open' || depth + size.levels > maxDepth) return undefined // a cycle, or too deep here
      add(open, size)
    }
  }
  return 'end'
}

function add(open: Open, { characters, levels }: Size): void {
  open.characters += characters + 1
  if (levels > open.levels) open.levels = levels
}

/** The least number of characters for a value that is not an object; -1 if it has no JSON. */
function charactersOf(given: unknown): number {
  if (typeof given === 'string') return given.length <= maxTextLength && given.isWellFormed() ? given.length + 2 : -1
  return given === null || typeof given === 'boolean' || (typeof given === 'number' && Number.isFinite(given)) ? 1 : -1
}

/**
 * A list or object before its items; undefined if not all that it has would be in its text. Instances have all fields of their class, so
 * those that are undefined are left out, as in the text.
 */
function openedOf(object: object): Open | undefined {
  if ('toJSON' in object) return undefined
  if (Array.isArray(object)) {
    // The length is an own property too; if there are others next to the items, they would be lost.
    if (Reflect.ownKeys(object).length !== object.length + 1) return undefined
    return { object, items: Array.from(object as readonly unknown[]), at: 0, characters: 0, levels: 0 }
  }
  const isPlain = isPlainObject(object)
  if (!isPlain && !isDataOfClass(object)) return undefined
  const names = Object.keys(object)
  if (Reflect.ownKeys(object).length > names.length || !names.every((name) => name.isWellFormed())) return undefined
  const values: readonly unknown[] = Object.values(object)
  const characters = names.reduce((sum, name, at) => (!isPlain && values[at] === undefined ? sum : sum + name.length + 3), 0)
  return { object, items: isPlain ? values : values.filter(isSet), at: 0, characters, levels: 0 }
}

/**
 * Whether the own properties of an instance are all its data: none is in a prototype, as in `Object.create(defaults)`, and none is reached only by
 * accessors, as the data of private fields is.
 */
function isDataOfClass(object: object): boolean {
  if (!isInstance(object)) return false
  let isEmpty = true
  for (const name in object) {
    if (Object.hasOwn(object, name)) isEmpty = false
    else if (typeof (object as Readonly<Record<string, unknown>>)[name] !== 'function') return false
  }
  return !isEmpty || !hasAccessors(object)
}

function hasAccessors(instance: object): boolean {
  let prototype = Object.getPrototypeOf(instance) as object | null
  while (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    if (Object.values(Object.getOwnPropertyDescriptors(prototype)).some((property) => property.get !== undefined)) return true
    prototype = Object.getPrototypeOf(prototype) as object | null
  }
  return false
}

const isSet = (value: unknown): boolean => value !== undefined

/** What a list, an object or an instance has; an instance without its fields that are not set. */
function entriesOf(value: object): readonly (readonly [name: string, value: unknown])[] {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
  return Array.isArray(value) || isPlainObject(value) ? entries : entries.filter(([, each]) => isSet(each))
}

/**
 * No more characters than the JSON text of `given` has, counted up to `enough`. What is in it several times counts several times, as in the
 * text, which is how a few objects can make a text that no memory holds.
 */
function leastText(given: unknown, enough: number): number {
  let count = charactersAtLeast(given)
  const around: Part[] = []
  let part = partOf(given)
  while (part !== undefined && count <= enough) {
    const { names, items } = part
    if (part.at === 0) count += Math.max(1, items.length) // the second bracket and the commas
    let inner: Part | undefined
    for (let at = part.at; at < items.length && count <= enough; at++) {
      if (names !== undefined) count += (names[at] as string).length + 3 // quotes and colon
      const item = items[at]
      count += charactersAtLeast(item)
      inner = around.length + 1 < maxDepth ? partOf(item) : undefined
      if (inner === undefined) continue
      part.at = at + 1
      around.push(part)
      break
    }
    part = inner ?? around.pop()
  }
  return count
}

interface Part {
  readonly names: readonly string[] | undefined
  readonly items: readonly unknown[]
  at: number
}

const charactersAtLeast = (given: unknown): number => (typeof given === 'string' ? given.length + 2 : 1)

function partOf(given: unknown): Part | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  if (Array.isArray(given)) return { names: undefined, items: given as readonly unknown[], at: 0 }
  if (isPlainObject(given)) return { names: Object.keys(given), items: Object.values(given), at: 0 }
  if (!isInstance(given)) return undefined
  const entries = entriesOf(given)
  return { names: entries.map(([name]) => name), items: entries.map(([, value]) => value), at: 0 }
}

/**
 * The first part of lists and objects that JSON would drop or change, as `items[3].at is undefined`; undefined if the data as a whole is what
 * does not fit: it, its depth, its length or a cycle. Each list and object is looked at once.
 */
function faultIn(given: unknown): string | undefined {
  const seen = new Set<object>()
  const open: { readonly entries: readonly (readonly [string, unknown])[]; readonly isList: boolean; at: number }[] = []
  const fault = (what: string): string | undefined => {
    const path = open.map(({ entries, isList, at }, level) => {
      const name = entries[at - 1]?.[0] ?? ''
      return isList ? `[${name}]` : `${level === 0 ? '' : '.'}${showName(name)}`
    })
    return path.length === 0 ? undefined : `${showPath(path)} is ${what}`
  }
  let value = given
  for (;;) {
    if (typeof value !== 'object' || value === null) {
      if (charactersOf(value) < 0) return fault(show(value))
    } else if (!seen.has(value) && open.length <= maxDepth) {
      seen.add(value)
      if ('toJSON' in value || !isData(value)) return fault(described(value))
      open.push({ entries: entriesOf(value), isList: Array.isArray(value), at: 0 })
    }
    let last = open.at(-1)
    while (last !== undefined && last.at === last.entries.length) {
      open.pop()
      last = open.at(-1)
    }
    const entry = last?.entries[last.at]
    if (last === undefined || entry === undefined) return undefined
    last.at++
    value = entry[1]
  }
}

/** Whether it is a list or object, and all that it has would be in its text. */
function isData(value: object): boolean {
  const keys = Reflect.ownKeys(value).length
  if (Array.isArray(value)) return keys === value.length + 1
  return (isPlainObject(value) || isDataOfClass(value)) && keys === Object.keys(value).length
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
    expected: `plain JSON data: booleans, finite numbers, well-formed strings, and lists and objects of these and null, at most ${maxTextLength} characters and at most ${maxDepth} levels deep`,
  }),
  storage: () => ({ class: 'json' }),
  accepts: (_, value) => isJsonText(value),
  fromJSON: (options) => json(options),
}
