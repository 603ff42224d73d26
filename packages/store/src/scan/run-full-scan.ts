import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { MaybePromise, Page, PageSource, ReadOptions } from '../contract/reading.js'
import type { TableStore } from '../contract/adapter.js'
import { storeError } from '../errors.js'
import { maxNative } from '../query/checkpoint.js'
import { andThen } from './maybe-promise.js'
import type { RowSource } from './row-source.js'
import { Run } from './run.js'

/** How a whole table is read. */
export interface FullScanRunOptions {
  readonly read: ReadOptions
  /** Epoch milliseconds: rows that have expired by then are dropped. */
  readonly clock: () => number
  readonly accept?: (row: Row) => boolean
  /** A checkpoint that the store returned earlier; undefined = from the start. */
  readonly checkpoint: string | undefined
}

/** Rows to request at a time. */
export const fullScanPage = 1024

/**
 * Runs over a whole table, in the order that suits the store best. The position of the run is a checkpoint in the store's own terms.
 * Nothing is read before rows are taken.
 *
 * @param open the reads of the table
 */
export function runFullScan(schema: TableSchema, open: () => MaybePromise<TableStore>, options: FullScanRunOptions): Run<string> {
  const { checkpoint, read, clock, accept } = options
  const source = (store: TableStore): RowSource<string> => new FullScanSource(schema, store.fullScan(checkpoint, read), checkpoint)
  const { cancellation } = read
  return new Run(schema, () => andThen(open(), source), {
    cancellation,
    clock,
    accept,
    maxExamined: undefined,
    streams: 1,
    takesOnePage: false,
  })
}

/** The pages of a full scan, with checked checkpoints. */
class FullScanSource implements RowSource<string> {
  private readonly schema: TableSchema
  private readonly source: PageSource
  position: string | undefined
  ended = false

  constructor(schema: TableSchema, source: PageSource, checkpoint: string | undefined) {
    this.schema = schema
    this.source = source
    this.position = checkpoint
  }

  /** @throws RowkeyError `ADAPTER_FAULT` */
  next(want: number): MaybePromise<Page | undefined> {
    return andThen(this.source.next(Math.min(want, fullScanPage)), (page) => this.checked(page))
  }

  close(): void {
    this.source.close()
    this.ended = true
  }

  private checked(page: Page | undefined): Page | undefined {
    if (page === undefined) {
      this.ended = true
      return undefined
    }
    if (typeof page.checkpoint !== 'string') throw this.fault('without a checkpoint')
    if (page.checkpoint.length > maxNative) throw this.fault(`with a checkpoint of more than ${maxNative} characters`)
    // A checkpoint that does not move would return the same rows forever.
    if (page.examined > 0 && page.checkpoint === this.position) throw this.fault('with the checkpoint of the page before')
    this.position = page.checkpoint
    return page
  }

  private fault(what: string): Error {
    const { name } = this.schema
    const message = `the adapter returned a page of a full scan of '${name}' ${what}. This is a fault of the adapter.`
    return storeError('ADAPTER_FAULT', message, { table: name, bucket: 0 })
  }
}
