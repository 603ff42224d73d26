import { RowkeyError, type Mutation, type Outcome, type WriteOptions } from '@rowkey/store'
import { deleteRow, insertRow } from './changes.js'
import { isTableGone, tableMissing } from './errors.js'
import { isOver } from './is-over.js'
import { applied, outcomeOf, unprocessed } from './outcomes.js'
import type { Bound } from './session.js'
import type { CassandraTable } from './table-store.js'

/** A put or delete as a statement. @throws RowkeyError `WRITES_PLAIN`: a condition would not go with the writes of others */
export async function plainStatement(table: CassandraTable, mutation: Mutation, now: number): Promise<Bound> {
  const { kind, version, row } = mutation
  if (kind === 'delete' && version === undefined) return deleteRow(table, row)
  if (kind === 'put' && version === undefined) return insertRow(table, row, now, false)
  const { name } = table.schema
  const message = `'${name}' takes puts and deletes only, as its writes are 'plain'. Declare it with writes: 'conditional'.`
  throw new RowkeyError('WRITES_PLAIN', message, { table: name, method: kind })
}

/** Statements of one partition, which is one mutation for the server. */
export async function writePlain(table: CassandraTable, statements: readonly Bound[], options: WriteOptions): Promise<Outcome> {
  if (isOver(options)) return unprocessed
  try {
    await table.session.write(statements, options.deadline)
    return applied
  } catch (error) {
    if (isTableGone(error)) throw tableMissing(table.schema.name)
    return outcomeOf(error, false)
  }
}
