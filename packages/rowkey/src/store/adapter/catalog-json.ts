import type { TableCatalog } from '../contract/adapter.js'

/**
 * A catalog as stores keep it, ready for `JSON.stringify`. Its `valueColumns` are called `values` there; everything else is as in the
 * catalog.
 *
 * @example
 * ```ts
 * JSON.stringify(catalogToJSON(newCatalog(schema))) //=> '{"format":1,"schema":{…},"values":["note"]}'
 * ```
 */
export function catalogToJSON(catalog: TableCatalog): object {
  return Object.fromEntries(
    Object.entries(catalog).map(([name, value]: [string, unknown]) => [name === 'valueColumns' ? 'values' : name, value]),
  )
}

/**
 * The catalog in a stored object; undefined if it is something else. It checks only what every version has, and keeps fields that this
 * version does not know: the core checks the rest and refuses what a newer version wrote.
 */
export function catalogOfJSON(stored: object | undefined): TableCatalog | undefined {
  if (stored === undefined || !('schema' in stored) || !('values' in stored)) return undefined
  if (typeof stored.schema !== 'object' || stored.schema === null || !Array.isArray(stored.values)) return undefined
  // In their order, so that a catalog that is read and written again stays byte for byte the same.
  const fields = Object.entries(stored).map(([name, value]: [string, unknown]) => [name === 'values' ? 'valueColumns' : name, value])
  return Object.fromEntries(fields) as TableCatalog
}

/** The object in a JSON text; undefined if it is something else. */
export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
