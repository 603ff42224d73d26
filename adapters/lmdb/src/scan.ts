// Tested by batches.test.ts and conformance.test.ts.
import type { RecordReader } from '@rowkey/record'
import type { Page, PageSource, Row } from '@rowkey/store/adapter'
import type { TableContext } from './context.js'

/** The half-open range of a scan. */
export interface Range {
  readonly start: Buffer
  readonly end: Buffer
  readonly reverse: boolean
  /** Continue after this key. */
  readonly after?: Buffer | undefined
  /** Whether the key at the end is in the range. */
  readonly inclusiveEnd?: boolean
  /** Makes the checkpoints of a full scan. */
  readonly checkpointAfter?: (last: Buffer) => string
}

/** A page ends after this many bytes of records, because it is read without a pause. */
const pageBytes = 1 << 20

const cost = Object.freeze({ calls: 1 })

/** Pages over a range. Between two pages it holds a key and nothing of LMDB, so a paused scan blocks nobody. */
export class RangeScan implements PageSource {
  private readonly table: TableContext
  private readonly reader: RecordReader
  private readonly range: Range
  private last: Buffer | undefined
  private isDone = false

  constructor(table: TableContext, reader: RecordReader, range: Range) {
    this.table = table
    this.reader = reader
    this.range = range
    this.last = range.after
  }

  next(target: number): Page | undefined {
    if (this.isDone) return undefined
    const want = Math.max(1, target)
    const environment = this.table.startRead()
    const rows: Row[] = []
    let bytes = 0
    environment.reading(() => {
      for (const { key, value } of environment.db.getRange(this.bounds(want))) {
        rows.push(this.table.rowAt(key, value, this.reader))
        bytes += value.length
        this.last = key
        if (bytes >= pageBytes) break
      }
    })
    if (rows.length < want && bytes < pageBytes) this.isDone = true
    if (rows.length === 0) return undefined
    const page: Page = { rows, examined: rows.length, cost }
    const { checkpointAfter } = this.range
    return checkpointAfter === undefined ? page : { ...page, checkpoint: checkpointAfter(this.last as Buffer) }
  }

  close(): void {
    this.isDone = true
  }

  /** LMDB begins a range at `start`, which is the upper end of a reverse range. */
  private bounds(limit: number): {
    start: Buffer
    end: Buffer
    reverse: boolean
    exclusiveStart: boolean
    inclusiveEnd: boolean
    limit: number
  } {
    const { start, end, reverse, inclusiveEnd = false } = this.range
    return reverse
      ? { start: this.last ?? end, end: start, reverse, exclusiveStart: true, inclusiveEnd: true, limit }
      : { start: this.last ?? start, end, reverse, exclusiveStart: this.last !== undefined, inclusiveEnd, limit }
  }
}
