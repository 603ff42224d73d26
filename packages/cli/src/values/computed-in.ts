// Tested by periods.test.ts.
import type { Value } from 'rowkey/codec'
import { computedValues, type ComputedValues, type SchemaColumn, values } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'

/**
 * What a table computes of its rows; undefined if it has no computed columns.
 *
 * @param schema of rows or keys
 */
export function computedIn(schema: TableSchema): ComputedValues | undefined {
  return computedValues(schema, (row, position) => {
    const { name, type } = schema.columns[position] as SchemaColumn
    return values(type, name).fromValue(row[position] as Value)
  })
}
