import { show } from '#codec/internal'
import type { TableSchema, TableShape } from '../schema.js'
import { freezeSchema } from './compile-table.js'
import { checkTableName } from '../definition/names.js'
import { renameIndexes } from './table-index.js'
import { schemaOf } from './schema-of.js'
import { Problems } from '../problems.js'

/**
 * The same table under another physical name, such as prefix + name. Columns, layout, fingerprints and the declared name stay the same, so
 * cursors and checkpoints stay valid. Cursors even stay valid if the rows are copied into a table with other buckets.
 *
 * @throws RowkeyError `INVALID_SCHEMA` if the name is invalid.
 * @example
 * ```ts
 * renameTable(Events, `dev_${Events.name}`).name //=> 'dev_events'
 * ```
 */
export function renameTable<S extends TableShape>(schema: TableSchema<S>, name: string): TableSchema<S> {
  const { toJSON: _, ...data } = schemaOf(schema)
  const problems = new Problems()
  checkTableName(name, problems, prefixIn(name, data.name))
  problems.throwAny(data.name)
  const indexes = renameIndexes(data.indexes, name, renameTable)
  return freezeSchema({ ...data, name, indexes }) as TableSchema<S>
}

/** Names the prefix in the message, because the prefix may be the reason why a name is refused. */
function prefixIn(name: unknown, before: string): string {
  if (typeof name !== 'string' || !name.endsWith(before)) return ''
  return `, which is the prefix ${show(name.slice(0, -before.length))} and the name '${before}'`
}
