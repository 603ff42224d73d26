// Tested by schema-changes.test.ts.
import type { KuduTable, TableChange } from '@rowkey/kudu-client'
import type { SchemaJSON, TableCatalog, TableSchema } from 'rowkey/adapter'
import { columnsOf } from '../native-table.js'
import { kuduHints } from '../options.js'
import { storageChange } from '../hints/column-storage.js'

/** All that a table needs to be the one of a schema: columns that are added, kept in another way, and dropped. */
export function changesOf(schema: TableSchema, found: KuduTable): readonly TableChange[] {
  const there = new Map(found.columns.map((column) => [column.name, column]))
  const kept = columnsOf(schema).flatMap((column): readonly TableChange[] => {
    const before = there.get(column.name)
    if (before === undefined) return [{ addColumn: column }]
    const change = storageChange(column, before)
    return change === undefined ? [] : [change]
  })
  const dropped = droppedNames(schema)
  const gone = found.columns.filter(({ name, isKey }) => !isKey && dropped.has(name)).map(({ name }) => ({ dropColumn: name }))
  return [...kept, ...gone]
}

/** The columns that the model has retired, if it says that their values may go. */
const droppedNames = (schema: TableSchema): ReadonlySet<string> => new Set(kuduHints(schema).dropRetired === true ? schema.retired : [])

/** A catalog without the columns that are dropped; the same one if it has none of them. Who declares one again adds a new one, without values. */
export function withoutDropped(catalog: TableCatalog, schema: TableSchema): TableCatalog {
  const dropped = droppedNames(schema)
  if (!catalog.valueColumns.some((name) => dropped.has(name))) return catalog
  const json = catalog.schema as SchemaJSON
  return Object.freeze({
    ...catalog,
    schema: { ...json, columns: json.columns.filter(({ role, physical }) => role !== 'value' || !dropped.has(physical)) },
    valueColumns: Object.freeze(catalog.valueColumns.filter((name) => !dropped.has(name))),
  })
}
