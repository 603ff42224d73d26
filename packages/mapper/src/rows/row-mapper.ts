import type { Row, TypeData, Value, Values } from '@rowkey/codec'
import type { Class, SchemaColumn, TableSchema } from '@rowkey/model'
import { RowkeyError, show, values } from '@rowkey/codec'
import { otherFields } from '@rowkey/model'
import { mapperError } from '../errors.js'
import { defaultValue } from './defaults.js'
import { missingColumn } from './missing.js'

interface Field {
  readonly name: string
  readonly type: TypeData
  readonly values: Values
  readonly isKey: boolean
}

type Given = Readonly<Record<string, unknown>>

/** Translates between the objects of an application and positional rows. Nothing is shared: bytes are copied both ways. */
export class RowMapper {
  private readonly fields: readonly Field[]
  private readonly positions: ReadonlyMap<string, number>
  private readonly schema: TableSchema
  private readonly model: Class | undefined
  /** Fields of the class that are no columns: they stay outside the table. */
  private readonly besides: ReadonlySet<string>

  /** @param model the class whose instances reads return; without it they return plain objects */
  constructor(schema: TableSchema, model: Class | undefined) {
    this.schema = schema
    this.model = model
    this.besides = model === undefined ? new Set() : otherFields(model)
    this.fields = schema.columns.map((column, i) => fieldOf(column, i < schema.keyLength, schema.name))
    this.positions = new Map(schema.columns.map(({ name }, i) => [name, i]))
  }

  /** A whole row: absent columns become their default or null. @throws RowkeyError `INVALID_VALUE`, `UNKNOWN_COLUMN` */
  toRow(given: Given, now: number): Row {
    this.refuseUnknown(given, 'row')
    return this.fields.map(({ name, type, values: column }) => {
      const value = given[name]
      if (value !== undefined) return taken(column.toValue(value))
      const initial = defaultValue(type, now)
      if (initial !== undefined) return initial
      if (type.nullable) return null
      throw missingColumn(name, this.schema.name)
    })
  }

  /** A whole key. @throws RowkeyError `INVALID_VALUE`, `UNKNOWN_COLUMN` */
  toKey(given: Given): Row {
    this.refuseUnknown(given, 'key')
    for (const name of Object.keys(given)) {
      if ((this.positions.get(name) ?? 0) < this.schema.keyLength || given[name] === undefined) continue
      throw mapperError('UNKNOWN_COLUMN', `'${name}' is no key column of '${this.schema.name}'. Its key is (${this.keyNames()}).`, {
        table: this.schema.name,
        column: name,
      })
    }
    return this.fields.slice(0, this.schema.keyLength).map(({ name, values: column }) => {
      if (given[name] === undefined) throw missingColumn(name, this.schema.name, this.keyNames())
      return taken(column.toValue(given[name]))
    })
  }

  /** A row with only the patched columns filled, and their positions. @throws RowkeyError `KEY_IMMUTABLE` and as `toRow` */
  toPatch(key: Row, patch: Given): { readonly row: Row; readonly set: readonly number[] } {
    this.refuseUnknown(patch, 'patch')
    const row: Value[] = this.fields.map((_, i) => key[i] ?? null)
    const set: number[] = []
    for (const [name, value] of Object.entries(patch)) {
      const position = this.positions.get(name)
      if (position === undefined) continue // a field of the class that is no column
      const field = this.fields[position] as Field
      if (field.isKey) {
        throw mapperError(
          'KEY_IMMUTABLE',
          `'${name}' is a key column of '${this.schema.name}' and cannot be updated. Delete the row and insert it with the new key.`,
          { table: this.schema.name, column: name },
        )
      }
      if (value === undefined) throw missingColumn(name, this.schema.name)
      row[position] = taken(field.values.toValue(value))
      set.push(position)
    }
    return { row, set }
  }

  /** The object of a row. @throws RowkeyError `CORRUPT_ROW` if a required column is null and has no constant default */
  toObject(row: Row): object {
    const object = this.model === undefined ? {} : new this.model()
    this.fields.forEach((field, i) => {
      ;(object as Record<string, unknown>)[field.name] = this.outside(field, row[i] ?? null)
    })
    return object
  }

  /** A plain object with some columns of a row. */
  pick(row: Row, positions: readonly number[]): object {
    const entries = positions.map((at) => {
      const field = this.fields[at] as Field
      return [field.name, this.outside(field, row[at] ?? null)] as const
    })
    return Object.fromEntries(entries)
  }

  /** The key part of a row as a plain object. */
  keyOf(row: Row): object {
    return this.pick(
      row,
      Array.from({ length: this.schema.keyLength }, (_, i) => i),
    )
  }

  /** Positions of columns by name. @throws RowkeyError `UNKNOWN_COLUMN` */
  positionsOf(names: readonly string[]): readonly number[] {
    return names.map((name) => {
      const position = this.positions.get(name)
      if (position === undefined) throw this.unknown(name)
      return position
    })
  }

  private outside({ name, type, values: column }: Field, value: Value): unknown {
    if (value === null && !type.nullable) {
      if (type.default?.kind !== 'constant') {
        const table = this.schema.name
        throw new RowkeyError(
          'CORRUPT_ROW',
          `a row of '${table}' has no value in column '${name}', which is required. Repair the row, or declare the column nullable or with a constant default.`,
          { table, column: name },
        )
      }
      return outside(column, type.default.value)
    }
    return outside(column, value)
  }

  private refuseUnknown(given: Given, what: 'row' | 'key' | 'patch'): void {
    if (typeof given !== 'object' || given === null) {
      throw new RowkeyError('INVALID_VALUE', `${show(given)} is no ${what} of '${this.schema.name}'. Give an object with its columns.`, {
        column: '',
        value: show(given),
      })
    }
    for (const name of Object.keys(given)) if (!this.positions.has(name) && !this.besides.has(name)) throw this.unknown(name)
  }

  private unknown(name: string): Error {
    const known = this.fields.map((field) => field.name).join(', ')
    return mapperError('UNKNOWN_COLUMN', `'${this.schema.name}' has no column '${name}'. Its columns are ${known}.`, {
      table: this.schema.name,
      column: name,
    })
  }

  private keyNames(): string {
    return this.fields
      .slice(0, this.schema.keyLength)
      .map(({ name }) => name)
      .join(', ')
  }
}

function fieldOf({ name, type }: SchemaColumn, isKey: boolean, table: string): Field {
  return { name, type, values: values(type, name, table), isKey }
}

/** Bytes in an array of our own, so that a later change by the caller stays outside. */
function taken(value: Value): Value {
  return isBytes(value) ? new Uint8Array(value) : value
}

/** Bytes in an array of the caller's own, anything else as the column shows it. */
function outside(column: Values, value: Value): unknown {
  return isBytes(value) ? new Uint8Array(value) : column.fromValue(value)
}

// Not `instanceof`: bytes may come from another realm. They are the only values that are objects.
const isBytes = (value: Value): value is Uint8Array => typeof value === 'object' && value !== null
