// Also tested by asynchronous.test.ts.
import type { Row } from '#codec'
import type { TableSchema } from '#model'
import type { Cost, MaybePromise, Page } from '../contract/reading.js'
import { addFetched, fetchedBy, nothing, type Fetched } from './cost.js'
import { Heap } from './heap.js'
import { Lane, type Input, type RequestSizes } from './lane.js'
import { andThen, isPromise } from './maybe-promise.js'
import type { Position, Positions, RowSource } from './row-source.js'
import { rowFault } from './range-source.js'

/**
 * The rows of several buckets in the order of the scan, one page per bucket in memory. Each `next()` makes at most one round of requests,
 * to all buckets whose page is used up, and then returns.
 */
export class MergeSource implements RowSource {
  private readonly schema: TableSchema
  private readonly lanes: readonly Lane[]
  /** The lanes that have rows in memory, the one with the next row at the top. */
  private readonly heap: Heap<Lane>
  private readonly positions: Positions
  private readonly compare: (a: Row, b: Row) => number
  private taken: Row | undefined
  private lastRow: Row | undefined
  private closed = false
  /** It only moves on; a scan that is resumed starts after it. */
  position: Position | undefined

  constructor(schema: TableSchema, inputs: readonly Input[], positions: Positions, sizes: RequestSizes) {
    this.schema = schema
    this.positions = positions
    this.compare = positions.compareRows
    this.lanes = inputs.map((input) => new Lane(input, positions, sizes))
    this.heap = new Heap((a, b) => this.compare(a.head as Row, b.head as Row) < 0)
  }

  get ended(): boolean {
    return this.heap.size === 0 && this.lanes.every(({ source }) => source.ended)
  }

  /** How many rows are in memory. */
  get held(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.held, 0)
  }

  /** @throws RowkeyError `ADAPTER_FAULT` */
  next(want: number, mayExamine?: number): MaybePromise<Page | undefined> {
    const empty = this.lanes.filter((lane) => lane.head === undefined && !lane.source.ended)
    if (empty.length === 0 && this.heap.size === 0) return undefined
    if (empty.length === 0 || mayExamine === 0) return this.emit(want, nothing)
    return andThen(this.refill(empty, want, mayExamine ?? Infinity), (fetched) => this.filled(empty, want, fetched))
  }

  close(): void {
    this.closed = true
    for (const lane of this.lanes) lane.close()
  }

  /** One request per empty lane. All start before any is awaited, and each has a rejection handler from the start. */
  private refill(empty: readonly Lane[], want: number, mayExamine: number): MaybePromise<Fetched> {
    let total = nothing
    const pending: Promise<void>[] = []
    for (const lane of empty) {
      const answer = lane.request(want, mayExamine / empty.length)
      if (!isPromise(answer)) {
        lane.keep(answer)
        total = addFetched(total, fetchedBy(answer))
        continue
      }
      const taken = answer.then((page) => {
        lane.keep(page)
        total = addFetched(total, fetchedBy(page))
      })
      taken.catch(ignore) // another lane may throw before this one is awaited
      pending.push(taken)
    }
    return pending.length === 0 ? total : Promise.all(pending).then(() => total)
  }

  private filled(lanes: readonly Lane[], want: number, fetched: Fetched): Page {
    if (this.closed) return { rows: [], examined: 0 }
    for (const lane of lanes) if (lane.head !== undefined) this.heap.push(lane)
    return this.emit(want, fetched)
  }

  /** Rows in order, until there are `want` of them or a lane without rows may have the next one. */
  private emit(want: number, { examined, cost }: { readonly examined: number; readonly cost: Cost }): Page {
    const rows = this.certainRows(want)
    const last = this.lastRow
    return last === undefined ? { rows, examined, cost } : { rows, examined, last, cost }
  }

  private certainRows(want: number): readonly Row[] {
    const frontier = new Frontier(this.positions)
    for (const lane of this.lanes) if (lane.head === undefined && !lane.source.ended) frontier.lower(lane.source.position)
    const rows = this.heap.size === 1 && !frontier.isSet ? this.rowsOfOne(want) : this.rowsOfMany(want, frontier)
    const lastGiven = rows.at(-1)
    if (lastGiven !== undefined) {
      this.taken = lastGiven
      this.advance(this.positions.after(lastGiven))
    }
    const next = this.heap.top
    // Everything up to the frontier has been examined, unless a row before it is still in memory.
    if (frontier.at !== undefined && (next === undefined || this.positions.isAfter(next.head as Row, frontier.at)))
      this.advance(frontier.at)
    return rows
  }

  private rowsOfOne(want: number): readonly Row[] {
    const lane = this.heap.top as Lane
    this.refuseTwice(this.taken, lane)
    const rows = lane.take(want)
    if (lane.head === undefined) this.heap.pop()
    return rows
  }

  private rowsOfMany(want: number, frontier: Frontier): readonly Row[] {
    const rows: Row[] = []
    while (rows.length < want) {
      const lane = this.heap.top
      if (lane === undefined) break
      const row = lane.head as Row
      if (frontier.isBefore(row)) break
      this.refuseTwice(rows.at(-1) ?? this.taken, lane)
      rows.push(row)
      lane.advance()
      if (lane.head !== undefined) {
        this.heap.settle()
        continue
      }
      this.heap.pop()
      if (!lane.source.ended) frontier.lower(lane.source.position)
    }
    return rows
  }

  /** One row in two buckets: each bucket is in order by itself, so only the merge can see it. */
  private refuseTwice(before: Row | undefined, lane: Lane): void {
    if (before === undefined || this.compare(before, lane.head as Row) < 0) return
    throw rowFault(this.schema, lane.bucket, 'a row that another bucket has too', lane.head)
  }

  private advance(to: Position): void {
    if (this.position !== undefined && this.positions.compare(to, this.position) <= 0) return
    this.position = to
    this.lastRow = to.row ?? this.lastRow
  }
}

/** The lowest position of the lanes without rows: rows up to it are certain, after it such a lane may have the next one. */
class Frontier {
  isSet = false
  /** undefined = before the first row of some lane */
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
    return this.isSet && (this.at === undefined || this.positions.isAfter(row, this.at))
  }
}

const ignore = (): void => undefined
