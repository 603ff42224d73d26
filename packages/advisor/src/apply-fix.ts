// Tested by advise.test.ts.
import { isRowkeyError } from 'rowkey/codec'
import { schemaFromJSON, schemaOf, type Model, type TableSchema } from 'rowkey'
import type { ColumnJSON, IndexJSON, SchemaJSON, TableIndex } from 'rowkey/internal'
import type { Finding, SchemaChange } from './finding.js'
import { anyObject, refused } from './forms.js'

/**
 * The schema of a model with the change of a finding. It is checked like every schema, so a fix cannot make one that `defineTable()` would refuse. The
 * model that it was given stays as it is. A fix can make others unnecessary, so judge the result again before you apply the next one. What is
 * not data, such as checks of rows, is not in the result.
 *
 * @throws RowkeyError `INVALID_SCHEMA` if the change does not fit the schema, because it is of another one.
 * @throws RowkeyError `INVALID_OPTION` if the finding has no change, or is of another table
 * @example
 * ```ts
 * const [finding] = advise(Events).findings
 * finding.code //=> 'monotonic-first'
 * advise(applyFix(Events, finding)).findings.length //=> 0
 * ```
 */
export function applyFix(model: Model, finding: Pick<Finding, 'change' | 'code' | 'table'>): TableSchema {
  const schema = schemaOf(model)
  anyObject(finding, { of: 'the finding of applyFix()', path: [] })
  const index = schema.indexes.find((each) => each.schema.name === finding.table)
  if (finding.table !== schema.name && index === undefined)
    throw refused('finding', finding.table, `the finding '${finding.code}' is about '${finding.table}', not '${schema.name}'`)
  if (finding.change === undefined)
    throw refused('finding', finding.code, `the finding '${finding.code}' has no change that can be applied: see its fix`)
  return schemaFromJSON(index === undefined ? changed(schema.toJSON(), finding.change) : withIndex(schema, index, finding.change))
}

/** The entries of an index after a change of them; undefined if `defineTable()` would refuse it, or it is of their types, which are those of the rows. */
export function changedEntries(schema: TableSchema, index: TableIndex, change: SchemaChange): TableSchema | undefined {
  if (change.types !== undefined || change.indexes !== undefined) return undefined
  const after = valid(() => withIndex(schema, index, change))
  return after?.indexes.find(({ name }) => name === index.name)?.schema
}

/** The JSON of a schema with a change of the entries of one of its indexes. */
function withIndex(schema: TableSchema, { name, schema: entries, definition }: TableIndex, change: SchemaChange): SchemaJSON {
  const json = schema.toJSON()
  // The day at which an entry expires is in its key by itself.
  const known = new Set(schema.columns.map((column) => column.name))
  const key = change.key?.filter((column) => known.has(column))
  const { salt, partition, stores } = { ...definition, ...change }
  const place = (column: string): number => entries.columns.findIndex((each) => each.name === column)
  const level = (each: IndexJSON['salt'][number]): IndexJSON['salt'][number] => ({
    ...each,
    of: each.of.toSorted((a, b) => place(a) - place(b)),
  })
  const changedIndex: IndexJSON = {
    ...definition,
    ...{ partition, key: key ?? definition.key, salt: salt.map(level) },
    ...(stores === undefined ? {} : { stores }),
  }
  return { ...json, indexes: (json.indexes ?? []).map((each) => (each.name === name ? changedIndex : each)) }
}

/** The schema with a change; undefined if `defineTable()` would refuse it. */
export function changedSchema(schema: TableSchema, change: SchemaChange): TableSchema | undefined {
  return valid(() => changed(schema.toJSON(), change))
}

function valid(json: () => SchemaJSON): TableSchema | undefined {
  try {
    return schemaFromJSON(json())
  } catch (error) {
    if (isRowkeyError(error)) return undefined
    throw error
  }
}

/** The change, if the schema can have it. */
export const validChange = (schema: TableSchema, change: SchemaChange): SchemaChange | undefined =>
  changedSchema(schema, change) === undefined ? undefined : change

/** The JSON of a schema with a change. */
function changed(json: SchemaJSON, change: SchemaChange): SchemaJSON {
  const columns = [...json.columns, ...added(json, change)]
  const partition = change.partition ?? namesOf(columns, 'partition')
  const key = change.key ?? namesOf(columns, 'key').filter((name) => !partition.includes(name))
  const roleOf = ({ name, role }: ColumnJSON): ColumnJSON['role'] => {
    if (role === 'expiry' || role === 'version') return role
    return partition.includes(name) ? 'partition' : key.includes(name) ? 'key' : 'value'
  }
  const typeOf = (column: ColumnJSON): ColumnJSON['type'] =>
    change.types?.[column.name] ?? (roleOf(column) === 'value' ? forward(column.type) : column.type)
  const typed = columns.flatMap((column): ColumnJSON[] => {
    const [role, type] = [roleOf(column), typeOf(column)]
    if (type['of'] === undefined) return [{ ...column, role, type }]
    // Outside the key a period says nothing that its source does not, and in it it has the direction of that.
    const source = columns.find(({ name }) => name === type['of'])
    return role === 'value' || source === undefined ? [] : [{ ...column, role, type: { ...type, desc: typeOf(source)['desc'] } }]
  })
  const named = (names: readonly string[]): ColumnJSON[] => names.flatMap((name) => typed.filter((column) => column.name === name))
  const values = typed.filter(({ role }) => role === 'value').sort((a, b) => (a.physical < b.physical ? -1 : 1))
  const own = (role: ColumnJSON['role']): ColumnJSON[] => typed.filter((column) => column.role === role)
  return {
    ...json,
    salt: (change.salt ?? json.salt).map((level) => ({ ...level, of: inOrder(level.of, [...partition, ...key]) })),
    columns: [...named(partition), ...named(key), ...values, ...own('expiry'), ...own('version')],
    ...(change.stores === undefined ? {} : { stores: change.stores }),
    ...(change.indexes === undefined ? {} : { indexes: [...(json.indexes ?? []), ...change.indexes] }),
  }
}

/** Columns that a change has types for, and the schema does not have. */
function added({ columns }: SchemaJSON, { types = {} }: SchemaChange): readonly ColumnJSON[] {
  const known = new Set(columns.map(({ name }) => name))
  return Object.entries(types).flatMap(([name, type]) => (known.has(name) ? [] : [{ name, physical: name, role: 'value', type }]))
}

/** The columns of a salt are in the order of the key. */
const inOrder = (of: readonly string[], key: readonly string[]): readonly string[] => of.toSorted((a, b) => key.indexOf(a) - key.indexOf(b))

/** What only a key column can have: a direction, and a text that follows. */
function forward(type: ColumnJSON['type']): ColumnJSON['type'] {
  const { followedBy: _, ...data } = type
  return { ...data, desc: false }
}

const namesOf = (columns: readonly ColumnJSON[], role: ColumnJSON['role']): readonly string[] =>
  columns.filter((column) => column.role === role).map(({ name }) => name)
