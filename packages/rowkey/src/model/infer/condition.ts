// Tested by test/types/table.test-d.ts.
import type { Trait } from '#codec'
import type { Equals } from './equals.js'

/** One of these values. */
export interface In<V> {
  in?: readonly V[]
}
/** Between bounds, in value order, which does not change for a descending column. */
export interface Range<V> {
  gt?: V
  gte?: V
  lt?: V
  lte?: V
}
/** Text that starts with this. */
export interface StartsWith {
  startsWith?: string
}
/** Whether the column is null. */
export interface IsNull {
  isNull?: boolean
}

/**
 * What a predicate takes as an instant: every `Date`, and nothing else has this member. Of `Date` itself, editors would offer all methods where
 * operators are wanted. Messages show it under this name.
 */
interface Date {
  [Symbol.toPrimitive](hint: 'default' | 'number' | 'string'): number | string
}
/** The same for bytes. */
interface Uint8Array {
  readonly [Symbol.toStringTag]: 'Uint8Array'
}
type Value<V> = V extends globalThis.Date ? Date : V extends globalThis.Uint8Array ? Uint8Array : V

/** A value, `equals` of one that is not trusted, or operators that must all hold. Only `null` and `isNull` find a null. */
export type Condition<V, T extends Trait> =
  | Value<V>
  | Equals
  | (In<NonNullable<V>> &
      ('range' extends T ? Range<NonNullable<V>> : unknown) &
      ('prefix' extends T ? StartsWith : unknown) &
      ('null' extends T ? IsNull : unknown))

/** What the version of a row takes in the condition of a write; null = it has none yet. */
export type VersionCondition = string | null | Equals

/** What a partition column takes: a value, `equals` of one that is not trusted, or a list. */
export type PartitionCondition<V> = Value<V> | Equals | { in: readonly NonNullable<V>[] }

// Compilers tell of the last one that it is missing, by declaration or by name: `gte` and `lt`.
interface After<V> {
  gt: V
  gte?: V
}
interface From<V> {
  gte: V
  gt?: V
}
interface AtMost<V> {
  lte: V
  lt?: V
}
interface Before<V> {
  lt: V
  lte?: V
}
/** A range with both ends, so that the periods in it can be counted. */
export type BothEnds<V> = In<V> & (After<V> | From<V>) & (AtMost<V> | Before<V>)

/** What finds the periods of a column: a value, `equals` of one that is not trusted, a list, or a range with both ends. */
export type PeriodBounds<V> = Value<V> | Equals | ({ in: readonly V[] } & Range<V>) | BothEnds<V>
