import {
  oneByteString,
  rowkeyOf,
  type PageSource,
  type ReadOptions,
  type Row,
  type Slice,
  type TableSchema,
  type TableStore,
} from '@rowkey/store'
import { Records, selection } from './records.js'
import { ForwardScan, ReverseScan, type Walk } from './scan.js'
import { purge } from './purge.js'
import type { Table } from './table.js'

/** One table as one schema sees it. Nothing here waits, so signal and deadline need no look. */
export class MemoryTable implements TableStore {
  readonly table: Table
  readonly records: Records
  private readonly schema: TableSchema

  constructor(schema: TableSchema, table: Table) {
    this.schema = schema
    this.table = table
    this.records = new Records(schema, table)
  }

  get(keys: readonly Row[], options: ReadOptions): readonly (Row | undefined)[] {
    const { rows } = this.table
    const wanted = this.wanted(options)
    return keys.map((key) => {
      const record = rows.get(rowkeyOf(this.schema, key))
      return record === undefined ? undefined : this.records.toRow(record, wanted)
    })
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    const { layout } = this.schema
    const from = layout.rowkeyBound(slice.bucket, slice.from)
    const to = layout.rowkeyBound(slice.bucket, slice.to)
    const walk: Walk = {
      table: this.table,
      records: this.records,
      wanted: this.wanted(options),
      from: from === null ? null : oneByteString(from),
      to: to === null ? null : oneByteString(to),
    }
    return slice.reverse ? new ReverseScan(walk) : new ForwardScan(walk)
  }

  /** The checkpoint is the last rowkey. */
  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    const walk: Walk = { table: this.table, records: this.records, wanted: this.wanted(options), from: '', to: null }
    return new ForwardScan(walk, checkpoint ?? null, true)
  }

  async purgeExpired(now: number, limit: number): Promise<number> {
    const { expiryAt } = this.schema
    return expiryAt < 0 ? 0 : purge(this.table, this.records.places[expiryAt] as number, now, limit)
  }

  private wanted({ columns }: ReadOptions): readonly number[] | undefined {
    return columns === undefined ? undefined : selection(this.schema, this.records.places, columns)
  }
}
