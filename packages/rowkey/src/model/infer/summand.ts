/** What is added to values of this type: to a column of `1 | 2` also -1. Decimals are text. */
export type Summand<V> = V extends number ? number : V extends bigint ? bigint : V extends string ? string : never
