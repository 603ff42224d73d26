import { columnText, saltsText, type Definition, type SchemaColumn, type TableSchema } from 'rowkey/adapter'
import { warningsOf, type CassandraCode } from './advice.js'
import { isById, needsBucket, primaryKey } from './keys.js'
import { bucketColumn, catalogTable, guardColumn, partitionNames, quoted } from './client/cql.js'
import { tableOptions } from './options.js'
import { valueTypeOf } from './values.js'

/** A column of a table, as in CREATE TABLE and ALTER TABLE. */
export interface ColumnDefinition {
  readonly name: string
  readonly cql: string
  readonly isStatic?: true
  readonly why: string
}

/** The columns of a primary key. */
function keyDefinitions(schema: TableSchema, key: ReturnType<typeof primaryKey>): readonly ColumnDefinition[] {
  const { salt, columns } = schema
  const bucket = salt.length === 0 ? 'always 0: the table has neither salt nor partition columns' : `the bucket: ${saltsText(schema)}`
  return [
    ...(key.hasBucket ? [{ name: bucketColumn, cql: 'int', why: bucket }] : []),
    ...key.columns.map((column, i) => ({ ...column, why: `${columnText(columns[i] as SchemaColumn)}: ${column.why}` })),
  ]
}

/** The columns that are not of the primary key. */
export function otherDefinitions(schema: TableSchema): readonly ColumnDefinition[] {
  const kind = isById(schema) ? {} : { isStatic: true as const }
  const guard = { name: guardColumn, cql: 'boolean', ...kind, why: 'never set: makes batches conditional' }
  return [...(schema.writes === 'conditional' ? [guard] : []), ...valueDefinitions(schema)]
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
  const key = primaryKey(schema, needsBucket(schema))
  const partition = partitionNames(key, schema).map(quoted)
  const clustering = key.columns.slice(schema.partitionLength)
  const order = clustering.map(({ name, order }) => `${quoted(name)} ${order}`).join(', ')
  const rest = clustering.map(({ name }) => `, ${quoted(name)}`).join('')
  const options = [...(clustering.length === 0 ? [] : [`CLUSTERING ORDER BY (${order})`]), ...tableOptions(schema)]
  return [
    [`CREATE TABLE IF NOT EXISTS ${tableIn(keyspace, schema.name)} (`],
    ...[...keyDefinitions(schema, key), ...otherDefinitions(schema)].map(({ name, cql, isStatic, why }): Line => [
      `  ${quoted(name)} ${cql}${isStatic ? ' STATIC' : ''},`,
      why,
    ]),
    [`  PRIMARY KEY (${partition.length === 1 && !key.hasBucket ? partition.join() : `(${partition.join(', ')})`}${rest})`],
    [options.length === 0 ? ')' : `) WITH ${options.join('\n  AND ')}`],
  ]
}
