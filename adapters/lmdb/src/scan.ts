// Tested by write.test.ts and conformance.test.ts.
import type { Page, PageSource, ReadOptions, RecordReader, Row, Slice } from 'rowkey/adapter'
import type { TableContext } from './context.js'
import { boundKey } from './keys.js'
import { checkpointOf, placeOf } from './splits.js'

/** The pages of a slice. */
export function scanSlice(table: TableContext, { bucket, from, to, reverse }: Slice, options: ReadOptions): PageSource {
  const { start, end } = table
  const { rowkeyBound } = table.schema.layout
  const [low, high] = [rowkeyBound(bucket, from), rowkeyBound(bucket, to)]
  return new RangeScan(table, table.rows.readerOf(options), {
    start: low === null ? end : boundKey(start, low),
    end: high === null ? end : boundKey(start, high),
    reverse,
  })
}

/** All rows, or those of a split. @throws RowkeyError `CURSOR_INVALID` */
export function fullScan(table: TableContext, checkpoint: string | undefined, options: ReadOptions): PageSource {
  const { start, end } = table
  const [{ after, upTo }, isSplit] = placeOf(start, checkpoint)
  return new RangeScan(table, table.rows.readerOf(options), {
    start,
    end: upTo ?? end,
    inclusiveEnd: upTo !== undefined,
    reverse: false,
    after,
    checkpointAfter: (last) => checkpointOf({ after: last, upTo }, isSplit),
  })
}

/** The half-open range of a scan. */
interface Range {
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
class RangeScan implements PageSource {
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
