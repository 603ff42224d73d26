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

/** A value, `equals` of one that is not trusted, or operators that must all hold. Only `null` and `isNull` find a null. */
export type Condition<V, T extends Trait> =
  | V
  | Equals
  | (In<NonNullable<V>> &
      ('range' extends T ? Range<NonNullable<V>> : unknown) &
      ('prefix' extends T ? StartsWith : unknown) &
      ('null' extends T ? IsNull : unknown))

/** What the version of a row takes in the condition of a write; null = it has none yet. */
export type VersionCondition = string | null | Equals

/** What a partition column takes: a value, `equals` of one that is not trusted, or a list. */
export type PartitionCondition<V> = V | Equals | { in: readonly NonNullable<V>[] }
