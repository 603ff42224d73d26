// Also tested by request-sizes.test.ts.
import type { Row } from '#codec'
import type { MaybePromise, Page } from '../contract/reading.js'
import { rowWeight } from '../table/row.js'
import { costOf, nothing } from './cost.js'
import { andThen } from './maybe-promise.js'
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
  /** The last page, and the place of the next row in it. */
  private page: Page | undefined
  private rows: readonly Row[] = []
  private at = 0
  /** The next row in memory; undefined if there is none. */
  head: Row | undefined

  constructor({ bucket, source }: Input, positions: Positions, sizes: RequestSizes) {
    this.bucket = bucket
    this.source = source
    this.positions = positions
    this.sizes = sizes
    this.size = sizes.first
  }

  get ended(): boolean {
    return this.head === undefined && this.source.ended
  }

  get position(): Position | undefined {
    return this.head === undefined ? this.source.position : this.positions.after(this.rows[this.at - 1] as Row)
  }

  /** How many rows are in memory. */
  get held(): number {
    return this.head === undefined ? 0 : this.rows.length - this.at
  }

  /** @throws RowkeyError `ADAPTER_FAULT` */
  next(want: number, mayExamine?: number): MaybePromise<Page | undefined> {
    if (this.head !== undefined || mayExamine === 0) return this.ended ? undefined : { rows: this.take(want), ...nothing }
    if (this.source.ended) return undefined
    return andThen(this.request(want, mayExamine ?? Infinity), (page) => {
      this.keep(page)
      return page && { rows: this.take(want), examined: page.examined, cost: costOf(page) }
    })
  }

  close(): void {
    this.source.close()
  }

  /** Requests the next page, for {@link keep}. @param want rows that the scan still wants */
  request(want: number, mayExamine: number): MaybePromise<Page | undefined> {
    const { sizes, page } = this
    if (page !== undefined) this.size = nextSize(this.size, page, sizes)
    const max = Math.max(1, Math.ceil(Math.min(sizes.exact ? want : Infinity, mayExamine)))
    return this.source.next(Math.min(this.size, max))
  }

  /** Takes the page that was requested into memory. */
  keep(page: Page | undefined): void {
    this.page = page
    if (page === undefined) return
    this.rows = page.rows
    this.at = 0
    this.head = page.rows[0]
  }

  /** Up to `want` of the rows in memory. */
  take(want: number): readonly Row[] {
    const { rows, at } = this
    this.at = Math.min(at + want, rows.length)
    this.head = rows[this.at]
    return at === 0 && this.head === undefined ? rows : rows.slice(at, this.at)
  }

  /** The next row in memory has been used. */
  advance(): void {
    this.head = this.rows[++this.at]
  }
}

/** How a scan sizes its requests, in rows per stream. */
export interface RequestSizes {
  readonly first: number
  readonly max: number
  /** How many streams are asked. */
  readonly streams: number
  /** Every row counts towards the limit (nothing is filtered), so no request needs more than what is still wanted. */
  readonly exact: boolean
}

const unlimited = { first: 64, max: 1024 }

/** ceil(limit / k) + 1 first, but never more than the limit; without one 64 / k + 1; then doubling, to 1,024 per stream. */
export function requestSizes(limit: number | undefined, streams: number, exact: boolean): RequestSizes {
  const first = Math.min(Math.ceil((limit ?? unlimited.first) / streams) + 1, limit ?? Infinity, unlimited.max)
  return { first, max: unlimited.max, streams, exact: exact && limit !== undefined }
}

/** The maximum size in bytes of all pages of one scan together, estimated from the rows seen so far. */
const heldBytes = 32 * 2 ** 20

/** The rows to ask a stream for after a page: twice as many, as long as they are not too heavy. */
export function nextSize(size: number, page: Page, { max, streams }: RequestSizes): number {
  const doubled = Math.min(size * 2, max)
  const bytes = bytesPerRow(page)
  return bytes === 0 ? doubled : Math.max(1, Math.min(doubled, Math.floor(heldBytes / streams / bytes)))
}

/** By what the store reports; otherwise by the first, the middle and the last row. */
function bytesPerRow({ rows, examined, cost }: Page): number {
  if (cost?.bytes !== undefined) return examined === 0 ? 0 : cost.bytes / examined
  if (rows.length === 0) return 0
  const sample = [0, rows.length >> 1, rows.length - 1].map((at) => rowWeight(rows[at] as Row))
  return Math.max(...sample)
}
