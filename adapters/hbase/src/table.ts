import type { ChangeOptions, PageSource, ReadOptions, Row, Slice, TableStore } from '@rowkey/store/adapter'
import type { TableContext } from './context.js'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { Purge } from './purge.js'
import { scanSlice } from './scan.js'
import { splits } from './splits.js'

/** The reads of one table as one schema sees it. */
export class HBaseTable implements TableStore {
  private readonly context: TableContext
  private readonly purge: Purge

  constructor(context: TableContext) {
    this.context = context
    this.purge = new Purge(context)
  }

  async get(keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
    const { context } = this
    context.calls.mustBeOpen()
    return getRows(context, context.format.reader(options.columns), keys, options)
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    const { context } = this
    return scanSlice(context, context.format.reader(options.columns), slice, options)
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    return new FullScan(this.context, this.context.format.reader(options.columns), checkpoint, options)
  }

  async splits(count: number, options: ReadOptions): Promise<readonly string[]> {
    this.context.calls.mustBeOpen()
    return splits(this.context, count, options)
  }

  purgeExpired(now: number, limit: number, { cancellation }: ChangeOptions = {}): Promise<number> {
    const { schema, calls } = this.context
    return calls.run(async () => (schema.expiryIndex < 0 ? 0 : this.purge.run(now, limit, cancellation)))
  }
}
