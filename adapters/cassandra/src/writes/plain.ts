import { applied, isUnconditional, RowkeyError, unprocessed, type Mutation, type Outcome, type WriteOptions } from '@rowkey/store/adapter'
import { deleteRow, insertBound } from '../changes.js'
import { refuseHeavy } from './batch-weight.js'
import { isNameUnknown, outcomeOf, outcomeOfThrown, unknownName } from '../outcomes.js'
import type { Bound } from '../client/session.js'
import type { TableContext } from '../context.js'
import { faulty } from '../client/answers.js'
import type { types } from 'cassandra-driver'

/** A put or delete as a statement. @throws RowkeyError `PLAIN_WRITES_ONLY`, because plain writes of others do not respect a condition */
function plainStatement(table: TableContext, mutation: Mutation, now: number, added: readonly string[]): Bound {
  const { kind, row } = mutation
  if (kind === 'delete' && isUnconditional(mutation)) return deleteRow(table, row)
  if (kind === 'put' && isUnconditional(mutation)) return insertBound(table, row, now, false, added)
  const { name } = table.schema
  const message = `'${name}' is declared with writes: 'plain', so it only accepts put and delete without a version. Use those, or copy its rows with copyTable() into a table with writes: 'conditional'.`
  throw new RowkeyError('PLAIN_WRITES_ONLY', message, { table: name, method: kind })
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
    const statements: Bound[] = []
    for (const mutation of mutations) statements.push(plainStatement(table, mutation, options.now, added))
    if (options.cancellation?.isOver === true) return unprocessed
    refuseHeavy(statements, mutations.length)
    const timestamp = session.timestamps.of(mutations[0] as Mutation) ?? session.timestamps.next()
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
