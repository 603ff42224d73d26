// Tested by tables.test.ts.
import { RecordRows, type RecordReader } from '@rowkey/record'
import { tableNotFound } from '@rowkey/store/adapter'
import type {
  ChangeOptions,
  InFlight,
  PageSource,
  ReadOptions,
  Row,
  Slice,
  TableCatalog,
  TableSchema,
  TableStore,
} from '@rowkey/store/adapter'
import type { Environment } from './file/environment.js'
import { boundKey, isTableNumber, livingKey, prefixLength, rowKey, tablePrefix } from './keys.js'
import { Purge, type Purged } from './purge.js'
import { RangeScan, type Scanned } from './scan.js'
import { checkpointOf, placeOf, splits, type Splittable } from './splits.js'

/** One table as one schema sees it. Reads are synchronous, so no cancellation is checked. */
export class LmdbTable implements TableStore, Scanned, Splittable, Purged {
  readonly rows: RecordRows
  readonly environment: Environment
  private readonly schema: TableSchema
  private readonly prefix: Buffer
  private readonly end: Buffer
  private readonly living: Buffer
  private readonly calls: InFlight
  private readonly purge: Purge

  /** @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH` */
  constructor(schema: TableSchema, catalog: TableCatalog, environment: Environment, calls: InFlight) {
    const number = catalog.store?.['table']
    if (!isTableNumber(number)) throw tableNotFound(schema.name)
    this.schema = schema
    this.rows = new RecordRows(schema, catalog)
    this.environment = environment
    this.prefix = tablePrefix(number)
    this.end = tablePrefix(number + 1)
    this.living = livingKey(number)
    this.calls = calls
    this.purge = new Purge(this)
  }

  get(keys: readonly Row[], options: ReadOptions): readonly (Row | undefined)[] {
    const reader = this.rows.readerOf(options)
    const { db } = this.startRead()
    return keys.map((key) => {
      const bytes = this.nativeKey(this.schema.layout.rowkey(key))
      const record = bytes === undefined ? undefined : db.getBinary(bytes)
      return record === undefined ? undefined : this.rows.rowOf(key, record, reader)
    })
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    const { layout } = this.schema
    const from = layout.rowkeyBound(slice.bucket, slice.from)
    const to = layout.rowkeyBound(slice.bucket, slice.to)
    const start = from === null ? this.end : boundKey(this.prefix, from)
    const end = to === null ? this.end : boundKey(this.prefix, to)
    return new RangeScan(this, this.rows.readerOf(options), { start, end, reverse: slice.reverse })
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    const [{ after, upTo }, isSplit] = placeOf(this.prefix, checkpoint)
    return new RangeScan(this, this.rows.readerOf(options), {
      ...this.wholeRange,
      ...(upTo === undefined ? {} : { end: upTo, inclusiveEnd: true }),
      after,
      checkpointAfter: (last) => checkpointOf({ after: last, upTo }, isSplit),
    })
  }

  splits(count: number, { cancellation }: ReadOptions): Promise<readonly string[]> {
    return splits(this, count, cancellation)
  }

  async purgeExpired(now: number, limit: number, { cancellation }: ChangeOptions = {}): Promise<number> {
    return this.schema.expiryIndex < 0 ? 0 : this.calls.run(() => this.purge.run(now, limit, cancellation))
  }

  /** All rows. */
  get wholeRange(): { readonly start: Buffer; readonly end: Buffer; readonly reverse: false } {
    return { start: this.prefix, end: this.end, reverse: false }
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
    if (!this.environment.db.doesExist(this.living)) throw tableNotFound(this.schema.name)
  }

  /** The key of a row in the file; undefined if it is too long for any row. */
  nativeKey(rowkey: Uint8Array): Buffer | undefined {
    return rowKey(this.prefix, rowkey)
  }

  /** The row of a stored key and its record. */
  rowAt(key: Buffer, record: Uint8Array, reader: RecordReader): Row {
    return this.rows.rowAt(key.subarray(prefixLength), record, reader)
  }
}
