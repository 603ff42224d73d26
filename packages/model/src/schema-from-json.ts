import { bucket, hashPartition, hashPrefix, show, type Salt, type TypeData } from '@rowkey/codec'
import type { ColumnJSON, SchemaColumn, SchemaJSON, TableSchema } from './schema.js'
import { compileTable } from './compile-table.js'
import { noneOfThese, type Definition } from './definition.js'
import { expiryColumn, versionColumn } from './own-columns.js'
import { isObject } from './refuse-options.js'
import { Problems } from './problems.js'
import { typeFromJSON, typeToJSON } from './type-json.js'

/**
 * The schema that `toJSON()` described: same bytes, same fingerprints, same JSON text.
 *
 * @throws RowkeyError `INVALID_SCHEMA` with the problem `MALFORMED_JSON` for anything else, a newer format among it.
 * @example
 * ```ts
 * const copy = schemaFromJSON(JSON.parse(JSON.stringify(Events)))
 * copy.fingerprints.layout === Events.fingerprints.layout //=> true
 * ```
 */
export function schemaFromJSON(json: object): TableSchema {
  return compileTable(definitionOf(json as SchemaJSON))
}

function definitionOf(json: SchemaJSON): Definition {
  const problems = new Problems()
  if (!isObject(json)) {
    problems.add('MALFORMED_JSON', undefined, `the JSON is ${show(json)}. Give what toJSON() of a schema gave, parsed.`)
    throw problems.error(json)
  }
  if (json.format !== 1) {
    problems.add(
      'MALFORMED_JSON',
      undefined,
      `the JSON has format ${show(json.format)}, this version reads format 1. Use the version that wrote it, or a newer one.`,
    )
    throw problems.error(json.name)
  }
  try {
    const types = json.columns.map((column) => [column, typeOf(column)] as const)
    return {
      ...noneOfThese,
      name: json.name,
      columns: types.flatMap(([{ name, role }, type]) => (role === 'expiry' || role === 'version' ? [] : [[name, type] as const])),
      partition: named(json, 'partition'),
      key: named(json, 'key'),
      salt: json.salt.map(saltOf),
      writes: json.writes,
      stores: json.stores ?? {},
      expires: only(json, 'expiry') !== undefined,
      ttl: ttlIn(json),
      version: only(json, 'version')?.name,
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    problems.add('MALFORMED_JSON', undefined, `the JSON is not what toJSON() of a schema gives (${reason}). Store its text as it is.`)
    throw problems.error(json.name, { cause })
  }
}

function named({ columns }: SchemaJSON, role: 'partition' | 'key'): readonly string[] {
  return columns.filter((column) => column.role === role).map(({ name }) => name)
}

function typeOf({ name, physical, role, type }: ColumnJSON): TypeData {
  if (typeof name !== 'string' || typeof physical !== 'string') throw new TypeError(`a column has the name ${show(name)}`)
  if (role === 'expiry') return ownType(expiryColumn, { name, physical, role, type })
  if (role === 'version') return ownType(versionColumn(name), { name, physical, role, type })
  if (!['partition', 'key', 'value'].includes(role)) throw new TypeError(`column '${name}' has the role '${role as string}'`)
  const made = typeFromJSON(type, physical === name ? undefined : physical)
  wholly(type, typeToJSON(made), `the type of '${name}'`)
  return made
}

/** Expiry and version are the same in every table. */
function ownType(own: SchemaColumn, given: ColumnJSON): TypeData {
  wholly(given, { ...own, type: typeToJSON(own.type) }, `the ${own.role} column`)
  return own.type
}

/** The one column with this role, if there is one. */
function only({ columns }: SchemaJSON, role: 'expiry' | 'version'): ColumnJSON | undefined {
  const [column, second] = columns.filter((each) => each.role === role)
  if (second !== undefined) throw new TypeError(`there are two ${role} columns`)
  return column
}

function ttlIn(json: SchemaJSON): number | undefined {
  const { ttl } = json
  if (ttl === undefined) return undefined
  if (!Number.isSafeInteger(ttl) || ttl < 1) throw new TypeError(`ttl is ${show(ttl)}`)
  if (only(json, 'expiry') === undefined) throw new TypeError('there is a ttl, but no expiry column')
  return ttl
}

/** Through the constructors, like types; by a table, so that a kind of a newer version is refused and not taken for another. */
const salts: Readonly<Record<Salt['kind'], (data: Salt) => Salt>> = {
  hash: ({ of, count, seed }) => bucket({ of, count, ...(seed === undefined ? {} : { seed }) }),
  modulo: ({ of, count }) => bucket({ of: of as unknown as string, modulo: count }),
  hashPrefix: ({ of, digits }) => hashPrefix({ of, ...(digits === undefined ? {} : { digits }) }),
  hashPartition: ({ of, count, seed }) => hashPartition({ of, buckets: count, ...(seed === undefined ? {} : { seed }) }),
}

function saltOf(data: Salt): Salt {
  if (!Object.hasOwn(salts, data.kind)) throw new TypeError(`there is no salt ${show(data.kind)}`)
  const salt = salts[data.kind](data)
  wholly(data, salt, 'a salt')
  return salt
}

/** What was made of data must say the same again; else part of it was passed over, and the keys would be others. */
function wholly(data: object, made: object, what: string): void {
  const fields = made as Readonly<Record<string, unknown>>
  const lost = Object.entries(data).find(([name, value]) => JSON.stringify(fields[name]) !== JSON.stringify(value))
  if (lost !== undefined) throw new TypeError(`${what} has ${lost[0]} ${show(lost[1])}, which this version does not know`)
}
