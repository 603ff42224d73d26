import { RowkeyError } from '@rowkey/codec'
import { Malformed } from './reader.js'

/** The error of a record that cannot be read; what is no complaint about its bytes comes through as it is. */
export function corrupt(table: string, column: string, cause: unknown): unknown {
  if (!(cause instanceof Malformed)) return cause
  const what = column === '' ? 'its record' : `column '${column}'`
  return new RowkeyError(
    'CORRUPT_ROW',
    `a stored row of '${table}' cannot be read: ${what} ${cause.message}. Something else wrote or damaged it; put the row again, or delete it.`,
    { table, column },
  )
}
