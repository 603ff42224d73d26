import { columnText, saltsText, type Definition, type SchemaColumn, type TableSchema } from 'rowkey/adapter'
import { warningsOf, type CassandraCode } from './advice.js'
import { isById, keyColumns } from './keys.js'
import { bucketColumn, catalogTable, guardColumn, quoted } from './client/cql.js'
import { tableOptions } from './options.js'
import { valueTypeOf } from './values.js'

/** A column of a table, as in CREATE TABLE and ALTER TABLE. */
export interface ColumnDefinition {
  readonly name: string
  readonly cql: string
  readonly isStatic?: true
  readonly why: string
}

/** The columns of a table, key columns first. */
export function columnDefinitions(schema: TableSchema): readonly ColumnDefinition[] {
  const { salt, writes, columns } = schema
  return [
    { name: bucketColumn, cql: 'int', why: salt.length === 0 ? 'always 0: the table has no salt' : `the bucket: ${saltsText(schema)}` },
    ...keyColumns(schema).map((key, i) => ({ ...key, why: `${columnText(columns[i] as SchemaColumn)}: ${key.why}` })),
    ...(writes === 'conditional'
      ? [
          {
            name: guardColumn,
            cql: 'boolean',
            ...(isById(schema) ? {} : { isStatic: true as const }),
            why: 'never set: makes batches conditional',
          },
        ]
      : []),
    ...valueDefinitions(schema),
  ]
}

/** The columns after the key. */
function valueDefinitions({ columns, keyLength }: TableSchema): readonly ColumnDefinition[] {
  return columns.slice(keyLength).map((column) => {
    const { physical, role } = column
    if (role === 'expiry') return { name: physical, cql: 'bigint', why: 'when the row expires, epoch ms; 9223372036854775807 = never' }
    if (role === 'version') return { name: physical, cql: valueTypeOf(column).cql, why: 'the version, a ULID' }
    return { name: physical, cql: valueTypeOf(column).cql, why: `${columnText(column)}: ${valueTypeOf(column).encoding}` }
  })
}

/** What `ensureTable` executes for a table that does not exist. Without a keyspace: for the one that is in use. */
export function definition(keyspace: string | undefined, schema: TableSchema): Definition<string, CassandraCode> {
  const catalog = createCatalogTable(keyspace)
  const lines = linesOf(keyspace, schema)
  const width = Math.max(...lines.map(([line, why]) => (why === undefined ? 0 : line.length)))
  const commented = lines.map(([line, why]) => (why === undefined ? line : `${line.padEnd(width)} -- ${why}`)).join('\n')
  return {
    statements: [catalog, createTable(keyspace, schema)],
    text: `-- the definitions of all tables, one row per table\n${catalog};\n\n${commented};\n`,
    warnings: warningsOf(schema),
  }
}

export const createCatalogTable = (keyspace: string | undefined): string =>
  `CREATE TABLE IF NOT EXISTS ${tableIn(keyspace, catalogTable)} ("name" text PRIMARY KEY, "catalog" text)`

export const createTable = (keyspace: string | undefined, schema: TableSchema): string =>
  linesOf(keyspace, schema)
    .map(([line]) => line)
    .join('\n')

/** The name of a table in a statement. */
const tableIn = (keyspace: string | undefined, table: string): string =>
  keyspace === undefined ? quoted(table) : `${quoted(keyspace)}.${quoted(table)}`

type Line = readonly [text: string, why?: string]

function linesOf(keyspace: string | undefined, schema: TableSchema): readonly Line[] {
  const keys = keyColumns(schema)
  const partition = [bucketColumn, ...keys.slice(0, schema.partitionLength).map(({ name }) => name)].map(quoted).join(', ')
  const clustering = keys.slice(schema.partitionLength)
  const order = clustering.map((key) => `${quoted(key.name)} ${key.order}`).join(', ')
  const rest = clustering.map(({ name }) => `, ${quoted(name)}`).join('')
  const options = [...(clustering.length === 0 ? [] : [`CLUSTERING ORDER BY (${order})`]), ...tableOptions(schema)]
  return [
    [`CREATE TABLE IF NOT EXISTS ${tableIn(keyspace, schema.name)} (`],
    ...columnDefinitions(schema).map(({ name, cql, isStatic, why }): Line => [
      `  ${quoted(name)} ${cql}${isStatic ? ' STATIC' : ''},`,
      why,
    ]),
    [`  PRIMARY KEY ((${partition})${rest})`],
    [options.length === 0 ? ')' : `) WITH ${options.join('\n  AND ')}`],
  ]
}
