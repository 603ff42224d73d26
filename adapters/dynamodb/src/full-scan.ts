import type { Page, PageSource } from '@rowkey/store/adapter'
import { ScanCommand } from '@aws-sdk/client-dynamodb'
import { inRequest, unlogged } from './client/requests.js'
import { onTable } from './errors.js'
import type { Item } from './rows.js'
import { isSystem } from './keys.js'
import type { ReadContext } from './scan.js'
import { checkpointOf, placeOf, type Segment } from './splits.js'

/** All rows of a table, or of one of its segments, in the order of the server. */
export class FullScan implements PageSource {
  private readonly context: ReadContext
  private readonly segment: Segment | undefined
  private after: Item | undefined
  private isDone = false

  /** @throws RowkeyError `CURSOR_INVALID` */
  constructor(context: ReadContext, checkpoint: string | undefined) {
    this.context = context
    const place = checkpoint === undefined ? undefined : placeOf(checkpoint)
    this.after = place?.after
    this.segment = place?.segment
  }

  next(want: number): Promise<Page | undefined> | undefined {
    this.context.mustBeOpen()
    return this.isDone ? undefined : this.fetch(want)
  }

  close(): void {
    this.isDone = true
  }

  private async fetch(want: number): Promise<Page | undefined> {
    const { client, format, reader, options } = this.context
    const { name } = format.schema
    const command = unlogged(
      new ScanCommand({
        TableName: name,
        Limit: Math.max(1, want),
        ...this.segment,
        ExclusiveStartKey: this.after,
        ...reader.projection,
        ConsistentRead: options.consistency === 'strong',
        ReturnConsumedCapacity: 'TOTAL',
      }),
    )
    const {
      Items = [],
      LastEvaluatedKey,
      ConsumedCapacity,
    } = await onTable(name, () => inRequest(options, (request) => client.send(command, request)))
    const last = LastEvaluatedKey ?? Items.at(-1)
    this.isDone ||= LastEvaluatedKey === undefined
    if (last === undefined) return undefined
    this.after = last
    const rows = Items.filter(({ p }) => !isSystem(p?.B as Uint8Array)).map((item) => format.rowAt(item, reader))
    const units = ConsumedCapacity?.CapacityUnits
    return {
      rows,
      examined: rows.length,
      checkpoint: checkpointOf(last, this.segment),
      cost: { calls: 1, sent: Items.length, ...(units === undefined ? {} : { units }) },
    }
  }
}
