// Also tested by rows-as-keys.test.ts and object-code.test.ts.
import { type Row, RowkeyError, type TypeData, type Value } from '#codec'
import { show, showName, showNames, typeFacts, type Values, values } from '#codec/internal'
import { isRowInstance, type ModelClass, otherFields, type SchemaColumn, type TableSchema } from '#model'
import { missingValue } from '#store/adapter'
import { refuseLong } from '#store/engine'
import { mapperError } from '../call/errors.js'
import { computedValues, type ComputedValues } from './computed-values.js'
import { defaultMaker } from './defaults.js'
import { missingColumn } from './missing.js'
import { objectBuilder, objectReader, type ObjectField, type ReadObject } from './object-code.js'
import { hiddenFieldHint, rowKeyHint } from './row-key-hint.js'
import { newUlid } from './ulid.js'

/** The name under which a row has its expiry, if it is read with it. */
export const expiresName = '$expires'

interface Field extends ObjectField {
  readonly type: TypeData
  readonly values: Values
  readonly makeDefault: ((now: number) => Value) | undefined
}

/** A column that every change sets. */
type Touched = Field & { readonly makeDefault: (now: number) => Value }

type Given = Readonly<Record<string, unknown>>

/** Translates between the objects of an application and positional rows. Nothing is shared: bytes are copied both ways. */
export class RowMapper {
  private readonly all: readonly Field[]
  /** What an application writes: partition, key and value columns, by position. */
  private readonly fields: readonly Field[]
  /** The same, for checks. */
  readonly written: readonly { readonly name: string; readonly position: number; readonly isKey: boolean }[]
  /** Those that every change sets: with the default `updatedAt`. */
  readonly touched: readonly Touched[]
  /** What it reads: these, and the version. */
  private readonly shown: readonly Field[]
  /** The object of a row. @throws RowkeyError `UNREADABLE_ROW` if a required column is null and has no constant default */
  readonly toObject: (row: Row) => object
  /** The same with its expiry, for a table whose rows {@link mustExpire}. */
  readonly toExpiring: (row: Row) => object
  private readonly read: ReadObject
  private readonly positions: ReadonlyMap<string, number>
  /** Whether a row can have its expiry under its name. */
  readonly hasExpiry: boolean
  readonly schema: TableSchema
  /** The class of the objects that reads return. */
  readonly model: ModelClass | undefined
  /** Undefined if no column is computed, as in almost all tables. */
  readonly computed: ComputedValues | undefined
  /** Fields of the class that are not columns. They are not stored. */
  private readonly besides: ReadonlySet<string>

  /** @param model the class whose instances reads return; without it they return plain objects */
  constructor(schema: TableSchema, model: ModelClass | undefined) {
    this.schema = schema
    this.model = model
    this.besides = model === undefined ? new Set() : otherFields(model)
    this.all = schema.columns.map((column, position) => {
      const field = fieldOf(column, position, schema.name)
      return position === schema.expiryIndex ? { ...field, name: expiresName, nullable: true, shown: instant } : field
    })
    this.shown = this.all.filter(({ position }) => position !== schema.expiryIndex)
    this.fields = this.shown.filter(({ position }) => position !== schema.versionIndex)
    this.written = this.fields.map(({ name, position }) => ({ name, position, isKey: position < schema.keyLength }))
    this.touched = this.fields.filter((field): field is Touched => field.type.default?.kind === 'updatedAt')
    this.computed = computedValues(schema, (row, position) => this.valueAt(row, position))
    this.toObject = this.builderOf(this.shown)
    this.toExpiring = this.builderOf(this.all)
    this.read = objectReader(this.all.map((_, position) => this.fields[position]?.name))
    this.positions = new Map(this.shown.map(({ name, position }) => [name, position]))
    this.hasExpiry = schema.expiryIndex >= 0 && !this.positions.has(expiresName)
  }

  /**
   * A whole row with a new version. Absent columns become their default or null. A version in `given` is ignored, so that rows that were
   * read can be written again.
   *
   * @throws RowkeyError `INVALID_VALUE`, `UNKNOWN_COLUMN`
   */
  toRow(given: Given, now: number, expiry: number | null): Row {
    this.refuseUnknown(given, 'row')
    const { expiryIndex, versionIndex, keyLength } = this.schema
    const row = this.read(given) // converted in place
    for (let i = 0; i < this.fields.length; i++) row[i] = this.initial(this.fields[i] as Field, row[i], now, i < keyLength)
    if (this.computed !== undefined) this.computed.fill(row as Value[])
    if (expiryIndex >= 0) row[expiryIndex] = expiry
    if (versionIndex >= 0) row[versionIndex] = newUlid(now)
    return row as Row
  }

  /** A whole key, of the key columns or of a whole row. @throws RowkeyError `INVALID_VALUE`, `UNKNOWN_COLUMN` */
  toKey(given: Given): Row {
    this.mustHaveColumns(given, 'key')
    const { keyLength } = this.schema
    for (const name of Object.keys(given)) {
      if ((this.positions.get(name) ?? keyLength) < keyLength) continue
      if (!this.isRow(given)) this.refuseBesideKey(given)
      break
    }
    return this.keyColumns(given)
  }

  /** The key columns of any object. @throws RowkeyError `INVALID_VALUE` */
  keyIn(given: Given): object {
    this.mustHaveColumns(given, 'row')
    return this.keyOf(this.keyColumns(given))
  }

  /**
   * Whether it is a row as a read returns it: an instance of the model, or of the class of an index table, which has this key too; or an object
   * with every column except perhaps the version.
   */
  private isRow(given: Given): boolean {
    if (isRowInstance(given) || (this.model !== undefined && given instanceof this.model)) return true
    return this.fields.every(({ name }) => name in given) && Object.keys(given).every((name) => this.isKnown(name))
  }

  private keyColumns(given: Given): Row {
    const { keyLength } = this.schema
    const key: Value[] = []
    for (let i = 0; i < keyLength; i++) {
      const field = this.fields[i] as Field
      const value = given[field.name]
      if (value === undefined) this.refuseMissing(field)
      key.push(value === undefined ? null : inKey(this.taken(field, value)))
    }
    if (this.computed !== undefined) this.computed.fill(key)
    return key
  }

  /** Of a key column that is not given. @throws RowkeyError `INVALID_VALUE` unless it is computed */
  private refuseMissing({ name, position }: Field): void {
    if (this.computed?.has(position) === true) return
    const table = this.schema.name
    throw missingColumn(name, table, `A key of '${table}' needs all of (${this.keyNames()}).${rowKeyHint(this)}`)
  }

  /**
   * A row with only the patched columns and a new version filled, and their positions.
   * @throws RowkeyError `KEY_IMMUTABLE` and as `toRow`
   */
  toPatch(key: Row, patch: Given, now: number): { readonly row: Row; readonly set: readonly number[] } {
    this.refuseUnknown(patch, 'patch')
    const { columns, keyLength, versionIndex, name: table } = this.schema
    const row: Value[] = columns.map((_, i) => (i < keyLength ? (key[i] ?? null) : null))
    const set: number[] = []
    for (const [name, value] of Object.entries(patch)) {
      const position = this.positions.get(name)
      // Not a column but a field of the class, or left as it is: instances of classes have all their properties.
      if (position === undefined || value === undefined) continue
      if (position < keyLength) {
        throw mapperError(
          'KEY_IMMUTABLE',
          `'${name}' is a key column of '${table}' and cannot be updated. Insert the row with the new key, and then delete this one.`,
          { table, column: name },
        )
      }
      if (position === versionIndex) {
        const message = `'${name}' is the version of '${table}', which every write sets by itself. Leave it out of the patch. To require a version, name it in the condition (if).`
        throw new RowkeyError('INVALID_VALUE', message, { column: name, value: show(value) })
      }
      row[position] = ownBytes(this.taken(this.fields[position] as Field, value))
      set.push(position)
    }
    for (const { position, makeDefault } of this.touched) {
      if (set.includes(position)) continue
      row[position] = makeDefault(now)
      set.push(position)
    }
    if (versionIndex >= 0) {
      row[versionIndex] = newUlid(now)
      set.push(versionIndex)
    }
    return { row, set }
  }

  /** The object of a row for its checks: as a read returns it, but without its version. */
  toChecked(row: Row): Record<string, unknown> {
    return this.objectOf(row, this.fields)
  }

  private builderOf(fields: readonly Field[]): (row: Row) => object {
    const build = objectBuilder(fields, this.model, (row) => this.objectOf(row, fields))
    return this.computed?.checking(build) ?? build
  }

  private objectOf(row: Row, fields: readonly Field[]): Record<string, unknown> {
    const object = (this.model === undefined ? {} : new this.model()) as Record<string, unknown>
    for (const field of fields) object[field.name] = this.outside(field, row[field.position] ?? null)
    return object
  }

  /** One value of a row as an application sees it. */
  valueAt(row: Row, position: number): unknown {
    return this.outside(this.all[position] as Field, row[position] ?? null)
  }

  /** A plain object with some columns of a row. */
  pick(row: Row, positions: readonly number[]): object {
    const object: Record<string, unknown> = {}
    for (const position of positions) object[(this.all[position] as Field).name] = this.valueAt(row, position)
    return object
  }

  /** The key part of a row as a plain object. */
  keyOf(row: Row): object {
    const object: Record<string, unknown> = {}
    for (let i = 0; i < this.schema.keyLength; i++) {
      const field = this.fields[i] as Field
      object[field.name] = this.outside(field, row[i] ?? null)
    }
    return object
  }

  /** Positions of the columns that an object has a value for. */
  positionsGiven(given: Given): readonly number[] {
    return this.fields.flatMap(({ name, position }) => (given[name] === undefined ? [] : [position]))
  }

  /** Positions of columns by name. @throws RowkeyError `UNKNOWN_COLUMN` */
  positionsOf(names: readonly PropertyKey[]): readonly number[] {
    return names.map((name) => {
      const position = this.positions.get(name as string)
      if (position === undefined) throw this.unknown(name)
      return position
    })
  }

  /** The canonical form. @throws RowkeyError `INVALID_VALUE`, `LIMIT_EXCEEDED` for what is far too long */
  private taken({ position, values: column }: Field, given: unknown): Value {
    refuseLong(this.schema, position, column, given)
    return column.toValue(given)
  }

  private initial(field: Field, given: unknown, now: number, isKey: boolean): Value {
    const { name, type, makeDefault, position } = field
    if (given !== undefined) return isKey ? inKey(this.taken(field, given)) : ownBytes(this.taken(field, given))
    if (makeDefault !== undefined) return isKey ? inKey(makeDefault(now)) : makeDefault(now)
    if (type.nullable || this.computed?.has(position) === true) return null
    throw missingColumn(name, this.schema.name)
  }

  private outside({ name, type, nullable, shown }: Field, value: Value): unknown {
    if (value === null) {
      if (nullable) return null
      if (type.default?.kind !== 'constant') throw missingValue(this.schema.name, name)
      value = type.default.value
    }
    return shown === undefined ? value : shown(value)
  }

  mustHaveColumns(given: Given, what: 'row' | 'key' | 'patch'): void {
    if (typeof given === 'object' && given !== null && !(given instanceof Promise)) return
    throw new RowkeyError('INVALID_VALUE', `${show(given)} is not a ${what} of '${this.schema.name}'. Give an object with its columns.`, {
      column: '',
      value: show(given),
    })
  }

  private refuseUnknown(given: Given, what: 'row' | 'patch'): void {
    this.mustHaveColumns(given, what)
    // Not Object.keys(), which makes an array for every row.
    for (const name in given) {
      if (this.positions.has(name) || this.besides.has(name) || !Object.hasOwn(given, name)) continue
      if (name !== expiresName || !this.hasExpiry) throw this.unknown(name, hiddenFieldHint(this, name))
      if (what === 'patch' && given[name] !== undefined)
        throw this.unknown(name, '', 'To change when the row expires, use the option expires.')
    }
  }

  /** Properties that are not key columns: accepted if they are known and undefined. */
  private refuseBesideKey(given: Given): void {
    const names = Object.keys(given)
    const { keyLength } = this.schema
    const isValue = (name: string): boolean => (this.positions.get(name) ?? -1) >= keyLength && given[name] !== undefined
    const wrong = names.find((name) => !this.isKnown(name) || isValue(name))
    if (wrong === undefined) return
    // A whole row with something else in it is told what that is, not to leave out its columns.
    const isWhole = this.fields.every((field) => field.name in given)
    const stray = isWhole ? names.find((each) => !this.isKnown(each)) : this.isKnown(wrong) ? undefined : wrong
    if (stray !== undefined) {
      throw this.unknown(stray, hiddenFieldHint(this, stray), isWhole ? undefined : `A key needs (${this.keyNames()}).`)
    }
    for (const field of this.fields.slice(0, keyLength)) if (given[field.name] === undefined) this.refuseMissing(field)
    const message = `'${wrong}' is not a key column of '${this.schema.name}'. Give its key (${this.keyNames()}), or a whole row as a read returned it.`
    throw mapperError('UNKNOWN_COLUMN', message, { table: this.schema.name, column: wrong })
  }

  private isKnown(name: string): boolean {
    return this.positions.has(name) || this.besides.has(name) || (name === expiresName && this.hasExpiry)
  }

  private unknown(name: PropertyKey, hint = '', remedy = `Its columns are ${showNames(this.shown.map((field) => field.name))}.`): Error {
    return mapperError('UNKNOWN_COLUMN', `'${this.schema.name}' has no column '${showName(name)}'. ${remedy}${hint}`, {
      table: this.schema.name,
      column: showName(name),
    })
  }

  private keyNames(): string {
    return showNames(this.fields.slice(0, this.schema.keyLength).map(({ name }) => name))
  }
}

function fieldOf({ name, type }: SchemaColumn, position: number, table: string): Field {
  const column = values(type, name, table)
  const { class: form } = typeFacts(type).storage
  return {
    name,
    type,
    nullable: type.nullable,
    values: column,
    shown: form === 'bytes' ? ownBytes : form === 'json' ? parsed(column, name, table) : column.format,
    makeDefault: defaultMaker(type),
    position,
  }
}

const instant = (value: Value): Date => new Date(Number(value))

/** JSON is text in the store. Text that is not JSON means a damaged row. */
function parsed(column: Values, name: string, table: string): (value: Value) => unknown {
  return (value) => {
    try {
      return column.fromValue(value)
    } catch (cause) {
      const message = `a row of '${table}' has text in column '${name}' that is not JSON. Write JSON to it, or delete the row.`
      throw new RowkeyError('CORRUPT_ROW', message, { table, column: name }, { cause })
    }
  }
}

/** The value of a key column as a store has it: its bytes do not distinguish -0 from 0. */
function inKey(value: Value): Value {
  return typeof value === 'number' ? value + 0 : ownBytes(value)
}

/** A copy of bytes, in both directions, so that a later change by the caller has no effect on the other side. */
function ownBytes(value: Value): Value {
  return isBytes(value) ? new Uint8Array(value) : value
}

// Not `instanceof`: bytes may come from another realm. No other value is an object.
const isBytes = (value: Value): value is Uint8Array => typeof value === 'object' && value !== null
