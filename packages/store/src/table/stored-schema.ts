import type { SchemaJSON, TableSchema } from '@rowkey/model'
import type { TableCatalog } from '../contract/adapter.js'
import { show } from '@rowkey/codec'
import { readSchemaJSON, schemaFromJSON } from '@rowkey/model'
import { storeError } from '../errors.js'

/** The fields of a catalog, and whether all of them have it. */
const catalogFields: Readonly<Record<keyof TableCatalog, boolean>> = { format: true, schema: true, values: true, store: false }

/**
 * The schema of the table that is there: the one door through which catalogs are read. Its properties are called after the names in the
 * store: models of several deploys may have given one property name to different columns.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH` for the catalog of a newer version, `INVALID_SCHEMA` for a schema in it that is not one of toJSON()
 */
export function schemaOfCatalog(catalog: TableCatalog, table: string): TableSchema {
  checkCatalogFields(catalog, table)
  return compiled(readSchemaJSON(catalog.schema))
}

/** The same with its key columns only, by which an adapter sees whether a table can grow to a model. */
export function keyOfCatalog(catalog: TableCatalog, table: string): TableSchema {
  checkCatalogFields(catalog, table)
  const { ttl: _, ...json } = readSchemaJSON(catalog.schema) // without its column there is no ttl
  return compiled({ ...json, columns: json.columns.filter(isKey) })
}

function compiled(json: SchemaJSON): TableSchema {
  // Salts are of key columns.
  const properties = new Map(json.columns.filter(isKey).map(({ name, physical }) => [name, `column_${physical}`]))
  const columns = json.columns.map((column) => ({ ...column, name: column.role === 'expiry' ? column.name : `column_${column.physical}` }))
  const salt = json.salt.map((level) => ({ ...level, of: level.of.map((name) => properties.get(name) ?? name) }))
  return schemaFromJSON({ ...json, columns, salt })
}

const isKey = ({ role }: SchemaJSON['columns'][number]): boolean => role === 'partition' || role === 'key'

function checkCatalogFields(catalog: TableCatalog, table: string): void {
  const format: unknown = catalog.format
  const unknown = Object.keys(catalog).find((field) => !Object.hasOwn(catalogFields, field))
  const missing = Object.keys(catalogFields).find((field) => catalogFields[field as keyof TableCatalog] && !Object.hasOwn(catalog, field))
  const isListed = Array.isArray(catalog.values) && catalog.values.every((name: unknown) => typeof name === 'string')
  if (format === 1 && unknown === undefined && missing === undefined && isListed) return
  const difference =
    missing !== undefined
      ? `its catalog lacks '${missing}'`
      : format !== 1
        ? `its catalog has format ${show(format)}, this version reads format 1`
        : unknown !== undefined
          ? `its catalog has '${unknown}', which is unknown to this version`
          : `'values' of its catalog is ${show(catalog.values)}, not a list of names`
  const isNewer = missing === undefined && (format !== 1 || unknown !== undefined)
  const remedy = isNewer ? 'A newer version may have written it: use that one.' : 'Something else wrote it; restore it.'
  throw storeError('SCHEMA_MISMATCH', `the catalog of table '${table}' cannot be read: ${difference}. ${remedy}`, {
    table,
    differences: [difference],
  })
}
