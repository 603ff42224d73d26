import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Stream } from '../plan/plan.js'
import type { Answer, Cost, Page, PageSource } from '../contract/reading.js'
import type { OpenSlice } from './slice-reader.js'
import { isPromise } from './answer.js'
import { Heap } from './heap.js'
import { StreamReader } from './stream-reader.js'

/** How a merge sizes its requests, in rows per stream. */
export interface RequestSizes {
  readonly first: number
  readonly most: number
  /** Every row counts towards the limit (no residual filter), so no request needs more than what is still wanted. */
  readonly exact: boolean
}

const unlimited = { first: 64, most: 1024 }

/** ceil(limit / k) + 1 first, without a limit 64 / k; then doubling, to 1,024 per stream. */
export function requestSizes(limit: number | undefined, streams: number, exact: boolean): RequestSizes {
  const first = Math.min(Math.ceil((limit ?? unlimited.first) / streams) + 1, unlimited.most)
  return { first, most: unlimited.most, exact: exact && limit !== undefined }
}

/**
 * The rows of several buckets in logical key order, one page per bucket in memory. Each `next()` makes at most one round of
 * requests, all streams that ran empty at once, and returns control.
 */
export class Merge implements PageSource {
  private readonly streams: readonly StreamReader[]
  private readonly heap: Heap<StreamReader>
  private readonly compare: (a: Row, b: Row) => number
  private readonly sizes: RequestSizes
  private readonly wants: number[]
  private taken: Row | undefined
  private closed = false

  constructor(schema: TableSchema, streams: readonly Stream[], reverse: boolean, open: OpenSlice, sizes: RequestSizes) {
    const { compareRows } = schema.layout
    this.compare = reverse ? (a, b) => compareRows(b, a) : compareRows
    this.streams = streams.map((stream) => new StreamReader(schema, stream, reverse, open))
    this.heap = new Heap((a, b) => this.compare(a.head as Row, b.head as Row) < 0)
    this.sizes = sizes
    this.wants = streams.map(() => sizes.first)
  }

  next(want: number): Answer<Page | undefined> {
    const empty: number[] = []
    this.streams.forEach((stream, i) => {
      if (!stream.ended && stream.head === undefined) empty.push(i)
    })
    if (empty.length === 0) return this.heap.size === 0 ? undefined : this.emit(want, 0, { calls: 0 })
    return this.refill(empty, want)
  }

  close(): void {
    this.closed = true
    for (const stream of this.streams) stream.close()
  }

  /** One request per empty stream. All start before any is awaited, and each has a handler from the start. */
  private refill(empty: readonly number[], want: number): Answer<Page> {
    const pages: (Page | undefined)[] = []
    const pending: Promise<void>[] = []
    empty.forEach((i, slot) => {
      const size = this.wants[i] as number
      this.wants[i] = Math.min(size * 2, this.sizes.most)
      const answer = (this.streams[i] as StreamReader).fetch(this.sizes.exact ? Math.min(size, want) : size)
      if (!isPromise(answer)) {
        pages[slot] = answer
        return
      }
      const settled = answer.then((page) => void (pages[slot] = page))
      settled.catch(ignore) // another stream may throw before anyone waits for this one
      pending.push(settled)
    })
    if (pending.length === 0) return this.take(empty, pages, want)
    return Promise.all(pending).then(() => this.take(empty, pages, want))
  }

  private take(asked: readonly number[], pages: readonly (Page | undefined)[], want: number): Page {
    let examined = 0
    let cost: Cost = { calls: 0 }
    if (this.closed) return { rows: [], examined }
    asked.forEach((i, slot) => {
      const stream = this.streams[i] as StreamReader
      const page = pages[slot]
      examined += stream.accept(page)
      cost = addCost(cost, page?.cost ?? { calls: 1 })
      if (stream.head !== undefined) this.heap.push(stream)
    })
    return this.emit(want, examined, cost)
  }

  /** Rows in order, until `want` of them or until a stream that may have the next row stands empty. */
  private emit(want: number, examined: number, cost: Cost): Page {
    const rows = this.streams.every((stream) => stream.ended || stream.head !== undefined) ? this.ready(want) : []
    this.taken = rows.at(-1) ?? this.taken
    const last = this.position()
    return { rows, examined, ...(last === undefined ? {} : { last }), cost }
  }

  private ready(want: number): readonly Row[] {
    const only = this.heap.size === 1 ? this.heap.top : undefined
    if (only !== undefined) {
      const rows = only.takeUpTo(want)
      if (only.head === undefined) this.heap.pop()
      return rows
    }
    const rows: Row[] = []
    while (rows.length < want) {
      const stream = this.heap.top
      if (stream === undefined) break
      const row = stream.head as Row
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
      if (!stream.ended) break // its next page may hold the next row
    }
    return rows
  }

  /**
   * Up to where everything has been seen: the last row taken, or further, the lowest position among the streams that stand empty,
   * if no row is waiting before it. A resumed scan starts behind it.
   */
  private position(): Row | undefined {
    let lowest: Row | undefined
    for (const stream of this.streams) {
      if (stream.ended) continue
      const at = stream.head === undefined ? stream.last : undefined
      if (at === undefined) return this.taken
      if (lowest === undefined || this.compare(at, lowest) < 0) lowest = at
    }
    if (lowest === undefined) return this.taken
    return this.taken === undefined || this.compare(lowest, this.taken) > 0 ? lowest : this.taken
  }
}

const ignore = (): void => undefined

/** @internal */
export function addCost(a: Cost, b: Cost | undefined): Cost {
  if (b === undefined) return a
  const bytes = (a.bytes ?? 0) + (b.bytes ?? 0)
  const units = (a.units ?? 0) + (b.units ?? 0)
  return { calls: a.calls + b.calls, ...(bytes > 0 ? { bytes } : {}), ...(units > 0 ? { units } : {}) }
}
