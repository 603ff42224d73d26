import type { SchemaColumn, TableSchema } from '@rowkey/model'
import { defaultText, saltText, typeText } from '@rowkey/codec'

/** The salt of a table as text, its columns by their names in the store. */
export function saltsText({ salt, columns }: TableSchema): string {
  const physicalOf = new Map(columns.map(({ name, physical }) => [name, physical]))
  return salt.length === 0 ? 'none' : salt.map((level) => saltText(level, (name) => physicalOf.get(name))).join(' + ')
}

/**
 * The type of a column as text, with everything that its bytes depend on and its whole default, on one line: for definitions of tables.
 */
export function columnText({ type }: Pick<SchemaColumn, 'type'>): string {
  return oneLine(type.default === undefined ? typeText(type) : `${typeText(type)}, default ${defaultText(type.default)}`)
}

/**
 * What the catalog of a table says, a line for its salt and for each column: comments of a definition.
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

// What is no end of a line in JSON, but may be one to who reads a comment.
const lineEnds = /[\u0085\u2028\u2029]/g

const oneLine = (text: string): string => text.replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)
