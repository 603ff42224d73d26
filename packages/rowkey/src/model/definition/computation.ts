import type { Value } from '#codec'

/**
 * How a column of the key is computed from another one, such as the day of an instant. No column type has one yet, and neither JSON nor
 * fingerprints contain it.
 */
export interface Computation {
  /** Name of the source: a column of the key that counts in whole steps, and that is neither nullable nor computed. */
  readonly of: string
  /** The value for one of the source. It never falls where the source rises. */
  from(source: Value): Value
  /** The next larger value that `from` can return. */
  next(value: Value): Value
}
