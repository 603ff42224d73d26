import type { ValueJSON } from '#codec'
import type { TableSchema } from '#model'
import type { ScanBound } from '../query/key-bounds.js'
import type { Query } from '../query/query.js'
import { valueToJSON } from '#codec/internal'
import { orderedColumns } from '../plan/order.js'
import { valueText } from './condition.js'

/** Where a scan starts or ends, as JSON. Values are those of {@link ExplainedCondition}. */
export interface ExplainedBound {
  /** The option of the scan: `from` and `to` include the rows that start with the key, `after` and `before` do not. */
  readonly option: 'from' | 'after' | 'to' | 'before'
  /** The key, or its first columns, in the order of the scan. */
  readonly key: readonly { readonly column: string; readonly value: ValueJSON }[]
}

/** A bound as data. */
export function explainedBound({ schema, merged }: Pick<Query, 'schema' | 'merged'>, { option, bound }: ScanBound): ExplainedBound {
  const columns = orderedColumns(schema.keyLength, merged)
  const key = bound.prefix.map((value, place) => ({
    column: schema.columns[columns[place] ?? 0]?.name ?? '',
    value: valueToJSON(value),
  }))
  return { option, key }
}

/** A bound as readable text: `after (buyer "ann", at 2026-01-01T00:00:00.000Z)`. */
export function boundText(schema: TableSchema, { option, key }: ExplainedBound): string {
  return `${option} (${key.map(({ column, value }) => `${column} ${valueText(schema, column)(value)}`).join(', ')})`
}
