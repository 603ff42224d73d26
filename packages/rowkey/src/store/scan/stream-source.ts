// Tested by scan-interruptions.test.ts and asynchronous.test.ts.
import type { TableSchema } from '#model'
import type { Conditions, MaybePromise, Page, PageSource, Slice } from '../contract/reading.js'
import type { KeyRange, Stream } from '../plan/plan.js'
import { addFetched, fetchedBy, nothing, type Fetched } from './cost.js'
import { andThen, isPromise } from './maybe-promise.js'
import type { Positions } from './row-source.js'
import type { Position, RowSource } from './row-source.js'
import { RangeSource } from './range-source.js'

/** How many ranges may be open together if they contain few rows. */
const maxOpen = 16

/** Ranges that were opened together: how many, and how many rows were wanted and examined in them. */
export interface Batch {
  readonly width: number
  readonly want: number
  examined: number
}

/** Before the first batch. */
export const noBatch = (): Batch => ({ width: 0, want: 0, examined: 0 })

/**
 * How many to open together: one, or twice as many as before if the store is asynchronous and the previous ones contained fewer rows than were
 * wanted; no more than rows are wanted, or however many if they contained none, as the days before a device sent anything.
 */
export function widthAfter({ width, want: wanted, examined }: Batch, isAsync: boolean, want: number): number {
  return isAsync && examined < wanted ? Math.min(width * 2, maxOpen, examined === 0 ? maxOpen : want) : 1
}

/** How the slices of a scan are opened. */
export interface SliceOpener {
  /** Of the scan. */
  readonly positions: Positions
  /** Conditions that the store may check. */
  readonly filter: Conditions | undefined
  open(slice: Slice): PageSource
  /** Requests the next page while the rows of this one are used. */
  readonly ahead: boolean
}

/** The rows of one bucket. */
export function streamSource(schema: TableSchema, stream: Stream, opener: SliceOpener): RowSource {
  const [range, ...others] = stream.ranges
  return range !== undefined && others.length === 0 ? rangeOf(schema, stream, range, opener) : new StreamSource(schema, stream, opener)
}

function rangeOf(schema: TableSchema, { bucket }: Stream, { from, to }: KeyRange, opener: SliceOpener): RangeSource {
  const { positions, filter, ahead } = opener
  const slice: Slice = { bucket, from, to, reverse: positions.reverse, filter }
  return new RangeSource(schema, slice, opener.open(slice), positions, ahead)
}

/** An open range, and its page if that came together with others and has not been returned yet. */
interface OpenRange {
  readonly source: RangeSource
  page: Page | undefined
}

/** The ranges of one bucket, one after the other. */
class StreamSource implements RowSource {
  private readonly schema: TableSchema
  private readonly stream: Stream
  private readonly opener: SliceOpener
  private readonly ranges: readonly KeyRange[]
  /** In scan order; the first one is being read. */
  private open: OpenRange[] = []
  private nextRange = 0
  private batch = noBatch()
  private isAsync = false
  /** Of the last range that is done. */
  private passed: Position | undefined

  constructor(schema: TableSchema, stream: Stream, opener: SliceOpener) {
    this.schema = schema
    this.stream = stream
    this.opener = opener
    this.ranges = opener.positions.reverse ? stream.ranges.toReversed() : stream.ranges
  }

  get ended(): boolean {
    return this.open.length === 0 && this.nextRange >= this.ranges.length
  }

  get position(): Position | undefined {
    return this.open[0]?.source.position ?? this.passed
  }

  /**
   * Requests pages until there is one with rows, the end is reached, or the store answers asynchronously.
   * @throws RowkeyError `ADAPTER_FAULT`
   */
  next(want: number): MaybePromise<Page | undefined> {
    let fetched = nothing
    while (this.open[0]?.page === undefined && this.openNext(want)) {
      const answer = this.fetch(want)
      if (isPromise(answer)) {
        this.isAsync = true
        return answer.then((last) => this.pageOf(addFetched(fetched, this.passOver(last))))
      }
      fetched = addFetched(fetched, this.passOver(answer))
    }
    return this.pageOf(fetched)
  }

  close(): void {
    for (const { source } of this.open) source.close()
    this.open = []
    this.nextRange = this.ranges.length
  }

  /** Opens the next ranges if none is open; false at the end. */
  private openNext(want: number): boolean {
    if (this.open.length === 0 && !this.ended) this.openBatch(want)
    return this.open.length > 0
  }

  private openBatch(want: number): void {
    const width = widthAfter(this.batch, this.isAsync, want)
    const next = this.ranges.slice(this.nextRange, this.nextRange + width)
    this.open = next.map((range) => ({ source: rangeOf(this.schema, this.stream, range, this.opener), page: undefined }))
    this.nextRange += next.length
    this.batch = { width, want, examined: 0 }
  }

  /** The next page of the first range; of ranges that were just opened together, the first page of each. */
  private fetch(want: number): MaybePromise<Fetched> {
    const [first] = this.open as [OpenRange]
    if (first.source.asked || this.open.length === 1) return fetchPage(first, want)
    const share = Math.ceil(want / this.open.length)
    let total = nothing
    const pending = this.open.map((range) => {
      const done = Promise.resolve(fetchPage(range, share)).then((fetched) => void (total = addFetched(total, fetched)))
      done.catch(ignore) // another one may throw before this one is awaited
      return done
    })
    return Promise.all(pending).then(() => total)
  }

  /** Removes the ranges that are done. */
  private passOver(fetched: Fetched): Fetched {
    this.batch.examined += fetched.examined
    while (this.open[0]?.source.ended === true) this.passed = (this.open.shift() as OpenRange).source.position ?? this.passed
    return fetched
  }

  /** The next page, with the cost of finding it; without rows if a range has ended and others follow. */
  private pageOf(fetched: Fetched): Page | undefined {
    const [first] = this.open
    const page = first?.page
    if (first !== undefined) first.page = undefined
    return page === undefined && fetched === nothing && this.ended ? undefined : { rows: page?.rows ?? [], ...fetched }
  }
}

function fetchPage(range: OpenRange, want: number): MaybePromise<Fetched> {
  const keep = (page: Page | undefined): Fetched => {
    range.page = range.source.ended ? undefined : page
    return fetchedBy(page)
  }
  return andThen(range.source.next(want), keep)
}

const ignore = (): void => undefined
