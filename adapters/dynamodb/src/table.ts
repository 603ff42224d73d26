import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { ChangeOptions, InFlight, PageSource, ReadOptions, Row, Slice, TableStore } from '@rowkey/store/adapter'
import { onTable } from './errors.js'
import { filterOf } from './filter.js'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { maxPartitionBytes, sortRange, tagged } from './keys.js'
import { Purge } from './purge.js'
import type { ItemFormat } from './rows.js'
import { QueryScan, type ReadContext } from './scan.js'
import { splits } from './splits.js'

/** The reads of one table as one schema sees it. */
export class DynamoDBTable implements TableStore {
  private readonly client: DynamoDBClient
  private readonly format: ItemFormat
  private readonly calls: InFlight
  private readonly purge: Purge
  readonly splits?: NonNullable<TableStore['splits']>

  /** `segments`: whether scans of the server have segments. */
  constructor(client: DynamoDBClient, format: ItemFormat, calls: InFlight, segments: boolean) {
    this.client = client
    this.format = format
    this.calls = calls
    this.purge = new Purge(client, format.schema.name)
    if (segments) this.splits = splits
  }

  async get(keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
    this.calls.mustBeOpen()
    return onTable(this.format.schema.name, () => getRows(this.contextOf(options), keys))
  }

  scan({ bucket, from, to, reverse, filter }: Slice, options: ReadOptions): PageSource {
    const { layout } = this.format.schema
    const partition = tagged(layout.partition(bucket, from.prefix))
    const range = sortRange(layout.sortKeyBound(from), layout.sortKeyBound(to))
    if (range === undefined || partition.length > maxPartitionBytes) return noRows
    return new QueryScan(this.contextOf(options), { partition, range, reverse, filter: filterOf(this.format.schema, filter) })
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    return new FullScan(this.contextOf(options), checkpoint)
  }

  purgeExpired(now: number, limit: number, { cancellation }: ChangeOptions = {}): Promise<number> {
    const { name, expiryIndex } = this.format.schema
    return this.calls.run(async () => (expiryIndex < 0 ? 0 : onTable(name, () => this.purge.run(now, limit, cancellation))))
  }

  private contextOf(options: ReadOptions): ReadContext {
    const { client, format } = this
    return { client, format, reader: format.reader(options.columns), options, mustBeOpen: this.calls.mustBeOpen }
  }
}

/** For a range without possible items. */
const noRows: PageSource = { next: () => undefined, close: () => undefined }
