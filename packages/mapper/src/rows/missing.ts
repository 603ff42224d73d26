import { RowkeyError } from '@rowkey/codec'
import { show } from '@rowkey/codec/internal'

/** The error for a row that must exist. */
export function missingRow(table: string, key: object, remedy: string): Error {
  const text = Object.entries(key)
    .map(([column, value]) => `${column} ${show(value)}`)
    .join(', ')
  return new RowkeyError('ROW_NOT_FOUND', `'${table}' has no row with key (${text}). ${remedy}.`, { table, key })
}

/** The error for a column that a row, key or patch needs and does not have. */
export function missingColumn(column: string, table: string, remedy = 'Give it a value, or null if the column is nullable.'): Error {
  return new RowkeyError('INVALID_VALUE', `column '${column}' of '${table}' is missing or undefined. ${remedy}`, {
    column,
    value: 'undefined',
  })
}
