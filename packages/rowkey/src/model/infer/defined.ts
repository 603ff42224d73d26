import type { Flat } from '#codec'
import { isPlainObject } from '#codec/internal'
import { isEquals } from './equals.js'

type Operator = 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'startsWith' | 'isNull'

/** Operators, not a value such as a `Date`. */
type IsOperators<C> = [C] extends [object] ? ([keyof C] extends [Operator] ? true : false) : false
type Present<T> = {
  [N in keyof T as undefined extends T[N] ? never : N]: T[N]
} & { [N in keyof T as undefined extends T[N] ? N : never]?: Exclude<T[N], undefined> }
type Condition<C> = C extends unknown ? (IsOperators<C> extends true ? Flat<Present<C>> : C) : never

/** Whether nothing may be left of a condition. */
type MayBeAbsent<C> = undefined extends C
  ? true
  : true extends (C extends unknown ? (IsOperators<C> extends true ? AllMayBeAbsent<C> : false) : never)
    ? true
    : false
type AllMayBeAbsent<C> = [{ [N in keyof C]-?: undefined extends C[N] ? never : N }[keyof C]] extends [never] ? true : false

/** The predicate that {@link defined} returns. A column whose condition may be absent is optional in it. */
export type Defined<W> = Flat<
  { [N in keyof W as MayBeAbsent<W[N]> extends true ? never : N]: Condition<W[N]> } & {
    [N in keyof W as MayBeAbsent<W[N]> extends true ? N : never]?: Condition<Exclude<W[N], undefined>>
  }
>

/**
 * A predicate without what is undefined in it: columns, ends of ranges and other operators. Predicates refuse `undefined`, because a
 * condition that is lost by mistake finds too much; with `defined` you say that it may be absent. A column whose condition may be absent is
 * optional for the compiler, so a scan that needs it does not compile.
 *
 * It leaves out what is undefined, and nothing else: an object from outside in place of a value still means operators. Wrap a value from
 * outside in {@link equals}. Operands need no `equals`, because they are values in any case.
 *
 * @example
 * ```ts
 * const { from, to, state } = JSON.parse(body) // each may be absent
 * orders.scan(defined({ buyer: 'ann', placedAt: { gte: from, lt: to }, state: state === undefined ? undefined : equals(state) }))
 * ```
 */
export function defined<const W extends object>(where: W): Defined<W> {
  if (typeof where !== 'object' || (where as object | null) === null) return where as unknown as Defined<W> // the scan says what is wrong with it
  const present = Object.entries(where).flatMap(([column, condition]: [string, unknown]) => {
    if (condition === undefined) return []
    if (typeof condition !== 'object' || condition === null || !isPlainObject(condition) || isEquals(condition))
      return [[column, condition]]
    const operators = Object.entries(condition).filter(([, operand]) => operand !== undefined)
    // An object that was empty from the start is a mistake, which the scan refuses.
    return operators.length === 0 && Object.keys(condition).length > 0 ? [] : [[column, Object.fromEntries(operators)]]
  })
  return Object.fromEntries(present as [string, unknown][]) as Defined<W>
}
