import { RowkeyError, type Page, type PageSource } from '@rowkey/store/adapter'
import { ScanCommand } from '@aws-sdk/client-dynamodb'
import { inRequest, unlogged } from './client/requests.js'
import { onTable } from './errors.js'
import type { Item } from './rows.js'
import { isSystem, maxPartitionBytes, maxSortKeyBytes } from './keys.js'
import type { ReadContext } from './scan.js'

/** All rows of a table, in the order of the server. */
export class FullScan implements PageSource {
  private readonly context: ReadContext
  private after: Item | undefined
  private isDone = false

  /** @throws RowkeyError `CURSOR_INVALID` */
  constructor(context: ReadContext, checkpoint: string | undefined) {
    this.context = context
    this.after = checkpoint === undefined ? undefined : keyOf(checkpoint)
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
      checkpoint: checkpointOf(last),
      cost: { calls: 1, sent: Items.length, ...(units === undefined ? {} : { units }) },
    }
  }
}

const base64url = (bytes: Uint8Array | undefined): string => Buffer.from(bytes as Uint8Array).toString('base64url')

/** The key of an item as text. */
const checkpointOf = ({ p, s }: Item): string => `${base64url(p?.B)}.${base64url(s?.B)}`

function keyOf(checkpoint: string): Item {
  const [p, s, ...more] = checkpoint.split('.').map((part) => new Uint8Array(Buffer.from(part, 'base64url')))
  if (p !== undefined && s !== undefined && more.length === 0) {
    const isKey = p.length > 0 && p.length <= maxPartitionBytes && s.length > 0 && s.length <= maxSortKeyBytes // the server refuses all other keys
    if (isKey) return { p: { B: p }, s: { B: s } }
  }
  throw new RowkeyError(
    'CURSOR_INVALID',
    'the checkpoint cannot be read: it does not contain the key of an item. Start without a checkpoint.',
    {
      reason: 'it does not contain the key of an item',
    },
  )
}
