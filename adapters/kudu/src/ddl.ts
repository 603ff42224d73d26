import type { Column, RangePartition, Row as KuduRow, TableDefinition } from '@rowkey/kudu-client'
import { columnText, findingText, saltsText, type Definition, type TableSchema } from 'rowkey/adapter'
import { warningsOf, type KuduCode } from './advice.js'
import { bucketColumn, keyColumns } from './keys.js'
import { newTable } from './native-table.js'
import type { KuduOptions } from './options.js'
import { catalogDefinition } from './schema/catalog-rows.js'
import { sqlStorage } from './hints/column-storage.js'
import { sqlType, valueTypeOf } from './values.js'

/** What `ensureTable` executes for a table that does not exist. @throws RowkeyError `NOT_SUPPORTED`, `INVALID_OPTION` */
export function definition(schema: TableSchema, options: KuduOptions): Definition<TableDefinition, KuduCode> {
  const table = newTable(schema, options, Date.now)
  const warnings = warningsOf(schema)
  const text = [
    ...warnings.map((warning) => `-- Warning: ${findingText(warning)}`),
    '-- The catalogs of all tables. ensureTables() makes it, and writes into it what the rows of this table mean.',
    `${sqlOf(catalogDefinition(options))};`,
    '',
    `${sqlOf(table, whyOf(schema))};`,
  ]
  return { statements: [catalogDefinition(options), table], text: `${text.join('\n')}\n`, warnings }
}

/** What a column of the table is, by its name. */
function whyOf(schema: TableSchema): ReadonlyMap<string, string> {
  const keys = keyColumns(schema)
  const why = new Map([[bucketColumn, `the bucket: ${saltsText(schema)}`]])
  for (const [i, column] of schema.columns.entries()) {
    why.set(column.physical, `${columnText(column)}: ${keys[i]?.why ?? valueTypeOf(column).encoding}`)
  }
  return why
}

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** A table in the SQL of Impala. */
function sqlOf(definition: TableDefinition, why?: ReadonlyMap<string, string>): string {
  const { name, columns } = definition
  const lines = columns.map((column) => [`  ${quoted(column.name)} ${typeOf(column)},`, why?.get(column.name)] as const)
  const width = Math.max(...lines.map(([line]) => line.length))
  const keys = columns.filter(({ isKey }) => isKey).map((column) => quoted(column.name))
  const parts = partitionsOf(definition)
  return [
    `CREATE TABLE ${quoted(name)} (`,
    ...lines.map(([line, comment]) => (comment === undefined ? line : `${line.padEnd(width)} -- ${comment}`)),
    `  PRIMARY KEY (${keys.join(', ')})`,
    ')',
    ...(parts.length === 0 ? [] : [`PARTITION BY ${parts.join(', ')}`]),
    'STORED AS KUDU',
  ].join('\n')
}

const typeOf = (column: Column): string => `${sqlType(column)}${column.isNullable === true ? '' : ' NOT NULL'}${sqlStorage(column)}`

type Parts = Pick<TableDefinition, 'columns' | 'hash' | 'range' | 'ranges' | 'splits'>

function partitionsOf({ columns, hash = [], range = [], ranges = [{}], splits = [] }: Parts): readonly string[] {
  const levels = hash.map(({ columns: names, buckets, seed = 0 }) => {
    const unsaid = seed === 0 ? '' : ` /* with the seed ${seed}, which SQL has no words for: ensureTables() creates it */`
    return `HASH (${names.map(quoted).join(', ')}) PARTITIONS ${buckets}${unsaid}`
  })
  if (range.length === 0) return levels
  const types = range.map((name) => columns.find((column) => column.name === name))
  const point = (row: KuduRow): string => {
    const values = range.flatMap((name, i) => (row[name] === undefined ? [] : [literal(row[name], types[i])]))
    return values.length === 1 ? values.join() : `(${values.join(', ')})`
  }
  const parts = ranges
    .flatMap((each) => cut(range, each, splits))
    .map(({ from, to }) => {
      const begin = from === undefined ? '' : `${point(from)} <= `
      return `\n  PARTITION ${begin}VALUES${to === undefined ? '' : ` < ${point(to)}`}`
    })
  return [...levels, `RANGE (${range.map(quoted).join(', ')}) (${parts.join(',')}\n)`]
}

/** A range in parts, between the splits that lie in it. */
function cut(columns: readonly string[], { from, to }: RangePartition, splits: readonly KuduRow[]): readonly RangePartition[] {
  const isBelow = (a: KuduRow, b: KuduRow): boolean => {
    for (const name of columns) {
      const [one, other] = [a[name], b[name]]
      if (one === undefined || other === undefined || one === null || other === null) return one === undefined && other !== undefined
      if (one !== other) return one < other
    }
    return false
  }
  const inside = splits.filter((split) => (from === undefined || isBelow(from, split)) && (to === undefined || isBelow(split, to)))
  const ends = [from, ...inside.toSorted((a, b) => (isBelow(a, b) ? -1 : 1)), to]
  return ends.slice(1).map((end, i) => ({ from: ends[i], to: end }))
}

/** A value in the SQL of Impala. */
function literal(value: KuduRow[string], { type, scale = 0 }: Partial<Column> = {}): string {
  if (type === 'UNIXTIME_MICROS') return `'${new Date(Number(value) / 1000).toISOString().replace('Z', '')}'`
  if (type === 'DATE') return `DATE '${new Date(Number(value) * 86_400_000).toISOString().slice(0, 10)}'`
  if (type === 'DECIMAL') return decimalText(value as bigint, scale)
  return typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : String(value)
}

/** A decimal is stored without its point. */
function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return unscaled < 0n ? `-${text}` : text
}
