// Tested by packages/rowkey/test/store/catalog.test.ts and packages/rowkey/test/mapper/verify-index.test.ts.
import type { TableSchema } from '#model'
import { freezeSchema, type SchemaData } from '#model/internal'
import type { IndexState, TableCatalog } from '../contract/adapter.js'
import { storeError } from '../errors.js'

export const indexStates: readonly IndexState[] = ['building', 'readable', 'dropped']

const statesKey: unique symbol = Symbol('rowkey.indexStates')

type States = Readonly<Record<string, IndexState>>

/** A schema for the `ensureTable()` of an adapter, which hands it to `grownCatalog()`: with the states that indexes are to have. */
export function withIndexState(schema: TableSchema, index: string, state: IndexState): TableSchema {
  const { toJSON: _, ...data } = schema
  return freezeSchema({ ...data, [statesKey]: { [index]: state } } as SchemaData)
}

/** The states of the indexes of a new table, in which all rows will have entries. */
export function newStates({ indexes }: TableSchema): Pick<TableCatalog, 'indexes'> {
  return indexes.length === 0 ? {} : { indexes: Object.fromEntries(indexes.map(({ name }) => [name, 'readable'])) }
}

/** A catalog with the indexes of a schema; the same object if nothing changes. */
export function withIndexes(catalog: TableCatalog, schema: TableSchema): TableCatalog {
  const known = catalog.indexes ?? {}
  const wanted = (schema as { readonly [statesKey]?: States })[statesKey] ?? addedStates(known, schema)
  return Object.entries(wanted).every(([name, state]) => known[name] === state)
    ? catalog
    : Object.freeze({ ...catalog, indexes: { ...known, ...wanted } })
}

/** One that was dropped stays so: programs that still know it as readable would find what is there while it is built again. */
const addedStates = (known: States, { indexes }: TableSchema): States =>
  Object.fromEntries(indexes.filter(({ name }) => known[name] === undefined).map(({ name }) => [name, 'building' as const]))

/**
 * Refuses the writes of a program whose model has other indexes than the table: the rows would lack entries, and nobody would find them.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH`
 */
export function checkIndexes({ name: table, indexes }: TableSchema, { indexes: known = {} }: TableCatalog): void {
  const own = new Set(indexes.map(({ name }) => name))
  const differences = [
    ...indexes.filter(({ name }) => known[name] === undefined).map(({ name }) => `the model has index '${name}', the table has none`),
    ...Object.keys(known)
      .filter((name) => known[name] !== 'dropped' && !own.has(name))
      .map((name) => `the table has index '${name}', the model has none`),
  ]
  if (differences.length === 0) return
  const message = [
    `rows of '${table}' cannot be written, because they would lack entries of an index:`,
    ...differences.map((each) => `  - ${each}.`),
    'Call ensureTables() with the model of the newest program. Before an index goes from the model, drop it with dropIndex().',
  ]
  throw storeError('SCHEMA_MISMATCH', message, { table, differences })
}
