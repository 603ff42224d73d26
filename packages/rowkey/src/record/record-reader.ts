// Also tested by record-format.test.ts and reader.test.ts.
import type { Value } from '#codec'
import { corrupt } from './corrupt.js'
import type { Item } from './items.js'
import { Malformed, type Reader } from './reader.js'

/** Reads the requested columns from records. Made by {@link RecordFormat.reader}. */
export class RecordReader {
  private readonly table: string
  private readonly reader: Reader
  /** The items up to the last requested one. */
  private readonly items: readonly Item[]
  /** Whether all columns are requested, so that records are read to their end. */
  private readonly isWhole: boolean

  /** @internal */
  constructor(table: string, reader: Reader, items: readonly Item[], isWhole: boolean) {
    this.table = table
    this.reader = reader
    this.items = items
    this.isWhole = isWhole
  }

  /**
   * Puts the values of a record into a row at the positions of the schema, null where the record has none. Other positions are left
   * as they are. Cost: one step per column up to the last requested one.
   *
   * @throws RowkeyError `CORRUPT_ROW`
   */
  read(record: Uint8Array, row: Value[]): void {
    const { reader, items, table } = this
    const stored = openRecord(reader, record, table)
    let i = 0
    try {
      for (; i < items.length; i++) {
        const { position, wire } = items[i] as Item
        if (i >= stored) {
          if (position >= 0) row[position] = null
        } else if (position < 0) reader.skip()
        else row[position] = reader.value(wire)
      }
      if (!this.isWhole) return
      for (; i < stored; i++) reader.skip() // a column that others have added in the meantime
      if (!reader.isAtEnd) throw new Malformed('continues after its last value')
    } catch (cause) {
      throw corrupt(table, i < stored ? (items[i]?.physical ?? '') : '', cause)
    }
  }
}

/** The version of the record format. Records of this version will always be readable. */
export const recordFormat = 1

/**
 * Starts to read a record and returns the number of its items. The reader is then before the first one.
 *
 * @throws RowkeyError `CORRUPT_ROW`
 */
export function openRecord(reader: Reader, record: Uint8Array, table: string): number {
  try {
    reader.start(record)
    const items = reader.array() - 1
    const format = reader.integer()
    if (format !== recordFormat) throw new Malformed(`has the format ${format}, which this version of rowkey does not know`)
    if (items < 2) throw new Malformed('does not have the items for expiry and version')
    return items
  } catch (cause) {
    throw corrupt(table, '', cause)
  }
}
