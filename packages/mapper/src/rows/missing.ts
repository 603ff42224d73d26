import { RowkeyError, show } from '@rowkey/codec'

/** The error for a row that must be there. */
export function missingRow(table: string, key: object, remedy: string): Error {
  const text = Object.entries(key)
    .map(([column, value]) => `${column} ${show(value)}`)
    .join(', ')
  return new RowkeyError('ROW_MISSING', `'${table}' has no row with key (${text}). ${remedy}.`, { table, key })
}

/** The error for a column that a row, key or patch needs and does not have. */
export function missingColumn(column: string, table: string, key?: string): Error {
  const remedy = key === undefined ? 'Give it a value (null where the column is nullable)' : `A key of '${table}' names all of (${key})`
  return new RowkeyError('INVALID_VALUE', `column '${column}' of '${table}' is missing or undefined. ${remedy}.`, {
    column,
    value: 'undefined',
  })
}
