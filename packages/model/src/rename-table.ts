import { show } from '@rowkey/codec'
import type { TableSchema, TableShape } from './schema.js'
import { freezeSchema } from './compile-table.js'
import { checkTableName } from './names.js'
import { schemaOf } from './schema-of.js'
import { Problems } from './problems.js'

/**
 * The same table under another physical name, such as prefix + name. Columns, layout, fingerprints and the declared name stay, so cursors and
 * checkpoints do too: also where its rows are copied into a table with other buckets.
 *
 * @throws RowkeyError `INVALID_SCHEMA` if the name is none.
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
  return freezeSchema({ ...data, name }) as TableSchema<S>
}

/** A prefix that the program puts before all names is what a name is refused for. */
function prefixIn(name: unknown, before: string): string {
  if (typeof name !== 'string' || !name.endsWith(before)) return ''
  return `, made of the prefix ${show(name.slice(0, -before.length))} and the name '${before}'`
}
