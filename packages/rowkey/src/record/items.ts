import { text, timestamp } from '#codec'
import type { TableSchema } from '#model'
import { columnNotFound, type TableCatalog } from '#store/adapter'
import { wireOf, type Wire } from './wire.js'

/** One item of a record after its format: expiry, version, then the values in the order of the catalog. */
export interface Item {
  readonly physical: string
  /** The position in rows of the schema; -1 = the schema does not have the column. */
  readonly position: number
  readonly wire: Wire
}

/** The items of expiry and version. */
export const expiryItem = 0
export const versionItem = 1
/** What no model declares. */
export const leading: readonly string[] = ['rk_expires', 'rk_version']

export const expiryWire: Wire = wireOf({ type: timestamp('ms') })
export const versionWire: Wire = wireOf({ type: text() })

/**
 * The items of a table's records, as one schema sees them.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH` if the table lacks a column
 */
export function itemsOf({ name, columns, keyLength }: TableSchema, { valueColumns }: TableCatalog): readonly Item[] {
  const missing = columns.slice(keyLength).find(({ physical }) => !valueColumns.includes(physical))
  if (missing !== undefined) throw columnNotFound(name, missing.physical)
  return [...leading, ...valueColumns.filter((column) => !leading.includes(column))].map((physical, i) => {
    const position = columns.findIndex((column, at) => at >= keyLength && column.physical === physical)
    const column = columns[position]
    const wire = i === expiryItem ? expiryWire : i === versionItem ? versionWire : column === undefined ? expiryWire : wireOf(column)
    return { physical, position, wire }
  })
}
