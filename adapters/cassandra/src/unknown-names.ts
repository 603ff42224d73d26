import type { Outcome, RowkeyError, TableSchema } from '@rowkey/store'
import { agreedNode } from './agreement.js'
import { columnsGone, isColumnUnknown, isTableGone, tableMissing } from './errors.js'
import { missingColumns, nativeColumns } from './native-table.js'
import { outcomeOf, unprocessed } from './outcomes.js'
import type { Session } from './session.js'

/** Where the statement went. */
interface Target {
  readonly schema: TableSchema
  readonly session: Session
  readonly keyspace: string
}

// A server that does not know a name of a statement says little: the table may be gone or be another, a node may not have heard of it yet, or
// what this process knows is out of date. The driver does not hear at once of columns that others drop with their table, and says of a
// statement that cannot be prepared again the same as of one whose table is gone.

/** Whether a server that was asked did not know the table, or a column of it. */
export const isNameUnknown = (error: unknown): boolean => isTableGone(error) || isColumnUnknown(error)

/** What is gone; undefined if nothing is, so that the same request, made anew, may succeed. */
export async function whatIsGone({ schema, session, keyspace }: Target): Promise<RowkeyError | undefined> {
  await session.refresh(keyspace)
  const node = await agreedNode(session)
  if (node === undefined) return undefined
  const found = await nativeColumns(session, keyspace, schema.name, undefined, node)
  if (found.length === 0) return tableMissing(schema.name)
  const there = new Set(found.map(({ name }) => name))
  const keys = schema.columns.slice(0, schema.keyLength).map(({ physical }) => physical)
  const lacking = [...keys.filter((name) => !there.has(name)), ...missingColumns(schema, found).map(({ name }) => name)]
  return lacking.length === 0 ? undefined : columnsGone(schema.name, lacking)
}

/** What became of a write that met a name the server does not know: nothing was written. @throws RowkeyError `TABLE_MISSING`, `SCHEMA_MISMATCH` */
export async function unknownName(table: Target, error: unknown, isConditional: boolean): Promise<Outcome> {
  const outcome = outcomeOf(error, isConditional)
  if (outcome.kind === 'unknown') return outcome // one of several nodes may have begun
  const gone = await whatIsGone(table).catch(() => undefined)
  if (gone !== undefined) throw gone
  return unprocessed
}
