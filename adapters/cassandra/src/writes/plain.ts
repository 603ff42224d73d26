import { applied, RowkeyError, unprocessed, type Mutation, type Outcome, type WriteOptions } from '@rowkey/store/adapter'
import { deleteRow, insertBound } from '../changes.js'
import { refuseHeavy } from './batch-weight.js'
import { isNameUnknown, outcomeOf, outcomeOfThrown, unknownName } from '../outcomes.js'
import type { Bound } from '../client/session.js'
import type { TableContext } from '../context.js'

/** Puts and deletes as statements. @throws RowkeyError `PLAIN_WRITES_ONLY`: a condition would not go with the writes of others */
function plainStatement(table: TableContext, mutation: Mutation, now: number, added: readonly string[]): Bound {
  const { kind, version, row } = mutation
  if (kind === 'delete' && version === undefined) return deleteRow(table, row)
  if (kind === 'put' && version === undefined) return insertBound(table, row, now, false, added)
  const { name } = table.schema
  const message = `'${name}' takes puts and deletes only, as its writes are 'plain'. Declare it with writes: 'conditional'.`
  throw new RowkeyError('PLAIN_WRITES_ONLY', message, { table: name, method: kind })
}

const isPut = ({ kind }: Mutation): boolean => kind === 'put'

const noColumns: readonly string[] = []

/**
 * Mutations of one partition, and of one timestamp if they were sent before: one mutation for the server, with one outcome. Where the answer
 * is lost, the same mutations may come again; they are then written as of the first time.
 *
 * One async function from here to the driver, which waits for nothing else as long as the driver knows the table: a put is all promises of the
 * driver's as it is.
 *
 * @throws RowkeyError `ATOMIC_SCOPE`; errors that are no outcome
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
      await session.write(statements, timestamp)
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
