// Tested by read-ranges.test.ts and timestamps.test.ts.
import {
  applied,
  isUnconditional,
  RowkeyError,
  unprocessed,
  type Mutation,
  type Outcome,
  type Row,
  type TableSchema,
  type WriteOptions,
} from 'rowkey/adapter'
import { deleteBefore, deleteRow, insertBound } from '../changes.js'
import { refuseHeavy } from './batch-weight.js'
import { isNameUnknown, outcomeOf, outcomeOfThrown, unknownName } from '../outcomes.js'
import type { Bound } from '../client/session.js'
import type { Timestamp } from '../client/timestamps.js'
import type { TableContext } from '../context.js'
import { faulty } from '../client/answers.js'
import type { types } from 'cassandra-driver'

/**
 * From so many nulls on, a put deletes the row a microsecond before it writes what has a value. That is one tombstone that no read counts, and was
 * faster from about here on: 1.0 to 1.2 times as many rows a second with 19 nulls, 2.3 times with 249.
 */
const manyNulls = 16

/** A put or delete as statements. @throws RowkeyError `PLAIN_WRITES_ONLY`, because plain writes of others do not respect a condition */
function plainStatements(
  table: TableContext,
  mutation: Mutation,
  now: number,
  added: readonly string[],
  timestamp: Timestamp | undefined,
): readonly Bound[] {
  const { kind, row } = mutation
  if (kind === 'delete' && isUnconditional(mutation)) return [deleteRow(table, row)]
  if (kind === 'put' && isUnconditional(mutation)) {
    if (mutation.nulls === 'unset') return [insertBound(table, row, now, 'leave')]
    if (timestamp === undefined || !hasManyNulls(table.schema, row, added.length)) return [insertBound(table, row, now, 'clear', added)]
    return [deleteBefore(table, row, timestamp), insertBound(table, row, now, 'leave')]
  }
  const { name } = table.schema
  const message = `'${name}' is declared with writes: 'plain', so it only accepts put and delete without a version. Use those, or copy its rows with copyTable() into a table with writes: 'conditional'.`
  throw new RowkeyError('PLAIN_WRITES_ONLY', message, { table: name, method: kind })
}

/** `added`: columns that the row does not have at all. */
function hasManyNulls({ columns, keyLength }: TableSchema, row: Row, added: number): boolean {
  if (columns.length - keyLength + added < manyNulls) return false
  let nulls = added
  for (let i = keyLength; i < columns.length; i++) if ((row[i] ?? null) === null) nulls++
  return nulls >= manyNulls
}

const isPut = ({ kind }: Mutation): boolean => kind === 'put'

const noColumns: readonly string[] = []

/**
 * Writes mutations of one partition, which are one mutation with one outcome for the server. If they were sent before, it was with one timestamp.
 * After a lost answer the core may send the same mutations again. They are then written with the timestamp of the first time.
 *
 * This is the only async function between the core and the driver, and it waits for nothing else as long as the driver knows the table: the driver
 * itself already makes many promises per put.
 *
 * @throws RowkeyError `ATOMIC_SCOPE`; errors that are not outcomes
 */
export async function writePlain(table: TableContext, mutations: readonly Mutation[], options: WriteOptions): Promise<Outcome> {
  const { session } = table
  try {
    const columns = mutations.some(isPut) ? table.columns.unknown() : noColumns
    const added = columns instanceof Promise ? await columns : columns
    const timestamp = session.timestamps.of(mutations[0] as Mutation) ?? session.timestamps.next()
    const statements: Bound[] = []
    for (const mutation of mutations) statements.push(...plainStatements(table, mutation, options.now, added, timestamp))
    if (options.cancellation?.isOver === true) return unprocessed
    refuseHeavy(statements, mutations.length)
    try {
      const { rows } = (await session.write(statements, timestamp)) as Partial<types.ResultSet>
      if (rows !== undefined) throw faulty(table.schema.name, 'rows to a write without a condition')
      return applied
    } catch (error) {
      if (isNameUnknown(error)) return await unknownName(table, error, false)
      const outcome = outcomeOf(error, false)
      if (outcome.kind !== 'unknown' || timestamp === undefined) return outcome
      session.timestamps.keep(mutations, timestamp)
      return { ...outcome, repeatable: true }
    }
  } catch (cause) {
    return outcomeOfThrown(cause)
  }
}
