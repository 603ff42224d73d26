// Also tested by packages/cli/test/servers/ranges.test.ts.
import { values } from 'rowkey/internal'
import type { PartitionRange } from 'rowkey/adapter'
import type { TableSchema } from 'rowkey'
import { textsOf } from '../values/text-of-value.js'

/** A range as text: `at >= 2026-01-01 and at < 2026-02-01`. */
export function rangeText(schema: TableSchema, { from, to }: PartitionRange): string {
  const ends = [...pointsOf(schema, '>=', from), ...pointsOf(schema, '<', to)]
  return ends.length === 0 ? 'everything' : ends.join(' and ')
}

/** A range as JSON, with its values as rows have them there. */
export function rangeJson(schema: TableSchema, { from, to }: PartitionRange): object {
  const json = (point: Readonly<Record<string, unknown>>): object =>
    Object.fromEntries(
      Object.entries(point).map(([name, value]) => {
        const { type } = columnOf(schema, name)
        return [name, JSON.parse(textsOf(type).json(values(type, name).toValue(value))) as unknown]
      }),
    )
  return { ...(from === undefined ? {} : { from: json(from) }), ...(to === undefined ? {} : { to: json(to) }) }
}

function pointsOf(schema: TableSchema, sign: string, point: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  if (point === undefined) return []
  const shown = Object.entries(point).map(([name, value]) => {
    const { type } = columnOf(schema, name)
    return [name, textsOf(type).line(values(type, name).toValue(value))] as const
  })
  const [only] = shown
  if (shown.length === 1 && only !== undefined) return [`${only[0]} ${sign} ${only[1]}`]
  return [`(${shown.map(([name]) => name).join(', ')}) ${sign} (${shown.map(([, value]) => value).join(', ')})`]
}

const columnOf = ({ columns }: TableSchema, name: string): TableSchema['columns'][number] =>
  columns.find((column) => column.name === name) as TableSchema['columns'][number]
