import { RowkeyError } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { TableCatalog } from '@rowkey/store'
import { wireOf, type Wire } from './wire.js'

/** One item of a record behind its format: expiry, version, then the values in the order of the catalog. */
export interface Item {
  readonly physical: string
  /** In rows of the schema; -1 = the schema does not know the column. */
  readonly position: number
  readonly wire: Wire
}

/** Where expiry and version stand among the items. */
export const expiryItem = 0
export const versionItem = 1
const leading = ['rk_expires', 'rk_version']

export const expiryWire: Wire = wireOf({
  name: 'rk_expires',
  type: { kind: 'timestamp', unit: 'ms', desc: false, nullable: true, ordered: true },
})
export const versionWire: Wire = wireOf({ name: 'rk_version', type: { kind: 'text', desc: false, nullable: true, ordered: true } })

/**
 * The items of a table's records, as one schema sees them.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH` if the table lacks a column
 */
export function itemsOf({ name, columns, keyLength }: TableSchema, { values }: TableCatalog): readonly Item[] {
  const missing = columns.slice(keyLength).find(({ physical }) => !values.includes(physical))
  if (missing !== undefined) throw columnMissing(name, missing.physical)
  return [...leading, ...values.filter((value) => !leading.includes(value))].map((physical, i) => {
    const position = columns.findIndex((column, at) => at >= keyLength && column.physical === physical)
    const column = columns[position]
    const wire = i === expiryItem ? expiryWire : i === versionItem ? versionWire : column === undefined ? expiryWire : wireOf(column)
    return { physical, position, wire }
  })
}

function columnMissing(table: string, column: string): RowkeyError<'SCHEMA_MISMATCH'> {
  const differences = [`column '${column}' is not in the table`]
  return new RowkeyError('SCHEMA_MISMATCH', `table '${table}' has no column '${column}'. Add it with ensureTables([…]).`, {
    table,
    differences,
  })
}
