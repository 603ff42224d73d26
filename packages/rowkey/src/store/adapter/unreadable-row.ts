import { isRowkeyError, type Row, type RowkeyError, type Value } from '#codec'
import type { TableSchema } from '#model'
import { storeError, type StoreErrorDetails } from '../errors.js'

type Unreadable = RowkeyError<'UNREADABLE_ROW', StoreErrorDetails['UNREADABLE_ROW']>

/**
 * The error of a stored value that the model cannot hold: outside of its range, of another type, null in a required column. A program that runs
 * since before the last deploy meets such rows whenever a newer model has written them, so the error never advises to write or delete the row.
 *
 * @param column the name in the store
 * @param what completes "column '…'"
 */
export function unreadableRow(table: string, column: string, what: string, options?: ErrorOptions): Unreadable {
  const remedy = 'Unless another program damaged the row, a newer model has written it: restart this program with that model.'
  return notHeld(table, column, what, remedy, options)
}

/**
 * The error of a required column without a value, which is that of a newer model, or of an older one in which the column was nullable too.
 */
export function missingValue(table: string, column: string): Unreadable {
  const remedy =
    'The column is nullable in the model that has written the row. If that is a newer model, restart this program with it. If it is an older ' +
    'one, declare the column nullable, or with a constant default.'
  return notHeld(table, column, 'has no value, and it is required', remedy)
}

function notHeld(table: string, column: string, what: string, remedy: string, options?: ErrorOptions): Unreadable {
  const message = `this model of '${table}' cannot hold a stored row: column '${column}' ${what}. ${remedy}`
  return storeError('UNREADABLE_ROW', message, { table, column }, options)
}

/**
 * Reads the key of a stored row, into `row` if it is given, and returns that.
 *
 * @throws RowkeyError `UNREADABLE_ROW` for bytes that this model has not written
 */
export function readStoredKey({ name, columns, layout }: TableSchema, rowkey: Uint8Array, row: Value[] = []): Row {
  try {
    layout.decode(rowkey, row)
    return row
  } catch (cause) {
    if (!isRowkeyError(cause, 'MALFORMED_KEY')) throw cause
    const { column } = cause.details as { readonly column: string }
    const physical = columns.find((each) => each.name === column)?.physical ?? column
    throw unreadableRow(name, physical, 'has bytes in the key that are no value of its type', { cause })
  }
}
