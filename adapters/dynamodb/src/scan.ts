import { QueryCommand, type DynamoDBClient, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { Page, PageSource, ReadOptions } from '@rowkey/store/adapter'
import { inRequest, unlogged } from './client/requests.js'
import { onTable } from './errors.js'
import type { Filter } from './filter.js'
import type { SortRange } from './keys.js'
import type { ItemFormat, ItemReader } from './rows.js'

/** Rows of one partition key, read by Query. */
export interface QueryRange {
  readonly partition: Uint8Array
  readonly range: SortRange
  readonly reverse: boolean
  readonly filter: Filter | undefined
}

/** What a scan needs. */
export interface ReadContext {
  readonly client: DynamoDBClient
  readonly format: ItemFormat
  readonly reader: ItemReader
  readonly options: ReadOptions
  mustBeOpen(): void
}

/** Pages of a range. Between two pages it holds a key and nothing of the server. */
export class QueryScan implements PageSource {
  private readonly context: ReadContext
  private readonly input: QueryCommandInput
  /** The end of the range. No row of the range comes after this sort key. */
  private readonly end: Uint8Array
  private after: QueryCommandInput['ExclusiveStartKey']
  private isDone = false

  constructor(context: ReadContext, { partition, range, reverse, filter }: QueryRange) {
    const { format, reader, options } = context
    this.context = context
    this.end = reverse ? range.low : range.high
    this.input = {
      TableName: format.schema.name,
      KeyConditionExpression: '#p = :p AND #s BETWEEN :low AND :high',
      ...reader.projection,
      ...(filter === undefined ? {} : { FilterExpression: filter.FilterExpression }),
      ExpressionAttributeNames: {
        '#p': 'p',
        '#s': 's',
        ...reader.projection?.ExpressionAttributeNames,
        ...filter?.ExpressionAttributeNames,
      },
      ExpressionAttributeValues: {
        ':p': { B: partition },
        ':low': { B: range.low },
        ':high': { B: range.high },
        ...filter?.ExpressionAttributeValues,
      },
      ScanIndexForward: !reverse,
      ConsistentRead: options.consistency === 'strong',
      ReturnConsumedCapacity: 'TOTAL',
    }
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
    const command = unlogged(new QueryCommand({ ...this.input, Limit: Math.max(1, want), ExclusiveStartKey: this.after }))
    const answer = await onTable(format.schema.name, () => inRequest(options, (request) => client.send(command, request)))
    const { Items, LastEvaluatedKey, ConsumedCapacity, ScannedCount } = answer
    const rows = (Items ?? []).map((item) => format.rowAt(item, reader))
    this.after = LastEvaluatedKey
    // DynamoDB refuses a start key that is the end of the range.
    if (LastEvaluatedKey === undefined || Buffer.compare(LastEvaluatedKey['s']?.B as Uint8Array, this.end) === 0) this.isDone = true
    const examined = Math.max(ScannedCount ?? 0, rows.length)
    if (examined === 0 && this.isDone) return undefined
    const units = ConsumedCapacity?.CapacityUnits
    const page = { rows, examined, cost: units === undefined ? { calls: 1 } : { calls: 1, units } }
    if (examined === rows.length) return page
    return LastEvaluatedKey === undefined ? { ...page, exhausted: true } : { ...page, last: format.keyAt(LastEvaluatedKey) }
  }
}
