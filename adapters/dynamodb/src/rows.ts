// Tested by values.test.ts.
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { byColumns, readStoredKey, unreadableRow, showNames, type EncodedKey, type Row, type TableSchema, type Value } from 'rowkey/adapter'
import { checkedKey, isMap } from './client/answers.js'
import { keyTooLong } from './errors.js'
import { keyAttributes, keyNames, keyParts, rowkeyOfItem, type Item, type KeyParts, type RowForm } from './keys.js'
import { valueCodec, type AttributeCodec } from './values.js'

/**
 * The time from which the server may delete an item, in epoch seconds, because DynamoDB reads no other unit. `rk_expires` contains the
 * exact milliseconds, which decide whether a row has expired. This time is never earlier.
 */
export const ttlAttribute = 'rk_ttl'

/** The value of {@link ttlAttribute} for an expiry in epoch milliseconds. */
const ttlOf = (expiry: number): { readonly N: string } => ({ N: String(Math.ceil(expiry / 1000) + 0) })

/** A column after the key. */
interface Field {
  readonly position: number
  readonly physical: string
  readonly codec: AttributeCodec
}

/** Reads items of one table into rows. Made by {@link ItemFormat.reader}. */
export interface ItemReader {
  /** The attributes to request; undefined = whole items. */
  readonly projection: { readonly ProjectionExpression: string; readonly ExpressionAttributeNames: Record<string, string> } | undefined
  /** Fills the positions after the key. @throws RowkeyError `UNREADABLE_ROW` */
  read(item: Item, row: Value[]): void
}

/** The items of one table as one schema sees them. */
export class ItemFormat {
  readonly schema: TableSchema
  /** The reader of some positions of a row, by default of all; key positions are ignored. */
  readonly reader: (positions?: readonly number[]) => ItemReader
  private readonly fields: readonly Field[]
  private readonly form: RowForm

  constructor(schema: TableSchema, form: RowForm) {
    this.schema = schema
    this.form = form
    this.fields = schema.columns
      .map((column, position) => ({ position, physical: column.physical, codec: valueCodec(column) }))
      .slice(schema.keyLength)
    this.reader = byColumns((positions) => this.newReader(positions))
  }

  /** The key of a row that is to be written. @throws RowkeyError `LIMIT_EXCEEDED` */
  keyToWrite(key: EncodedKey): KeyParts {
    const native = keyParts(this.form, key)
    if (native !== undefined) return native
    throw keyTooLong(this.schema.name, key.partitionBytes, key.bytes.length - key.partitionBytes)
  }

  /** The same as attributes. @throws RowkeyError `LIMIT_EXCEEDED` */
  keyAttributes(key: EncodedKey): Item {
    return keyAttributes(this.form, this.keyToWrite(key))
  }

  /** The item of a whole row. @throws RowkeyError `LIMIT_EXCEEDED` */
  encode(row: Row, key: EncodedKey): Item {
    const item = this.keyAttributes(key)
    for (const { position, physical, codec } of this.fields) {
      const value = row[position] ?? null
      if (value !== null) item[physical] = codec.toAttribute(value)
    }
    const expiry = row[this.schema.expiryIndex] ?? null
    if (expiry !== null) item[ttlAttribute] = ttlOf(expiry as number)
    return item
  }

  /** The attribute of a value that is not null. */
  attribute(position: number, value: Value): AttributeValue {
    return (this.fields[position - this.schema.keyLength] as Field).codec.toAttribute(value)
  }

  /** The attributes of some positions of a row; undefined = remove the attribute. */
  changes(row: Row, positions: readonly number[]): readonly (readonly [name: string, attribute: AttributeValue | undefined])[] {
    return this.fields.flatMap(({ position, physical, codec }) => {
      if (!positions.includes(position)) return []
      const value = row[position] ?? null
      const change = [physical, value === null ? undefined : codec.toAttribute(value)] as const
      if (position !== this.schema.expiryIndex) return [change]
      return [change, [ttlAttribute, value === null ? undefined : ttlOf(value as number)] as const]
    })
  }

  private newReader(positions: readonly number[] | undefined): ItemReader {
    if (positions === undefined) return { projection: undefined, read: readerOf(this.schema.name, this.fields) }
    const fields = this.fields.filter(({ position }) => positions.includes(position))
    const names = Object.fromEntries(fields.map(({ physical }, i) => [`#${i}`, physical]))
    const projection = {
      ProjectionExpression: ['#p', '#s', ...Object.keys(names)].join(),
      ExpressionAttributeNames: { ...keyNames(this.form), ...names },
    }
    return { projection, read: readerOf(this.schema.name, fields) }
  }

  /** The row of an item whose key is known. */
  rowOf(key: Row, item: Item, reader: ItemReader): Row {
    const row = this.emptyRow()
    for (let i = 0; i < this.schema.keyLength; i++) row[i] = key[i] as Value
    reader.read(item, row)
    return row
  }

  /** The row of an item, with the key from the item. @throws RowkeyError `UNREADABLE_ROW`, `ADAPTER_FAULT` */
  rowAt(item: Item, reader: ItemReader, key: KeyParts = checkedKey(this.schema.name, this.form, item)): Row {
    const row = this.emptyRow()
    readStoredKey(this.schema, rowkeyOfItem(key), row)
    reader.read(item, row)
    return row
  }

  /** The key of an item as a row. @throws RowkeyError `UNREADABLE_ROW`, `ADAPTER_FAULT` */
  keyAt(key: KeyParts): Row {
    return readStoredKey(this.schema, rowkeyOfItem(key))
  }

  private emptyRow(): Value[] {
    return new Array<Value>(this.schema.columns.length).fill(null)
  }
}

const readerOf =
  (table: string, fields: readonly Field[]): ItemReader['read'] =>
  (item, row) => {
    for (const { position, physical, codec } of fields) {
      const attribute = Object.hasOwn(item, physical) ? item[physical] : undefined // a column may be called toString
      if (attribute === undefined) continue
      const value = isAttribute(attribute) ? codec.toValue(attribute) : undefined
      if (value === undefined) throw unreadableRow(table, physical, `contains ${typeOf(attribute)} that is not possible there`)
      row[position] = value
    }
  }

/** Whether it has exactly one type. */
function isAttribute(given: AttributeValue | null): given is AttributeValue {
  if (given === null || typeof given !== 'object') return false
  let types = 0
  for (const _ in given) types++
  return types === 1
}

/** Describes a value in a message, without the value. */
const typeOf = (attribute: AttributeValue): string =>
  isMap(attribute) ? `a value of type ${showNames(Object.keys(attribute))}` : 'something'
