import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Answer, Cost, Page, PageSource } from '../contract/reading.js'
import type { StreamReader } from './stream-reader.js'
import { isPromise } from './answer.js'
import { addFetched, nothing, type Fetched } from './cost.js'
import { Heap } from './heap.js'
import { Positions, type Position } from './position.js'
import { nextSize, type RequestSizes } from './request-sizes.js'

/**
 * The rows of several buckets in logical key order, one page per bucket in memory. Each `next()` makes at most one round of
 * requests, all streams that ran empty at once, and returns control.
 */
export class Merge implements PageSource {
  private readonly streams: readonly StreamReader[]
  private readonly heap: Heap<StreamReader>
  private readonly positions: Positions
  private readonly compare: (a: Row, b: Row) => number
  private readonly sizes: RequestSizes
  private readonly wants: number[]
  private taken: Row | undefined
  /** Where everything has been examined; a resumed scan starts behind it. It only moves on. */
  position: Position | undefined
  private lastRow: Row | undefined
  private closed = false

  constructor(schema: TableSchema, streams: readonly StreamReader[], reverse: boolean, sizes: RequestSizes) {
    this.positions = new Positions(schema, reverse)
    this.compare = this.positions.compareRows
    this.streams = streams
    this.heap = new Heap((a, b) => this.compare(a.head as Row, b.head as Row) < 0)
    this.sizes = sizes
    this.wants = streams.map(() => sizes.first)
  }

  /** @param mayExamine about how many rows this round may read; with 0 it only gives what is in memory */
  next(want: number, mayExamine?: number): Answer<Page | undefined> {
    const empty: number[] = []
    this.streams.forEach((stream, i) => {
      if (!stream.ended && stream.head === undefined) empty.push(i)
    })
    if (empty.length === 0 && this.heap.size === 0) return undefined
    if (empty.length === 0 || mayExamine === 0) return this.emit(want, 0, nothing.cost)
    return this.refill(empty, want, mayExamine ?? Infinity)
  }

  close(): void {
    this.closed = true
    for (const stream of this.streams) stream.close()
  }

  /** One request per empty stream. All start before any is awaited, and each has a handler from the start. */
  private refill(empty: readonly number[], want: number, mayExamine: number): Answer<Page> {
    const most = Math.max(1, Math.ceil(Math.min(this.sizes.exact ? want : Infinity, mayExamine / empty.length)))
    let total = nothing
    const pending: Promise<void>[] = []
    for (const i of empty) {
      const answer = (this.streams[i] as StreamReader).fetch(Math.min(this.wants[i] as number, most))
      if (!isPromise(answer)) {
        total = addFetched(total, answer)
        continue
      }
      const settled = answer.then((fetched) => void (total = addFetched(total, fetched)))
      settled.catch(ignore) // another stream may throw before anyone waits for this one
      pending.push(settled)
    }
    if (pending.length === 0) return this.take(empty, want, total)
    return Promise.all(pending).then(() => this.take(empty, want, total))
  }

  private take(asked: readonly number[], want: number, { examined, cost }: Fetched): Page {
    if (this.closed) return { rows: [], examined: 0 }
    for (const i of asked) {
      const stream = this.streams[i] as StreamReader
      const size = this.wants[i] as number
      this.wants[i] = stream.page === undefined ? size : nextSize(size, stream.page, this.streams.length, this.sizes)
      if (stream.head !== undefined) this.heap.push(stream)
    }
    return this.emit(want, examined, cost)
  }

  /** Rows in order, until `want` of them or until a stream that stands empty may have the next row. */
  private emit(want: number, examined: number, cost: Cost): Page {
    const rows = this.certain(want)
    const last = this.lastRow
    return { rows, examined, ...(last === undefined ? {} : { last }), cost }
  }

  private certain(want: number): readonly Row[] {
    const border = new Border(this.positions)
    for (const stream of this.streams) if (!stream.ended && stream.head === undefined) border.lower(stream.reached)
    const rows = this.heap.size === 1 && !border.isSet ? this.fromOne(want) : this.fromMany(want, border)
    const given = rows.at(-1)
    if (given !== undefined) {
      this.taken = given
      this.advance(this.positions.behind(given))
    }
    const next = this.heap.top?.head
    // Everything up to the border has been seen, unless a row before it still waits to be asked for.
    if (border.at !== undefined && (next === undefined || this.positions.isBehind(next, border.at))) this.advance(border.at)
    return rows
  }

  private fromOne(want: number): readonly Row[] {
    const stream = this.heap.top as StreamReader
    const row = stream.head as Row
    if (this.taken !== undefined && this.compare(this.taken, row) >= 0) throw stream.fault('a row that another bucket has too', row)
    const rows = stream.takeUpTo(want)
    if (stream.head === undefined) this.heap.pop()
    return rows
  }

  private fromMany(want: number, border: Border): readonly Row[] {
    const rows: Row[] = []
    while (rows.length < want) {
      const stream = this.heap.top
      if (stream === undefined) break
      const row = stream.head as Row
      if (border.isBefore(row)) break
      const before = rows.at(-1) ?? this.taken
      // One row in two buckets: the streams are in order by themselves, so only here it shows.
      if (before !== undefined && this.compare(before, row) >= 0) throw stream.fault('a row that another bucket has too', row)
      rows.push(row)
      stream.advance()
      if (stream.head !== undefined) {
        this.heap.settle()
        continue
      }
      this.heap.pop()
      if (!stream.ended) border.lower(stream.reached)
    }
    return rows
  }

  private advance(to: Position): void {
    if (this.position !== undefined && this.positions.compare(to, this.position) <= 0) return
    this.position = to
    this.lastRow = to.row ?? this.lastRow
  }
}

/** The lowest position of the streams that stand empty: rows up to it are certain, behind it such a stream may have the next. */
class Border {
  isSet = false
  /** undefined = before the first row of some stream */
  at: Position | undefined
  private readonly positions: Positions

  constructor(positions: Positions) {
    this.positions = positions
  }

  lower(to: Position | undefined): void {
    if (!this.isSet || (this.at !== undefined && (to === undefined || this.positions.compare(to, this.at) < 0))) this.at = to
    this.isSet = true
  }

  isBefore(row: Row): boolean {
    return this.isSet && (this.at === undefined || this.positions.isBehind(row, this.at))
  }
}

const ignore = (): void => undefined
