import type { SchemaJSON, TableSchema } from '@rowkey/model'
import type { TableCatalog } from '../contract/adapter.js'
import { show } from '@rowkey/codec'
import { schemaFromJSON } from '@rowkey/model'
import { storeError } from '../errors.js'

/**
 * Compares a model with the table it finds. Equal, or a table with more value columns that are nullable or have a constant
 * default (a newer deploy): fine. Everything else would lose or misplace rows; a table with versions or expiry needs models that know
 * of them.
 *
 * @throws RowkeyError `TABLE_MISSING`, `SCHEMA_MISMATCH` with a difference per column
 */
export function checkCatalog(schema: TableSchema, catalog: TableCatalog | undefined): asserts catalog is TableCatalog {
  const { name } = schema
  if (catalog === undefined) {
    throw storeError('TABLE_MISSING', `table '${name}' does not exist. Create it with ensureTables() or the store's own DDL.`, {
      table: name,
    })
  }
  const differences = differencesOf(schema, catalog)
  if (differences.length === 0) return
  throw storeError(
    'SCHEMA_MISMATCH',
    `the model of '${name}' does not fit the table that is there:\n${differences.map((difference) => `  - ${difference}`).join('\n')}\n` +
      `New nullable columns, or columns with a constant default, are added by ensureTables(). For any other change write a new table and copy the rows.`,
    { table: name, differences },
  )
}

/** What keeps `schema` from working on the table of `catalog`, one line each. */
function differencesOf(schema: TableSchema, catalog: TableCatalog): readonly string[] {
  const stored = schemaOfCatalog(catalog)
  return [
    ...keyDifferences(schema, stored),
    ...saltDifferences(schema, stored),
    ...valueDifferences(schema, stored),
    ...writesDifference(schema, stored),
  ]
}

/**
 * The schema of the table that is there. Its properties are called after the names in the store: models of several deploys may have
 * given one property name to different columns.
 */
export function schemaOfCatalog(catalog: TableCatalog): TableSchema {
  const json = catalog.schema as SchemaJSON
  const isKnown = json.format === 1 && [json.columns, json.salt].every((list) => Array.isArray(list))
  if (!isKnown) return schemaFromJSON(json) // which says what is wrong
  const keys = json.columns.filter(({ role }) => role === 'partition' || role === 'key') // salts are of these
  const properties = new Map(keys.map(({ name, physical }) => [name, `column_${physical}`]))
  const columns = json.columns.map((column) => ({ ...column, name: column.role === 'expiry' ? column.name : `column_${column.physical}` }))
  const salt = json.salt.map((level) => ({ ...level, of: level.of.map((name) => properties.get(name) ?? name) }))
  return schemaFromJSON({ ...json, columns, salt })
}

type Columns = TableSchema['columns']

function keyDifferences(schema: TableSchema, stored: TableSchema): readonly string[] {
  if (schema.fingerprints.key === stored.fingerprints.key) return []
  const differences = []
  const length = Math.max(schema.keyLength, stored.keyLength)
  for (let i = 0; i < length; i++) {
    const [mine, theirs] = [describe(schema, i), describe(stored, i)]
    if (mine !== theirs) differences.push(`key column ${i + 1}: the model has ${mine}, the table ${theirs}`)
  }
  return differences.length > 0 ? differences : ['the key columns differ in their type options']
}

function describe(schema: TableSchema, position: number): string {
  const column = schema.columns[position]
  if (column === undefined || position >= schema.keyLength) return 'none'
  return `${position < schema.partitionLength ? 'partition ' : ''}'${column.physical}' ${typeText(column)}`
}

function typeText({ type }: Columns[number]): string {
  const { kind, desc, nullable, nulls, unit, width, pad, separator, codes, inner } = type
  const words = [unit, width, pad, separator].flatMap((option) =>
    option === undefined ? [] : [typeof option === 'string' ? `'${option}'` : String(option)],
  )
  const options = [
    ...words,
    ...(codes ?? []).map(([value, code]) => `${value}: '${code}'`).sort(),
    ...(inner === undefined ? [] : [inner.kind]),
  ]
  const base = options.length === 0 ? kind : `${kind}(${options.join(', ')})`
  const turned = desc ? `desc(${base})` : base
  return nullable ? `nullable(${turned}${nulls === 'last' ? ", { nulls: 'last' }" : ''})` : turned
}

function saltDifferences(schema: TableSchema, stored: TableSchema): readonly string[] {
  const [mine, theirs] = [saltText(schema), saltText(stored)]
  if (mine === theirs) return []
  return [`salt: the model has ${mine}, the table ${theirs}; rows would be looked for in other buckets than they are in`]
}

function saltText({ salt, columns: all }: TableSchema): string {
  if (salt.length === 0) return 'none'
  const physicalOf = new Map(all.map(({ name, physical }) => [name, physical]))
  return salt
    .map(({ kind, of, count, seed, digits }) => {
      const columns = of.map((name) => physicalOf.get(name)).join(', ')
      const seeded = seed === 0 ? '' : `, seed ${seed}`
      if (kind === 'hashPrefix') return `hashPrefix(${columns}; digits ${digits})`
      if (kind === 'hashPartition') return `hashPartition(${columns}; buckets ${count}${seeded})`
      return `bucket(${columns}; ${kind === 'modulo' ? `modulo ${count}` : `count ${count}${seeded}`})`
    })
    .join(' + ')
}

function valueDifferences(schema: TableSchema, stored: TableSchema): readonly string[] {
  const valuesOf = ({ columns, keyLength }: TableSchema): Map<string, Columns[number]> =>
    new Map(columns.slice(keyLength).map((column) => [column.physical, column]))
  const [mine, theirs] = [valuesOf(schema), valuesOf(stored)]
  const differences = []
  for (const [physical, column] of mine) {
    const other = theirs.get(physical)
    if (other === undefined) differences.push(`column '${physical}': the model has ${typeText(column)}, the table has none`)
    else if (typeText(other) !== typeText(column))
      differences.push(`column '${physical}': the model has ${typeText(column)}, the table ${typeText(other)}`)
    else if (readDefault(other) !== undefined && readDefault(other) !== readDefault(column)) {
      const mine = readDefault(column) ?? 'none'
      differences.push(`column '${physical}': the model has the default ${mine}, rows of the table without it mean ${readDefault(other)}`)
    }
  }
  for (const [physical, column] of theirs) {
    if (mine.has(physical)) continue
    const unseen = unseenRoles[column.role]
    if (unseen !== undefined) differences.push(`column '${physical}': ${unseen}`)
    if (mayBeAdded(column)) continue
    differences.push(`column '${physical}': the table has ${typeText(column)}, which is required, the model has none`)
  }
  return differences
}

/** What a model would do to the rows of others that does not know these columns. */
const unseenRoles: Readonly<Partial<Record<Columns[number]['role'], string>>> = {
  expiry: 'rows of the table expire, and the model would not notice; declare a ttl in it, with @Ttl() or { ttl }',
  version: 'rows of the table have versions, and the model would write past them; declare one in it, with @Version() or { version }',
}

/** What a row without this column means: the constant default of a required column is part of the rows, not only of writes. */
function readDefault({ type }: Columns[number]): string | undefined {
  return type.nullable || type.default?.kind !== 'constant' ? undefined : show(type.default.value)
}

/** Whether rows without this column can be read: it is nullable or has a constant default. */
export function mayBeAdded({ type }: Columns[number]): boolean {
  return type.nullable || type.default?.kind === 'constant'
}

function writesDifference(schema: TableSchema, stored: TableSchema): readonly string[] {
  return schema.writes === stored.writes
    ? []
    : [`writes: the model is ${schema.writes}, the table ${stored.writes}; mixing both loses acknowledged writes on some stores`]
}

/** Whether the key columns and the salt of a schema are those of a table: then it can grow by value columns. */
export function sameKey(schema: TableSchema, { schema: json }: TableCatalog): boolean {
  const { ttl: _, columns, ...rest } = json as SchemaJSON // without its column there is no ttl
  const key = schemaFromJSON({ ...rest, columns: columns.filter(({ role }) => role === 'partition' || role === 'key') })
  return key.fingerprints.layout === schema.fingerprints.layout
}
