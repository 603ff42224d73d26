import {
  columnText,
  designWarnings,
  saltsText,
  showNames,
  type Definition,
  type SchemaColumn,
  type TableSchema,
  type Warning,
} from '@rowkey/store/adapter'
import { keyColumns } from './keys.js'
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
      ? [{ name: guardColumn, cql: 'boolean', isStatic: true as const, why: 'never set: makes batches conditional' }]
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

/** What `ensureTable` executes for a table that does not exist. */
export function definition(keyspace: string, schema: TableSchema): Definition<string> {
  const catalog = createCatalogTable(keyspace)
  const lines = linesOf(keyspace, schema)
  const width = Math.max(...lines.map(([line, why]) => (why === undefined ? 0 : line.length)))
  const commented = lines.map(([line, why]) => (why === undefined ? line : `${line.padEnd(width)} -- ${why}`)).join('\n')
  return {
    statements: [catalog, createTable(keyspace, schema)],
    text: `-- the definitions of all tables, one row per table\n${catalog};\n\n${commented};\n`,
    warnings: warnings(schema),
  }
}

export const createCatalogTable = (keyspace: string): string =>
  `CREATE TABLE IF NOT EXISTS ${quoted(keyspace)}.${quoted(catalogTable)} ("name" text PRIMARY KEY, "catalog" text)`

export const createTable = (keyspace: string, schema: TableSchema): string =>
  linesOf(keyspace, schema)
    .map(([line]) => line)
    .join('\n')

type Line = readonly [text: string, why?: string]

function linesOf(keyspace: string, schema: TableSchema): readonly Line[] {
  const keys = keyColumns(schema)
  const partition = [bucketColumn, ...keys.slice(0, schema.partitionLength).map(({ name }) => name)].map(quoted).join(', ')
  const clustering = keys.slice(schema.partitionLength)
  const order = clustering.map((key) => `${quoted(key.name)} ${key.order}`).join(', ')
  const rest = clustering.map(({ name }) => quoted(name)).join(', ')
  return [
    [`CREATE TABLE IF NOT EXISTS ${quoted(keyspace)}.${quoted(schema.name)} (`],
    ...columnDefinitions(schema).map(({ name, cql, isStatic, why }): Line => [
      `  ${quoted(name)} ${cql}${isStatic ? ' STATIC' : ''},`,
      why,
    ]),
    [`  PRIMARY KEY ((${partition}), ${rest})`],
    [`) WITH ${[`CLUSTERING ORDER BY (${order})`, ...tableOptions(schema)].join('\n  AND ')}`],
  ]
}

/** What operators of Cassandra keep a partition below. */
const maxPartitionRows = 100_000
/** The rate at which warnings say how long that takes. */
const rowsPerSecond = 10
const secondsPerDay = 86_400

/** A table of rows that are only read by their whole key needs neither partition nor order, but enough buckets. */
function byId({ columns, keyLength }: TableSchema): string {
  const of = showNames(
    columns.slice(0, keyLength).map(({ name }) => name),
    "'",
  )
  return `If its rows are read by their whole key only, salt: hashPrefix({ of: ${keyLength === 1 ? of : `[${of}]`} }) makes 65,536 partitions.`
}

function warnings(schema: TableSchema): readonly Warning[] {
  const { name, salt, partitionLength, writes, layout } = schema
  const found: Warning[] = []
  const days = Math.floor((layout.buckets * maxPartitionRows) / rowsPerSecond / secondsPerDay)
  if (salt.length === 0 && partitionLength === 0) {
    const message =
      `All rows of '${name}' are in one partition, so they are all on the same replicas. Keep partitions below 100 MB and 100,000 rows: ` +
      `give the table a partition column or a salt. ${byId(schema)}`
    found.push({ code: 'one-partition', message })
  } else if (partitionLength === 0 && days < 365) {
    const message =
      `'${name}' has ${layout.buckets} partitions, one for each bucket, however many rows there are. At ${rowsPerSecond} rows per second each has ` +
      `100,000 rows after ${days < 1 ? 'less than a day' : `${days} day${days === 1 ? '' : 's'}`}, and partitions should stay below that. If rows are not deleted, give the table a partition column. ${byId(schema)}`
    found.push({ code: 'few-partitions', message })
  }
  if (writes === 'conditional') {
    const message =
      `Every write of '${name}' is a lightweight transaction, also a put. It takes four round trips between the replicas, and the writes of one ` +
      `partition wait for each other. If puts and deletes are enough, declare it with writes: 'plain'.`
    found.push({ code: 'lightweight-transactions', message })
  }
  return [...found, ...designWarnings(schema)]
}
