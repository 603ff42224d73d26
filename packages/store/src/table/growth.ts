import type { TableSchema } from '@rowkey/model'
import type { TableCatalog } from '../contract/adapter.js'
import { schemaFromJSON } from '@rowkey/model'
import { checkCatalog, mayBeAdded, mismatch } from './catalog.js'

/**
 * Checks that a table can grow to a schema: what is there fits, and what it lacks are value columns that old rows can do without.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH`
 */
export function checkGrowth(schema: TableSchema, found: TableCatalog): void {
  const stored = schemaFromJSON(found.schema)
  const known = new Set(stored.columns.map(({ physical }) => physical))
  const added = schema.columns.slice(schema.keyLength).filter((column) => !known.has(column.physical) && mayBeAdded(column))
  const taken = added.flatMap(({ name, physical }) => {
    const other = stored.columns.find((column) => column.name === name)
    return other === undefined
      ? []
      : [`column '${physical}': the model calls it '${name}', and so is column '${other.physical}' of the table`]
  })
  // A catalog names each property once: with the same name twice, one of the columns would be forgotten.
  if (taken.length > 0) throw mismatch(schema.name, taken)
  const json = stored.toJSON()
  const columns = schema.toJSON().columns.filter(({ physical }) => added.some((column) => column.physical === physical))
  checkCatalog(schema, { ...found, schema: { ...json, columns: [...json.columns, ...columns] } })
}
