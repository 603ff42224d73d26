import type { SchemaColumn, TableSchema } from '@rowkey/model'
import { defaultText, saltText, typeText } from '@rowkey/codec/internal'

/** The salt of a table as text, its columns by their names in the store. */
export function saltsText({ salt, columns }: TableSchema): string {
  const physicalOf = new Map(columns.map(({ name, physical }) => [name, physical]))
  return salt.length === 0 ? 'none' : salt.map((level) => saltText(level, (name) => physicalOf.get(name))).join(' + ')
}

/**
 * The type of a column as text on one line, with everything that its bytes depend on and its whole default: for table definitions.
 */
export function columnText({ type }: Pick<SchemaColumn, 'type'>): string {
  return oneLine(type.default === undefined ? typeText(type) : `${typeText(type)}, default ${defaultText(type.default)}`)
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

// Characters that do not end a line in JSON, but may end one in a comment.
const lineEnds = /[\u0085\u2028\u2029]/g

const oneLine = (text: string): string => text.replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)
