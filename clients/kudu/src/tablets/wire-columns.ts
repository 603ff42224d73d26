import type { ColumnSchemaPB, DataType, SchemaPB } from '../proto/messages.js'
import type { KuduTable, TableColumn } from '../table.js'

/** A column as requests name it: servers refuse ids there. */
export function wireColumn({ name, type, isKey, isNullable, precision = 0, scale, length }: TableColumn): ColumnSchemaPB {
  const column = { name, isKey, isNullable: isNullable ?? false }
  if (type === 'DECIMAL') return { ...column, type: decimalType(precision), typeAttributes: { precision, scale } }
  return type === 'VARCHAR' ? { ...column, type, typeAttributes: { length } } : { ...column, type }
}

const decimalType = (precision: number): DataType => (precision <= 9 ? 'DECIMAL32' : precision <= 18 ? 'DECIMAL64' : 'DECIMAL128')

const known = new WeakMap<KuduTable, SchemaPB>()

/** The columns of a table, for writes of any of them. */
export function wireSchema(table: KuduTable): SchemaPB {
  let schema = known.get(table)
  if (schema === undefined) known.set(table, (schema = { columns: table.columns.map(wireColumn) }))
  return schema
}
