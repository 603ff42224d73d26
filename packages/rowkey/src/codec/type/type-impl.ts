// Tested by column-type.test.ts and dry-run.test.ts.
import type { ColumnCode, Emitter, Shape } from '../compile/column-code.js'
import type { ColumnType, TypeData, Value } from './column-type.js'
import type { OpenEnd } from './open-end.js'
import type { Reader } from './reader.js'
import { codecError } from '../error.js'
import { show } from '../show.js'

/**
 * All that distinguishes one column type from others. Everything else (layouts, schemas, predicates, records, adapters) calls this and never
 * branches on a kind. Callers deal with direction, nulls and the physical name. `type` is the data of one column of this type.
 */
export interface TypeImpl {
  /** The strict conversion between what the application has and the canonical value. */
  conversion(type: TypeData, column: string): Conversion
  /** In which form a store may hold the canonical values. */
  storage(type: TypeData): Storage
  /** Whether a value of that storage class can be one of this type; if absent, those that the conversion returns unchanged are. */
  accepts?(type: TypeData, value: Value): boolean
  /** The type whose values the application sees in canonical form; absent if that is always so. */
  canonical?(type: TypeData): TypeData
  /**
   * The bytes in a key; absent if no key can hold the type.
   *
   * @param after the bytes of the columns after it, for an encoding that ends so many bytes before the key; 0 if it is alone
   */
  encoding?(type: TypeData, after: number): Encoding
  /** The order of the bytes if it is not that of the values, because the type follows the convention of another system. */
  compareEncoded?(type: TypeData): (a: Value, b: Value) => number
  /**
   * For a type whose options may grow: undefined if every value of `older`, another type of this kind, still has the same bytes, otherwise
   * what has changed. Absent = any other option is another type.
   */
  outgrows?(type: TypeData, older: TypeData): string | undefined
  /** Code for layouts that are used often; absent or undefined if the interpreter is fast enough. */
  compile?(type: TypeData, emit: Emitter, shape: Shape): ColumnCode | undefined
  /** The type again from the fields of its JSON, through its constructor, which checks them; `options` are the common ones. */
  fromJSON(options: object, data: Readonly<Record<string, unknown>>, inner: ReadInner): ColumnType
  /** The fields that its constructor takes as arguments, in order; it takes all others as options. Absent = none. */
  readonly positional?: readonly (keyof TypeData)[]
  /** The code of the first argument, if it is made of several of these fields. */
  firstArgument?(type: TypeData): string
  /** What the parentheses contain when the type is written as text; absent if there is nothing. */
  parameters?(type: TypeData): readonly string[]
  /** The type of the values in JavaScript, if it does not follow from the storage class. */
  jsType?(type: TypeData): JsType | undefined
  /** Named defaults that it can have. */
  readonly defaults?: readonly ('now' | 'updatedAt' | 'ulid' | 'uuid' | 'random')[]
  /** Whether `startsWith` finds a range of keys. */
  readonly startsWith?: true
  /** How {@link reversed} turns its text or its digits; undefined if it has none. */
  spelling?(type: TypeData): Spelling | undefined
  /** Whether {@link hashPrefix} hashes the text of a value, as users do by hand, and not its bytes. */
  hashesAsText?(type: TypeData): boolean
  /** Whether its values begin with the time at which they are made, so that new ones are after old ones. */
  beginsWithTime?(type: TypeData): boolean
  /** How Kudu writes the type in the last column of a key: as its encoding, or without end and escapes. Absent if Kudu does not have it. */
  readonly kudu?: 'encoded' | 'raw'
}

/** The values of a column that is computed from another one, and the numbers of these values, which have no gaps. */
export interface Periods {
  /** The value for one of the source. It never falls where the source rises. */
  from(source: Value): Value
  number(value: Value): number
  at(number: number): Value
}

/** Reads the JSON of a type that is inside another one. */
type ReadInner = (data: unknown, options: object) => ColumnType

/** Between the values that the application sees and their canonical form. Callers deal with null. */
export interface Conversion {
  /** The canonical form, or undefined if `given` does not fit. */
  parse(given: unknown): Value | undefined
  /**
   * A lower bound of the bytes that `given` takes if it fits, found without converting it; absent if a value always has few bytes. It stops
   * counting at `enough`.
   */
  leastBytes?(given: unknown, enough: number): number
  /** What in `given` does not fit, as the beginning of a sentence; undefined if it is all of it. */
  fault?(given: unknown): string | undefined
  /** Back to what the application sees; absent if that is the canonical form. */
  format?(value: Value): unknown
  /** Value order. */
  compare(a: never, b: never): number
  /** Ends the sentence "Give …" of a refusal. */
  readonly expected: string
}

/**
 * The bytes of a type's values in ascending order. No encoding of a value may begin the encoding of another value of the same
 * type, except with an {@link Encoding.openEnd}. Descending order, concatenation and prefix bounds depend on that.
 */
export interface Encoding<V extends Value = Value> {
  /** The bytes in descending order, if they are not the complement of the ascending ones. */
  readonly descending?: Encoding<V>
  /** Present if an encoding may begin another one. */
  readonly openEnd?: OpenEnd
  readonly minBytes: number
  /** Infinity if there is no limit. */
  readonly maxBytes: number
  size(value: V): number
  /** Writes at `at` and returns the offset after it; `value` is canonical and there is room. */
  write(target: Uint8Array, at: number, value: V): number
  /** Reads at the reader, which has applied the direction. Accepts only what `write` writes. */
  read(reader: Reader): V
}

/** Values as text, and the bytes of that text. */
export interface Spelling {
  write(value: Value): string
  /** Undefined for text that `write` does not return. */
  read(text: string): Value | undefined
  readonly encoding: Encoding<string>
}

/** The class of a column's canonical values, with their bounds: what a store must know to hold them. */
export type Storage =
  | { readonly class: 'boolean' }
  /** A whole number; both bounds are inclusive. `counts`: what, from 1970-01-01 UTC. */
  | { readonly class: 'int'; readonly min: number; readonly max: number; readonly counts?: 'days' | 'ms' }
  | { readonly class: 'bigint'; readonly min: bigint; readonly max: bigint; readonly counts?: 'us' | 'ns' }
  | { readonly class: 'float'; readonly bytes: 4 | 8 }
  /** Text of a number with exactly `scale` digits after the point. */
  | { readonly class: 'decimal'; readonly precision: number; readonly scale: number }
  /** Well-formed text. `format`: it is always of this form; `time-uuid` sorts by its clock. `restricted`: not every text fits. */
  | { readonly class: 'text'; readonly format?: 'uuid' | 'time-uuid' | 'ascii'; readonly restricted: boolean }
  /** The text of JSON data. */
  | { readonly class: 'json' }
  /** `length`: exactly so many. */
  | { readonly class: 'bytes'; readonly length?: number }

/** What `typeof` or the constructor of a value says. */
export type JsType = 'boolean' | 'number' | 'bigint' | 'string' | 'Date' | 'Uint8Array'

/**
 * Column types and salts are plain data. Their implementation is attached under this symbol, invisible to JSON, console.log and deep
 * equality. So a bundle only contains the code of those that its sources name, and types of another copy of this package work here too.
 */
const implementation = Symbol.for('rowkey.implementation/2') // another number if copies no longer understand each other

/**
 * The data, frozen, with its implementation attached.
 *
 * @internal
 * @example
 * ```ts
 * isSalt(attachImpl({ kind: 'hash', of: ['a'], count: 4, seed: 0 }, registeredSalt('hash'))) //=> true
 * ```
 */
export function attachImpl<T extends object>(data: T, impl: object): T {
  return Object.freeze(Object.defineProperty(data, implementation, { value: impl }))
}

/** Undefined for what no constructor made. */
export function implOf(data: object): unknown {
  return (data as { readonly [implementation]?: unknown })[implementation] ?? undefined
}

/**
 * A frozen copy of a column type or a salt with some of its data changed; a spread would make data without an implementation. Trusts its
 * callers: the constructors check what they are given, this does not.
 *
 * @internal
 * @example
 * ```ts
 * derived(nullable(text()), { nullable: false }).nullable //=> false
 * ```
 */
export function derived<T extends object>(data: T, change: Partial<T>, without: readonly (keyof T)[] = []): T {
  const copy = { ...data, ...change }
  for (const field of without) Reflect.deleteProperty(copy, field)
  return attachImpl(copy, implOf(data) as object)
}

/** @throws RowkeyError `INVALID_COLUMN_TYPE` for a copy of a type, which has no implementation. */
export function typeImpl(type: TypeData): TypeImpl {
  const impl = implOf(type) as TypeImpl | undefined
  if (impl !== undefined) return impl
  const message = `this ${show(type.kind)} looks like a copy of a column type. Pass what its constructor returned, or use derived().`
  throw codecError('INVALID_COLUMN_TYPE', message, { type: show(type.kind) })
}

/**
 * Whether `given` is a column type, also one of another copy of this package. Constructors freeze them: an object that is not frozen cannot
 * be one, and could change later.
 *
 * @example
 * ```ts
 * isColumnType(text()) //=> true
 * isColumnType(text)   //=> false
 * ```
 */
export function isColumnType(given: unknown): given is TypeData {
  return typeof given === 'object' && given !== null && Object.isFrozen(given) && implOf(given) !== undefined && 'nullable' in given
}
