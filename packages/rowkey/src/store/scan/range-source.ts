// Tested by scan-faults.test.ts.
import { isRowkeyError, type Row } from '#codec'
import type { TableSchema } from '#model'
import type { MaybePromise, Page, PageSource, Slice } from '../contract/reading.js'
import { show } from '#codec/internal'
import { storeError } from '../errors.js'
import { isPromise } from './maybe-promise.js'
import { pageFlaw } from './page-shape.js'
import { Progress } from './progress.js'
import type { Position, Positions, RowSource } from './row-source.js'

/** The pages of one slice, each checked before it is used; with `ahead`, the next one is already requested. */
export class RangeSource implements RowSource {
  private readonly slice: Slice
  private readonly source: PageSource
  private readonly check: SliceCheck
  private readonly positions: Positions
  private readonly ahead: boolean
  private prefetched: Promise<Page | undefined> | undefined
  /** Key of the last examined row. */
  private last: Row | undefined
  private hasPage = false
  /** Whether the last page was examined to the end of the slice. */
  private isExhausted = false
  /** Whether `next()` has been called. */
  asked = false
  ended = false

  constructor(schema: TableSchema, slice: Slice, source: PageSource, positions: Positions, ahead: boolean) {
    this.slice = slice
    this.source = source
    this.check = new SliceCheck(schema, slice)
    this.positions = positions
    this.ahead = ahead
  }

  get position(): Position | undefined {
    const end = this.ended || this.isExhausted ? this.positions.endOf(this.slice) : undefined
    return end ?? (this.last === undefined ? undefined : this.positions.after(this.last))
  }

  /** Requests the next page and checks it. @throws RowkeyError `ADAPTER_FAULT` */
  next(want: number): MaybePromise<Page | undefined> {
    this.asked = true
    const answer = this.prefetched ?? this.source.next(want)
    this.prefetched = undefined
    if (!isPromise(answer)) return this.checked(answer)
    return answer.then((page) => {
      const checked = this.checked(page)
      if (this.ahead && !this.ended) this.prefetch(want)
      return checked
    })
  }

  close(): void {
    this.source.close()
    this.ended = true
  }

  private checked(page: Page | undefined): Page | undefined {
    if (this.ended) return undefined // closed while the page was under way
    if (page === undefined) {
      this.close()
      return this.hasPage ? undefined : emptyRange
    }
    this.check.check(page)
    this.hasPage = true
    this.last = page.last ?? page.rows.at(-1) ?? this.last
    this.isExhausted = page.exhausted === true
    return page
  }

  private prefetch(want: number): void {
    try {
      const answer = this.source.next(want)
      this.prefetched = isPromise(answer) ? answer : Promise.resolve(answer)
    } catch (error) {
      this.prefetched = Promise.reject(error)
    }
    this.prefetched.catch(ignore) // the caller that takes it handles the error
  }
}

/** Finding nothing took a request. */
const emptyRange: Page = Object.freeze({ rows: [], examined: 0, cost: Object.freeze({ calls: 1 }) })

const ignore = (): void => undefined

/**
 * Checks what an adapter returns for one slice: pages of rows, strictly in scan order, within and across pages, inside the slice, and that
 * the pages move on. So conditions that the slice expresses need not be checked again, and every scan ends.
 */
class SliceCheck {
  private previous: Row | undefined
  private isExhausted = false
  /** From a page that brings nothing to one that does: most ranges have none. */
  private progress: Progress | undefined
  private readonly schema: TableSchema
  private readonly slice: Slice

  constructor(schema: TableSchema, slice: Slice) {
    this.schema = schema
    this.slice = slice
  }

  /** @throws RowkeyError `ADAPTER_FAULT` */
  check(page: Page): void {
    const flaw = pageFlaw(page, this.schema.columns.length)
    if (flaw !== undefined) throw this.fault(flaw, undefined)
    if (this.isExhausted && page.examined + page.rows.length > 0) throw this.fault('rows after a page that is exhausted', undefined)
    this.isExhausted = page.exhausted === true
    let hasMoved: boolean
    try {
      hasMoved = this.moves(page)
    } catch (cause) {
      if (isRowkeyError(cause)) throw cause
      throw rowFault(this.schema, this.slice.bucket, 'a key that contains no values of its columns', undefined, { cause })
    }
    if (hasMoved) this.progress = undefined
    else if ((this.progress ??= new Progress()).isStuck(false))
      throw this.fault('one page after the other without rows that does not move on', undefined)
  }

  /** Whether a page brings the scan further. @throws RowkeyError `ADAPTER_FAULT`; errors of values that are none of their columns */
  private moves(page: Page): boolean {
    const { compareRows } = this.schema.layout
    const { reverse } = this.slice
    let { previous } = this
    let isBeyond = false
    for (const row of page.rows) {
      if (previous !== undefined) {
        const order = compareRows(previous, row)
        if (reverse ? !(order > 0) : !(order < 0)) throw this.fault('rows out of order', row)
      }
      previous = row
    }
    const { last } = page
    const [first = last] = page.rows
    if (first !== undefined) this.inside(first, last ?? (previous as Row))
    if (page.rows.length > 1) this.inBucket(previous as Row)
    if (last !== undefined) {
      this.inBucket(last)
      const order = previous === undefined ? 0 : compareRows(previous, last)
      if (reverse ? !(order >= 0) : !(order <= 0)) throw this.fault('a last examined key before its last row', last)
      isBeyond = previous === undefined || order !== 0
      previous = last
    } else if (page.examined > 0 && page.rows.length === 0 && page.exhausted !== true) {
      throw this.fault('a page that examined rows but names neither a row nor its last key', undefined)
    }
    this.previous = previous
    const hasMoved = page.rows.length > 0 || isBeyond
    if (!hasMoved && page.examined > 0 && page.exhausted !== true) throw this.fault('a page that examined rows but does not move on', last)
    return hasMoved
  }

  /** Rows come in order. So all are inside if the first one does not lie before the slice, nor the last one after it. */
  private inside(first: Row, last: Row): void {
    const { compareBounds } = this.schema.layout
    const { from, to, reverse } = this.slice
    const [lowest, highest] = reverse ? [last, first] : [first, last]
    if (compareBounds({ prefix: lowest, edge: 'before' }, from) < 0) throw this.fault('a row outside the slice', lowest)
    if (compareBounds({ prefix: highest, edge: 'after' }, to) > 0) throw this.fault('a row outside the slice', highest)
    this.inBucket(first)
  }

  /** Costs a hash. So only the first and the last row of a page are asked for their bucket, and the last examined key. */
  private inBucket(row: Row): void {
    if (this.schema.layout.bucketOf(row) !== this.slice.bucket) throw this.fault('a row of another bucket', row)
  }

  private fault(what: string, row: Row | undefined): Error {
    return rowFault(this.schema, this.slice.bucket, what, row)
  }
}

/** The error for a row, or a page, that an adapter must not return. */
export function rowFault(
  { name, keyLength }: TableSchema,
  bucket: number,
  what: string,
  row: Row | undefined,
  options?: ErrorOptions,
): Error {
  const key = row === undefined ? '' : ` at key (${row.slice(0, keyLength).map(show).join(', ')})`
  return storeError(
    'ADAPTER_FAULT',
    `the adapter returned ${what}${key} from table '${name}', bucket ${bucket}. The page is refused; this is a fault of the adapter or of the stored data.`,
    { table: name, bucket },
    options,
  )
}
