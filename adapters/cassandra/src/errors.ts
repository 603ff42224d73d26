// Tested by faults.test.ts.
import {
  closed,
  isRowkeyError,
  reasonOf,
  RowkeyError,
  showName,
  type StoreErrorDetails,
  storeUnavailable,
  tableNotFound,
} from 'rowkey/adapter'

/** After `close()`. */
export const closedAdapter = (): Error => closed('the Cassandra adapter', 'Call cassandra() for a new one; the client is still yours.')

/** The adapter creates no keyspaces, because the application decides how they are replicated. */
function keyspaceMissing(keyspace: string, cause: unknown): RowkeyError<'INVALID_OPTION'> {
  return new RowkeyError(
    'INVALID_OPTION',
    `cassandra(): keyspace cannot be '${keyspace}', which does not exist. Create it with the replication you want, such as ` +
      `CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}.`,
    { option: 'keyspace', value: keyspace },
    { cause },
  )
}

/** The existing table is not the one that the model needs. */
export function otherTable(table: string, differences: readonly string[]): RowkeyError<'SCHEMA_MISMATCH'> {
  return new RowkeyError(
    'SCHEMA_MISMATCH',
    [`the Cassandra table "${table}" is not the one that the model needs:`, ...differences.map((difference) => `  - ${difference}`)],
    { table, differences },
  )
}

/** A table that is not dropped: it may belong to another program. */
export function noCatalog(table: string): RowkeyError<'SCHEMA_MISMATCH'> {
  const differences = ['it has no catalog in rk_catalog']
  const message =
    `the Cassandra table "${table}" is not known to be of rowkey, because it has no catalog in rk_catalog, so it was not dropped. It ` +
    'belongs to another program. Or a call of ensureTables() was cut off before its end: then call it again, and dropTables() after it.'
  return new RowkeyError('SCHEMA_MISMATCH', message, { table, differences })
}

/** Every time the adapter looked, others were creating, changing or dropping the table. */
export function beingChanged(table: string): RowkeyError<'STORE_UNAVAILABLE'> {
  return storeUnavailable('cassandra', 'refused', new Error(`other processes are changing table '${table}'`))
}

/** The table that was opened is gone, and the one that has its name now lacks these columns. */
export function columnsGone(table: string, columns: readonly string[]): RowkeyError<'SCHEMA_MISMATCH'> {
  const differences = columns.map((column) => `column '${column}' does not exist`)
  const message = [
    `another process dropped table '${table}' and created it again with other columns:`,
    ...differences.map((line) => `  - ${line}`),
    'Call ensureTables([…]) again. It adds the columns that can be added, and names the other differences.',
  ]
  return new RowkeyError('SCHEMA_MISMATCH', message, { table, differences })
}

/** Cassandra 3.11 has created one table twice. What is written to it now is lost at the next restart, unless the table is altered before. */
function madeTwice(keyspace: string, cause: unknown): RowkeyError<'STORE_UNUSABLE', StoreErrorDetails['STORE_UNUSABLE']> {
  const message =
    `a table of keyspace '${keyspace}' has two ids, one in memory and one on disk, because two clients created it at the same moment (${reasonOf(cause)}). ` +
    `What is written to it is lost when the server restarts. Before that, execute ALTER TABLE ${keyspace}.<table> WITH comment = '' for each ` +
    'table that was created recently. This repairs it. Then call ensureTables([…]) again. Cassandra 4.0 and later do not have this bug.'
  return new RowkeyError('STORE_UNUSABLE', message, { adapter: 'cassandra', path: keyspace, reason: 'damaged' }, { cause })
}

/** A hint that this server is too old for. */
export function compactionUnknown(table: string, compaction: string, version: string, cause: unknown): RowkeyError<'INVALID_OPTION'> {
  return new RowkeyError(
    'INVALID_OPTION',
    `in the model of '${table}', stores.cassandra.compaction cannot be '${compaction}': the server is Cassandra ${showName(version)}, which does not have it. ` +
      (compaction === 'TimeWindow'
        ? "Use 'SizeTiered' or 'Leveled', or compactionWindow: false."
        : `Use 'SizeTiered', 'Leveled' or 'TimeWindow'${compaction === 'Unified' ? ', or Cassandra 5.0' : ''}.`),
    { option: 'stores.cassandra.compaction', value: compaction },
    { cause },
  )
}

/** Numbers of the CQL protocol. */
export const responseCodes = {
  serverError: 0x0000,
  badCredentials: 0x0100,
  unavailable: 0x1000,
  overloaded: 0x1001,
  isBootstrapping: 0x1002,
  writeTimeout: 0x1100,
  readTimeout: 0x1200,
  readFailure: 0x1300,
  writeFailure: 0x1500,
  casWriteUnknown: 0x1700,
  unauthorized: 0x2100,
  invalid: 0x2200,
  configuration: 0x2300,
  unprepared: 0x2500,
} as const

/** An error of the driver, as far as the adapter reads it. It does not check classes, because there may be two copies of the driver. */
export interface DriverError {
  readonly name?: string
  readonly message?: string
  readonly code?: number | string
  readonly syscall?: string
  readonly isSocketError?: boolean
  readonly requestNotWritten?: boolean
  readonly innerErrors?: Readonly<Record<string, unknown>> | null
}

/** The errors of the single hosts, or the error itself. */
export function causesOf(error: unknown): readonly DriverError[] {
  const inner = (error as DriverError | undefined)?.innerErrors
  if (inner === undefined || inner === null) return [error as DriverError]
  return Object.values(inner).map((one) => (typeof one === 'object' && one !== null ? (one as DriverError) : { message: String(one) }))
}

/** What servers say of a table that does not exist. Versions differ. */
const goneTable = /unconfigured table|^table .* does not exist/i

/** Whether the server does not know the table. After a drop, statements that were prepared cannot be prepared again. */
export function isTableGone(error: unknown): boolean {
  if (isRowkeyError(error)) return false
  const causes = causesOf(error)
  return causes.some(
    ({ code, message = '' }) => code === responseCodes.unprepared || (code === responseCodes.invalid && goneTable.test(message)),
  )
}

/** The same for columns. The words of 3.11 are not those of 4.0 and later. */
const unknownColumn = /^(undefined column name|unknown identifier|undefined name)/i

/** Whether the server does not know a column that a statement names. */
export function isColumnUnknown(error: unknown): boolean {
  return causesOf(givenBy(error)).some(({ code, message = '' }) => code === responseCodes.invalid && unknownColumn.test(message))
}

/** What servers say of a statement whose conditions are not on the key of the table: it may have been created again with another one. */
const otherKey =
  /might involve data filtering|partition key parts are missing|partition key components|some clustering keys are missing|order by/i

export function isKeyUnfit(error: unknown): boolean {
  return causesOf(givenBy(error)).some(({ code, message = '' }) => code === responseCodes.invalid && otherKey.test(message))
}

/** Whether the server says that it has two ids for a table. */
const isMadeTwice = (error: unknown): boolean => /column family id mismatch/i.test((error as DriverError).message ?? '')

/** Reasons of the server that are only temporary. */
const temporary = new Set<unknown>([
  responseCodes.serverError,
  responseCodes.unavailable,
  responseCodes.overloaded,
  responseCodes.isBootstrapping,
  responseCodes.writeTimeout,
  responseCodes.readTimeout,
])

/** Whether the server answered that it could not, for a reason that is only temporary. */
const isTemporary = (error: unknown): boolean => causesOf(error).some(({ name, code }) => name === 'ResponseError' && temporary.has(code))

/** What it answers if too many transactions write the same row. */
const contended = new Set<unknown>([responseCodes.writeTimeout, responseCodes.readTimeout, responseCodes.casWriteUnknown])

/** What a node says, as a server error, of a table that it is creating or dropping at this moment. */
const inBetween = /unknown cf/i

/** Whether a transaction was hindered by others for too long, or its table is just being created. If it was a write, its outcome is unknown. */
export const isContended = (error: unknown): boolean =>
  isRowkeyError(error, 'STORE_UNAVAILABLE') &&
  causesOf(error.cause).some(({ name, code, message = '' }) => name === 'ResponseError' && (contended.has(code) || inBetween.test(message)))

/** Whether the server does not know the compaction that a table asks for. */
export const isCompactionUnknown = (error: unknown): boolean =>
  causesOf(givenBy(error)).some(
    ({ code, message = '' }) => code === responseCodes.configuration && /compaction strategy class/i.test(message),
  )

/** What a change of a table throws for an error of the driver. */
export function explained(keyspace: string, table: string, error: unknown): Error {
  if (isRowkeyError(error)) return error
  const { code, message = '' } = error as DriverError
  if (code === responseCodes.invalid && /^keyspace .* (does not|doesn't) exist/i.test(message)) return keyspaceMissing(keyspace, error)
  return isMadeTwice(error) ? madeTwice(keyspace, error) : readError(table, error)
}

/** What a read, or a change of a table, throws for an error of the driver. */
export function readError(table: string, error: unknown): Error {
  if (isRowkeyError(error)) return error
  if (isTableGone(error)) return tableNotFound(table)
  const causes = causesOf(error)
  if (isTemporary(error)) return storeUnavailable('cassandra', 'refused', error)
  if (causes.every(isUnanswered)) return storeUnavailable('cassandra', 'unanswered', error)
  if (causes.some(({ code }) => code === responseCodes.readFailure)) return overTombstones(table, error)
  return causes.some(({ name }) => name === 'ResponseError' || name === 'AuthenticationError')
    ? storeRefused(table, error)
    : (error as Error)
}

/** The server does not say why replicas failed to read. It is this if their logs say nothing of a damaged disk. */
function overTombstones(table: string, cause: unknown): RowkeyError<'STORE_REFUSED', StoreErrorDetails['STORE_REFUSED']> {
  const message =
    `the replicas failed to read table '${table}', also in smaller ranges. They refuse a read that passes over more than 100,000 tombstones ` +
    '(tombstone_failure_threshold): every cell of an expired row is one, every null of a put, and every deleted row. Bind more of the key, such as ' +
    'the time, or read newest first, so that the read ends before them. Compactions remove them after gc_grace_seconds. If there cannot be so many, ' +
    'the logs of the replicas say what is wrong.'
  return new RowkeyError('STORE_REFUSED', message, { adapter: 'cassandra', table, reason: 'tombstones' }, { cause })
}

/** Every other answer that repeating does not change: no permission, a limit of the server. */
function storeRefused(table: string, cause: unknown): RowkeyError<'STORE_REFUSED', StoreErrorDetails['STORE_REFUSED']> {
  const reason = causesOf(cause).some(({ code }) => code === responseCodes.unauthorized || code === responseCodes.badCredentials)
    ? 'access'
    : 'other'
  const remedy =
    reason === 'access' ? 'Give the role of the client this permission.' : 'Correct what it names; to repeat the call does not help.'
  const message = `Cassandra refused a request for table '${table}': ${reasonOf(cause)}. ${remedy}`
  return new RowkeyError('STORE_REFUSED', message, { adapter: 'cassandra', table, reason }, { cause })
}

/** Whether replicas failed to read, which they do if they pass over too many tombstones. */
export const isOverTombstones = (error: unknown): boolean => isRowkeyError(error, 'STORE_REFUSED') && error.details.reason === 'tombstones'

/** Whether a server is too old to filter by a list. */
export const isListUnknown = (error: unknown): boolean =>
  causesOf(givenBy(error)).some(
    ({ code, message = '' }) => code === responseCodes.invalid && /^IN predicates on non-primary/i.test(message),
  )

/** Whether a read took too long, or too many rows of it were not yet the same on all replicas. It may be less without a filter. */
export const isOverTime = (error: unknown): boolean =>
  isRowkeyError(error, 'STORE_UNAVAILABLE') &&
  causesOf(error.cause).some(
    ({ name, code }) => name === 'OperationTimedOutError' || code === responseCodes.readTimeout || code === responseCodes.overloaded,
  )

/** The error of the driver, if it has become one of rowkey. */
const givenBy = (error: unknown): unknown => (isRowkeyError(error, 'STORE_REFUSED') ? error.cause : error)

/** Whether the server did not answer: the host is down, the connection was cut, or a time-out. */
function isUnanswered({ name, message = '', isSocketError, syscall }: DriverError): boolean {
  if (isSocketError === true || syscall !== undefined) return true
  if (name === 'OperationTimedOutError' || name === 'NoHostAvailableError' || name === 'BusyConnectionError') return true
  return isUnreachable(message) || /^(Socket was closed|Connection (closed|timeout)|null$)/.test(message)
}

/** Whether the driver says that a host is unreachable, to which it has therefore sent nothing. */
export const isUnreachable = (message: string): boolean => /^(Host considered as DOWN|No connection available)/.test(message)
