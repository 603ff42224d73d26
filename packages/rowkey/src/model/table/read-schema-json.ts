import { isPlainObject, show, showName } from '#codec/internal'
import type { ColumnJSON, IndexJSON, SchemaJSON } from '../schema.js'
import { maxColumns, maxRetired } from '../definition/check-definition.js'
import { Malformed, malformedJSON, reading, unknownTo } from '../json/malformed-json.js'
import { plainCopy, schemaLevels } from '../json/plain-data.js'
import { maxIndexes } from '../definition/index-definition.js'
import { Problems } from '../problems.js'

/** The fields of a schema's JSON, and whether toJSON() always writes them. The fields of a type are checked by the type. */
const schemaFields: Readonly<Record<keyof SchemaJSON, boolean>> = {
  format: true,
  name: true,
  writes: true,
  salt: true,
  columns: true,
  ttl: false,
  stores: false,
  retired: false,
  indexes: false,
}

const columnFields: Readonly<Record<keyof ColumnJSON, boolean>> = { name: true, physical: true, role: true, type: true }

const indexFields: Readonly<Record<keyof IndexJSON, boolean>> = {
  ...{ name: true, partition: true, key: true, salt: true },
  ...{ unique: false, include: false, stores: false },
}

const roles: Readonly<Record<ColumnJSON['role'], true>> = { partition: true, key: true, value: true, expiry: true, version: true }

/**
 * The JSON of a schema, copied once and checked as a whole: no field is missing or unknown, and nothing is larger than a schema allows.
 * Whether types, salts and names are valid is checked when a schema is made from it.
 *
 * @throws RowkeyError `INVALID_SCHEMA` with the problem `MALFORMED_JSON`
 * @internal
 */
export function readSchemaJSON(given: unknown): SchemaJSON {
  if (typeof given !== 'object' || given === null) throw withoutJSON(`the JSON is ${show(given)}`)
  let name: unknown
  try {
    const json = reading('', () => plainCopy(given, schemaLevels))
    if (!isPlainObject(json)) throw withoutJSON(`the JSON is ${show(json)}`)
    name = json['name']
    if (json['format'] !== 1) throw otherFormat(json)
    checkFields(json, schemaFields, '')
    const columns = listOf(json['columns'], 'columns', maxColumns + 2) // expiry and version
    columns.forEach(checkColumn)
    listOf(json['retired'] ?? [], 'retired', maxRetired).forEach((name, at) => mustBeText(name, `retired[${at}]`))
    listOf(json['indexes'] ?? [], 'indexes', maxIndexes).forEach((index, at) => checkIndex(index, `indexes[${at}]`, columns.length))
    listOf(json['salt'], 'salt', columns.length).forEach((level, at) => checkSalt(level, `salt[${at}]`, columns.length))
    return json as unknown as SchemaJSON
  } catch (error) {
    throw error instanceof Malformed ? malformedJSON(name, error) : error
  }
}

function withoutJSON(what: string): Error {
  const problems = new Problems()
  problems.add({ code: 'MALFORMED_JSON', message: `${what}. Pass the parsed output of a schema's toJSON().` })
  return problems.error(undefined)
}

function otherFormat({ format, name }: Readonly<Record<string, unknown>>): Error {
  const problems = new Problems()
  const message = `the JSON has format ${show(format)}, but this version reads format 1. Use the version that wrote it, or a newer one.`
  problems.add({ code: 'MALFORMED_JSON', message })
  return problems.error(name)
}

function checkFields(object: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, boolean>>, path: string): void {
  const inside = (field: string): string => (path === '' ? showName(field) : `${path}.${showName(field)}`)
  const unknown = Object.keys(object).find((field) => !Object.hasOwn(fields, field))
  if (unknown !== undefined) throw unknownTo(inside(unknown))
  const missing = Object.keys(fields).find((field) => fields[field] === true && !Object.hasOwn(object, field))
  if (missing !== undefined) throw new Malformed(inside(missing), 'is missing')
}

function checkColumn(column: unknown, at: number): void {
  const path = `columns[${at}]`
  mustBeObject(column, path)
  checkFields(column, columnFields, path)
  for (const field of ['name', 'physical']) mustBeText(column[field], `${path}.${field}`)
  const { role, type } = column
  if (typeof role !== 'string' || !Object.hasOwn(roles, role)) throw unknownTo(`${path}.role`, role)
  mustBeObject(type, `${path}.type`)
}

function checkSalt(level: unknown, path: string, max: number): void {
  mustBeObject(level, path)
  listOf(level['of'], `${path}.of`, max).forEach((name, i) => mustBeText(name, `${path}.of[${i}]`))
}

function checkIndex(index: unknown, path: string, max: number): void {
  mustBeObject(index, path)
  checkFields(index, indexFields, path)
  mustBeText(index['name'], `${path}.name`)
  for (const list of ['partition', 'key', 'include'])
    listOf(index[list] ?? (list === 'include' ? [] : undefined), `${path}.${list}`, max).forEach((name, at) =>
      mustBeText(name, `${path}.${list}[${at}]`),
    )
  const unique = index['unique'] ?? false
  if (typeof unique !== 'boolean') throw new Malformed(`${path}.unique`, `is ${show(unique)}, not true or false`)
  listOf(index['salt'], `${path}.salt`, max).forEach((level, at) => checkSalt(level, `${path}.salt[${at}]`, max))
}

function mustBeObject(given: unknown, path: string): asserts given is Readonly<Record<string, unknown>> {
  if (!isPlainObject(given)) throw new Malformed(path, `is ${show(given)}, not an object`)
}

function mustBeText(given: unknown, path: string): void {
  if (typeof given !== 'string') throw new Malformed(path, `is ${show(given)}, not text`)
}

function listOf(given: unknown, path: string, max: number): readonly unknown[] {
  if (!Array.isArray(given)) throw new Malformed(path, `is ${show(given)}, not a list`)
  if (given.length > max) throw new Malformed(path, `has ${given.length} items, but the maximum is ${max}`)
  return given
}
