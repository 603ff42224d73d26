import type { HBaseError } from '@rowkey/hbase-client'
import { answerFault, closed, isRowkeyError, RowkeyError, storeRefused, storeUnavailable, tableNotFound } from 'rowkey/adapter'
import { familyName, markName, maxRowkeyBytes } from './keys.js'
import { name } from './options.js'

/** After `close()`. */
export const closedAdapter = (): Error => closed('the HBase adapter', 'Call hbase() for a new one. The client is still open.')

/** The error for an existing table that is not of this adapter, or differs. */
export function schemaMismatch(table: string, differences: readonly string[], remedy: string): RowkeyError<'SCHEMA_MISMATCH'> {
  const lines = differences.map((difference) => `  - ${difference}`)
  return new RowkeyError('SCHEMA_MISMATCH', [`the existing table '${table}' does not fit:`, ...lines, remedy], { table, differences })
}

/** The error for a row without the cell by which rows are known. */
export function unmarked(table: string): RowkeyError<'CORRUPT_ROW'> {
  const message =
    `a stored row of '${table}' cannot be read: it has no cell ${familyName}:${markName}, so another program wrote it. Let that program write ` +
    'eight random bytes into that cell with every change of a row, or put or delete the row.'
  return new RowkeyError('CORRUPT_ROW', message, { table, column: markName })
}

/** The error for a catalog that is damaged, or of a later version. */
export function corruptCatalog(table: string): RowkeyError<'CORRUPT_ROW'> {
  const message = `the catalog of table '${table}' cannot be read. Another program or a later version of rowkey wrote it.`
  return new RowkeyError('CORRUPT_ROW', message, { table, column: 'catalog' })
}

/** The core already refuses such keys. This is for callers without the core. */
export function keyTooLong(table: string, bytes: number): RowkeyError<'LIMIT_EXCEEDED'> {
  const message = `in a row of '${table}', the rowkey takes ${bytes} bytes, more than ${maxRowkeyBytes}. Shorten it.`
  return new RowkeyError('LIMIT_EXCEEDED', message, { table, limit: 'rowkey', bytes, max: maxRowkeyBytes })
}

const isHBase = (error: unknown): error is HBaseError => error instanceof Error && error.name === 'HBaseError'

/** Whether the server says that a table does not exist: for most calls it says nothing but the name, with its namespace. */
export function isTableMissing(table: string, { code, javaClass, serverMessage }: HBaseError): boolean {
  return code === 'SERVER' && (javaClass === 'TableNotFoundException' || serverMessage?.split(':').at(-1) === table)
}

/** Whether the server says that a table is disabled, or does not exist: for some calls it names no class of Java. */
export const isDisabled = (error: unknown): boolean =>
  isHBase(error) &&
  error.code === 'SERVER' &&
  (error.serverMessage?.endsWith(' is disabled.') === true || /^[\w.:-]+$/.test(error.serverMessage ?? ''))

/** Whether the client refused a request, because HBase would. */
export const isInvalid = (error: unknown): boolean => isHBase(error) && error.code === 'INVALID_ARGUMENT'

/** Whether a connection was lost before the answer. */
const isLost = (error: unknown): boolean => isHBase(error) && error.code === 'CONNECTION_LOST'

/** Whether an answer could not be read, perhaps because it is longer than the client allows. */
export const isMalformed = (error: unknown): boolean => isHBase(error) && error.code === 'MALFORMED_ANSWER'

/** Whether the client was closed. */
export const isClosed = (error: unknown): boolean => isHBase(error) && error.code === 'CLOSED'

/** Whether a request certainly was not executed. */
export const isUnsent = (error: unknown): boolean => isHBase(error) && !error.isSent

/** Whether the server refused a request, so that it was not executed, and repeating it is pointless. */
export const isRefused = (error: unknown): boolean => isHBase(error) && error.code === 'SERVER' && error.canRetry === false

/** Whether the server answered with an error, which for several rows does not say whether their table exists. */
export const isOfServer = (error: unknown): boolean => isHBase(error) && error.code === 'SERVER'

/** What an error of the client means for a read of a table, or for a change of a table. */
export function errorOf(table: string, error: unknown): unknown {
  if (isRowkeyError(error) || !isHBase(error)) return error
  if (isTableMissing(table, error)) return tableNotFound(table)
  if (isAccess(error)) return storeRefused(name, table, 'access', error, accessRemedy)
  switch (error.code) {
    case 'UNREACHABLE':
    case 'CONNECTION_LOST':
    case 'TIMEOUT':
      return storeUnavailable(name, 'unanswered', error)
    case 'SERVER':
    case 'GATEWAY':
      return storeUnavailable(name, 'refused', error)
    case 'MALFORMED_ANSWER':
      return answerFault(name, table, 'something that the client cannot read', { cause: error })
    case 'CLOSED':
      return closed('the client of the HBase adapter', 'Call hbase() with an open one.')
    case 'INVALID_ARGUMENT':
      return storeRefused(name, table, 'other', error)
    default:
      return error // nobody waits for it any more
  }
}

const accessRemedy =
  'Grant the user of the gateway, or the one it acts for, what the README of @rowkey/hbase lists under "Permissions": grant in the HBase shell.'

/** What HBase, Hadoop, and a gateway that serves several users say if somebody may not do this, or is not known. */
const isAccess = (error: HBaseError): boolean =>
  isJavaClass(error, 'AccessDeniedException', 'AccessControlException', 'AuthorizationException') ||
  /Insufficient permissions|AccessDeniedException/.test(error.serverMessage ?? '')

/** Runs a read, which is repeated once if its connection was lost, as all of a gateway that was replaced are. */
export const onceMore = <T>(read: () => Promise<T>): Promise<T> =>
  read().catch((error: unknown) => (isLost(error) ? read() : Promise.reject(error as Error)))

/** Runs changes of tables. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `ADAPTER_FAULT` */
export async function onServer<T>(table: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw errorOf(table, error)
  }
}

/** The error for an answer that HBase never gives. Nothing of it is used. */
export const badAnswer = (table: string, what: string): Error => answerFault(name, table, what)

/** Whether the server says no with one of these classes of Java. */
export const isJavaClass = (error: unknown, ...names: readonly string[]): boolean =>
  isHBase(error) && error.javaClass !== undefined && names.includes(error.javaClass)
