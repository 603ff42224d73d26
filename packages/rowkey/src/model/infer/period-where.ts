// Tested by test/types/period.test-d.ts.
import type { PeriodBounds } from './condition.js'

/**
 * What a predicate has for periods `R`, given with their sources: for each, the source with both ends, or the period itself. `Any` has the conditions of columns,
 * `Binding` those that bind a period, `Values` the values.
 */
export type ByPeriods<R, Any, Binding, Values> = All<
  { [P in keyof R]: [BySource<P, R[P], Any, Values> | ByName<P, R[P], Any, Binding>] }[keyof R]
>

// Messages are about the first form.
type BySource<P, Of, Any, Values> = { [N in keyof Any as N extends P ? N : never]?: Any[N] } & {
  -readonly [N in keyof Values as N extends Of ? N : never]: PeriodBounds<Values[N]>
}
type ByName<P, Of, Any, Binding> = { [N in keyof Binding as N extends P ? N : never]: Binding[N] } & {
  [N in keyof Any as N extends Of ? N : never]?: Any[N]
}

/** Both of a list of choices, for tables with several periods; each is in a tuple, so that its choices stay together. */
type All<Choices> = (Choices extends [infer Choice] ? (choice: Choice) => void : never) extends (choice: infer Each) => void ? Each : never
