import { RecordFormat, type RecordReader } from '@rowkey/record'
import type { Operations, PageSource, ReadOptions, Row, Slice, TableCatalog, TableSchema, TableStore, Value } from '@rowkey/store'
import type { Environment } from './environment.js'
import { tableMissing } from './errors.js'
import { boundKey, livingKey, prefixLength, rowKey, tablePrefix } from './keys.js'
import { Purge, type Purged } from './purge.js'
import { RangeScan, type Scanned } from './scan.js'

/** One table as one schema sees it. Reads answer at once, so signal and deadline need no look. */
export class LmdbTable implements TableStore, Scanned, Purged {
  readonly schema: TableSchema
  readonly format: RecordFormat
  readonly environment: Environment
  readonly wholeReader: RecordReader
  private readonly prefix: Buffer
  private readonly end: Buffer
  private readonly living: Buffer
  private readonly operations: Operations
  private readonly purge: Purge

  /** @throws RowkeyError `TABLE_MISSING`, `SCHEMA_MISMATCH` */
  constructor(schema: TableSchema, catalog: TableCatalog, environment: Environment, operations: Operations) {
    const number = catalog.store?.['table']
    if (typeof number !== 'number') throw tableMissing(schema.name)
    this.schema = schema
    this.format = new RecordFormat(schema, catalog)
    this.wholeReader = this.format.reader()
    this.environment = environment
    this.prefix = tablePrefix(number)
    this.end = tablePrefix(number + 1)
    this.living = livingKey(number)
    this.operations = operations
    this.purge = new Purge(this)
  }

  get(keys: readonly Row[], options: ReadOptions): readonly (Row | undefined)[] {
    const reader = this.readerOf(options)
    const { db } = this.startRead()
    return keys.map((key) => {
      const bytes = this.keyOf(key)
      const record = bytes === undefined ? undefined : db.getBinary(bytes)
      return record === undefined ? undefined : this.rowOf(key, record, reader)
    })
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    const { layout } = this.schema
    const from = layout.rowkeyBound(slice.bucket, slice.from)
    const to = layout.rowkeyBound(slice.bucket, slice.to)
    const start = from === null ? this.end : boundKey(this.prefix, from)
    const end = to === null ? this.end : boundKey(this.prefix, to)
    return new RangeScan(this, this.readerOf(options), { start, end, reverse: slice.reverse })
  }

  /** The checkpoint is the last rowkey. */
  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    const after = checkpoint === undefined ? undefined : boundKey(this.prefix, Buffer.from(checkpoint, 'base64url'))
    return new RangeScan(this, this.readerOf(options), { ...this.wholeRange, after, checkpoints: true })
  }

  async purgeExpired(now: number, limit: number): Promise<number> {
    return this.schema.expiryAt < 0 ? 0 : this.operations.run(() => this.purge.run(now, limit))
  }

  private readerOf({ columns }: ReadOptions): RecordReader {
    return columns === undefined ? this.wholeReader : this.format.reader(columns)
  }

  /** All rows. */
  get wholeRange(): { readonly start: Buffer; readonly end: Buffer; readonly reverse: false } {
    return { start: this.prefix, end: this.end, reverse: false }
  }

  /**
   * Everything read until the caller waits is of one state of the file, which is that of now, and the table is in it.
   *
   * @throws RowkeyError `CLOSED`, `TABLE_MISSING`
   */
  startRead(): Environment {
    this.operations.mustBeOpen()
    this.environment.refresh()
    this.mustLive()
    return this.environment
  }

  /** @throws RowkeyError `TABLE_MISSING`; another process may have dropped the table */
  mustLive(): void {
    if (!this.environment.db.doesExist(this.living)) throw tableMissing(this.schema.name)
  }

  /** undefined: too long for any row to have it. */
  keyOf(row: Row): Buffer | undefined {
    return rowKey(this.prefix, this.schema.layout.rowkey(row))
  }

  /** The row of a key and its record. */
  rowOf(key: Row, record: Uint8Array, reader: RecordReader): Row {
    const row = this.emptyRow()
    for (let i = 0; i < this.schema.keyLength; i++) row[i] = key[i] as Value
    reader.read(record, row)
    return row
  }

  /** The row of a stored key and its record. */
  rowAt(key: Buffer, record: Uint8Array, reader: RecordReader): Row {
    const row = this.emptyRow()
    this.schema.layout.decode(key.subarray(prefixLength), row)
    reader.read(record, row)
    return row
  }

  private emptyRow(): Value[] {
    return new Array<Value>(this.schema.columns.length).fill(null)
  }
}
