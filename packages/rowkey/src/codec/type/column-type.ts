// Also tested by describe.test.ts.
/**
 * What a column allows beyond `=` and `in`. `range`: byte order is value order. `prefix`: it is text. `null`: it may be null. `default`: it
 * may be left out. `computed`: it follows from another column of the key.
 */
export type Trait = 'range' | 'prefix' | 'null' | 'default' | 'computed'

/** The name of an encoding. `json` is for value columns only. */
export type Kind =
  | 'text'
  | 'bytes'
  | 'fixedBytes'
  | 'fixedText'
  | 'lastBytes'
  | 'lastText'
  | 'bool'
  | 'uuid'
  | 'ulid'
  | 'json'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float32'
  | 'float64'
  | 'decimal'
  | 'timestamp'
  | 'date'
  | 'period'
  | 'paddedText'
  | 'separatedText'
  | 'reversed'
  | 'dictionary'
  | 'digits'

/**
 * A default is named data, never a function, so that a schema stays JSON. `updatedAt` is `now`, and again in each later change of the row that
 * does not give the column a value.
 */
export type Default =
  | { readonly kind: 'now' }
  | { readonly kind: 'updatedAt' }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'ulid' }
  | { readonly kind: 'random'; readonly below: number }
  | { readonly kind: 'constant'; readonly value: null | boolean | number | bigint | string | Uint8Array }

/** The data of a column type, frozen. The `kind` determines which optional fields it has. */
export interface TypeData {
  readonly kind: Kind
  /** Stored in descending order: every byte of the encoding is complemented. */
  readonly desc: boolean
  readonly nullable: boolean
  /** Whether byte order equals value order. If not, only `=` and `in` can use the column. */
  readonly ordered: boolean
  /** Where nulls sort in the key; only if `nullable`. */
  readonly nulls?: 'first' | 'last'
  /** How values look in JavaScript; has no effect on bytes, but `'number'` refuses 64-bit integers beyond 2^53. */
  readonly as?: 'Date' | 'bigint' | 'number' | 'text'
  /** timestamp */
  readonly unit?: 'ms' | 'us' | 'ns'
  /** period: its length, the column that it is computed from, and when its days begin, as `'+08:00'` */
  readonly every?: 'hour' | 'day' | 'week' | 'month' | 'year'
  /** period: other lengths, each from a day on */
  readonly changes?: readonly { readonly from: string; readonly every: 'day' | 'week' | 'month' | 'year' }[]
  readonly of?: string
  readonly offset?: string
  /** decimal: all digits, and those after the point */
  readonly precision?: number
  readonly scale?: number
  /** uuid */
  readonly order?: 'time'
  /** fixedBytes, fixedText, digits: bytes; paddedText: UTF-16 units, as Java counts */
  readonly width?: number
  /** paddedText */
  readonly pad?: string
  /** digits: the greatest number, in decimal digits */
  readonly max?: string
  /** digits: the fields of a calendar */
  readonly format?: string
  /** separatedText, digits */
  readonly separator?: string
  /** separatedText: which separator ends it, if that is not the first one */
  readonly split?: 'last'
  /** dictionary: value → code, in the order they were given */
  readonly codes?: readonly (readonly [value: string, code: string])[]
  /** reversed, digits */
  readonly inner?: TypeData
  /** In a key this text follows the value, as it is in both directions. */
  readonly followedBy?: string
  /** Physical name, if it differs from the property's. */
  readonly name?: string
  readonly default?: Default
}

declare const typing: unique symbol // type level only

/**
 * A column type: frozen data, with the JavaScript type `V` and the traits `T` at the type level only.
 * Made by {@link text}, {@link int64}, {@link desc} and their like.
 */
export interface ColumnType<out V = unknown, out T extends Trait = Trait> extends TypeData {
  readonly [typing]: { readonly value: V; readonly traits: T }
}

/** Column types by name. */
export type Columns = Readonly<Record<string, ColumnType>>
/** The JavaScript type of a column's values. */
export type ValueOf<C extends ColumnType> = C[typeof typing]['value']
/** The traits of a column type. */
export type TraitsOf<C extends ColumnType> = C[typeof typing]['traits']
/** An object type with a value for every column. */
export type ValuesOf<C extends Columns> = { -readonly [N in keyof C]: ValueOf<C[N]> }
/** Flattens an intersection, so that editors and messages show fields. */
export type Flat<T> = { [N in keyof T]: T[N] } & {}

/** Options of every column type. */
export interface TypeOptions {
  /** Physical name in the store, `[A-Za-z_][A-Za-z0-9_]{0,127}`; default: the property's name. */
  readonly name?: string
}

/** A generated default: an integer from 0 to `below` - 1. Made by {@link random}. */
export interface RandomDefault {
  readonly random: number
}

/** Options without a default. The type constructors have this form first: of a default that does not fit, TypeScript 7 explains the last form. */
export interface NoDefault extends TypeOptions {
  readonly default?: undefined
}

/** A type constructor: the second form has a default, so the column may be left out on insert and put. */
export interface TypeFactory<Base, T extends Trait, Generated = never> {
  <V extends Base = Base>(options?: NoDefault): ColumnType<V, T>
  <V extends Base = Base>(options: TypeOptions & { readonly default: NoInfer<V> | Generated }): ColumnType<V, T | 'default'>
}

/**
 * A value in canonical form, as rows between the layers hold it. Which of these a column has is its {@link Storage}.
 *
 * bool: boolean · 8- to 32-bit integers, floats, timestamp('ms') (epoch ms), date (days since 1970-01-01): number · 64-bit
 * integers, µs, ns: bigint · text, uuid, dictionary, json (its text): string · bytes: Uint8Array.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array

/** A row or the beginning of one, by position. Immutable. */
export type Row = readonly Value[]
