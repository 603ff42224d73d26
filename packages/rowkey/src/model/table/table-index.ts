// Tested by packages/rowkey/test/model/indexes.test.ts.
import { int32, isRowkeyError, type TypeData, type Value } from '#codec'
import { derived, show, showName, showNames } from '#codec/internal'
import { noneOfThese, type Definition, type GivenIndex } from '../definition/definition.js'
import { maxIndexes } from '../definition/index-definition.js'
import type { InvalidSchemaDetails, Problems } from '../problems.js'
import type { IndexJSON, SchemaColumn, TableIndex, TableSchema } from '../schema.js'

/** The property of an entry's own version. */
const entryVersion = 'rk_version'

/** The last key column of entries that expire, unless they are written with their rows: the day at whose end they do. */
const entryDay = 'expiry_day'

/** How the table of an index is called. */
const entriesName = (table: string, index: string): string => `${table}_${index}`

/** Whether rows and entries of a table are written all or none. */
export const isExact = ({ indexes }: Pick<TableSchema, 'indexes'>): boolean => indexes[0]?.exact === true

/**
 * The indexes of a table. What is wrong with them is added to `problems`.
 *
 * @param compile makes the schema of a definition
 */
export function compileIndexes(
  definition: Definition,
  table: Pick<TableSchema, 'columns' | 'keyLength'>,
  problems: Problems,
  compile: (definition: Definition) => TableSchema,
): readonly TableIndex[] {
  const { indexes } = definition
  const refuse = (message: string): readonly TableIndex[] => {
    problems.add({ code: 'INVALID_INDEX', message })
    return []
  }
  if (indexes.length > maxIndexes) {
    return refuse(`the table has ${indexes.length} indexes. Each write of a row writes an entry of each, so the maximum is ${maxIndexes}.`)
  }
  const exact = indexes.some(({ unique, include }) => unique || include.length > 0)
  if (exact && definition.writes === 'plain') {
    return refuse(
      "the table has an index with unique or include, which is written on conditions, and writes: 'plain'. Leave one of them out.",
    )
  }
  if (indexes.length > 0 && definition.expires && definition.writes === 'conditional' && definition.version === undefined) {
    // An update that reads a row for its entry must not miss that its expiry, which is no value to compare, has changed in the meantime.
    return refuse(
      "the table has indexes, and its rows expire. Then it needs a version: give it one with version: 'rev' or @Version, or writes: 'plain' if rows are only put and deleted.",
    )
  }
  const compiled = indexes.flatMap((index) => {
    const wrong = wrongIndex(definition, index, table)
    if (wrong !== undefined) return refuse(`index '${showName(index.name)}' ${wrong}`)
    try {
      return [compileIndex(definition, table, index, exact, compile)]
    } catch (error) {
      if (!isRowkeyError(error, 'INVALID_SCHEMA')) throw error
      return (error.details as unknown as InvalidSchemaDetails).problems.flatMap(({ message }) =>
        refuse(`index '${showName(index.name)}': ${message}`),
      )
    }
  })
  return Object.freeze(compiled)
}

/** What is wrong with an index, though its entries could be a table; undefined if nothing is. */
function wrongIndex(
  table: Definition,
  { name, partition, key, include, salt }: GivenIndex,
  { columns, keyLength }: Pick<TableSchema, 'columns' | 'keyLength'>,
): string | undefined {
  const known = columns.filter(({ role }) => role !== 'expiry' && role !== 'version').map((column) => column.name)
  const unknown = [...partition, ...key, ...include].find((column) => !known.includes(column))
  const own = columns.find((column) => column.name === unknown)
  if (name === '') return 'has an empty name. Give it one that scans can name.'
  if (name in Object.prototype) return 'has a name that every object has. Give it another.'
  if (partition.length + key.length === 0) return "has no columns. Give it a key, such as { key: ['email'] }."
  if (own !== undefined) return `names '${showName(own.name)}', the ${own.role} of a row, which cannot be in an index. Leave it out.`
  if (unknown !== undefined) {
    return `names ${typeof unknown === 'string' ? `'${showName(unknown)}'` : show(unknown)}, which is not a column. The columns are ${showNames(known, "'")}.`
  }
  const inKey = [...partition, ...key, ...columns.slice(0, keyLength).map((column) => column.name)]
  const twice = include.find((column, at) => inKey.includes(column) || include.indexOf(column) !== at)
  if (twice !== undefined) return `includes '${showName(twice)}', which its entries have already. Leave it out of include.`
  const isOwnKey = JSON.stringify([partition, key, salt]) === JSON.stringify([table.partition, table.key, table.salt])
  return isOwnKey ? 'has the key of the table itself. Leave it out, and scan without an index.' : undefined
}

function compileIndex(
  { name, expires, writes }: Definition,
  { columns, keyLength }: Pick<TableSchema, 'columns' | 'keyLength'>,
  index: GivenIndex,
  exact: boolean,
  compile: (definition: Definition) => TableSchema,
): TableIndex {
  const named = new Set([...index.partition, ...index.key])
  // What is computed from another key column needs no place of its own.
  const missing = columns.slice(0, keyLength).filter((column) => !named.has(column.name) && column.type.of === undefined)
  const inKey = columns.filter((column) => named.has(column.name) || (!index.unique && missing.includes(column)))
  const beside = columns.filter((column) => index.include.includes(column.name) || (index.unique && missing.includes(column)))
  const hasDay = expires && !exact
  const schema = compile({
    ...noneOfThese,
    name: entriesName(name, index.name),
    columns: [
      ...inKey.map((column) => [column.name, keyType(column)] as const),
      ...beside.map((column) => [column.name, valueType(column)] as const),
      ...(hasDay ? [[entryDay, int32()] as const] : []),
    ],
    partition: index.partition,
    key: [...index.key, ...(index.unique ? [] : missing.map((column) => column.name)), ...(hasDay ? [entryDay] : [])],
    salt: index.salt,
    writes,
    stores: index.stores,
    expires,
    ...(writes === 'plain' ? {} : { version: entryVersion }),
  })
  const { partition, key, unique, include } = index
  const { salt, stores } = schema
  const json: IndexJSON = Object.freeze({
    ...{ name: index.name, partition: Object.freeze(partition), key: Object.freeze(key), salt },
    ...(unique ? { unique } : {}),
    ...(include.length === 0 ? {} : { include: Object.freeze(include) }),
    ...(Object.keys(stores).length === 0 ? {} : { stores }),
  })
  return Object.freeze({ name: index.name, schema, unique, exact, ...sourcesOf({ columns, keyLength }, schema, hasDay), definition: json })
}

/** The type of a key column in an entry, which has neither nulls nor defaults. */
function keyType(column: SchemaColumn): TypeData {
  const { type } = column
  return named(column, type.nullable || type.default !== undefined ? derived(type, { nullable: false }, ['nulls', 'default']) : type)
}

/** The type of a value column in an entry. It is written as it is in the row, so only a constant default counts, for old rows. */
function valueType(column: SchemaColumn): TypeData {
  const { type } = column
  return named(
    column,
    type.desc || (type.default !== undefined && type.default.kind !== 'constant') ? derived(type, { desc: false }, ['default']) : type,
  )
}

const named = ({ name, physical }: SchemaColumn, type: TypeData): TypeData =>
  physical === name || type.name !== undefined ? type : derived(type, { name: physical })

function sourcesOf(
  { columns, keyLength }: Pick<TableSchema, 'columns' | 'keyLength'>,
  entries: TableSchema,
  hasDay: boolean,
): Pick<TableIndex, 'sources' | 'absent' | 'keySources' | 'dayAt'> {
  const place = (of: readonly SchemaColumn[], { physical }: SchemaColumn): number => of.findIndex((each) => each.physical === physical)
  const ofRow = entries.columns.filter(({ role }) => role !== 'version')
  const expiryAt = columns.findIndex(({ role }) => role === 'expiry')
  const dayAt = hasDay ? entries.keyLength - 1 : -1
  const sources = ofRow.map((column, at) => (at === dayAt ? expiryAt : place(columns, column)))
  return {
    sources: Object.freeze(sources),
    absent: Object.freeze(sources.map((at) => absentIn(columns[at]))),
    keySources: Object.freeze(columns.slice(0, keyLength).map((column) => place(entries.columns, column))),
    dayAt,
  }
}

const absentIn = (column: SchemaColumn | undefined): Value =>
  column !== undefined && !column.type.nullable && column.type.default?.kind === 'constant' ? column.type.default.value : null

/** The same indexes of a table under another name. @param rename gives a schema another name */
export const renameIndexes = (
  indexes: readonly TableIndex[],
  table: string,
  rename: (schema: TableSchema, name: string) => TableSchema,
): readonly TableIndex[] =>
  indexes.length === 0
    ? indexes
    : Object.freeze(indexes.map((index) => Object.freeze({ ...index, schema: rename(index.schema, entriesName(table, index.name)) })))
