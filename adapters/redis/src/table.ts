// Tested by catalogs.test.ts.
import type { ChangeOptions, PageSource, ReadOptions, Row, Slice, TableStore } from '@rowkey/store/adapter'
import type { TableContext } from './context.js'
import { rethrow } from './errors.js'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { Purge } from './purge.js'
import { scanSlice, sendingOf } from './scan.js'
import { splits } from './splits.js'

/** The reads of one table as one schema sees it. */
export class RedisTable implements TableStore {
  private readonly context: TableContext
  private readonly purge: Purge

  constructor(context: TableContext) {
    this.context = context
    this.purge = new Purge(context)
  }

  get(keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
    const { context } = this
    context.calls.mustBeOpen()
    return getRows(context, keys, context.rows.readerOf(options))
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    const { context } = this
    return scanSlice(context, slice, context.rows.readerOf(options), sendingOf(context, options, slice.filter))
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    const { context } = this
    return new FullScan(context, checkpoint, context.rows.readerOf(options), sendingOf(context, options))
  }

  splits(count: number): Promise<readonly string[]> {
    this.context.calls.mustBeOpen()
    return splits(this.context.schema.name, this.context.shards, count)
  }

  purgeExpired(now: number, limit: number, { cancellation }: ChangeOptions = {}): Promise<number> {
    const { schema, calls } = this.context
    if (schema.expiryIndex < 0) return Promise.resolve(0)
    return calls.run(() => this.purge.run(now, limit, cancellation).catch((error: unknown) => rethrow(schema.name, error)))
  }
}
