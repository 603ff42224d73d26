import { isRowkeyError, type Value } from 'rowkey/codec'
import { isPlainObject, type SchemaColumn, show, showName, typeFacts, values } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import { Failure } from '../failure.js'
import { instantOf } from '../values/instants.js'
import { textsOf } from '../values/text-of-value.js'
import { plainReader } from '../values/value-from-text.js'

/** The name under which a row has its expiry, which is no column of the model. */
export const expiresName = '$expires'

/** A row as a repository returns it, with its expiry. */
export type ObjectRow = Readonly<Record<string, unknown>>

/** A row as text. */
export interface RowTexts {
  /** One object of JSON, without its version. */
  json(row: ObjectRow): string
  /** `host=web-1 at=… | level=3`: the key, then the values. */
  line(row: ObjectRow): string
  /** The key alone, of either form. */
  keyJson(row: ObjectRow): string
  keyLine(row: ObjectRow): string
}

/**
 * How the rows of a table are written. {@link rowReader} reads them again, and nothing is lost but the version.
 *
 * @throws Failure if the name of a column is taken
 */
export function rowTexts(schema: TableSchema): RowTexts {
  const { columns, keyLength, expiryIndex, versionIndex } = schema
  if (expiryIndex >= 0 && columns.some(({ name }) => name === expiresName)) {
    throw new Failure(`'${schema.name}' has a column '${expiresName}', which is how rowkey writes when a row expires. Rename the property.`)
  }
  const shown = columns.flatMap((column, at) => (at === versionIndex ? [] : [at === expiryIndex ? expiryField : field(column)]))
  const key = shown.slice(0, keyLength)
  const values = shown.slice(keyLength)
  const objectOf = (fields: readonly Field[], row: ObjectRow): string => `{${fields.map(({ json }) => json(row)).join(',')}}`
  const lineOf = (fields: readonly Field[], row: ObjectRow): string => fields.map(({ line }) => line(row)).join(' ')
  return {
    json: (row) => objectOf(shown, row),
    line: (row) => (values.length === 0 ? lineOf(key, row) : `${lineOf(key, row)} | ${lineOf(values, row)}`),
    keyJson: (row) => objectOf(key, row),
    keyLine: (row) => lineOf(key, row),
  }
}

interface Field {
  readonly json: (row: ObjectRow) => string
  readonly line: (row: ObjectRow) => string
}

function field({ name, type }: SchemaColumn): Field {
  const label = JSON.stringify(name)
  const { toValue } = values(type, name)
  const texts = textsOf(type)
  // The canonical form of JSON is its text.
  const isJson = typeFacts(type).storage.class === 'json'
  const json = isJson ? (given: Value) => (given === null ? 'null' : (given as string)) : texts.json
  return { json: (row) => `${label}:${json(toValue(row[name]))}`, line: (row) => `${showName(name)}=${texts.line(toValue(row[name]))}` }
}

const expiryField: Field = {
  json: ({ [expiresName]: at }) => `"${expiresName}":${JSON.stringify(at)}`,
  line: ({ [expiresName]: at }) => `${expiresName}=${at instanceof Date ? at.toISOString() : 'null'}`,
}

/** A row as `put()` takes it. */
export interface ReadRow {
  readonly values: Readonly<Record<string, unknown>>
  /** null: never; undefined: by the ttl of the table. */
  readonly expiresAt: Date | null | undefined
}

/**
 * Reads rows from the JSON that {@link rowTexts} writes.
 *
 * @returns a function that throws Failure or RowkeyError `INVALID_VALUE` for what is no row of the table
 */
export function rowReader(schema: TableSchema): (text: string) => ReadRow {
  const { columns, expiryIndex, versionIndex } = schema
  const byName = new Map(
    columns.flatMap((column, at) => (at === expiryIndex ? [] : [[column.name, { at, read: jsonReader(column) }] as const])),
  )
  return (text) => {
    const given = parsedRow(text)
    let expiresAt: Date | null | undefined
    const values: [string, unknown][] = []
    for (const [name, value] of Object.entries(given)) {
      if (name === expiresName && expiryIndex >= 0) {
        expiresAt = expiryFrom(value)
        continue
      }
      const found = byName.get(name)
      if (found === undefined) throw new Failure(`'${schema.name}' has no column '${showName(name)}'.`)
      if (found.at === versionIndex)
        throw new Failure(`'${showName(name)}' is the version of the row, which the store makes. Leave it out.`)
      values.push([name, found.read(value)])
    }
    return { values: Object.fromEntries(values), expiresAt }
  }
}

/** The JSON of a row. @throws Failure that begins in lower case, for its place */
export function parsedRow(text: string): Readonly<Record<string, unknown>> {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw new Failure(`it is no JSON: ${(error as Error).message}.`, undefined, { cause: error })
  }
  if (!isPlainObject(given)) throw new Failure(`it is ${show(given)}, not an object with a row.`)
  return given
}

/** When a row expires: an instant, or null for never. @throws Failure */
export function expiryFrom(value: unknown): Date | null {
  if (value === null) return null
  const ms = typeof value === 'string' ? instantOf(value, 'ms') : undefined
  const date = new Date(ms === undefined ? NaN : Number(ms))
  if (Number.isNaN(date.getTime())) throw new Failure(`'${expiresName}' cannot be ${show(value)}. Give an instant, or null for never.`)
  return date
}

/** What the application has for the JSON of one column. */
export function jsonReader(column: SchemaColumn): (given: unknown) => unknown {
  const { storage } = typeFacts(column.type)
  const name = showName(column.name)
  const ofText = plainReader(column)
  return (given) => {
    if (given === null) {
      if (column.type.nullable) return null
      throw new Failure(`column '${name}' cannot be null.`)
    }
    if (storage.class === 'json') return given
    if (typeof given === 'string') return ofText(given)
    if (typeof given === 'number' && storage.class !== 'text' && storage.class !== 'boolean') {
      // A number of JSON has lost its digits when it arrives here.
      if (storage.class === 'float' ? Number.isFinite(given) : Number.isSafeInteger(given))
        return ofText(Object.is(given, -0) ? '-0' : String(given))
      throw new Failure(`column '${name}' has the number ${given}, which JSON does not say exactly. Write it as text.`)
    }
    if (typeof given === 'boolean' && storage.class === 'boolean') return given
    throw new Failure(`column '${name}' cannot hold ${show(given)}.`)
  }
}

/** The message of what is wrong with a line; undefined for other errors. */
export const faultOf = (error: unknown): string | undefined =>
  error instanceof Failure || isRowkeyError(error) ? error.message : undefined
