import type { SchemaJSON, TableSchema } from '@rowkey/model'
import type { TableCatalog } from '../contract/adapter.js'
import { withColumns } from './catalog-growth.js'
import { checkCatalog, mayBeAdded } from './catalog.js'
import { schemaOfCatalog } from './stored-schema.js'

/**
 * Checks that a table can grow to a schema: what exists fits, and all that it lacks are value columns that old rows do not need.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH`
 */
export function checkGrowth(schema: TableSchema, found: TableCatalog): void {
  const stored = schemaOfCatalog(found, schema.name)
  if (schema.writes !== stored.writes) checkCatalog(schema, found) // the grown table might be invalid: a plain one has no versions
  const known = new Set(stored.columns.map(({ physical }) => physical))
  const added = schema.columns.slice(schema.keyLength).filter((column) => !known.has(column.physical) && mayBeAdded(column))
  const columns = schema.toJSON().columns.filter(({ physical }) => added.some((column) => column.physical === physical))
  checkCatalog(schema, { ...found, schema: withColumns(found.schema as SchemaJSON, columns) })
}
