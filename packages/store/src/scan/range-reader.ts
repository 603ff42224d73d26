import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Answer, Page, PageSource, Slice } from '../contract/reading.js'
import { isPromise } from './answer.js'
import { nothing, type Fetched } from './cost.js'
import { SliceCheck } from './slice-reader.js'

/** One slice being read: its checked rows, one page in memory and, with `ahead`, one on its way. */
export class RangeReader {
  private rows: readonly Row[] = []
  private at = 0
  private coming: Promise<Page | undefined> | undefined
  readonly slice: Slice
  private readonly source: PageSource
  private readonly check: SliceCheck
  private readonly ahead: boolean
  /** Key of the last examined row. */
  last: Row | undefined
  /** The last page with rows, which tells how heavy they are. */
  page: Page | undefined
  ended = false
  /** Whether the store answers later: only then there is anything to gain from asking early. */
  late = false

  constructor(schema: TableSchema, slice: Slice, source: PageSource, ahead: boolean) {
    this.slice = slice
    this.check = new SliceCheck(schema, slice)
    this.source = source
    this.ahead = ahead
  }

  /** The next row, undefined where the page is used up. */
  get head(): Row | undefined {
    return this.rows[this.at]
  }

  /** Whether `fetch()` was called before. */
  get asked(): boolean {
    return this.ended || this.late || this.page !== undefined
  }

  advance(): void {
    this.at++
  }

  /** Takes up to `most` rows. */
  takeUpTo(most: number): readonly Row[] {
    const from = this.at
    this.at = Math.min(from + most, this.rows.length)
    return from === 0 && this.at === this.rows.length ? this.rows : this.rows.slice(from, this.at)
  }

  /** Asks for the next page and checks it. @throws RowkeyError `ADAPTER_FAULT` */
  fetch(want: number): Answer<Fetched> {
    const answer = this.coming ?? this.source.next(want)
    this.coming = undefined
    if (!isPromise(answer)) return this.accept(answer)
    this.late = true
    return answer.then((page) => {
      const fetched = this.accept(page)
      if (this.ahead && page !== undefined) this.askAhead(want)
      return fetched
    })
  }

  close(): void {
    this.source.close()
    this.ended = true
    this.rows = []
  }

  /** The error for what an adapter must not return. */
  fault(what: string, row: Row): Error {
    return this.check.fault(what, row)
  }

  private accept(page: Page | undefined): Fetched {
    if (this.ended) return nothing // closed meanwhile
    if (page === undefined) {
      const wasAsked = this.page !== undefined
      this.close()
      return wasAsked ? nothing : emptyRange
    }
    this.check.check(page)
    this.rows = page.rows
    this.at = 0
    this.last = page.last ?? page.rows.at(-1) ?? this.last
    this.page = page
    return { examined: page.examined, cost: page.cost ?? { calls: 1 } }
  }

  private askAhead(want: number): void {
    if (this.ended) return
    try {
      const answer = this.source.next(want)
      this.coming = isPromise(answer) ? answer : Promise.resolve(answer)
    } catch (error) {
      this.coming = Promise.reject(error)
    }
    this.coming.catch(ignore) // whoever takes it hears of it
  }
}

/** It took a request to find nothing. */
const emptyRange: Fetched = Object.freeze({ examined: 0, cost: Object.freeze({ calls: 1 }) })

const ignore = (): void => undefined
