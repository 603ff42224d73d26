import type { Bound, Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Plan } from '../plan/plan.js'
import type { Answer, Cost, Filter, Page, PageSource, ReadOptions } from '../contract/reading.js'
import type { TableStore } from '../contract/adapter.js'
import { inTime, type Cancellation } from '../contract/cancellation.js'
import { compileFilter } from '../predicate/evaluate.js'
import { isExpired } from '../table/expiry.js'
import { isPromise } from './answer.js'
import { Breath } from './breath.js'
import { addCost } from './cost.js'
import { KeyReader } from './key-reader.js'
import { Merge } from './merge.js'
import type { Position } from './position.js'
import { requestSizes } from './request-sizes.js'
import { StreamReader } from './stream-reader.js'

/** What a query did so far. */
export interface QueryStats {
  /** Buckets read at once. */
  readonly streams: number
  /** Requests to the store. */
  readonly calls: number
  /** Rows the store read. */
  readonly examined: number
  /** Rows that were returned. */
  readonly returned: number
  /** Bytes the store sent, where it tells. */
  readonly bytes?: number
  /** The store's own units (capacity), where it tells. */
  readonly units?: number
}

/** Why rows stopped coming: there are no more, enough were given, or a cap was reached. */
export type Stop = 'exhausted' | 'limit' | 'examined' | 'time'

/** Some rows of a run. */
export interface Batch {
  readonly rows: readonly Row[]
  /** Up to where everything has been examined; undefined = nothing yet. */
  readonly position: Bound | undefined
  readonly stop: Stop
}

/** How a plan is run. */
export interface RunOptions {
  readonly reverse: boolean
  /** Rows wanted in all, which sizes the first requests. */
  readonly limit: number | undefined
  readonly read: ReadOptions
  /** Epoch milliseconds: what has expired by then is dropped. */
  readonly clock: () => number
  /** A filter of the caller's, after the residual one. */
  readonly accept?: (row: Row) => boolean
  /** Rows the store may read for the run; what the last round of requests gives may be more. */
  readonly maxExamined?: number
  /** Ask for the next pages while the rows of these are used; only for runs without a limit and without `maxExamined`. */
  readonly prefetch?: boolean
}

/** A source that can be told how many rows a round may read; with 0 it gives what is in memory. */
interface RowSource extends PageSource {
  readonly position: Position | undefined
  next(want: number, mayExamine?: number): Answer<Page | undefined>
}

/** One run of a plan over a store: rows in order, a few at a time. */
export class QueryRun {
  private readonly schema: TableSchema
  private readonly source: RowSource
  /** A GET plan counts keys asked, so it may return fewer rows than its limit. */
  private readonly keys: KeyReader | undefined
  private readonly passes: ((row: Row) => boolean) | undefined
  private readonly streams: number
  private readonly cancellation: Cancellation | undefined
  private readonly clock: () => number
  private readonly maxExamined: number
  private readonly breath = new Breath()
  private cost: Cost = { calls: 0 }
  private examined = 0
  private returned = 0

  constructor(schema: TableSchema, store: TableStore, plan: Plan, options: RunOptions) {
    const { reverse, read, clock, accept } = options
    const residual = plan.kind === 'empty' || plan.residual.length === 0 ? undefined : compileFilter(schema, plan.residual)
    this.schema = schema
    this.passes = both(residual, accept)
    this.streams = plan.kind === 'scan' ? plan.streams.length : plan.kind === 'get' ? 1 : 0
    this.cancellation = read.cancellation
    this.clock = clock
    this.maxExamined = options.maxExamined ?? Infinity
    this.keys = plan.kind === 'get' ? new KeyReader(schema, store, plan.keys, reverse, read) : undefined
    this.source = this.keys ?? this.merge(store, plan, options)
  }

  private merge(store: TableStore, plan: Plan, { reverse, read, limit, prefetch }: RunOptions): Merge {
    const streams = plan.kind === 'scan' ? plan.streams : []
    const filter = plan.kind === 'scan' ? pushable(this.schema, plan.residual) : {}
    const sizes = requestSizes(limit, streams.length, this.passes === undefined && this.schema.expiryAt < 0)
    const readers = streams.map(
      (stream) =>
        new StreamReader(
          this.schema,
          stream,
          reverse,
          (slice) => store.scan({ ...slice, ...filter }, read),
          prefetch === true && limit === undefined && this.maxExamined === Infinity,
        ),
    )
    return new Merge(this.schema, readers, reverse, sizes)
  }

  get stats(): QueryStats {
    return { streams: this.streams, examined: this.examined, returned: this.returned, ...this.cost }
  }

  /**
   * Up to `most` rows that pass all filters, as soon as there are `least`; fewer at the end and at a cap. The first error closes the
   * run.
   */
  async take(most: number, least: number = most): Promise<Batch> {
    const rows: Row[] = []
    try {
      while (rows.length < least) {
        const rest = this.breath.due()
        if (rest !== undefined) await rest
        this.cancellation?.throwIfOver() // a filter that passes little may keep this loop busy for long
        const mayExamine = this.mayExamine()
        const next = this.source.next(most - rows.length, mayExamine)
        const page = isPromise(next) ? await inTime(this.cancellation, next) : next
        if (page === undefined) return this.batch(rows, 'exhausted')
        this.takeIn(page, rows)
        if (this.keys !== undefined) return this.batch(rows, this.keyStop(this.keys))
        if (mayExamine === 0 && page.rows.length === 0) return this.batch(rows, 'examined')
      }
    } catch (error) {
      if (this.cancellation?.isLate === true && error === this.cancellation.reason) return this.batch(rows, 'time')
      this.close()
      throw error
    }
    return this.batch(rows, 'limit')
  }

  /** Closes all sources. What a page that is on its way brings is not heard. */
  close(): void {
    this.source.close()
  }

  private takeIn(page: Page, rows: Row[]): void {
    const { schema, passes } = this
    this.examined += page.examined
    this.cost = addCost(this.cost, page.cost)
    const now = schema.expiryAt < 0 ? 0 : this.clock()
    for (const row of page.rows) {
      if (!isExpired(schema, row, now) && (passes === undefined || passes(row))) rows.push(row)
    }
  }

  /** Rows the next round may read. At least one while nothing is known yet, so that every run gets on. */
  private mayExamine(): number {
    const left = this.maxExamined - this.examined
    return left > 0 ? left : this.source.position === undefined ? 1 : 0
  }

  private keyStop(keys: KeyReader): Stop {
    if (keys.done) return 'exhausted'
    return this.examined >= this.maxExamined ? 'examined' : 'limit'
  }

  private batch(rows: readonly Row[], stop: Stop): Batch {
    this.returned += rows.length
    return { rows, position: this.source.position?.bound, stop }
  }
}

function both(a: ((row: Row) => boolean) | undefined, b: ((row: Row) => boolean) | undefined): ((row: Row) => boolean) | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return (row) => a(row) && b(row)
}

/**
 * The conditions an adapter may check where the rows are. It knows stored values only, not the defaults that old rows are read with, so
 * columns with such a default are left to the core.
 */
function pushable({ columns }: TableSchema, residual: Filter): { readonly filter?: Filter } {
  const filter = residual.filter(({ column }) => {
    const type = columns[column]?.type
    return type?.nullable === true || type?.default?.kind !== 'constant'
  })
  return filter.length === 0 ? {} : { filter }
}
