import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { KeyRange, Stream } from '../plan/plan.js'
import type { Page, PageSource, Slice } from '../contract/reading.js'
import { SliceCheck, type OpenSlice } from './slice-reader.js'

/** One bucket of a merge: its ranges one after the other, one page in memory. */
export class StreamReader {
  private rows: readonly Row[] = []
  private at = 0
  private source: PageSource | undefined
  private check: SliceCheck | undefined
  private nextRange = 0
  private readonly ranges: readonly KeyRange[]
  private readonly schema: TableSchema
  private readonly stream: Stream
  private readonly reverse: boolean
  private readonly open: OpenSlice
  /** Key of the last examined row; where the stream stands when it is empty. */
  last: Row | undefined
  ended = false

  constructor(schema: TableSchema, stream: Stream, reverse: boolean, open: OpenSlice) {
    this.schema = schema
    this.stream = stream
    this.reverse = reverse
    this.open = open
    this.ranges = reverse ? stream.ranges.toReversed() : stream.ranges
  }

  /** The next row, undefined where the page is used up. */
  get head(): Row | undefined {
    return this.rows[this.at]
  }

  advance(): void {
    this.at++
  }

  /** Takes all rows that are here. */
  drain(): readonly Row[] {
    const rows = this.at === 0 ? this.rows : this.rows.slice(this.at)
    this.at = this.rows.length
    return rows
  }

  /** Takes up to `most` rows. */
  takeUpTo(most: number): readonly Row[] {
    if (this.rows.length - this.at <= most) return this.drain()
    const rows = this.rows.slice(this.at, this.at + most)
    this.at += most
    return rows
  }

  /** Asks for the next page, opening the next range where none is open. */
  fetch(want: number): ReturnType<PageSource['next']> {
    if (this.source === undefined) {
      const range = this.ranges[this.nextRange++] as KeyRange
      const slice: Slice = { bucket: this.stream.bucket, from: range.from, to: range.to, reverse: this.reverse }
      this.check = new SliceCheck(this.schema, slice)
      this.source = this.open(slice)
    }
    return this.source.next(want)
  }

  /** Takes in what `fetch` answered; returns the rows examined for it. @throws RowkeyError `ADAPTER_FAULT` */
  accept(page: Page | undefined): number {
    if (page === undefined) {
      this.source?.close()
      this.source = undefined
      this.ended = this.nextRange >= this.ranges.length
      return 0
    }
    this.check?.check(page)
    this.rows = page.rows
    this.at = 0
    this.last = page.last ?? page.rows.at(-1) ?? this.last
    return page.examined
  }

  /** The error for what an adapter must not return. */
  fault(what: string, row: Row): Error {
    return (this.check as SliceCheck).fault(what, row)
  }

  close(): void {
    this.source?.close()
    this.source = undefined
    this.ended = true
  }
}
