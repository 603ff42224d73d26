// Tested by packages/rowkey/test/model/indexes.test.ts.
import { int32, isRowkeyError, type TypeData } from '#codec'
import { derived, show, showName, showNames } from '#codec/internal'
import { noneOfThese, type Definition, type GivenIndex } from '../definition/definition.js'
import { maxIndexes } from '../definition/index-definition.js'
import type { InvalidSchemaDetails, Problems } from '../problems.js'
import type { IndexJSON, SchemaColumn, TableIndex, TableSchema } from '../schema.js'

/** The property of an entry's own version. */
const entryVersion = 'rk_version'

/** The last key column of entries that expire: the day at whose end they do. */
const entryDay = 'rk_day'

/** How the table of an index is called. */
export const entriesName = (table: string, index: string): string => `${table}_${index}`

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
  if (indexes.length > maxIndexes) {
    const message = `the table has ${indexes.length} indexes. Each write of a row writes an entry of each, so the maximum is ${maxIndexes}.`
    problems.add({ code: 'INVALID_INDEX', message })
    return []
  }
  return Object.freeze(
    indexes.flatMap((index) => {
      const known = table.columns.filter(({ role }) => role !== 'expiry' && role !== 'version').map((column) => column.name)
      const unknown = [...index.partition, ...index.key].find((column) => !known.includes(column))
      if (unknown !== undefined) {
        const message = `index '${showName(index.name)}' names ${typeof unknown === 'string' ? `'${showName(unknown)}'` : show(unknown)}, which is not a column. The columns are ${showNames(known, "'")}.`
        problems.add({ code: 'INVALID_INDEX', message })
        return []
      }
      try {
        return [compileIndex(definition, table, index, compile)]
      } catch (error) {
        if (!isRowkeyError(error, 'INVALID_SCHEMA')) throw error
        for (const { message } of (error.details as unknown as InvalidSchemaDetails).problems)
          problems.add({ code: 'INVALID_INDEX', message: `index '${showName(index.name)}': ${message}` })
        return []
      }
    }),
  )
}

function compileIndex(
  { name, expires, writes }: Definition,
  { columns, keyLength }: Pick<TableSchema, 'columns' | 'keyLength'>,
  index: GivenIndex,
  compile: (definition: Definition) => TableSchema,
): TableIndex {
  const named = new Set([...index.partition, ...index.key])
  // What is computed from another key column needs no place of its own.
  const missing = columns.slice(0, keyLength).filter((column) => !named.has(column.name) && column.type.of === undefined)
  const inEntry = columns.filter(({ name: column }) => named.has(column) || missing.some((each) => each.name === column))
  const schema = compile({
    ...noneOfThese,
    name: entriesName(name, index.name),
    columns: [
      ...inEntry.map(({ name: column, type, physical }) => [column, entryType(type, column, physical)] as const),
      ...(expires ? [[entryDay, int32()] as const] : []),
    ],
    partition: index.partition,
    key: [...index.key, ...missing.map((column) => column.name), ...(expires ? [entryDay] : [])],
    salt: index.salt,
    writes,
    stores: index.stores,
    expires,
    ...(writes === 'plain' ? {} : { version: entryVersion }),
  })
  const { partition, key } = index
  const { salt, stores } = schema
  const hints = Object.keys(stores).length === 0 ? {} : { stores }
  const json: IndexJSON = Object.freeze({ name: index.name, partition: Object.freeze(partition), key: Object.freeze(key), salt, ...hints })
  return Object.freeze({ name: index.name, schema, ...sourcesOf({ columns, keyLength }, schema), definition: json })
}

/** The type of a column in an entry, which has neither nulls nor defaults. */
function entryType(type: TypeData, name: string, physical: string): TypeData {
  const bare = type.nullable || type.default !== undefined ? derived(type, { nullable: false }, ['nulls', 'default']) : type
  return physical === name || bare.name !== undefined ? bare : derived(bare, { name: physical })
}

function sourcesOf(
  { columns, keyLength }: Pick<TableSchema, 'columns' | 'keyLength'>,
  entries: TableSchema,
): Pick<TableIndex, 'sources' | 'keySources'> {
  const place = (of: readonly SchemaColumn[], { physical }: SchemaColumn): number => of.findIndex((each) => each.physical === physical)
  const ofRow = entries.columns.filter(({ role }) => role !== 'version')
  const expiryAt = columns.findIndex(({ role }) => role === 'expiry')
  const dayAt = expiryAt < 0 ? -1 : entries.keyLength - 1
  return {
    sources: Object.freeze(ofRow.map((column, at) => (at === dayAt ? expiryAt : place(columns, column)))),
    keySources: Object.freeze(columns.slice(0, keyLength).map((column) => place(entries.columns, column))),
  }
}

/** The same indexes of a table under another name. @param rename gives a schema another name */
export const renameIndexes = (
  indexes: readonly TableIndex[],
  table: string,
  rename: (schema: TableSchema, name: string) => TableSchema,
): readonly TableIndex[] =>
  indexes.length === 0
    ? indexes
    : Object.freeze(indexes.map((index) => Object.freeze({ ...index, schema: rename(index.schema, entriesName(table, index.name)) })))
