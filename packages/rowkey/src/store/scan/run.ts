// Tested by scan-interruptions.test.ts.
import type { Row } from '#codec'
import type { TableSchema } from '#model'
import type { Cost, MaybePromise, Page } from '../contract/reading.js'
import { inTime, type Cancellation } from '../contract/cancellation.js'
import { isExpired } from '../table/row.js'
import { EventLoopYield } from './event-loop-yield.js'
import { addCost, costOf } from './cost.js'
import { isPromise } from './maybe-promise.js'
import type { RowSource } from './row-source.js'

/** What a scan did so far. */
export interface QueryStats {
  /** Buckets read together. */
  readonly streams: number
  /** Requests to the store. */
  readonly calls: number
  /** Rows the store read. */
  readonly examined: number
  /** Rows the store sent: those it read, without those that it dropped by a filter itself. */
  readonly sent: number
  /** Rows that were returned. */
  readonly returned: number
  /** Bytes that the store sent, if it reports them. */
  readonly bytes?: number
  /** The store's own units (capacity), if it reports them. */
  readonly units?: number
  /** Of a scan of an index: what became of the entries. Both they and the rows are examined. */
  readonly index?: EntryCounts
}

/** What became of the entries of an index. */
export interface EntryCounts {
  /** Entries that were read. */
  readonly entries: number
  /** Rows that were fetched for them. */
  readonly fetched: number
  /** Entries whose rows have other values by now, or do not exist any more. */
  readonly stale: number
}

/** Why no more rows come: there are none, enough were returned, or a cap was reached. */
export type Stop = 'exhausted' | 'limit' | 'examined' | 'time'

/** Some rows of a run. */
export interface Batch<P> {
  readonly rows: readonly Row[]
  /** The position up to which everything has been examined; undefined = nothing yet. */
  readonly position: P | undefined
  readonly stop: Stop
}

/** How rows are read from a source. */
export interface RunOptions {
  readonly cancellation: Cancellation | undefined
  /** Epoch milliseconds: rows that have expired by then are dropped. */
  readonly clock: () => number
  /** Rows that do not pass are dropped. */
  readonly accept: ((row: Row) => boolean) | undefined
  /** Rows the store may read for the run; the last round of requests may go beyond it. Default: any number. */
  readonly maxExamined: number | undefined
  /** Buckets read together, for the stats. */
  readonly streams: number
  /** Each `take()` reads one page, even if it has fewer rows than are wanted, because the limit of a list of keys counts keys. */
  readonly takesOnePage: boolean
  readonly entryCounts?: (() => EntryCounts | undefined) | undefined
}

/**
 * One run of a scan: its rows in order, a few at a time, without those that have expired or that a filter drops. The source is opened when
 * the first rows are asked for.
 */
export class Run<P> {
  private readonly schema: TableSchema
  private readonly open: () => MaybePromise<RowSource<P>>
  private readonly options: RunOptions
  private readonly maxExamined: number
  private readonly eventLoop = new EventLoopYield()
  private source: RowSource<P> | undefined
  /** Of the source when its last page was kept: a page that comes too late must not move it. */
  private position: P | undefined
  private closed = false
  private cost: Cost & Pick<QueryStats, 'sent'> = { calls: 0, sent: 0 }
  private examined = 0
  private returned = 0

  constructor(schema: TableSchema, open: () => MaybePromise<RowSource<P>>, options: RunOptions) {
    this.schema = schema
    this.open = open
    this.options = options
    this.maxExamined = options.maxExamined ?? Infinity
  }

  get stats(): QueryStats {
    const stats = { streams: this.options.streams, examined: this.examined, returned: this.returned, ...this.cost }
    const index = this.options.entryCounts?.()
    return index === undefined ? stats : { ...stats, index }
  }

  /**
   * Up to `max` rows that pass all filters, as soon as there are `least`, but at least one page of the source; fewer at the end and at a
   * cap. A deadline that passes ends it with what there is, even while the source is being opened. The first error closes the run.
   */
  async take(max: number, least: number = max): Promise<Batch<P>> {
    const { cancellation } = this.options
    const rows: Row[] = []
    try {
      do {
        const pause = this.eventLoop.due()
        if (pause !== undefined) await pause
        cancellation?.throwIfOver() // a filter that passes few rows may keep this loop running for long
        const opening = this.source ?? this.open()
        const source = isPromise(opening) ? await inTime(cancellation, opening) : opening
        if (this.source === undefined) this.opened(source)
        if (this.closed) return this.batch(rows, 'exhausted') // a source is not asked after its close
        const mayExamine = this.mayExamine()
        const next = source.next(max - rows.length, mayExamine)
        const page = isPromise(next) ? await inTime(cancellation, next) : next
        if (page === undefined) return this.batch(rows, 'exhausted')
        this.keep(page, rows)
        this.position = source.position
        if (this.options.takesOnePage) return this.batch(rows, this.pageStop(source))
        if (mayExamine === 0 && page.rows.length === 0) return this.batch(rows, 'examined')
      } while (rows.length < least)
    } catch (error) {
      if (cancellation?.isLate === true && error === cancellation.reason) return this.batch(rows, 'time')
      this.close()
      throw error
    }
    return this.batch(rows, 'limit')
  }

  /** Closes the source. A page that is under way is discarded. */
  close(): void {
    this.closed = true
    this.source?.close()
  }

  private opened(source: RowSource<P>): void {
    if (this.closed) source.close()
    this.position = source.position
    this.source = source
  }

  private keep(page: Page, rows: Row[]): void {
    const { schema } = this
    const { accept, clock } = this.options
    this.examined += page.examined
    this.cost = addCost(this.cost, costOf(page))
    if (schema.expiryIndex < 0 && accept === undefined) {
      for (const row of page.rows) rows.push(row)
      return
    }
    const now = schema.expiryIndex < 0 ? 0 : clock()
    for (const row of page.rows) {
      if (!isExpired(schema, row, now) && (accept === undefined || accept(row))) rows.push(row)
    }
  }

  /** Rows the next round may read. At least one while nothing has been examined, so that every run makes progress. */
  private mayExamine(): number {
    const left = this.maxExamined - this.examined
    return left > 0 ? left : this.position === undefined ? 1 : 0
  }

  private pageStop(source: RowSource<P>): Stop {
    if (source.ended) return 'exhausted'
    return this.examined >= this.maxExamined ? 'examined' : 'limit'
  }

  private batch(rows: readonly Row[], stop: Stop): Batch<P> {
    this.returned += rows.length
    return { rows, position: this.position, stop }
  }
}
