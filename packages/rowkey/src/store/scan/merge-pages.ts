// Tested by paging.test.ts.
import type { TableSchema } from '#model'
import type { MaybePromise, Page, PageSource, Slice } from '../contract/reading.js'
import { andThen, isPromise } from './maybe-promise.js'
import { addCost, costOf } from './cost.js'
import { MergeSource } from './merge-source.js'
import { RangeSource } from './range-source.js'
import { requestSizes } from './lane.js'
import { Positions, type Position } from './row-source.js'

/**
 * For adapters that keep one bucket in several native partitions: their pages as one source in key order. Every source returns rows of the
 * same slice, in the order of the scan, and no two sources return the same row.
 *
 * Cost: one comparison per row and level of a heap of sources; one page per source in memory. The first request asks each of k sources
 * for ceil(want / k) + 1 rows.
 *
 * @throws RowkeyError `ADAPTER_FAULT`, from `next()`, if a source is out of order or two return the same row
 * @example
 * ```ts
 * scan: (slice, options) => mergePages(schema, slice, shards.map((shard) => pagesOf(shard, slice, options)))
 * ```
 */
export function mergePages(schema: TableSchema, slice: Slice, sources: readonly PageSource[]): PageSource {
  return new PartitionMerge(schema, slice, sources)
}

class PartitionMerge implements PageSource {
  private merge: MergeSource | undefined
  private readonly schema: TableSchema
  private readonly slice: Slice
  private readonly sources: readonly PageSource[]
  /** Rows that are in memory and have not been counted. */
  private uncounted = 0

  constructor(schema: TableSchema, slice: Slice, sources: readonly PageSource[]) {
    this.schema = schema
    this.slice = slice
    this.sources = sources
  }

  next(want: number): MaybePromise<Page | undefined> {
    const { merge = this.start(want) } = this
    this.merge = merge
    if (isAtEnd(merge)) return undefined
    return andThen(this.known(merge, want, merge.position, undefined), (page) => this.counted(merge, page))
  }

  close(): void {
    this.merge?.close()
    for (const source of this.sources) source.close()
  }

  private start(want: number): MergeSource {
    const { schema, slice, sources } = this
    const { bucket, reverse } = slice
    const positions = new Positions(schema, reverse)
    const inputs = sources.map((source) => ({ bucket, source: new RangeSource(schema, slice, source, positions, false) }))
    return new MergeSource(schema, inputs, positions, requestSizes(want, inputs.length, false))
  }

  /** Rows that were read ahead count with the page that returns them: a scan that is resumed reads them again. */
  private counted(merge: MergeSource, page: Page | undefined): Page | undefined {
    if (page === undefined) return undefined
    const examined = this.uncounted + page.examined - merge.held
    this.uncounted = merge.held
    return { ...page, examined }
  }

  /** A page must say how far it examined, and move on. If an empty page of a partition hides that, another round is made. */
  private known(merge: MergeSource, want: number, start: Position | undefined, before: Page | undefined): MaybePromise<Page | undefined> {
    const isKnown = (page: Page | undefined): boolean =>
      page === undefined || merge.position !== start || page.examined === 0 || page.exhausted === true
    for (let sum = before; ;) {
      const answer = merge.next(want)
      if (isPromise(answer)) {
        return answer.then((page) => {
          const whole = toItsEnd(merge, summed(page, sum))
          return isKnown(whole) ? whole : this.known(merge, want, start, whole)
        })
      }
      sum = toItsEnd(merge, summed(answer, sum))
      if (isKnown(sum)) return sum
    }
  }
}

/** Whether every source is exhausted: only the end of the slice is a position without a row. */
const isAtEnd = ({ position }: MergeSource): boolean => position !== undefined && position.row === undefined

const toItsEnd = (merge: MergeSource, page: Page | undefined): Page | undefined =>
  page !== undefined && isAtEnd(merge) ? { ...page, exhausted: true } : page

function summed(page: Page | undefined, before: Page | undefined): Page | undefined {
  if (before === undefined) return page
  if (page === undefined) return { ...before, exhausted: true }
  return { ...page, examined: page.examined + before.examined, cost: addCost(costOf(page), costOf(before)) }
}
