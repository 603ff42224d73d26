import type { Bound, Bucket } from '#codec'
import type { Conditions } from '../contract/reading.js'
import type { KeyProduct } from './key-product.js'

/** An interval of keys, `from` < `to` in key order, in one partition. */
export interface KeyRange {
  readonly from: Bound
  readonly to: Bound
}

/** What is read from one bucket: sorted, disjoint ranges. */
export interface Stream {
  readonly bucket: Bucket
  readonly ranges: readonly KeyRange[]
}

/** How a query runs. It depends on schema, predicate and options only, never on data. */
export type Plan =
  | { readonly kind: 'empty' }
  /** Distinct full keys in key order. */
  | { readonly kind: 'get'; readonly keys: KeyProduct; readonly residual: Conditions }
  | { readonly kind: 'scan'; readonly streams: readonly Stream[]; readonly residual: Conditions }

/** Caps of a plan. */
export interface PlanLimits {
  /** How many key ranges a plan may have before its last `in` becomes one range plus a filter. */
  readonly maxRanges: number
  /** How many buckets a plan may read. */
  readonly maxFanOut: number
}

/** 1,000 ranges and 256 buckets. */
export const planLimits: PlanLimits = Object.freeze({ maxRanges: 1000, maxFanOut: 256 })
