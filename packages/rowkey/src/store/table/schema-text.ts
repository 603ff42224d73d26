import type { SchemaColumn, TableSchema } from '#model'
import { defaultText, printable, saltText, typeText } from '#codec/internal'

/** The maximum length of the type of a column, in characters. */
const maxLength = 500

/** The salt of a table as text, its columns by their names in the store. */
export function saltsText({ salt, columns }: Pick<TableSchema, 'salt' | 'columns'>): string {
  const physicalOf = new Map(columns.map(({ name, physical }) => [name, physical]))
  return salt.length === 0 ? 'none' : salt.map((level) => saltText(level, (name) => physicalOf.get(name))).join(' + ')
}

/**
 * The type of a column as text on one line, with everything that its bytes depend on and its default, for the comments of a table
 * definition. A long one is cut.
 */
export function columnText({ type }: Pick<SchemaColumn, 'type'>): string {
  return printable(type.default === undefined ? typeText(type) : `${typeText(type)}, default ${defaultText(type.default)}`, maxLength)
}

/**
 * The content of a table's catalog, one line for its salt and one for each column: comments of a table definition.
 *
 * @example
 * ```ts
 * schemaLines(schema) // ['salt: none', 'id: key, text']
 * ```
 */
export function schemaLines(schema: TableSchema): readonly string[] {
  const columns = schema.columns.map((column) => `${column.physical}: ${column.role}, ${columnText(column)}`)
  return [`salt: ${saltsText(schema)}`, ...columns]
}
