import { RowkeyError } from '#codec'
import { unreadableRow } from '#store/adapter'
import { leading } from './items.js'
import { Malformed } from './reader.js'

/** The error of a record that cannot be read; an error that is not about its bytes comes through unchanged. */
export function corrupt(table: string, column: string, cause: unknown): unknown {
  if (!(cause instanceof Malformed)) return cause
  // A newer model may have written another value into a column, but not another list, expiry or version.
  if (column !== '' && !leading.includes(column)) return unreadableRow(table, column, cause.message)
  const what = column === '' ? 'its record' : `column '${column}'`
  return new RowkeyError(
    'CORRUPT_ROW',
    `a stored row of '${table}' cannot be read: ${what} ${cause.message}. Something other than rowkey wrote or damaged it. Put the row again, or delete it.`,
    { table, column },
  )
}
