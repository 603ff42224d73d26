// Tested by periods.test.ts.
import { computedColumns, type SchemaColumn, values } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'

// Columns whose values rowkey computes: the hour, day, week, month or year of an instant.

const day = 86_400

/** How long periods are at most, in seconds. */
export const periodSeconds: Readonly<Record<Every, number>> = { hour: 3600, day, week: 7 * day, month: 31 * day, year: 366 * day }
/** Their lengths, as models name them. */
export type Every = 'hour' | 'day' | 'week' | 'month' | 'year'

/** Whether rowkey computes its values, from an instant or a date of the key. */
export const isPeriod = ({ type }: SchemaColumn): boolean => type.of !== undefined

/** The length of a period, the last one if the model changes it; undefined for other columns. */
export const everyOf = ({ type }: SchemaColumn): Every | undefined => type.changes?.at(-1)?.every ?? type.every

/** One of them, with its article. */
export const aPeriod = (every: Every): string => `${every === 'hour' ? 'an' : 'a'} ${every}`

/** What the application gives instead of a column that is computed. */
export const sourceOf = ({ name, type }: SchemaColumn): string => type.of ?? name

/** Consecutive periods as an application would give them, the first of them that of the first example of their source. */
export function examplePeriods(schema: TableSchema, { name }: SchemaColumn, count: number, source: unknown): readonly unknown[] {
  const period = computedColumns(schema).find(({ position }) => schema.columns[position]?.name === name)
  if (period === undefined) return []
  const [column, of] = [schema.columns[period.position], schema.columns[period.source]] as [SchemaColumn, SchemaColumn]
  const first = period.number(period.from(values(of.type, of.name).toValue(source)))
  const { fromValue } = values(column.type, column.name)
  return Array.from({ length: count }, (_, place) => fromValue(period.at(first + place)))
}
