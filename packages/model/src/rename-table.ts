import type { TableSchema, TableShape } from './schema.js'
import { freezeSchema } from './compile-table.js'
import { checkTableName } from './names.js'
import { Problems } from './problems.js'

/**
 * The same table under another physical name, such as prefix + name. Columns, layout and fingerprints stay.
 *
 * @throws RowkeyError `INVALID_SCHEMA` if the name is none.
 * @example
 * ```ts
 * renameTable(Events, `dev_${Events.name}`).name //=> 'dev_events'
 * ```
 */
export function renameTable<S extends TableShape>(schema: TableSchema<S>, name: string): TableSchema<S> {
  const problems = new Problems()
  checkTableName(name, problems)
  problems.throwAny(name)
  const { toJSON: _, ...data } = schema
  return freezeSchema({ ...data, name }) as TableSchema<S>
}
