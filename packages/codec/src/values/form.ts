import type { Value } from './value.js'

/** How one kind of column looks outside and inside; null is dealt with above it. */
export interface Form {
  /** The canonical form, or undefined where `given` does not fit. */
  take(given: unknown): Value | undefined
  /**
   * No fewer bytes than `given` takes where it fits, known before it is looked at; absent where a value has few bytes anyway. Counts no
   * further than `enough`.
   */
  least?(given: unknown, enough: number): number
  /** Back to what the user sees; absent where that is the canonical form. */
  give?(value: Value): unknown
  /** Value order. */
  compare(a: never, b: never): number
  /** Ends the sentence "Give …" of a refusal. */
  readonly wants: string
  /** Inclusive bounds of an integer. */
  readonly range?: { readonly min: bigint; readonly max: bigint }
}

/** The order of numbers that are never NaN. */
export const byNumber = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0)
