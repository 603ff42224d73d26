// Tested by define-table.test.ts.
import { compareText, rowLayout, type Salt } from '#codec'
import { derived } from '#codec/internal'
import { schemaBrand, type SchemaColumn, type SchemaJSON, type TableSchema } from '../schema.js'
import { checkDefinition, refusal } from '../definition/check-definition.js'
import { compileChecks } from '../definition/checks.js'
import { physicalName, type Definition } from '../definition/definition.js'
import { computing } from './computed.js'
import { fingerprintsOf } from './fingerprint.js'
import type { ModelClass } from '../infer/class-types.js'
import { expiryColumn, versionColumn } from '../definition/own-columns.js'
import { NotPlain, plainCopy, plainData, schemaLevels } from '../json/plain-data.js'
import { Problems } from '../problems.js'
import { typeToJSON } from '../json/type-json.js'
import { compileIndexes } from './table-index.js'

/** @throws RowkeyError `INVALID_SCHEMA` with every problem, those in `problems` included */
export function compileTable(definition: Definition, problems: Problems = new Problems(), model?: ModelClass): TableSchema {
  checkDefinition(definition, problems)
  const names = new Set(definition.columns.map(([name]) => name))
  const checks = compileChecks(definition.checks, (name) => names.has(name), problems)
  problems.throwAny(definition.name)
  const columns = positions(definition)
  const partitionLength = definition.partition.length
  const keyLength = partitionLength + definition.key.length
  const key = columns.slice(0, keyLength)
  const salt = Object.freeze(definition.salt.map((level) => inKeyOrder(level, key)))
  const tooMany = refusal(() => rowLayout(key, partitionLength, salt))
  if (tooMany !== undefined) problems.add({ code: 'INVALID_SALT', message: tooMany })
  const indexes = tooMany === undefined ? compileIndexes(definition, { columns, keyLength }, problems, compileTable) : []
  problems.throwAny(definition.name)
  const schema = freezeSchema({
    name: definition.name,
    declaredName: definition.name,
    columns,
    partitionLength,
    keyLength,
    expiryIndex: columns.findIndex(({ role }) => role === 'expiry'),
    versionIndex: columns.findIndex(({ role }) => role === 'version'),
    ttl: definition.ttl,
    writes: definition.writes,
    salt,
    layout: rowLayout(key, partitionLength, salt),
    stores: plainData(definition.stores) as Readonly<Record<string, unknown>>,
    retired: Object.freeze([...definition.retired]),
    indexes,
    checks,
    class: model,
    fingerprints: fingerprintsOf(key, partitionLength, salt),
    ...computing(key),
  })
  mustBeReadable(schema, problems)
  return schema
}

/** A schema that {@link readSchemaJSON} refuses as too long would be written into a catalog, and the table could not be opened any more. */
function mustBeReadable(schema: TableSchema, problems: Problems): void {
  try {
    plainCopy(schema.toJSON(), schemaLevels)
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error
    problems.add({ code: 'INVALID_OPTION', message: `its JSON ${error.message}. Shorten defaults, dictionaries or what is in stores.` })
    problems.throwAny(schema.name)
  }
}

/** The data of a schema, without what is derived here. */
export type SchemaData = Pick<TableSchema, Exclude<keyof TableSchema, symbol | 'toJSON'>>

/** Adds the brand and `toJSON`, and freezes. */
export function freezeSchema(data: SchemaData): TableSchema {
  const json = toJSON(data)
  const schema = { ...data, toJSON: () => json }
  Object.defineProperty(schema, schemaBrand, { value: true })
  return Object.freeze(schema) as unknown as TableSchema
}

/** partition ++ key ++ values by physical name ++ expiry? ++ version?: the order in which properties were declared does not matter. */
function positions({ columns, partition, key, expires, version }: Definition): readonly SchemaColumn[] {
  const types = new Map(columns)
  const isDesc = (name: string | undefined): boolean => name !== undefined && types.get(name)?.desc === true
  const column = (name: string, role: SchemaColumn['role']): readonly SchemaColumn[] => {
    const given = types.get(name)
    // A period has the direction of its source, so that both order the rows alike.
    const type = given !== undefined && isDesc(given.of) && !given.desc ? derived(given, { desc: true }) : given
    return type === undefined ? [] : [Object.freeze({ name, physical: physicalName(name, type), role, type })]
  }
  const inKey = new Set([...partition, ...key])
  const values = columns.filter(([name]) => !inKey.has(name)).flatMap(([name]) => column(name, 'value'))
  return Object.freeze([
    ...partition.flatMap((name) => column(name, 'partition')),
    ...key.flatMap((name) => column(name, 'key')),
    ...values.sort((a, b) => compareText(a.physical, b.physical)),
    ...(expires ? [expiryColumn] : []),
    ...(version === undefined ? [] : [versionColumn(version)]),
  ])
}

/** Salts hash their columns in key order, so two orders of `of` are one salt and have one fingerprint. */
function inKeyOrder(level: Salt, key: readonly SchemaColumn[]): Salt {
  return derived(level, { of: Object.freeze(key.map(({ name }) => name).filter((name) => level.of.includes(name))) })
}

function toJSON({ name, writes, salt, columns, ttl, stores, retired, indexes }: SchemaData): SchemaJSON {
  const columnJSON = columns.map((column) =>
    Object.freeze({ name: column.name, physical: column.physical, role: column.role, type: typeToJSON(column.type) }),
  )
  return Object.freeze({
    format: 1,
    name,
    writes,
    salt,
    columns: Object.freeze(columnJSON),
    ...(ttl === undefined ? {} : { ttl }),
    ...(Object.keys(stores).length === 0 ? {} : { stores }),
    ...(retired.length === 0 ? {} : { retired }),
    ...(indexes.length === 0 ? {} : { indexes: Object.freeze(indexes.map((index) => index.definition)) }),
  })
}
