import type { Salt, TypeData } from '#codec'
import { registeredSalt, show } from '#codec/internal'
import type { ColumnJSON, SchemaColumn, SchemaJSON, TableSchema } from '../schema.js'
import { compileTable } from './compile-table.js'
import { noneOfThese, type Definition } from '../definition/definition.js'
import { Malformed, malformedJSON, mustBeSame, reading, unknownTo } from '../json/malformed-json.js'
import { expiryColumn, versionColumn } from '../definition/own-columns.js'
import { maxLength } from '../json/plain-data.js'
import { readSchemaJSON } from './read-schema-json.js'
import { typeFromJSON, typeToJSON } from '../json/type-json.js'

/**
 * The schema that `toJSON()` described: same bytes, same fingerprints, same JSON text. It reads what this and all earlier versions wrote,
 * and nothing else: a missing field is not filled in, and an unknown one is not ignored.
 *
 * @throws RowkeyError `INVALID_SCHEMA` with the problem `MALFORMED_JSON`, which names the place, for anything else, including a newer
 * format.
 * @example
 * ```ts
 * const copy = schemaFromJSON(JSON.stringify(Events)) // or what JSON.parse() makes of it
 * copy.fingerprints.layout === Events.fingerprints.layout //=> true
 * ```
 */
export function schemaFromJSON(json: object | string): TableSchema {
  const data = readSchemaJSON(typeof json === 'string' ? parsed(json) : json)
  try {
    const schema = compileTable(definitionOf(data))
    mustBeSame(data, schema.toJSON(), '')
    return schema
  } catch (error) {
    throw error instanceof Malformed ? malformedJSON(data.name, error) : error
  }
}

function parsed(text: string): unknown {
  if (text.length > maxLength)
    throw malformedJSON(undefined, new Malformed('', `has ${text.length} characters, and the maximum is ${maxLength}`))
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformedJSON(undefined, new Malformed('', `is no JSON: ${(error as Error).message}`))
  }
}

function definitionOf(json: SchemaJSON): Definition {
  const types = json.columns.map((column, at) => [column, typeOf(column, `columns[${at}]`)] as const)
  return {
    ...noneOfThese,
    name: json.name,
    columns: types.flatMap(([{ name, role }, type]) => (role === 'expiry' || role === 'version' ? [] : [[name, type] as const])),
    partition: named(json, 'partition'),
    key: named(json, 'key'),
    salt: json.salt.map((level, at) => saltOf(level, `salt[${at}]`)),
    writes: json.writes,
    stores: json.stores ?? {},
    retired: json.retired ?? [],
    indexes: (json.indexes ?? []).map(({ name, partition, key, salt, unique = false, include = [], stores = {} }, at) => ({
      name,
      partition,
      key,
      salt: salt.map((level, i) => saltOf(level, `indexes[${at}].salt[${i}]`)),
      ...{ unique, include, stores },
    })),
    expires: only(json, 'expiry') !== undefined,
    ttl: ttlIn(json),
    version: only(json, 'version')?.name,
  }
}

function named({ columns }: SchemaJSON, role: 'partition' | 'key'): readonly string[] {
  return columns.filter((column) => column.role === role).map(({ name }) => name)
}

function typeOf(column: ColumnJSON, path: string): TypeData {
  const { name, physical, role, type } = column
  if (role === 'expiry') return ownType(expiryColumn, column, path)
  if (role === 'version') return ownType(versionColumn(name), column, path)
  const made = reading(`${path}.type`, () => typeFromJSON(type, physical === name ? undefined : physical, `${path}.type`))
  mustBeSame(type, typeToJSON(made), `${path}.type`, 'left for later')
  return made
}

/** Expiry and version are the same in every table. */
function ownType(own: SchemaColumn, given: ColumnJSON, path: string): TypeData {
  mustBeSame(given, { ...own, type: typeToJSON(own.type) }, path)
  return own.type
}

/** The one column with this role, if there is one. */
function only({ columns }: SchemaJSON, role: 'expiry' | 'version'): ColumnJSON | undefined {
  const [column, second] = columns.filter((each) => each.role === role)
  if (second !== undefined) throw new Malformed('columns', `has more than one column with the role '${role}'`)
  return column
}

function ttlIn(json: SchemaJSON): number | undefined {
  const { ttl } = json
  if (ttl === undefined) return undefined
  if (!Number.isSafeInteger(ttl) || ttl < 1) throw new Malformed('ttl', `is ${show(ttl)}, not a number of milliseconds`)
  if (only(json, 'expiry') === undefined) throw new Malformed('ttl', 'is set, but there is no expiry column')
  return ttl
}

/** Created by its constructor, like a type: a salt of a newer version is refused, not mistaken for another one. */
function saltOf(data: Salt, path: string): Salt {
  const { kind } = data
  const impl = typeof kind === 'string' ? registeredSalt(kind) : undefined
  if (impl === undefined) throw unknownTo(`${path}.kind`, kind)
  const salt = reading(path, () => impl.fromJSON(data))
  mustBeSame(data, salt, path, 'left for later')
  return salt
}
