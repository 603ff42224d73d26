// Tested by catalogs.test.ts.
import {
  latin1String,
  type PageSource,
  type ReadOptions,
  type Row,
  rowkeyOf,
  type Slice,
  type TableSchema,
  type TableStore,
} from '#store/adapter'
import type { StoredTable } from './catalogs.js'
import { purgeExpired } from './purge.js'
import { RecordRows, selection } from './rows.js'
import { LeafScan } from './scan.js'
import { checkpointOf, placeOf, splits } from './splits.js'

/** One table as one schema sees it. Nothing here waits, so no cancellation is checked. */
export class MemoryTable implements TableStore {
  readonly stored: StoredTable
  readonly rows: RecordRows
  private readonly schema: TableSchema

  /** @throws RowkeyError `SCHEMA_MISMATCH` if the table lacks a column of the schema */
  constructor(schema: TableSchema, stored: StoredTable) {
    this.schema = schema
    this.stored = stored
    this.rows = new RecordRows(schema, stored)
  }

  get(keys: readonly Row[], options: ReadOptions): readonly (Row | undefined)[] {
    const wanted = this.wanted(options)
    if (keys.length === 1) return [this.find(keys[0] as Row, wanted)]
    return keys.map((key) => this.find(key, wanted))
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    const { layout } = this.schema
    const from = layout.rowkeyBound(slice.bucket, slice.from)
    const to = layout.rowkeyBound(slice.bucket, slice.to)
    return new LeafScan({
      stored: this.stored,
      rows: this.rows,
      wanted: this.wanted(options),
      from: from === null ? null : latin1String(from),
      to: to === null ? null : latin1String(to),
      reverse: slice.reverse,
    })
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    const [{ after, upTo }, isSplit] = placeOf(checkpoint)
    const to = upTo === null ? null : `${upTo}\0` // the first possible key after the last one
    const walk = { stored: this.stored, rows: this.rows, wanted: this.wanted(options), from: '', to, reverse: false }
    return new LeafScan(walk, after, (last) => checkpointOf({ after: last, upTo }, isSplit))
  }

  splits(count: number): readonly string[] {
    return splits(this.stored.records.tree, count)
  }

  async purgeExpired(now: number, limit: number): Promise<number> {
    return purgeExpired(this.stored, this.rows, now, limit)
  }

  private find(key: Row, wanted: readonly number[] | undefined): Row | undefined {
    const record = this.stored.records.get(rowkeyOf(this.schema, key))
    return record === undefined ? undefined : this.rows.read(record, wanted)
  }

  private wanted({ columns }: ReadOptions): readonly number[] | undefined {
    return columns === undefined ? undefined : selection(this.schema, this.rows.places, columns)
  }
}
