// Plans and explanations, for tools and for the types of applications. Adapters import `@rowkey/store/adapter`, the mapper also imports
// `@rowkey/store/engine`.
export type { StoreErrorDetails } from './errors.js'
export type { ColumnSet, Predicate } from './predicate/column-set.js'
export type { KeyRange, Plan, PlanLimits, Stream } from './plan/plan.js'
export { maxInPlan } from './table/limits.js'
export type { Order, ScanOrder } from './plan/order.js'
export type { KeyBounds, ScanBound } from './query/key-bounds.js'
export { compileQuery, type Query, type QueryOptions } from './query/query.js'
export type { QueryStats, Stop } from './scan/run.js'
export { explain } from './explain/explain.js'
export type { Explanation } from './explain/explanation.js'
