import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Cost, Page, PageSource, ReadOptions } from '../contract/reading.js'
import type { TableStore } from '../contract/adapter.js'
import type { QueryStats } from './query-run.js'
import { inTime } from '../contract/cancellation.js'
import { storeError } from '../errors.js'
import { mostNative } from '../query/checkpoint.js'
import { isExpired } from '../table/expiry.js'
import { isPromise } from './answer.js'
import { Breath } from './breath.js'
import { addCost } from './cost.js'

/** How a whole table is read. */
export interface FullRunOptions {
  readonly read: ReadOptions
  /** Epoch milliseconds: what has expired by then is dropped. */
  readonly clock: () => number
  readonly accept?: (row: Row) => boolean
  /** What the store gave earlier. */
  readonly checkpoint: string | undefined
}

/** Rows of a whole table and where they end, in the store's own words. `'time'` = the deadline was over first. */
export type FullBatch = { readonly rows: readonly Row[]; readonly checkpoint: string } | 'time' | undefined

const pageRows = 1024

/** One reading of a whole table, in the order the store likes best. */
export class FullRun {
  private readonly schema: TableSchema
  private readonly source: PageSource
  private readonly options: FullRunOptions
  private readonly breath = new Breath()
  private cost: Cost = { calls: 0 }
  private examined = 0
  private returned = 0
  private reached: string | undefined

  constructor(schema: TableSchema, store: TableStore, options: FullRunOptions) {
    this.schema = schema
    this.options = options
    this.reached = options.checkpoint
    this.source = store.fullScan(options.checkpoint, options.read)
  }

  get stats(): QueryStats {
    return { streams: 1, examined: this.examined, returned: this.returned, ...this.cost }
  }

  /** The next page; undefined at the end. The first error closes the run. @throws RowkeyError `ADAPTER_FAULT` */
  async take(): Promise<FullBatch> {
    const { cancellation } = this.options.read
    try {
      const rest = this.breath.due()
      if (rest !== undefined) await rest
      cancellation?.throwIfOver()
      const next = this.source.next(pageRows)
      const page = isPromise(next) ? await inTime(cancellation, next) : next
      return page === undefined ? undefined : this.takeIn(page)
    } catch (error) {
      if (cancellation?.isLate === true && error === cancellation.reason) return 'time'
      this.close()
      throw error
    }
  }

  close(): void {
    this.source.close()
  }

  private takeIn(page: Page): FullBatch {
    const { schema, options } = this
    if (typeof page.checkpoint !== 'string') throw this.fault('without a checkpoint')
    if (page.checkpoint.length > mostNative) throw this.fault(`with a checkpoint of more than ${mostNative} characters`)
    // A checkpoint that is off by one would give the same rows for ever.
    if (page.examined > 0 && page.checkpoint === this.reached) throw this.fault('with the checkpoint of the page before')
    this.reached = page.checkpoint
    this.examined += page.examined
    this.cost = addCost(this.cost, page.cost ?? { calls: 1 })
    const now = schema.expiryAt < 0 ? 0 : options.clock()
    const rows = page.rows.filter((row) => !isExpired(schema, row, now) && (options.accept === undefined || options.accept(row)))
    this.returned += rows.length
    return { rows, checkpoint: page.checkpoint }
  }

  private fault(what: string): Error {
    const { name } = this.schema
    const message = `the adapter returned a page of a full scan of '${name}' ${what}. This is a fault of the adapter.`
    return storeError('ADAPTER_FAULT', message, { table: name, bucket: 0 })
  }
}
