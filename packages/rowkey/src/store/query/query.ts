// Also tested by shape.test.ts and key-bounds.test.ts.
import type { TableSchema } from '#model'
import type { Predicate } from '../predicate/column-set.js'
import type { Plan } from '../plan/plan.js'
import type { CursorQuery } from './cursor.js'
import { show } from '#codec/internal'
import { storeError } from '../errors.js'
import { parsePredicate } from '../predicate/parse.js'
import { scanOrder, type Order, type ScanOrder } from '../plan/order.js'
import { maxInPlan } from '../table/limits.js'
import { mergedPlan, planQuery, type PlanOptions } from '../plan/planner.js'
import { predicateFingerprint } from './fingerprint.js'
import { keyBounds, planBetween, type KeyBounds, type ScanBound } from './key-bounds.js'

/** What a query has besides its predicate. */
export interface QueryOptions extends PlanOptions, KeyBounds {
  readonly order?: Order | undefined
}

/** A checked and planned query. */
export interface Query extends CursorQuery {
  readonly schema: TableSchema
  readonly predicate: Predicate
  readonly plan: Plan
  /** The plan without the bounds of the scan. */
  readonly whole: Plan
  readonly bounds: readonly ScanBound[]
  /** How many partitions it names, 0 if no row can match; undefined for a table without partition columns. */
  readonly partitions: number | undefined
}

/**
 * Checks a predicate and plans it. Does no I/O.
 *
 * @throws RowkeyError `INVALID_PREDICATE`, `INVALID_OPTION`, `ORDER_UNAVAILABLE`, `FAN_OUT_EXCEEDED` and the refusals of {@link planQuery}
 */
export function compileQuery(schema: TableSchema, where: Readonly<Record<string, unknown>>, options: QueryOptions = {}): Query {
  for (const [option, max] of [
    ['maxRanges', maxInPlan],
    ['maxFanOut', Infinity],
  ] as const) {
    const value = options[option]
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1 && value <= max)) {
      const message = `${option} cannot be ${show(value)}. Give a whole number from 1${max === Infinity ? '' : ` to ${max}`}.`
      throw storeError('INVALID_OPTION', message, { option, value: show(value) })
    }
  }
  const predicate = parsePredicate(schema, where)
  const planned = planQuery(schema, predicate, options)
  const order = options.order === undefined ? keyOrder : scanOrder(schema, predicate, options.order)
  const whole = order.merged === 0 ? planned : mergedPlan(schema, predicate, planned, order.merged, options.maxFanOut)
  const bounds = isBounded(options) ? keyBounds(schema, predicate, order, options) : none
  return new PlannedQuery(schema, predicate, whole, order, bounds)
}

const none: readonly ScanBound[] = []
const keyOrder: ScanOrder = Object.freeze({ reverse: false, merged: 0 })

/** A bound of null is one too: it is refused. */
const isBounded = ({ from, after, to, before }: KeyBounds): boolean =>
  from !== undefined || after !== undefined || to !== undefined || before !== undefined

class PlannedQuery implements Query {
  readonly schema: TableSchema
  readonly predicate: Predicate
  readonly plan: Plan
  readonly whole: Plan
  readonly reverse: boolean
  readonly merged: number
  readonly bounds: readonly ScanBound[]
  private hash: Uint8Array | undefined

  constructor(schema: TableSchema, predicate: Predicate, whole: Plan, order: ScanOrder, bounds: readonly ScanBound[]) {
    this.schema = schema
    this.predicate = predicate
    this.whole = whole
    this.plan = bounds.length === 0 ? whole : planBetween(schema, whole, order, bounds)
    this.reverse = order.reverse
    this.merged = order.merged
    this.bounds = bounds
  }

  get partitions(): number | undefined {
    const { partitionLength } = this.schema
    if (partitionLength === 0) return undefined
    if (this.plan.kind === 'empty') return 0
    let named = 1
    for (let at = 0; at < partitionLength; at++) {
      const set = this.predicate.sets.get(at)
      if (set?.kind === 'points') named *= set.values.length
    }
    return named
  }

  /** Computed lazily: only cursors need it, and it costs more than the plan. */
  get fingerprint(): Uint8Array {
    return (this.hash ??= predicateFingerprint(this.schema, this.predicate, this))
  }
}
