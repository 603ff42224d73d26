// Tested by renamed-columns.test.ts and packages/rowkey/test/mapper/tables.test.ts.
import { maxColumns, type SchemaJSON, type TableSchema } from '#model'
import type { TableCatalog } from '../contract/adapter.js'
import { sameBytes } from '#codec/internal'
import { typeInStore } from '#model/internal'
import { storeError } from '../errors.js'
import { refusedItems, withItems } from './ahead.js'
import { checkCatalog, fitsKey, mayBeAdded, sameReadDefault } from './catalog.js'
import { newStates, withIndexes } from './index-states.js'
import { refuseRenaming } from './renamed-columns.js'
import { keyOfCatalog, schemaOfCatalog } from './stored-schema.js'
import { growsKey, growsValue } from './type-growth.js'

type Role = SchemaJSON['columns'][number]['role']

const afterKey = (role: Role): boolean => role !== 'partition' && role !== 'key'

/** The catalog of a new table, for adapters; plain JSON, so that it can be stored as it is. */
export function newCatalog(schema: TableSchema): TableCatalog {
  const json = plain(schema)
  return Object.freeze({ format: 1, schema: json, valueColumns: physicalNames(json.columns), ...newStates(schema) })
}

/**
 * The catalog plus the value columns of `schema` that it lacks, and with the types that the schema widens, for adapters. The same object if
 * nothing changes, or if the schema has another key or salt: then the core compares them and reports the difference.
 */
export function grownCatalog(catalog: TableCatalog, schema: TableSchema): TableCatalog {
  if (!fitsKey(schema, keyOfCatalog(catalog, schema.name))) return catalog
  const given = plain(schema)
  const added = given.columns.filter(({ role, physical }) => afterKey(role) && !catalog.valueColumns.includes(physical))
  const widened = widenedColumns(schema, schemaOfCatalog(catalog, schema.name))
  const longer = withIndexes(withItems(catalog, schema, keyOfCatalog(catalog, schema.name)), schema)
  if (added.length === 0 && widened.length === 0) return longer
  // Others may have added columns since they were counted.
  refuseMany(schema, [...(catalog.schema as SchemaJSON).columns, ...added])
  const kept = withTypes(longer.schema as SchemaJSON, given, widened)
  return Object.freeze({
    ...longer,
    schema: added.length === 0 ? kept : withColumns(kept, added),
    valueColumns: Object.freeze([...catalog.valueColumns, ...physicalNames(added)]),
  })
}

/** The physical names of columns that a schema widens. */
function widenedColumns(schema: TableSchema, stored: TableSchema): readonly string[] {
  const known = new Map(stored.columns.map((column) => [column.physical, column]))
  return schema.columns.flatMap((column, position) => {
    const other = known.get(column.physical)
    if (other === undefined || isSameIn(schema, column, stored, other)) return []
    const grows = position < schema.keyLength ? growsKey(column, other) : growsValue(column, other) && sameReadDefault(column, other)
    return grows ? [column.physical] : []
  })
}

/** The columns that are wider in a table than in a schema that fits it: those of a newer model. */
export function widerColumns(schema: TableSchema, catalog: TableCatalog): readonly (readonly [mine: Column, stored: Column])[] {
  const table = schemaOfCatalog(catalog, schema.name)
  const stored = new Map(table.columns.map((column) => [column.physical, column]))
  return schema.columns.flatMap((column): (readonly [Column, Column])[] => {
    const other = stored.get(column.physical)
    return other === undefined || isSameIn(schema, column, table, other) ? [] : [[column, other]]
  })
}

const isSameIn = (schema: TableSchema, mine: Column, table: TableSchema, stored: Column): boolean =>
  sameBytes(typeInStore(schema.columns, mine.type), typeInStore(table.columns, stored.type))

/** The JSON of a schema with the types of some columns from another one. */
function withTypes(known: SchemaJSON, given: SchemaJSON, names: readonly string[]): SchemaJSON {
  const types = new Map(given.columns.filter(({ physical }) => names.includes(physical)).map(({ physical, type }) => [physical, type]))
  return { ...known, columns: known.columns.map((column) => ({ ...column, type: types.get(column.physical) ?? column.type })) }
}

type Column = TableSchema['columns'][number]

/** Throws for columns that a store cannot widen. */
export type RefuseWidening = (columns: readonly (readonly [mine: Column, stored: Column])[]) => void

const columnOf = ({ columns }: TableSchema, name: string): Column => columns.find(({ physical }) => physical === name) as Column

/**
 * Checks that a table can grow to a schema: what exists fits or can be widened, and all that it lacks are value columns
 * that old rows do not need.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH`
 */
export function checkGrowth(schema: TableSchema, found: TableCatalog, refuseWidening?: RefuseWidening): void {
  const stored = schemaOfCatalog(found, schema.name)
  if (schema.writes !== stored.writes) checkCatalog(schema, found) // the grown table might be invalid: a plain one has no versions
  const known = new Set(stored.columns.map(({ physical }) => physical))
  const added = schema.columns.slice(schema.keyLength).filter((column) => !known.has(column.physical) && mayBeAdded(column))
  refuseRenaming(schema, added, stored)
  refuseItems(schema, stored, found)
  refuseMany(schema, [...stored.columns, ...added])
  const columns = schema.toJSON().columns.filter(({ physical }) => added.some((column) => column.physical === physical))
  const widened = widenedColumns(schema, stored)
  const json = withTypes(withItems(found, schema, stored).schema as SchemaJSON, plain(schema), widened)
  checkCatalog(schema, { ...found, schema: withColumns(json, columns) })
  refuseWidening?.(widened.map((physical) => [columnOf(schema, physical), columnOf(stored, physical)] as const))
}

/** @throws RowkeyError `SCHEMA_MISMATCH` for a change of periods or buckets that comes too late */
function refuseItems(schema: TableSchema, stored: TableSchema, found: TableCatalog): void {
  if (!fitsKey(schema, stored)) return
  const { name: table } = schema
  const differences = refusedItems(schema, stored, found)
  if (differences.length === 0) return
  const message = [`table '${table}' cannot change so:`, ...differences.map((each) => `  - ${each}.`)]
  throw storeError('SCHEMA_MISMATCH', message, { table, differences })
}

/**
 * Columns stay in a table when no model declares them any more, and a catalog with more than a schema can have is read by nobody.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH`
 */
function refuseMany({ name: table }: TableSchema, all: readonly { readonly role: Role }[]): void {
  const columns = all.filter(({ role }) => role !== 'expiry' && role !== 'version').length
  if (columns <= maxColumns) return
  const differences = [`it would have ${columns} columns, also those that models no longer declare`]
  const message = `table '${table}' cannot grow: ${differences[0]}, and the maximum is ${maxColumns}. Create a new table, and copy the rows with copyTable().`
  throw storeError('SCHEMA_MISMATCH', message, { table, differences })
}

/** The JSON of a schema with more value columns, in the order of toJSON(). */
function withColumns(known: SchemaJSON, added: SchemaJSON['columns']): SchemaJSON {
  const columns = [...known.columns, ...added].sort((a, b) => rank(a) - rank(b) || (rank(a) === 1 ? byName(a, b) : 0))
  return { ...known, columns }
}

/** Converted to JSON and back, as in every store that keeps its catalog outside the process. What a model has retired is not of the table, and its indexes are tables. */
const plain = (schema: TableSchema): SchemaJSON => {
  const { retired: _, indexes: __, ...json } = JSON.parse(JSON.stringify(schema)) as SchemaJSON
  return json
}

const byName = (a: { readonly physical: string }, b: { readonly physical: string }): number => (a.physical < b.physical ? -1 : 1)

const physicalNames = (columns: SchemaJSON['columns']): readonly string[] =>
  columns.filter(({ role }) => afterKey(role)).map(({ physical }) => physical)

/** key columns as they are, then value columns by name, expiry, version */
const rank = ({ role }: { readonly role: Role }): number => (role === 'value' ? 1 : role === 'expiry' ? 2 : role === 'version' ? 3 : 0)
