import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { PageSource, ReadOptions, Row, Slice, TableStore } from '@rowkey/store'
import { sortRange } from './bounds.js'
import { onTable } from './read-error.js'
import { FullScan } from './full-scan.js'
import { getRows } from './gets.js'
import type { ItemFormat } from './item-format.js'
import { longestPartition, tagged } from './keys.js'
import { Purge } from './purge.js'
import { QueryScan, type Querying } from './scan.js'

/** The reads of one table as one schema sees it. */
export class DynamoDBTable implements TableStore {
  private readonly client: DynamoDBClient
  private readonly format: ItemFormat
  private readonly mustBeOpen: () => void
  private readonly purge: Purge

  constructor(client: DynamoDBClient, format: ItemFormat, mustBeOpen: () => void) {
    this.client = client
    this.format = format
    this.mustBeOpen = mustBeOpen
    this.purge = new Purge(client, format.schema.name)
  }

  async get(keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
    this.mustBeOpen()
    return onTable(this.format.schema.name, () => getRows(this.queryingOf(options), keys))
  }

  scan({ bucket, from, to, reverse }: Slice, options: ReadOptions): PageSource {
    const { layout } = this.format.schema
    const partition = tagged(layout.partition(bucket, from.prefix))
    const range = sortRange(layout.restBound(from), layout.restBound(to))
    if (range === undefined || partition.length > longestPartition) return noRows
    return new QueryScan(this.queryingOf(options), { partition, range, reverse })
  }

  /** The checkpoint is the key of the last item. */
  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    return new FullScan(this.queryingOf(options), checkpoint)
  }

  async purgeExpired(now: number, limit: number): Promise<number> {
    this.mustBeOpen()
    const { name, expiryAt } = this.format.schema
    return expiryAt < 0 ? 0 : onTable(name, () => this.purge.run(now, limit))
  }

  private queryingOf(options: ReadOptions): Querying {
    const { client, format, mustBeOpen } = this
    return { client, format, reader: format.reader(options.columns), options, mustBeOpen }
  }
}

/** No item can be in the range. */
const noRows: PageSource = { next: () => undefined, close: () => undefined }
