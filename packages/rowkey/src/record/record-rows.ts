import type { Row, Value } from '#codec'
import type { TableSchema } from '#model'
import { byColumns, readStoredKey, type ReadOptions, type TableCatalog } from '#store/adapter'
import { RecordFormat } from './record-format.js'
import type { RecordReader } from './record-reader.js'

/**
 * The rows of one table as one schema sees them, made from keys and records: for adapters whose store keeps a rowkey and bytes.
 *
 * @example
 * ```ts
 * const rows = new RecordRows(schema, catalog)
 * const record = rows.format.encode(row)
 * const same = rows.rowOf(row, record) // a row of its own
 * ```
 */
export class RecordRows {
  readonly format: RecordFormat
  private readonly schema: TableSchema
  private readonly readers: (columns: ReadOptions['columns']) => RecordReader
  private readonly wholeReader: RecordReader

  /** @throws RowkeyError `SCHEMA_MISMATCH` if the table lacks a column of the schema */
  constructor(schema: TableSchema, catalog: TableCatalog) {
    this.schema = schema
    this.format = new RecordFormat(schema, catalog)
    this.readers = byColumns((columns) => this.format.reader(columns))
    this.wholeReader = this.readers(undefined)
  }

  /** A reader of the columns that a read requests. The same columns have the same reader. */
  readerOf({ columns }: Pick<ReadOptions, 'columns'>): RecordReader {
    return columns === undefined ? this.wholeReader : this.readers(columns)
  }

  /** The row of a key and its record. @throws RowkeyError `CORRUPT_ROW` */
  rowOf(key: Row, record: Uint8Array, reader: RecordReader = this.wholeReader): Row {
    const { columns, keyLength } = this.schema
    const row = new Array<Value>(columns.length).fill(null)
    for (let i = 0; i < keyLength; i++) row[i] = key[i] as Value
    reader.read(record, row)
    return row
  }

  /** The row of a rowkey in bytes and its record. @throws RowkeyError `UNREADABLE_ROW`, `CORRUPT_ROW` */
  rowAt(rowkey: Uint8Array, record: Uint8Array, reader: RecordReader): Row {
    const row = new Array<Value>(this.schema.columns.length).fill(null)
    readStoredKey(this.schema, rowkey, row)
    reader.read(record, row)
    return row
  }

  /** Whether the row of a record has expired; nothing else of it is read. @throws RowkeyError `CORRUPT_ROW` */
  isExpired(record: Uint8Array, now: number): boolean {
    if (this.schema.expiryIndex < 0) return false
    const expiry = this.format.expiry(record)
    return expiry !== null && expiry <= now
  }
}
