import { type InFlight, type RecordReader, RecordRows, type Row, type TableCatalog, tableNotFound, type TableSchema } from 'rowkey/adapter'
import type { Environment } from './file/environment.js'
import { isTableNumber, livingKey, prefixLength, rowKey, tablePrefix } from './keys.js'

/** One table as one schema sees it: what its reads and writes share. */
export class TableContext {
  readonly schema: TableSchema
  readonly rows: RecordRows
  readonly environment: Environment
  readonly calls: InFlight
  /** Before the first key of a row in the file. */
  readonly start: Buffer
  /** After the last one. */
  readonly end: Buffer
  private readonly living: Buffer

  /** @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH` */
  constructor(schema: TableSchema, catalog: TableCatalog, environment: Environment, calls: InFlight) {
    const number = catalog.store?.['table']
    if (!isTableNumber(number)) throw tableNotFound(schema.name)
    this.schema = schema
    this.rows = new RecordRows(schema, catalog)
    this.environment = environment
    this.calls = calls
    this.start = tablePrefix(number)
    this.end = tablePrefix(number + 1)
    this.living = livingKey(number)
  }

  /**
   * Everything read before the next `await` is of the current state of the file, and the table exists in it.
   *
   * @throws RowkeyError `CLOSED`, `TABLE_NOT_FOUND`
   */
  startRead(): Environment {
    this.calls.mustBeOpen()
    this.environment.refresh()
    this.mustLive()
    return this.environment
  }

  /** @throws RowkeyError `TABLE_NOT_FOUND`; another process may have dropped the table */
  mustLive(): void {
    if (!this.environment.reading(() => this.environment.db.doesExist(this.living))) throw tableNotFound(this.schema.name)
  }

  /** The key of a row in the file; undefined if it is too long for any row. */
  nativeKey(rowkey: Uint8Array): Buffer | undefined {
    return rowKey(this.start, rowkey)
  }

  /** The row of a stored key and its record. */
  rowAt(key: Buffer, record: Uint8Array, reader: RecordReader): Row {
    return this.rows.rowAt(key.subarray(prefixLength), record, reader)
  }
}
