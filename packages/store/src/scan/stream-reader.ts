import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { KeyRange, Stream } from '../plan/plan.js'
import type { Answer, Slice } from '../contract/reading.js'
import type { OpenSlice } from './slice-reader.js'
import { isPromise } from './answer.js'
import { addFetched, nothing, type Fetched } from './cost.js'
import { Positions, type Position } from './position.js'
import { RangeReader } from './range-reader.js'

/** Ranges asked for at once by a stream whose ranges hold little. */
const mostAtOnce = 16

/** One bucket of a merge: its ranges, one after the other. */
export class StreamReader {
  /** Ranges in work, in scan order; the first is being read. */
  private open: RangeReader[] = []
  private nextRange = 0
  /** Ranges opened at once, and the rows wanted and examined of them. */
  private batch = { width: 0, want: 0, examined: 0, late: false }
  private readonly ranges: readonly KeyRange[]
  private readonly schema: TableSchema
  private readonly stream: Stream
  private readonly reverse: boolean
  private readonly openSlice: OpenSlice
  private readonly ahead: boolean
  private readonly positions: Positions
  /** The end of the last range that is done. */
  private passed: Position | undefined
  ended = false

  constructor(schema: TableSchema, stream: Stream, reverse: boolean, openSlice: OpenSlice, ahead = false) {
    this.schema = schema
    this.stream = stream
    this.reverse = reverse
    this.openSlice = openSlice
    this.ahead = ahead
    this.positions = new Positions(schema, reverse)
    this.ranges = reverse ? stream.ranges.toReversed() : stream.ranges
  }

  /** The next row; undefined where something has to be fetched. */
  get head(): Row | undefined {
    return this.open[0]?.head
  }

  /** Up to where everything has been examined; where the stream stands when it has no row. */
  get reached(): Position | undefined {
    const row = this.open[0]?.last
    return row === undefined ? this.passed : this.positions.behind(row)
  }

  /** The page the next row is from, or the last one was. */
  get page(): RangeReader['page'] {
    return this.open[0]?.page
  }

  advance(): void {
    this.open[0]?.advance()
  }

  /** Takes up to `most` rows of the page. */
  takeUpTo(most: number): readonly Row[] {
    return (this.open[0] as RangeReader).takeUpTo(most)
  }

  /** Asks until there is a row, the end, an empty page or a store that answers later. @throws RowkeyError `ADAPTER_FAULT` */
  fetch(want: number): Answer<Fetched> {
    let total = nothing
    while (!this.settled(want)) {
      const [first] = this.open as [RangeReader]
      const answer = first.asked ? first.fetch(want) : this.fetchBatch(want)
      if (isPromise(answer)) {
        this.batch.late = true
        return answer.then((fetched) => this.note(addFetched(total, fetched)))
      }
      total = this.note(addFetched(total, answer))
      if (!first.ended) break
    }
    return total
  }

  /** The error for what an adapter must not return. */
  fault(what: string, row: Row): Error {
    return (this.open[0] as RangeReader).fault(what, row)
  }

  close(): void {
    for (const range of this.open) range.close()
    this.open = []
    this.ended = true
  }

  /** Passes over ranges that are done and opens the next; true if there is a row or nothing is left. */
  private settled(want: number): boolean {
    this.passOver()
    if (this.open.length === 0 && !this.ended) this.openBatch(want)
    return this.ended || this.head !== undefined
  }

  private passOver(): void {
    while (this.open[0]?.ended === true) this.passed = this.positions.endOf((this.open.shift() as RangeReader).slice)
    if (this.open.length === 0 && this.nextRange >= this.ranges.length) this.ended = true
  }

  /** One range; twice as many as before where a store answers late and those before held less than was wanted. */
  private openBatch(want: number): void {
    const { width, late, want: wanted, examined } = this.batch
    const wider = late && examined < wanted ? Math.min(width * 2, mostAtOnce, want) : 1
    this.open = this.ranges.slice(this.nextRange, this.nextRange + wider).map((range) => this.reader(range))
    this.nextRange += this.open.length
    this.batch = { width: wider, want, examined: 0, late }
  }

  private reader({ from, to }: KeyRange): RangeReader {
    const slice: Slice = { bucket: this.stream.bucket, from, to, reverse: this.reverse }
    return new RangeReader(this.schema, slice, this.openSlice(slice), this.ahead)
  }

  /** The first request of each range that was just opened; together they ask for `want` rows. */
  private fetchBatch(want: number): Answer<Fetched> {
    const { open } = this
    if (open.length === 1) return (open[0] as RangeReader).fetch(want)
    const share = Math.ceil(want / open.length)
    let total = nothing
    const pending = open.map((range) => {
      const settled = Promise.resolve(range.fetch(share)).then((fetched) => void (total = addFetched(total, fetched)))
      settled.catch(ignore) // another may throw before anyone waits for this one
      return settled
    })
    return Promise.all(pending).then(() => total)
  }

  private note(fetched: Fetched): Fetched {
    this.batch.examined += fetched.examined
    this.passOver()
    return fetched
  }
}

const ignore = (): void => undefined
