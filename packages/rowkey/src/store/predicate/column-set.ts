import type { Value } from '#codec'
import type { ComputedColumn } from '#model/internal'
import type { Endpoint, Condition } from '../contract/reading.js'

/** The values that one column may have, after all its conditions are intersected. */
export type ColumnSet =
  | { readonly kind: 'none' }
  /** Distinct, in key order for a key column. Only `[null]` holds a null. */
  | { readonly kind: 'points'; readonly values: readonly Value[] }
  /** Never null. Without limits: every value except null. */
  | { readonly kind: 'range'; readonly low?: Endpoint; readonly high?: Endpoint }

/** The conditions on a table's columns. */
export interface Predicate {
  /** By column position; a column that is not listed is unbound. With what follows for computed columns. */
  readonly sets: ReadonlyMap<number, ColumnSet>
  /** What the query itself says: the same map if no column is computed. */
  readonly given: ReadonlyMap<number, ColumnSet>
  /** Columns with a condition that counts as bound; `startsWith: ''` does not. */
  readonly bound: ReadonlySet<number>
  /** Columns whose values are named one by one: one value, or a list of any length. It depends on the operators only. */
  readonly named: ReadonlyMap<number, 'value' | 'list'>
  /** Computed columns whose values follow from conditions on others. It depends on the operators only. */
  readonly followed: readonly ComputedColumn[]
}

/** Values that may repeat, as a set. @param order that of {@link ColumnSet} */
export function pointSet(points: readonly Value[], order: (a: Value, b: Value) => number): ColumnSet {
  if (points.length === 1) return { kind: 'points', values: points }
  const sorted = points.toSorted(order).filter((value, i, all) => i === 0 || order(all[i - 1] as Value, value) !== 0)
  return sorted.length === 0 ? { kind: 'none' } : { kind: 'points', values: sorted }
}

/** The same condition in the form that adapters and the residual filter use. */
export function testOf(column: number, set: Exclude<ColumnSet, { kind: 'none' }>): Condition {
  if (set.kind === 'points') return set.values[0] === null ? { column, isNull: true } : { column, in: set.values }
  if (set.low === undefined && set.high === undefined) return { column, isNull: false }
  const { low, high } = set
  return { column, ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) }
}
