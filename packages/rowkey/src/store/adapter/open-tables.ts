import type { TableSchema } from '#model'
import { tableNotFound } from './errors.js'

/**
 * The tables that an adapter has returned, by schema object, so that `write` finds what `table` made.
 *
 * @example
 * ```ts
 * table(schema, catalog) {
 *   return this.tables.add(schema, new SqliteTable(schema, catalog))
 * }
 * ```
 */
export class OpenTables<Table> {
  private readonly bySchema = new WeakMap<TableSchema, Table>()

  /** Returns the table. */
  add(schema: TableSchema, table: Table): Table {
    this.bySchema.set(schema, table)
    return table
  }

  /** The table that was made for a schema. @throws RowkeyError `TABLE_NOT_FOUND` */
  readonly of = (schema: TableSchema): Table => {
    const table = this.bySchema.get(schema)
    if (table === undefined) throw tableNotFound(schema.name)
    return table
  }
}
