// Tested by tables.test.ts.
import type { ChangeOptions, PageSource, ReadOptions, Row, Slice, TableStore } from '@rowkey/store/adapter'
import type { TableContext } from './context.js'
import { boundKey } from './keys.js'
import { Purge } from './purge.js'
import { RangeScan } from './scan.js'
import { checkpointOf, placeOf, splits } from './splits.js'

/** The reads of one table as one schema sees it. They are synchronous, so no cancellation is checked. */
export class LmdbTable implements TableStore {
  private readonly context: TableContext
  private readonly purge: Purge

  constructor(context: TableContext) {
    this.context = context
    this.purge = new Purge(context)
  }

  get(keys: readonly Row[], options: ReadOptions): readonly (Row | undefined)[] {
    const { context } = this
    const { rows, schema } = context
    const reader = rows.readerOf(options)
    const environment = context.startRead()
    return keys.map((key) => {
      const bytes = context.nativeKey(schema.layout.rowkey(key))
      const record = bytes === undefined ? undefined : environment.reading(() => environment.db.getBinary(bytes))
      return record === undefined ? undefined : rows.rowOf(key, record, reader)
    })
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    const { schema, rows, start, end } = this.context
    const from = schema.layout.rowkeyBound(slice.bucket, slice.from)
    const to = schema.layout.rowkeyBound(slice.bucket, slice.to)
    return new RangeScan(this.context, rows.readerOf(options), {
      start: from === null ? end : boundKey(start, from),
      end: to === null ? end : boundKey(start, to),
      reverse: slice.reverse,
    })
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    const { rows, start, end } = this.context
    const [{ after, upTo }, isSplit] = placeOf(start, checkpoint)
    return new RangeScan(this.context, rows.readerOf(options), {
      start,
      end: upTo ?? end,
      inclusiveEnd: upTo !== undefined,
      reverse: false,
      after,
      checkpointAfter: (last) => checkpointOf({ after: last, upTo }, isSplit),
    })
  }

  splits(count: number, { cancellation }: ReadOptions): Promise<readonly string[]> {
    return splits(this.context, count, cancellation)
  }

  async purgeExpired(now: number, limit: number, { cancellation }: ChangeOptions = {}): Promise<number> {
    const { schema, calls } = this.context
    return schema.expiryIndex < 0 ? 0 : calls.run(() => this.purge.run(now, limit, cancellation))
  }
}
