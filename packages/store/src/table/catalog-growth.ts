import type { SchemaJSON, TableSchema } from '@rowkey/model'
import type { TableCatalog } from '../contract/adapter.js'
import { checkCatalog, mayBeAdded, sameKey } from './catalog.js'
import { keyOfCatalog, schemaOfCatalog } from './stored-schema.js'

type Role = SchemaJSON['columns'][number]['role']

const afterKey = (role: Role): boolean => role !== 'partition' && role !== 'key'

/** The catalog of a new table, for adapters; plain JSON, so that it can be stored as it is. */
export function newCatalog(schema: TableSchema): TableCatalog {
  const json = plain(schema)
  return Object.freeze({ format: 1, schema: json, valueColumns: physicalNames(json.columns) })
}

/**
 * The catalog plus the value columns of `schema` that it lacks, for adapters. The same object if it lacks none, or if the schema has
 * another key or salt: then the core compares them and reports the difference.
 */
export function grownCatalog(catalog: TableCatalog, schema: TableSchema): TableCatalog {
  const given = plain(schema)
  const added = given.columns.filter(({ role, physical }) => afterKey(role) && !catalog.valueColumns.includes(physical))
  if (added.length === 0 || !sameKey(schema, keyOfCatalog(catalog, schema.name))) return catalog
  return Object.freeze({
    ...catalog,
    schema: withColumns(catalog.schema as SchemaJSON, added),
    valueColumns: Object.freeze([...catalog.valueColumns, ...physicalNames(added)]),
  })
}

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

/** The JSON of a schema with more value columns, in the order of toJSON(). */
function withColumns(known: SchemaJSON, added: SchemaJSON['columns']): SchemaJSON {
  const columns = [...known.columns, ...added].sort((a, b) => rank(a) - rank(b) || (rank(a) === 1 ? byName(a, b) : 0))
  return { ...known, columns }
}

/** Converted to JSON and back, as in every store that keeps its catalog outside the process. */
const plain = (schema: TableSchema): SchemaJSON => JSON.parse(JSON.stringify(schema)) as SchemaJSON

const byName = (a: { readonly physical: string }, b: { readonly physical: string }): number => (a.physical < b.physical ? -1 : 1)

const physicalNames = (columns: SchemaJSON['columns']): readonly string[] =>
  columns.filter(({ role }) => afterKey(role)).map(({ physical }) => physical)

/** key columns as they are, then value columns by name, expiry, version */
const rank = ({ role }: { readonly role: Role }): number => (role === 'value' ? 1 : role === 'expiry' ? 2 : role === 'version' ? 3 : 0)
