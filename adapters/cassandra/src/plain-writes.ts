import { RowkeyError, type Mutation, type Outcome, type WriteOptions } from '@rowkey/store'
import { deleteRow, insertBound } from './changes.js'
import { refuseHeavy } from './batch-weight.js'
import { applied, outcomeOf, unprocessed } from './outcomes.js'
import type { Bound } from './session.js'
import type { CassandraTable } from './table.js'
import { isNameUnknown, unknownName } from './unknown-names.js'

/** Puts and deletes as statements. @throws RowkeyError `WRITES_PLAIN`: a condition would not go with the writes of others */
async function plainStatements(table: CassandraTable, mutations: readonly Mutation[], now: number): Promise<readonly Bound[]> {
  const added = mutations.some(({ kind }) => kind === 'put') ? await table.columns.unknown() : []
  return mutations.map((mutation) => plainStatement(table, mutation, now, added))
}

function plainStatement(table: CassandraTable, mutation: Mutation, now: number, added: readonly string[]): Bound {
  const { kind, version, row } = mutation
  if (kind === 'delete' && version === undefined) return deleteRow(table, row)
  if (kind === 'put' && version === undefined) return insertBound(table, row, now, false, added)
  const { name } = table.schema
  const message = `'${name}' takes puts and deletes only, as its writes are 'plain'. Declare it with writes: 'conditional'.`
  throw new RowkeyError('WRITES_PLAIN', message, { table: name, method: kind })
}

/**
 * Mutations of one partition, and of one timestamp if they were sent before: one mutation for the server. Where the answer is lost, the same
 * mutations may come again; they are then written as of the first time.
 */
export async function writePlain(table: CassandraTable, mutations: readonly Mutation[], options: WriteOptions): Promise<Outcome> {
  const statements = await plainStatements(table, mutations, options.now)
  if (options.cancellation?.isOver === true) return unprocessed
  refuseHeavy(statements, mutations.length)
  const { session } = table
  const timestamp = session.timestamps.of(mutations[0] as Mutation) ?? session.timestamps.next()
  try {
    await session.write(statements, timestamp)
    return applied
  } catch (error) {
    if (isNameUnknown(error)) return unknownName(table, error, false)
    const outcome = outcomeOf(error, false)
    if (outcome.kind !== 'unknown' || timestamp === undefined) return outcome
    session.timestamps.keep(mutations, timestamp)
    return { ...outcome, repeatable: true }
  }
}
