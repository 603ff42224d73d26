import { RowkeyError } from '@rowkey/store'
import { longestPartition, longestSort } from './keys.js'

/** After `close()`. */
export function closed(): RowkeyError<'CLOSED'> {
  return new RowkeyError('CLOSED', 'the DynamoDB adapter was closed. Make a new one with dynamodb(); the client is still yours.', {})
}

/** Never created, dropped, or on its way. */
export function tableMissing(table: string): RowkeyError<'TABLE_MISSING'> {
  return new RowkeyError('TABLE_MISSING', `table '${table}' does not exist or was dropped. Create it with ensureTables([…]).`, { table })
}

/** A table that cannot be the adapter's. */
export function schemaMismatch(table: string, differences: readonly string[], remedy: string): RowkeyError<'SCHEMA_MISMATCH'> {
  const lines = differences.map((difference) => `\n  - ${difference}`).join('')
  return new RowkeyError('SCHEMA_MISMATCH', `the table '${table}' that is there does not fit:${lines}\n${remedy}`, { table, differences })
}

/** What an attribute holds is nothing that this column can have. */
export function corrupt(table: string, column: string, what: string): RowkeyError<'CORRUPT_ROW'> {
  return new RowkeyError(
    'CORRUPT_ROW',
    `a stored row of '${table}' cannot be read: column '${column}' ${what}. Something else wrote or damaged it; put the row again, or delete it.`,
    { table, column },
  )
}

/** The core refuses shorter ones already. */
export function keyTooLong(table: string, partition: number, rest: number): RowkeyError<'LIMIT_EXCEEDED'> {
  const isPartition = partition >= longestPartition
  const limit = isPartition ? 'partition' : 'rest'
  const [bytes, most] = isPartition ? [partition, longestPartition - 1] : [rest, longestSort - 1]
  const message = `in a row of '${table}', the ${isPartition ? 'partition' : 'part of the rowkey behind the partition'} takes ${bytes} bytes, more than ${most}. Shorten it.`
  return new RowkeyError('LIMIT_EXCEEDED', message, { table, limit, bytes, most })
}

/** By the name that the server gave to an error. */
export const isNamed = (error: unknown, ...names: readonly string[]): boolean => error instanceof Error && names.includes(error.name)
