import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Plan } from '../plan/plan.js'
import type { Cost, Filter, PageSource, ReadOptions } from '../contract/reading.js'
import type { TableStore } from '../contract/adapter.js'
import { compileFilter } from '../predicate/evaluate.js'
import { Breath } from './breath.js'
import { addCost, Merge, requestSizes } from './merge.js'
import { KeyReader } from './key-reader.js'

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
  readonly bytes?: number
  readonly units?: number
}

/** Some rows of a run. */
export interface Batch {
  readonly rows: readonly Row[]
  /** Key up to which everything has been examined; undefined before the first row. */
  readonly last: Row | undefined
  readonly exhausted: boolean
}

/** How a plan is run. */
export interface RunOptions {
  readonly reverse: boolean
  /** Rows wanted in all, which sizes the first requests. */
  readonly limit: number | undefined
  readonly read: ReadOptions
  /** A filter of the caller's, after the residual one. */
  readonly accept?: (row: Row) => boolean
}

/** One run of a plan over a store: rows in order, a few at a time. */
export class QueryRun {
  private readonly source: PageSource
  private readonly passes: ((row: Row) => boolean) | undefined
  private readonly streams: number
  private readonly signal: AbortSignal | undefined
  private readonly breath = new Breath()
  private cost: Cost = { calls: 0 }
  private examined = 0
  private returned = 0
  private last: Row | undefined

  constructor(schema: TableSchema, store: TableStore, plan: Plan, options: RunOptions) {
    const residual = plan.kind === 'empty' || plan.residual.length === 0 ? undefined : compileFilter(schema, plan.residual)
    this.passes = both(residual, options.accept)
    this.streams = plan.kind === 'scan' ? plan.streams.length : plan.kind === 'get' ? 1 : 0
    this.signal = options.read.signal
    this.source = this.open(schema, store, plan, options)
  }

  private open(schema: TableSchema, store: TableStore, plan: Plan, options: RunOptions): PageSource {
    const { reverse, read, limit } = options
    if (plan.kind === 'get') return new KeyReader(schema, store, reverse ? plan.keys.toReversed() : plan.keys, read)
    const streams = plan.kind === 'scan' ? plan.streams : []
    const sizes = requestSizes(limit, streams.length, this.passes === undefined)
    const filter = plan.kind === 'scan' ? pushable(schema, plan.residual) : {}
    return new Merge(schema, streams, reverse, (slice) => store.scan({ ...slice, ...filter }, read), sizes)
  }

  get stats(): QueryStats {
    return { streams: this.streams, examined: this.examined, returned: this.returned, ...this.cost }
  }

  /** Up to `most` rows that pass all filters; fewer only at the end. The first error closes the run. */
  async take(most: number): Promise<Batch> {
    const rows: Row[] = []
    try {
      while (rows.length < most) {
        await this.breath.due()
        this.signal?.throwIfAborted() // a filter that passes little may keep this loop busy for long
        const page = await this.source.next(most - rows.length)
        if (page === undefined) return this.batch(rows, true)
        this.examined += page.examined
        this.cost = addCost(this.cost, page.cost)
        this.last = page.last ?? page.rows.at(-1) ?? this.last
        for (const row of page.rows) if (this.passes === undefined || this.passes(row)) rows.push(row)
        // A GET plan counts keys asked, so it may return fewer rows than its limit.
        if (this.source instanceof KeyReader) break
      }
    } catch (error) {
      this.close()
      throw error
    }
    return this.batch(rows, false)
  }

  close(): void {
    this.source.close()
  }

  private batch(rows: readonly Row[], exhausted: boolean): Batch {
    this.returned += rows.length
    return { rows, last: this.last, exhausted: exhausted || (this.source instanceof KeyReader && this.source.done) }
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
