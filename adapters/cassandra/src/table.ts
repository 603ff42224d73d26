import type { ChangeOptions, PageSource, ReadOptions, Row, Slice, TableStore } from '@rowkey/store/adapter'
import type { TableContext } from './context.js'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { purgeExpired } from './purge.js'
import { scanSlice } from './scan.js'
import { splits } from './splits.js'

/** The reads of one table as one schema sees it. */
export class CassandraTable implements TableStore {
  private readonly context: TableContext

  constructor(context: TableContext) {
    this.context = context
  }

  async get(keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
    this.context.calls.mustBeOpen()
    return getRows(this.context, this.context.reader(options.columns), keys, options)
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    return scanSlice(this.context, this.context.reader(options.columns), slice, options)
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    return new FullScan(this.context, this.context.reader(options.columns), checkpoint, options)
  }

  async splits(count: number): Promise<readonly string[]> {
    this.context.calls.mustBeOpen()
    return splits(this.context, count)
  }

  purgeExpired(now: number, limit: number, { cancellation }: ChangeOptions = {}): Promise<number> {
    const { schema, calls } = this.context
    return schema.expiryIndex < 0 ? Promise.resolve(0) : calls.run(() => purgeExpired(this.context, now, limit, cancellation))
  }
}
