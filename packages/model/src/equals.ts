/** Registered, so that two loaded copies of the package know each other's conditions. No data format has symbols for keys. */
const equalsBrand: unique symbol = Symbol.for('rowkey.equals')

/** The condition that {@link equals} makes. */
export interface Equals {
  readonly [equalsBrand]: unknown
}

/**
 * The condition that a column has this value, for values from outside: parsed JSON, query strings, messages. What is no value of the column is
 * refused as `INVALID_PREDICATE` before anything is read, above all an object: without `equals`, one in the place of a value is taken for
 * operators, and `{"gte":""}` finds everything. null and undefined are refused too. It takes any type, because what comes from outside has
 * none that can be relied on; the value is checked when the scan is made.
 *
 * @example
 * ```ts
 * const body = JSON.parse('{"user":"ann"}')
 * await orders.scan({ user: equals(body.user) }).toArray()
 * ```
 */
export function equals(value: unknown): Equals {
  return Object.freeze({ [equalsBrand]: value })
}

/** Whether a condition was made by {@link equals}, also one of another copy of this package. */
export function isEquals(condition: unknown): condition is Equals {
  return typeof condition === 'object' && condition !== null && Object.hasOwn(condition, equalsBrand)
}

/** The value of a condition, unchecked. */
export function valueIn(condition: Equals): unknown {
  return condition[equalsBrand]
}
