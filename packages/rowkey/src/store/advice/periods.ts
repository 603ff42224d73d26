// Tested by explain.test.ts.
import type { ValueJSON } from '#codec'
import { counted, valueToJSON } from '#codec/internal'
import type { TableSchema } from '#model'
import type { Predicate } from '../predicate/column-set.js'
import { valueText } from './condition.js'

/** The periods that a query reads because of its condition on their source, as JSON. */
export interface ExplainedPeriods {
  readonly column: string
  /** The column that they follow from. */
  readonly of: string
  readonly count: number
  /** In the order of time, canonical like the values of a condition. */
  readonly first: ValueJSON
  readonly last: ValueJSON
}

/** Of each computed column whose values follow from a condition on its source. */
export function explainedPeriods({ columns }: TableSchema, { sets, followed }: Predicate): readonly ExplainedPeriods[] {
  return followed.flatMap(({ position, source }) => {
    const set = sets.get(position)
    if (set?.kind !== 'points') return []
    const [one, other] = [set.values[0], set.values.at(-1)] as [number, number]
    const [column = '', of = ''] = [position, source].map((at) => columns[at]?.name)
    const [first, last] = [Math.min(one, other), Math.max(one, other)].map(valueToJSON) as [ValueJSON, ValueJSON]
    return [{ column, of, count: set.values.length, first, last }]
  })
}

/** `3 days of 'at', 2026-01-01 … 2026-01-03` */
export function periodsText(schema: TableSchema, { column, of, count, first, last }: ExplainedPeriods): string {
  const every = schema.columns.find(({ name }) => name === column)?.type.every
  const shown = (value: ValueJSON): string => valueText(schema, column)(value).replace('T00:00:00.000Z', '')
  return `${counted(count, every ?? 'period')} of '${of}', ${shown(first)}${count === 1 ? '' : ` … ${shown(last)}`}`
}
