import { show, values } from '@rowkey/codec/internal'
import { orderedColumns } from '../plan/order.js'
import type { ScanBound } from '../query/key-bounds.js'
import type { Query } from '../query/query.js'

/** A bound of a scan as readable text: `after (buyer "ann", at 2026-01-01T00:00:00.000Z)`. */
export function boundText({ schema, merged }: Pick<Query, 'schema' | 'merged'>, { option, bound }: ScanBound): string {
  const columns = orderedColumns(schema.keyLength, merged)
  const parts = bound.prefix.map((value, place) => {
    const column = schema.columns[columns[place] ?? 0]
    if (column === undefined) return ''
    return `${column.name} ${show(value === null ? null : values(column.type, column.name).fromValue(value))}`
  })
  return `${option} (${parts.join(', ')})`
}
