// Tested by packages/rowkey/test/mapper/computed-columns.test.ts.
import type { Value } from '#codec'
import type { TableSchema } from '#model'
import type { ComputedColumn } from '#model/internal'
import type { Endpoint } from '../contract/reading.js'
import { storeError } from '../errors.js'
import { maxInPlan } from '../table/limits.js'
import { pointSet, type ColumnSet } from './column-set.js'
import { isWithin } from './evaluate.js'
import { rulesOf } from './shape.js'

/**
 * Adds what the conditions on a column say of those that are computed from it, so that the planner finds the values of these as if the query
 * had named them: one for each value of the source, or all between the two ends of its range.
 *
 * @throws RowkeyError `TOO_MANY_RANGES` for more values than a plan may have
 */
export function complete(schema: TableSchema, computed: readonly ComputedColumn[], sets: Map<number, ColumnSet>): void {
  for (const column of computed) {
    const source = sets.get(column.source)
    const set = source === undefined ? undefined : projected(schema, column, source, sets.get(column.position))
    if (set !== undefined) sets.set(column.position, set)
  }
}

/** @param own what the query itself says of the column */
function projected(schema: TableSchema, column: ComputedColumn, source: ColumnSet, own: ColumnSet | undefined): ColumnSet | undefined {
  if (source.kind === 'none' || own?.kind === 'none') return { kind: 'none' }
  const { name = '' } = schema.columns[column.position] ?? {}
  const { order, values } = rulesOf(schema, name)
  const meets =
    ({ low, high }: { readonly low?: Endpoint; readonly high?: Endpoint }) =>
    (value: Value): boolean =>
      isWithin(value, low, high, values.compare)
  if (source.kind === 'range') {
    const { low, high } = source
    if (low === undefined || high === undefined) return undefined
    const first = column.from(low.inclusive ? low.value : stepped(low.value, 1))
    const last = column.from(high.inclusive ? high.value : stepped(high.value, -1))
    if (own?.kind === 'points') {
      const ends = { low: { value: first, inclusive: true }, high: { value: last, inclusive: true } }
      return pointSet(own.values.filter(meets(ends)), order)
    }
    const all: Value[] = []
    for (let value = first; values.compare(value, last) <= 0; value = column.next(value)) {
      if (all.length === maxInPlan) throw tooMany(schema, column, name)
      all.push(value)
    }
    return pointSet(own === undefined ? all : all.filter(meets(own)), order)
  }
  const all = source.values.map((value) => column.from(value))
  if (own === undefined) return pointSet(all, order)
  return pointSet(all.filter(own.kind === 'range' ? meets(own) : (value) => own.values.some((other) => order(value, other) === 0)), order)
}

/** The source counts in whole steps. */
const stepped = (value: Value, by: 1 | -1): Value => (typeof value === 'bigint' ? value + BigInt(by) : (value as number) + by)

function tooMany({ name: table, columns }: TableSchema, { source }: ComputedColumn, name: string): Error {
  const message =
    `the query on '${table}' reads more than ${maxInPlan} values of '${name}', because of the range of '${columns[source]?.name ?? ''}'. ` +
    'Query a smaller range at a time.'
  return storeError('TOO_MANY_RANGES', message, { table, ranges: maxInPlan + 1, maxRanges: maxInPlan })
}
