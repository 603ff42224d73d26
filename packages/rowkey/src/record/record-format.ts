import type { Row, Value } from '#codec'
import type { TableSchema } from '#model'
import type { TableCatalog } from '#store/adapter'
import { corrupt } from './corrupt.js'
import { expiryItem, expiryWire, itemsOf, versionItem, versionWire, type Item } from './items.js'
import { Reader } from './reader.js'
import { openRecord, recordFormat, RecordReader } from './record-reader.js'
import { Writer } from './writer.js'

// All tables can share them, because no call waits while it uses one of them.
const writer = new Writer()
const reader = new Reader()

/**
 * The records of one table as one schema sees them: the values of a row without its key. `docs/spec/stored-record.md` of the repository
 * specifies the bytes.
 *
 * @example
 * ```ts
 * const format = new RecordFormat(schema, catalog)
 * const record = format.encode(row)
 * const read = new Array<Value>(schema.columns.length).fill(null)
 * format.reader().read(record, read)
 * ```
 */
export class RecordFormat {
  private readonly table: string
  private readonly items: readonly Item[]

  /** @throws RowkeyError `SCHEMA_MISMATCH` if the table lacks a column of the schema */
  constructor(schema: TableSchema, catalog: TableCatalog) {
    this.table = schema.name
    this.items = itemsOf(schema, catalog)
  }

  /** The record of a whole row, without its key columns. Columns that the schema does not have are null. */
  encode(row: Row): Uint8Array {
    const { items } = this
    let count = items.length
    while (count > 2 && isNull(row, items[count - 1] as Item)) count--
    begin(count)
    for (let i = 0; i < count; i++) {
      const { position, wire } = items[i] as Item
      writer.value(position < 0 ? null : (row[position] as Value), wire.form)
    }
    return writer.finish()
  }

  /**
   * A record with the positions of `set` taken from `row`. All others, including those that the schema does not have, keep their bytes.
   *
   * @throws RowkeyError `CORRUPT_ROW`
   */
  patch(record: Uint8Array, row: Row, set: readonly number[]): Uint8Array {
    const { items, table } = this
    const stored = openRecord(reader, record, table)
    const count = Math.max(stored, items.findLastIndex(({ position }) => set.includes(position)) + 1)
    begin(count)
    let i = 0
    try {
      for (; i < count; i++) {
        const from = reader.at
        if (i < stored) reader.skip()
        const item = items[i]
        if (item !== undefined && set.includes(item.position)) writer.value(row[item.position] as Value, item.wire.form)
        else if (i < stored) writer.raw(record, from, reader.at)
        else writer.nil()
      }
    } catch (cause) {
      throw corrupt(table, items[i]?.physical ?? '', cause)
    }
    return writer.finish()
  }

  /** Where records have a position of a row: the index in their list, after the format; undefined for key columns. */
  itemOf(position: number): number | undefined {
    const at = this.items.findIndex((item) => item.position === position)
    return at < 0 ? undefined : at
  }

  /** A reader of these positions of a row, by default of all; key positions are ignored. */
  reader(positions?: readonly number[]): RecordReader {
    const { items, table } = this
    if (positions === undefined) return new RecordReader(table, reader, items, true)
    const asked = items.map((item) => (positions.includes(item.position) ? item : { ...item, position: -1 }))
    return new RecordReader(table, reader, asked.slice(0, asked.findLastIndex(({ position }) => position >= 0) + 1), false)
  }

  /**
   * When a record expires, in epoch milliseconds; null = never. Reads nothing else.
   *
   * @throws RowkeyError `CORRUPT_ROW`
   */
  expiry(record: Uint8Array): number | null {
    openRecord(reader, record, this.table)
    try {
      return reader.value(expiryWire) as number | null
    } catch (cause) {
      throw corrupt(this.table, this.name(expiryItem), cause)
    }
  }

  /**
   * The version of a record. Reads nothing else.
   *
   * @throws RowkeyError `CORRUPT_ROW`
   */
  version(record: Uint8Array): string | null {
    openRecord(reader, record, this.table)
    try {
      reader.skip()
      return reader.value(versionWire) as string | null
    } catch (cause) {
      throw corrupt(this.table, this.name(versionItem), cause)
    }
  }

  private name(item: number): string {
    return (this.items[item] as Item).physical
  }
}

const isNull = (row: Row, { position }: Item): boolean => position < 0 || row[position] === null || row[position] === undefined

/** The start of a list with this many items after the format. */
function begin(items: number): void {
  writer.start()
  writer.array(items + 1)
  writer.integer(recordFormat)
}
