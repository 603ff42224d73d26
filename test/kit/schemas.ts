import {
  bucket,
  json,
  nullable,
  rowLayout,
  text,
  timestamp,
  uint16,
  type Row,
  type ColumnType,
  type Salt,
  type TypeData,
} from 'rowkey/codec'
import { defineTable, memory } from 'rowkey'
import type { Adapter, Outcome, PageSource, TableCatalog, TableSchema, TableStore } from 'rowkey/adapter'

interface Parts {
  readonly name?: string
  readonly partition?: readonly [string, TypeData][]
  readonly key: readonly [string, TypeData][]
  readonly values?: readonly string[]
  readonly salt?: readonly Salt[]
  readonly expires?: boolean
  readonly versioned?: boolean
}

/** A schema with expiry and version columns, put together by hand. */
export function schemaWith({
  name = 'things',
  partition = [],
  key,
  values = [],
  salt = [],
  expires = false,
  versioned = false,
}: Parts): TableSchema {
  const column =
    (role: string) =>
    ([name, type]: readonly [string, TypeData]) => ({ name, physical: name, role, type })
  const keys = [...partition.map(column('partition')), ...key.map(column('key'))]
  const columns = [
    ...keys,
    ...values.toSorted().map((value) => column('value')([value, nullable(json())])),
    ...(expires ? [column('expiry')(['rk_expires', nullable(timestamp('ms', { as: 'number' }))])] : []),
    ...(versioned ? [column('version')(['rk_version', nullable(text())])] : []),
  ]
  return {
    name,
    declaredName: name,
    columns,
    partitionLength: partition.length,
    keyLength: keys.length,
    expiryIndex: columns.findIndex(({ role }) => role === 'expiry'),
    versionIndex: columns.findIndex(({ role }) => role === 'version'),
    writes: 'conditional',
    salt,
    layout: rowLayout(keys, partition.length, salt),
    stores: {},
    indexes: [],
    fingerprints: fingerprintsOf(partition, key, salt),
    // As typeToJSON has it: `ordered` follows from the rest.
    toJSON: () => ({
      format: 1,
      name,
      writes: 'conditional',
      salt,
      columns: columns.map(({ type: { ordered: _, ...type }, ...column }) => ({ ...column, type })),
    }),
  } as unknown as TableSchema
}

/** What defineTable() gives the same key. */
function fingerprintsOf(
  partition: readonly [string, TypeData][],
  key: readonly [string, TypeData][],
  salt: readonly Salt[],
): TableSchema['fingerprints'] {
  const names = (columns: readonly [string, TypeData][]): string[] => columns.map(([name]) => name)
  const columns = Object.fromEntries([...partition, ...key]) as Record<string, ColumnType>
  return defineTable('things', { columns, partition: names(partition), key: names(key) as [string], salt }).fingerprints
}

/** host, n → a, b, expiry, version in 4 buckets */
export const things = (): TableSchema =>
  schemaWith({
    key: [
      ['host', text()],
      ['n', uint16()],
    ],
    values: ['a', 'b'],
    salt: [bucket({ of: ['host'], count: 4 })],
    expires: true,
    versioned: true,
  })

export const strong = { consistency: 'strong' } as const

/** An open table. */
export interface Opened {
  readonly store: Adapter
  readonly schema: TableSchema
  readonly catalog: TableCatalog
  readonly table: TableStore
}

export async function open(schema: TableSchema, store: Adapter = memory()): Promise<Opened> {
  const catalog = await store.ensureTable(schema)
  return { store, schema, catalog, table: store.table(schema, catalog) }
}

/** The rows of a whole page source. */
export async function drain(source: PageSource, want = 100): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await source.next(want)
    if (page === undefined) return rows
    rows.push(...page.rows)
  }
}

/** The kinds, in order. */
export const kinds = async (outcomes: readonly Outcome[] | Promise<readonly Outcome[]>): Promise<string[]> =>
  (await outcomes).map(({ kind }) => kind)
