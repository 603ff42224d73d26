// Tested by catalog.test.ts.
import { readSchemaJSON, schemaFromJSON, type SchemaJSON, type TableSchema } from '#model'
import type { TableCatalog } from '../contract/adapter.js'
import { isPlainObject, show, showName } from '#codec/internal'
import { storeError } from '../errors.js'
import { indexStates } from './index-states.js'

interface Field {
  /** The fields of the JSON that stores keep. */
  readonly stored: string
  readonly isRequired: boolean
}

const catalogFields: Readonly<Record<keyof TableCatalog, Field>> = {
  format: { stored: 'format', isRequired: true },
  schema: { stored: 'schema', isRequired: true },
  valueColumns: { stored: 'values', isRequired: true },
  dated: { stored: 'dated', isRequired: false },
  indexes: { stored: 'indexes', isRequired: false },
  store: { stored: 'store', isRequired: false },
}

/**
 * The schema of the existing table; all catalogs are read here. Its properties are named after the names in the store, because models of
 * several deploys may have used one property name for different columns.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH` for the catalog of a newer version, `INVALID_SCHEMA` for a schema in it that toJSON() did not write
 */
export function schemaOfCatalog(catalog: TableCatalog, table: string): TableSchema {
  checkCatalogFields(catalog, table)
  return compiled(readSchemaJSON(catalog.schema))
}

/** The same with its key columns only. With it an adapter sees whether a table can grow to a model. */
export function keyOfCatalog(catalog: TableCatalog, table: string): TableSchema {
  checkCatalogFields(catalog, table)
  const { ttl: _, ...json } = readSchemaJSON(catalog.schema) // without its column there is no ttl
  return compiled({ ...json, columns: json.columns.filter(isKey) })
}

function compiled(json: SchemaJSON): TableSchema {
  // Salts and periods only use key columns.
  const properties = new Map(json.columns.filter(isKey).map(({ name, physical }) => [name, `column_${physical}`]))
  const columns = json.columns.map((column) => {
    const of = column.type['of']
    const type = of === undefined ? column.type : { ...column.type, of: properties.get(of as string) ?? of }
    return { ...column, type, name: column.role === 'expiry' ? column.name : `column_${column.physical}` }
  })
  const salt = json.salt.map((level) => ({ ...level, of: level.of.map((name) => properties.get(name) ?? name) }))
  return schemaFromJSON({ ...json, columns, salt })
}

const isKey = ({ role }: SchemaJSON['columns'][number]): boolean => role === 'partition' || role === 'key'

function checkCatalogFields(catalog: TableCatalog, table: string): void {
  const format: unknown = catalog.format
  const unknown = Object.keys(catalog).find((field) => !Object.hasOwn(catalogFields, field))
  const missing = Object.entries(catalogFields).find(([field, { isRequired }]) => isRequired && !Object.hasOwn(catalog, field))?.[1].stored
  const { valueColumns } = catalog
  const isListed = Array.isArray(valueColumns) && valueColumns.every((name: unknown) => typeof name === 'string')
  const { indexes = {} } = catalog
  const state: unknown = isPlainObject(indexes) ? Object.values(indexes).find((each) => !indexStates.includes(each)) : indexes
  if (format === 1 && unknown === undefined && missing === undefined && isListed && state === undefined) return
  const difference =
    missing !== undefined
      ? `its catalog lacks '${missing}'`
      : format !== 1
        ? `its catalog has format ${show(format)}, but this version reads format 1`
        : unknown !== undefined
          ? `its catalog has '${showName(unknown)}', which is unknown to this version`
          : state !== undefined
            ? `an index in its catalog is ${show(state)}, which is unknown to this version`
            : `'values' of its catalog is ${show(valueColumns)}, not a list of names`
  const isNewer = missing === undefined && (format !== 1 || unknown !== undefined || state !== undefined)
  const remedy = isNewer ? 'If a newer version wrote it, use that version.' : 'Something other than rowkey wrote it. Restore it.'
  throw storeError('SCHEMA_MISMATCH', `the catalog of table '${table}' cannot be read: ${difference}. ${remedy}`, {
    table,
    differences: [difference],
  })
}
