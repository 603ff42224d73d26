/** Registered, so that two loaded copies of the package recognise each other's conditions. No data format can have symbols as keys. */
const equalsBrand: unique symbol = Symbol.for('rowkey.equals')

/** The condition that {@link equals} makes. */
export interface Equals {
  readonly [equalsBrand]: unknown
}

/**
 * The condition that a column has this value, for values from outside: parsed JSON, query strings, messages. What is not a value of the
 * column is refused as `INVALID_PREDICATE` before anything is read. This matters most for objects: without `equals`, an object in place of
 * a value is read as operators, and `{"gte":""}` finds everything. null and undefined are refused too. The parameter has no type, because a
 * value from outside has none that can be relied on. It is checked when the scan is created.
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

/** Whether a condition was made by {@link equals}, including by another copy of this package. */
export function isEquals(condition: unknown): condition is Equals {
  return typeof condition === 'object' && condition !== null && Object.hasOwn(condition, equalsBrand)
}

/** The value of a condition, unchecked. */
export function valueIn(condition: Equals): unknown {
  return condition[equalsBrand]
}
