import { RowkeyError } from '#codec'
import { show } from '#codec/internal'

/** The error for a row that must exist. */
export function missingRow(table: string, key: object, remedy: string): Error {
  return new RowkeyError('ROW_NOT_FOUND', `'${table}' has no row with key ${keyText(key)}. ${remedy}.`, { table, key })
}

/** A key in a message: `(buyer "ann", no 7)`. */
export function keyText(key: object): string {
  const columns = Object.entries(key).map(([column, value]) => `${column} ${show(value)}`)
  return `(${columns.join(', ')})`
}

/** The error for a column that a row, key or patch needs and does not have. */
export function missingColumn(column: string, table: string, remedy = 'Give it a value, or null if the column is nullable.'): Error {
  return new RowkeyError('INVALID_VALUE', `column '${column}' of '${table}' is missing or undefined. ${remedy}`, {
    column,
    value: 'undefined',
  })
}
