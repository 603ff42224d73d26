// Tested by catalogs.test.ts.
import type { Column, KuduTable, TableDefinition } from '@rowkey/kudu-client'
import { showName, type TableSchema } from 'rowkey/adapter'
import { maxColumns } from './capabilities.js'
import { bytesRefused, noPartitioning, tooManyColumns, tooManyRanges } from './errors.js'
import { hashDifference, hashLevels } from './salting/hash-levels.js'
import { bucketColumn, keyColumns, type KeyColumn } from './keys.js'
import { saltingOf } from './salting/salting.js'
import { kuduHints, nameIn, type KuduOptions } from './options.js'
import { beginOf, stepped } from './hints/calendar.js'
import { rangesOf, storedInterval, storedPoint, type Ranges } from './hints/range-hint.js'
import { rotationOf } from './ranges/rotation.js'
import { withStorages } from './hints/column-storage.js'
import { sqlType, valueTypeOf, type KuduType } from './values.js'

/** What `ensureTable` creates for a table that does not exist. @throws RowkeyError `NOT_SUPPORTED`, `INVALID_OPTION` */
export function newTable(schema: TableSchema, options: KuduOptions, clock: () => number): TableDefinition {
  const columns = columnsOf(schema)
  if (columns.length > maxColumns) throw tooManyColumns(schema, columns.length)
  const { replicas } = options
  return {
    name: nameIn(options, schema.name),
    columns,
    ...partitioning(schema, options, clock),
    ...(replicas === undefined ? {} : { replicas }),
  }
}

/** The columns of the key and those of values. @throws RowkeyError `NOT_SUPPORTED` */
export function columnsOf(schema: TableSchema): readonly Column[] {
  const keys = keyColumns(schema)
  const simulated = keys.find(({ form }) => form === 'bytes')
  if (simulated !== undefined && kuduHints(schema).strict === true) throw bytesRefused(schema, simulated)
  const bucket = saltingOf(schema) === 'column' ? [{ name: bucketColumn, type: bucketType(schema), isKey: true } as const] : []
  const all = [...bucket, ...keys.map(({ name, kudu }) => ({ name, ...kudu, isKey: true })), ...valueColumns(schema)]
  return withStorages(all, schema, kuduHints(schema).columns)
}

/** The columns after the key. All may be null: a table gets new ones, and programs with an older model leave them out. */
export const valueColumns = ({ columns, keyLength }: TableSchema): readonly Column[] =>
  columns.slice(keyLength).map((column) => ({ name: column.physical, ...valueTypeOf(column).kudu, isKey: false, isNullable: true }))

const bucketType = ({ layout }: TableSchema): 'INT32' | 'INT64' => (layout.buckets <= 2 ** 31 ? 'INT32' : 'INT64')

/** Tablets of a table whose bucket is a column. With more buckets, several are in one. */
const maxBucketTablets = 32

function partitioning(
  schema: TableSchema,
  { hash }: KuduOptions,
  clock: () => number,
): Pick<TableDefinition, 'hash' | 'range' | 'ranges' | 'splits'> {
  const ranges = rangesOf(schema)
  if (ranges !== undefined) return { ...rangeLevels(schema), ...rangeParts(schema, ranges, clock) }
  const names = schema.columns.slice(0, schema.keyLength).map(({ physical }) => physical)
  const salting = saltingOf(schema)
  if (salting === 'hash') return { hash: hashLevels(schema), range: [] }
  if (salting === 'column') return { range: [bucketColumn], splits: bucketSplits(schema.layout.buckets) }
  if (hash === undefined) throw noPartitioning(schema)
  return { hash: [{ columns: schema.partitionLength === 0 ? names : names.slice(0, schema.partitionLength), buckets: hash }], range: [] }
}

/** The hash levels of a table that also has ranges. Of a bucket in a column it is a hash: a table can have one set of ranges only. */
function rangeLevels(schema: TableSchema): Pick<TableDefinition, 'hash'> {
  const salting = saltingOf(schema)
  if (salting === 'hash') return { hash: hashLevels(schema) }
  return salting === 'none' ? {} : { hash: [{ columns: [bucketColumn], buckets: Math.min(schema.layout.buckets, maxBucketTablets) }] }
}

/** So many ranges before the current one a new table has at the most. */
const maxBegun = 500

/** The ranges that a new table has. @throws RowkeyError `INVALID_OPTION` */
function rangeParts(schema: TableSchema, ranges: Ranges, clock: () => number): Pick<TableDefinition, 'range' | 'ranges' | 'splits'> {
  const { columns, times, splits, bounds } = ranges
  const keys = keyColumns(schema)
  const now = times === undefined ? 0 : clock()
  if (times?.from !== undefined && stepped(times.every, beginOf(times.every, times.from), maxBegun) < now)
    throw tooManyRanges(schema, maxBegun)
  const added = times === undefined ? bounds : rotationOf(schema, ranges, times, [], now).add
  return {
    range: columns.map((at) => (keys[at] as KeyColumn).name),
    ...(added.length === 0 ? {} : { ranges: added.map((each) => storedInterval(keys, columns, each)) }),
    ...(splits.length === 0
      ? {}
      : { splits: splits.map((point) => storedPoint(keys, columns, point)).filter((point) => point !== undefined) }),
  }
}

/** Where tablets begin: each has about as many buckets as the others. */
function bucketSplits(buckets: number): readonly { readonly [bucketColumn]: number }[] {
  const tablets = Math.min(buckets, maxBucketTablets)
  return Array.from({ length: tablets - 1 }, (_, i) => ({ [bucketColumn]: Math.floor(((i + 1) * buckets) / tablets) }))
}

/** Why an existing table cannot be used for a schema, with the remedy. */
export function differences(schema: TableSchema, found: KuduTable): readonly string[] {
  const wanted = columnsOf(schema)
  const keyOf = (columns: readonly Column[]): string =>
    columns.flatMap((column) => (column.isKey ? [`${showName(column.name)} ${sqlType(column)}`] : [])).join(', ')
  const [need, has] = [keyOf(wanted), keyOf(found.columns)]
  const key =
    need === has
      ? []
      : [
          `the primary key is (${has}), but the model needs (${need}); it belongs to another program, or was made by hand: use another name or prefix`,
        ]
  const types = new Map(found.columns.map((column) => [column.name, column]))
  const values = wanted.flatMap((column) => {
    const there = types.get(column.name)
    if (column.isKey || there === undefined || (sqlType(there) === sqlType(column) && there.isNullable === true)) return []
    return [
      `column '${showName(column.name)}' is ${textOf(there)}, but the model needs ${textOf(column)}; give the column another name with { name }`,
    ]
  })
  return [...key, ...values, ...hashDifference(schema, found), ...rangeDifference(schema, found)]
}

const textOf = (column: Column & KuduType): string => `${sqlType(column)}${column.isNullable === true ? '' : ' NOT NULL'}`

/** Ranges cannot be of other columns later, and a table without them never gets any. */
function rangeDifference(schema: TableSchema, { range, columns }: KuduTable): readonly string[] {
  const ranges = rangesOf(schema)
  if (ranges === undefined) return []
  const keys = keyColumns(schema)
  const need = ranges.columns.map((at) => (keys[at] as KeyColumn).name).join(', ')
  const has = range.map((place) => columns[place]?.name ?? '').join(', ')
  if (has === need) return []
  return [
    `its ranges are of ${has === '' ? 'no column' : `(${showName(has)})`}, but the model has ranges of (${need}), which cannot be changed later; copy its rows with copyTable() into a new table`,
  ]
}
