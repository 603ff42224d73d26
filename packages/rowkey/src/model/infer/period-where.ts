// Tested by test/types/period.test-d.ts.
import type { PeriodBounds } from './condition.js'

/**
 * What a predicate has for the periods `R`, which are given with their sources: for each, the period itself, or the source with both ends. By column,
 * `Any` has all conditions, `Binding` those that bind a period, and `Values` the values.
 */
export type ByPeriods<R, Any, Binding, Values> = All<
  { [P in keyof R]: [ByName<P, R[P], Any, Binding> | BySource<P, R[P], Any, Values>] }[keyof R]
>

type ByName<P, Of, Any, Binding> = { [N in keyof Binding as N extends P ? N : never]: Binding[N] } & {
  [N in keyof Any as N extends Of ? N : never]?: Any[N]
}
// Compilers tell what the last of the forms lacks, so this one comes last.
type BySource<P, Of, Any, Values> = { [N in keyof Any as N extends P ? N : never]?: Any[N] } & {
  -readonly [N in keyof Values as N extends Of ? N : never]: PeriodBounds<Values[N]>
}

/** One of each pair, for tables with several periods. A pair is in a tuple, so that it stays together. */
type All<Pairs> = (Pairs extends [infer Pair] ? (pair: Pair) => void : never) extends (pair: infer Each) => void ? Each : never
