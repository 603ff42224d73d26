import type { Row, TableCatalog, TableSchema, Value } from 'rowkey/adapter'
import { hasBucket, primaryKey, type KeyColumn } from './keys.js'
import { bucketColumn, quoted } from './client/cql.js'

/** Where a row is, for other clients. */
export interface CassandraAddress {
  readonly keyspace: string
  readonly table: string
  /** The primary key: a CQL literal per column. */
  readonly where: Readonly<Record<string, string>>
  /** A SELECT of the row. */
  readonly cql: string
}

export function locate(keyspace: string, schema: TableSchema, catalog: TableCatalog, key: Row): CassandraAddress {
  const primary = primaryKey(schema, hasBucket(catalog))
  const bucket = primary.hasBucket ? [[bucketColumn, String(schema.layout.bucketOf(key))] as const] : []
  const keys = primary.columns.map((column, i) => [column.name, literal(column, key[i] ?? null)] as const)
  const where = Object.fromEntries([...bucket, ...keys]) // own properties, also for a column called __proto__
  const conditions = Object.entries(where).map(([name, value]) => `${quoted(name)} = ${value}`)
  const cql = `SELECT * FROM ${quoted(keyspace)}.${quoted(schema.name)} WHERE ${conditions.join(' AND ')}`
  return { keyspace, table: schema.name, where, cql }
}

function literal(column: KeyColumn, value: Value): string {
  if (column.cql === 'blob') return `0x${column.write(value).toString('hex')}`
  if (column.cql === 'text' || column.cql === 'ascii') return `'${column.write(value).toString().replaceAll(`'`, `''`)}'`
  if (column.cql === 'date') return String((value as number) + 2 ** 31) // days from 1970, plus 2^31
  return Object.is(value, -0) ? '0' : String(value)
}
