import type { KuduError } from '@rowkey/kudu-client'
import {
  answerFault,
  closed,
  isRowkeyError,
  RowkeyError,
  showName,
  storeRefused,
  storeUnavailable,
  tableNotFound,
  type StoreErrorDetails,
  type TableSchema,
} from 'rowkey/adapter'
import { maxColumns } from './capabilities.js'
import type { KeyColumn } from './keys.js'
import { name } from './options.js'

/** After `close()`. */
export const closedAdapter = (): Error => closed('the Kudu adapter', 'Call kudu() for a new one; the client is still yours.')

function notSupported(
  table: string,
  capability: string,
  message: string,
): RowkeyError<'NOT_SUPPORTED', StoreErrorDetails['NOT_SUPPORTED']> {
  return new RowkeyError('NOT_SUPPORTED', message, { table, capability, adapter: name })
}

/** Kudu asks for a decision, and so does the adapter. */
export const noPartitioning = ({ name: table }: TableSchema): RowkeyError =>
  notSupported(
    table,
    'default partitioning',
    `'${table}' has no salt, and Kudu has no default partitioning. Give the table a salt, such as kuduHash({ of: …, count: 8 }), or all such ` +
      'tables hash partitions with kudu(client, { hash: 8 }).',
  )

/** The model asks for native columns only. */
export const bytesRefused = ({ name: table }: TableSchema, { name: column, why }: KeyColumn): RowkeyError =>
  notSupported(
    table,
    'keys of native columns',
    `'${table}' is declared with stores: { kudu: { strict: true } }, and its key column '${showName(column)}' would be ${why}. Give the column a type ` +
      'that Kudu has: an ascending or descending integer, instant or date, or ascending text, bytes or decimal.',
  )

export const tooManyColumns = ({ name: table }: TableSchema, count: number): RowkeyError =>
  notSupported(
    table,
    `${count} columns`,
    `'${table}' has ${count} columns, and a table of Kudu at most ${maxColumns}. Put columns that are seldom set into one json() column.`,
  )

/** Its model says nothing of ranges of time. */
export const noRanges = ({ name: table }: TableSchema): RowkeyError =>
  notSupported(
    table,
    'ranges',
    `'${table}' has no ranges of time that its model declares. Declare them with stores: { kudu: { range: { of: 'at', every: 'month' } } } before the table is created: ` +
      'the partitioning of a table never changes.',
  )

/** A new table would have more ranges of time than is sensible. One that exists goes on. */
export function tooManyRanges({ name: table }: TableSchema, max: number): RowkeyError<'INVALID_OPTION'> {
  const option = 'stores.kudu.range.from'
  const message = `'${table}' cannot be created: from ${option} to now it would have more than ${max} ranges. Give a later day in from, or a longer every.`
  return new RowkeyError('INVALID_OPTION', message, { option, value: table })
}

/** No range takes the row. */
export function noPartition(table: string, key: Readonly<Record<string, unknown>>, cause: unknown): RowkeyError {
  const message =
    `no range of table '${table}' takes the row with this key. Add one: db.rotate(Model) adds those that the model wants by now, db.addRange(Model, { from, to }) ` +
    'any other.'
  return new RowkeyError('NO_PARTITION', message, { table, key }, { cause })
}

/** The existing table is not the one that the model needs. */
export function otherTable(table: string, differences: readonly string[]): RowkeyError<'SCHEMA_MISMATCH'> {
  const message = [
    `the Kudu table '${table}' is not the one that the model needs:`,
    ...differences.map((difference) => `  - ${difference}`),
  ]
  return new RowkeyError('SCHEMA_MISMATCH', message, { table, differences })
}

/** Another program has dropped columns that the model has. */
export function columnsGone(table: string, columns: readonly string[]): RowkeyError<'SCHEMA_MISMATCH'> {
  const differences = columns.map((column) => `column '${showName(column)}' is not in the table any more`)
  const message = [
    `columns of table '${table}' were dropped, by a newer model that has retired them or by hand:`,
    ...differences.map((each) => `  - ${each}`),
    'Start this program with the newer model. ensureTables([…]) with this one would add such a column again, without its values.',
  ]
  return new RowkeyError('SCHEMA_MISMATCH', message, { table, differences })
}

/** A table that is not dropped: it may belong to another program. */
export function noCatalog(table: string): RowkeyError<'SCHEMA_MISMATCH'> {
  const differences = ['it has no catalog in rk_catalog']
  const message =
    `the Kudu table '${table}' is not known to be of rowkey, because it has no catalog in rk_catalog, so it was not dropped. It belongs to another ` +
    'program. Or a call of ensureTables() was cut off before its end: then call it again, and dropTables() after it.'
  return new RowkeyError('SCHEMA_MISMATCH', message, { table, differences })
}

/** Every time the adapter looked, others were creating, changing or dropping the table. */
export const beingChanged = (table: string): Error =>
  storeUnavailable(name, 'refused', new Error(`other processes are changing table '${table}'`))

/** The error for a catalog that is damaged, or of a later version. */
export function corruptCatalog(table: string): RowkeyError<'CORRUPT_ROW'> {
  const message = `the catalog of table '${table}' cannot be read. Another program or a later version of rowkey wrote it.`
  return new RowkeyError('CORRUPT_ROW', message, { table, column: 'catalog' })
}

/** Kudu's DATE has the years 1 to 9999. */
export function dayOutside(table: string, column: string): RowkeyError<'INVALID_VALUE'> {
  const message =
    `in a row of '${table}', column '${showName(column)}' has a day before 0001-01-01 or after 9999-12-31, which a DATE of Kudu cannot hold. Give ` +
    'another day, or declare the column as a number.'
  return new RowkeyError('INVALID_VALUE', message, { column, value: 'a day outside of the years 1 to 9999' })
}

/** An error of the client. It does not check the class, because there may be two copies of the client. */
export const isKudu = (error: unknown, ...codes: readonly KuduError['code'][]): error is KuduError =>
  error instanceof Error &&
  error.name === 'KuduError' &&
  (codes.length === 0 || codes.includes((error as Partial<KuduError>).code as KuduError['code']))

/** Statuses of requests that a server refuses for what they ask. Sent again as they are, they are refused again. */
const refusals: ReadonlySet<string | undefined> = new Set(['INVALID_ARGUMENT', 'INVALID_SCHEMA', 'ALREADY_PRESENT', 'NOT_FOUND'])

/**
 * Whether another process may have made the same change of a table first: added a column or a range, or dropped one. Who looks again sees what is left to
 * do, and is refused again if it was something else.
 */
export const isOvertaken = (error: unknown): boolean =>
  isKudu(error, 'ALREADY_PRESENT', 'NOT_FOUND') || (isKudu(error, 'SERVER') && refusals.has(error.status))

/** What an error of the client means for a read of a table, or for a change of a table. */
export function errorOf(table: string, error: unknown): unknown {
  if (isRowkeyError(error) || !isKudu(error)) return error
  switch (error.code) {
    case 'NOT_FOUND':
      return tableNotFound(table)
    case 'NOT_AUTHORIZED':
      return storeRefused(
        name,
        table,
        'access',
        error,
        'Give the user of the client this permission, and the client what the servers ask for.',
      )
    case 'UNREACHABLE':
    case 'CONNECTION_LOST':
    case 'TIMEOUT':
      return storeUnavailable(name, 'unanswered', error)
    case 'SERVER':
      return refusals.has(error.status) ? storeRefused(name, table, 'other', error) : storeUnavailable(name, 'refused', error)
    case 'MALFORMED_ANSWER':
      return answerFault(name, table, 'something that the client cannot read', { cause: error })
    case 'CLOSED':
      return closed('the client of the Kudu adapter', 'Call kudu() with an open one.')
    case 'INVALID_ARGUMENT':
    case 'ALREADY_PRESENT':
    case 'NO_PARTITION':
      return storeRefused(name, table, 'other', error)
    default:
      return error // nobody waits for it any more
  }
}

/** Runs a read, or changes of tables. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `STORE_REFUSED`, `ADAPTER_FAULT` */
export async function onServer<T>(table: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw errorOf(table, error)
  }
}
