// Tested by packages/rowkey/test/store/merged-periods.test.ts.
import type { SchemaColumn, TableSchema } from '#model'
import { showName, typeFacts } from '#codec/internal'

/** A column of dates that the application computes, and the instant of the key that they are probably of. */
export interface DateByHand {
  readonly date: SchemaColumn
  readonly of: SchemaColumn
}

/** Among the first columns of a key; undefined if there is none with an instant after it, or it is a `period()`. */
export function dateByHand({ columns, keyLength }: TableSchema, among: number): DateByHand | undefined {
  const at = columns.slice(0, among).findLastIndex(isDate)
  const date = columns[at]
  const of = columns.slice(at + 1, keyLength).find(isInstant)
  return date === undefined || of === undefined ? undefined : { date, of }
}

/** What declares them, so that the application need not compute them. */
export const periodInstead = ({ date, of }: DateByHand): string =>
  `period('${everyOf(date)}', { of: '${showName(of.name)}' }) in place of '${showName(date.name)}'`

/** Names of columns whose values stay as long as the name says. */
const dateName = /(?:^|[_a-z])(hour|day|date|week|month|year)$/i

function isDate(column: SchemaColumn): boolean {
  if (column.type.of !== undefined) return false
  const counts = countsOf(column)
  if (counts !== undefined) return counts === 'days'
  return ['text', 'int'].includes(typeFacts(column.type).storage.class) && dateName.test(column.name)
}

function isInstant(column: SchemaColumn): boolean {
  const counts = countsOf(column)
  return counts !== undefined && counts !== 'days' && column.type.of === undefined && column.type.ordered && !column.type.nullable
}

function countsOf({ type }: SchemaColumn): string | undefined {
  const { storage } = typeFacts(type)
  return 'counts' in storage ? storage.counts : undefined
}

function everyOf({ name }: SchemaColumn): string {
  const [, unit = 'day'] = dateName.exec(name) ?? []
  return unit.toLowerCase().replace('date', 'day')
}
