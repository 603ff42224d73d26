import type { ChangeOptions, PageSource, ReadOptions, Row, Slice, TableStore } from '@rowkey/store/adapter'
import type { TableContext } from './context.js'
import { onTable } from './errors.js'
import { filterOf } from './filter.js'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { maxPartitionBytes, sortRange, tagged } from './keys.js'
import { Purge } from './purge.js'
import { QueryScan } from './scan.js'
import { splits } from './splits.js'

/** The reads of one table as one schema sees it. */
export class DynamoDBTable implements TableStore {
  private readonly context: TableContext
  private readonly purge: Purge
  readonly splits?: NonNullable<TableStore['splits']>

  /** `segments`: whether scans of the server have segments. */
  constructor(context: TableContext, segments: boolean) {
    this.context = context
    this.purge = new Purge(context)
    if (segments) this.splits = splits
  }

  async get(keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
    const { context } = this
    context.calls.mustBeOpen()
    return onTable(context.schema.name, () => getRows(context, context.format.reader(options.columns), keys, options), options.cancellation)
  }

  scan({ bucket, from, to, reverse, filter }: Slice, options: ReadOptions): PageSource {
    const { schema, format } = this.context
    const partition = tagged(schema.layout.partition(bucket, from.prefix))
    const range = sortRange(schema.layout.sortKeyBound(from), schema.layout.sortKeyBound(to))
    if (range === undefined || partition.length > maxPartitionBytes) return noRows
    const query = { partition, range, reverse, filter: filterOf(schema, filter) }
    return new QueryScan(this.context, format.reader(options.columns), query, options)
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    return new FullScan(this.context, this.context.format.reader(options.columns), checkpoint, options)
  }

  purgeExpired(now: number, limit: number, { cancellation }: ChangeOptions = {}): Promise<number> {
    const { schema, calls } = this.context
    return calls.run(async () =>
      schema.expiryIndex < 0 ? 0 : onTable(schema.name, () => this.purge.run(now, limit, cancellation), cancellation),
    )
  }
}

/** For a range without possible items. */
const noRows: PageSource = { next: () => undefined, close: () => undefined }
