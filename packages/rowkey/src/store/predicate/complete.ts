// Tested by packages/rowkey/test/mapper/periods.test.ts.
import type { Value } from '#codec'
import { counted, show, values } from '#codec/internal'
import type { SchemaColumn, TableSchema } from '#model'
import { computedColumns, type ComputedColumn } from '#model/internal'
import type { Endpoint } from '../contract/reading.js'
import { storeError } from '../errors.js'
import { maxInPlan } from '../table/limits.js'
import { pointSet, type ColumnSet, type Predicate } from './column-set.js'
import { isWithin } from './evaluate.js'
import { rulesOf } from './shape.js'

/**
 * With what the conditions on a column say of those that are computed from it, so that the planner finds the values of these as if the query
 * had named them: one for each value of the source, or all between the two ends of its range.
 *
 * @throws RowkeyError `TOO_MANY_RANGES` for more values than a plan may have
 */
export function completed(
  schema: TableSchema,
  computed: readonly ComputedColumn[],
  given: ReadonlyMap<number, ColumnSet>,
): ReadonlyMap<number, ColumnSet> {
  const sets = new Map(given)
  for (const column of computed) {
    const source = given.get(column.source)
    const set = source === undefined ? undefined : projected(schema, column, source, given.get(column.position))
    if (set === undefined) continue
    sets.set(column.position, set)
    if (source?.kind !== 'points' || set.kind !== 'points' || !given.has(column.position)) continue
    // So that each instant has one of the periods.
    const periods = new Set(set.values)
    sets.set(column.source, { kind: 'points', values: source.values.filter((value) => periods.has(column.from(value))) })
  }
  return sets
}

/** @param own what the query itself says of the column */
function projected(schema: TableSchema, column: ComputedColumn, source: ColumnSet, own: ColumnSet | undefined): ColumnSet | undefined {
  if (source.kind === 'none' || own?.kind === 'none') return { kind: 'none' }
  const { name = '' } = schema.columns[column.position] ?? {}
  const {
    order,
    values: { compare },
  } = rulesOf(schema, name)
  const meets =
    ({ low, high }: { readonly low?: Endpoint; readonly high?: Endpoint }) =>
    (value: Value): boolean =>
      isWithin(value, low, high, compare)
  if (source.kind === 'range') {
    const { low, high } = source
    if (low === undefined || high === undefined) return undefined
    const first = column.from(low.inclusive ? low.value : stepped(low.value, 1))
    const last = column.from(high.inclusive ? high.value : stepped(high.value, -1))
    if (own?.kind === 'points') {
      const ends = { low: { value: first, inclusive: true }, high: { value: last, inclusive: true } }
      return pointSet(own.values.filter(meets(ends)), order)
    }
    const [from, to] = [column.number(first), column.number(last)]
    if (to < from) return { kind: 'none' }
    if (to - from >= maxInPlan) throw tooMany(schema, column, [first, last], to - from + 1)
    const isDesc = schema.columns[column.position]?.type.desc === true
    const all = Array.from({ length: to - from + 1 }, (_, i) => column.at(isDesc ? to - i : from + i))
    const meeting = own === undefined ? all : all.filter(meets(own))
    return meeting.length === 0 ? { kind: 'none' } : { kind: 'points', values: meeting }
  }
  const all = source.values.map((value) => column.from(value))
  if (own === undefined) return pointSet(all, order)
  if (own.kind === 'range') return pointSet(all.filter(meets(own)), order)
  const named = new Set(own.values)
  return pointSet(
    all.filter((value) => named.has(value)),
    order,
  )
}

/** The source counts in whole steps. */
const stepped = (value: Value, by: 1 | -1): Value => (typeof value === 'bigint' ? value + BigInt(by) : (value as number) + by)

function tooMany(
  { name: table, columns }: TableSchema,
  { source, position }: ComputedColumn,
  ends: readonly Value[],
  count: number,
): Error {
  const [{ name, type }, of] = [columns[position], columns[source]] as [SchemaColumn, SchemaColumn]
  const [first, last] = ends.map((value) => show(values(type, name).fromValue(value)))
  const message =
    `the range of '${of.name}' in the query on '${table}' covers ${counted(count, type.every ?? 'period')}, ${first} to ${last}, and a query can read ${maxInPlan}. ` +
    `Query a smaller range at a time, and look whether '${of.name}' was given in another unit.`
  return storeError('TOO_MANY_RANGES', message, { table, ranges: count, maxRanges: maxInPlan })
}

/** When the last period that a query reads begins; Infinity if it does not name its periods. */
export function lastPeriod(schema: TableSchema, { sets }: Predicate): number {
  let last = -Infinity
  for (const { position, begin } of computedColumns(schema)) {
    const set = sets.get(position)
    if (set?.kind !== 'points') return set?.kind === 'none' ? last : Infinity
    for (const end of [set.values[0], set.values.at(-1)]) last = Math.max(last, begin(end as Value))
  }
  return last
}
