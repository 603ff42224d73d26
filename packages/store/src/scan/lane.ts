import type { Row } from '@rowkey/codec'
import type { MaybePromise, Page } from '../contract/reading.js'
import { fetchedBy, nothing, type Fetched } from './cost.js'
import { andThen } from './maybe-promise.js'
import { nextSize, type RequestSizes } from './request-sizes.js'
import type { Position, Positions, RowSource } from './row-source.js'

/** The rows of one bucket, or of one range that is merged. */
export interface Input {
  readonly bucket: number
  readonly source: RowSource
}

/**
 * A stream of a scan with its page in memory, which is asked for as many rows as the scan needs of it. A scan of one stream reads from its
 * lane, a scan of several merges their lanes.
 */
export class Lane implements RowSource {
  readonly bucket: number
  readonly source: RowSource
  private readonly positions: Positions
  private readonly sizes: RequestSizes
  private size: number
  /** The last page, and the next row of it. */
  private page: Page | undefined
  private rows: readonly Row[] = []
  private at = 0

  constructor({ bucket, source }: Input, positions: Positions, sizes: RequestSizes) {
    this.bucket = bucket
    this.source = source
    this.positions = positions
    this.sizes = sizes
    this.size = sizes.first
  }

  /** Whether no row is in memory. */
  get isEmpty(): boolean {
    return this.at >= this.rows.length
  }

  /** The next row in memory. */
  get head(): Row {
    return this.rows[this.at] as Row
  }

  get ended(): boolean {
    return this.isEmpty && this.source.ended
  }

  get position(): Position | undefined {
    return this.isEmpty ? this.source.position : this.positions.after(this.rows[this.at - 1] as Row)
  }

  /** @throws RowkeyError `ADAPTER_FAULT` */
  next(want: number, mayExamine?: number): MaybePromise<Page | undefined> {
    if (this.ended) return undefined
    if (!this.isEmpty || mayExamine === 0) return { rows: this.take(want), ...nothing }
    return andThen(this.fetch(want, mayExamine ?? Infinity), (fetched) => ({ rows: this.take(want), ...fetched }))
  }

  close(): void {
    this.source.close()
  }

  /** Requests the next page. @param want rows that the scan still wants */
  fetch(want: number, mayExamine: number): MaybePromise<Fetched> {
    const { sizes, page } = this
    if (page !== undefined) this.size = nextSize(this.size, page, sizes)
    const max = Math.max(1, Math.ceil(Math.min(sizes.exact ? want : Infinity, mayExamine)))
    return andThen(this.source.next(Math.min(this.size, max)), (next) => {
      this.page = next
      if (next !== undefined) {
        this.rows = next.rows
        this.at = 0
      }
      return fetchedBy(next)
    })
  }

  /** Up to `want` of the rows in memory. */
  take(want: number): readonly Row[] {
    const { rows, at } = this
    this.at = Math.min(at + want, rows.length)
    return at === 0 && this.isEmpty ? rows : rows.slice(at, this.at)
  }

  /** The next row in memory has been used. */
  advance(): void {
    this.at++
  }
}
