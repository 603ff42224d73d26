// Tested by scans.test.ts.
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { Page, PageSource, ReadOptions, Slice } from 'rowkey/adapter'
import { inRequest, unlogged } from './client/requests.js'
import { checkedPage, isKey, isSameKey } from './client/answers.js'
import type { TableContext } from './context.js'
import { badAnswer, onTable } from './errors.js'
import { filterOf, type Filter } from './filter.js'
import { maxPartitionBytes, sortRange, tagged, type ItemKey, type SortRange, type Item } from './keys.js'
import type { ItemReader } from './rows.js'

/** The pages of a slice. */
export function scanSlice(table: TableContext, { bucket, from, to, reverse, filter }: Slice, options: ReadOptions): PageSource {
  const { layout } = table.schema
  const partition = tagged(layout.partition(bucket, from.prefix))
  const range = sortRange(layout.sortKeyBound(from), layout.sortKeyBound(to))
  if (range === undefined || partition.length > maxPartitionBytes) return noRows
  return new QueryScan(table, { partition, range, reverse, filter: filterOf(table.schema, filter) }, options)
}

/** For a range without possible items. */
const noRows: PageSource = { next: () => undefined, close: () => undefined }

/** Rows of one partition key, read by Query. */
interface QueryRange {
  readonly partition: Uint8Array
  readonly range: SortRange
  readonly reverse: boolean
  readonly filter: Filter | undefined
}

/** Pages of a range. Between two pages it holds a key and nothing of the server. */
class QueryScan implements PageSource {
  private readonly table: TableContext
  private readonly reader: ItemReader
  private readonly query: QueryRange
  private readonly options: ReadOptions
  private readonly input: QueryCommandInput
  private after: ItemKey | undefined
  private isDone = false

  constructor(table: TableContext, query: QueryRange, options: ReadOptions) {
    const { partition, range, reverse, filter } = query
    const reader = table.format.reader(options.columns)
    this.table = table
    this.reader = reader
    this.query = query
    this.options = options
    this.input = {
      TableName: table.schema.name,
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
    this.table.calls.mustBeOpen()
    return this.isDone ? undefined : this.fetch(want)
  }

  close(): void {
    this.isDone = true
  }

  private async fetch(want: number): Promise<Page | undefined> {
    const { client, format, schema } = this.table
    const command = unlogged(new QueryCommand({ ...this.input, Limit: Math.max(1, want), ExclusiveStartKey: this.after }))
    const { name } = schema
    const answer = await onTable(name, () => inRequest(this.options, (request) => client.send(command, request)), this.options.cancellation)
    const { items, examined, units } = checkedPage(name, answer, this.query.filter !== undefined)
    const rows = items.map((item) => format.rowAt(item, this.reader))
    const [last, item] = [answer.LastEvaluatedKey, items.at(-1)]
    if (last === undefined) this.isDone = true
    else this.goOn(last, item)
    if (examined === 0 && this.isDone) return undefined
    const page = { rows, examined, cost: units === undefined ? { calls: 1 } : { calls: 1, units } }
    if (last === undefined) return examined === rows.length ? page : { ...page, exhausted: true }
    return isKey(item) && isKey(last) && isSameKey(item, last) ? page : { ...page, last: format.keyAt(last) }
  }

  /**
   * Remembers where a page ends: beyond the one before, and not before its last item. That may be at an item that a filter dropped, or that was
   * deleted: compatible servers end a page after so many of them, even if it is empty.
   *
   * @throws RowkeyError `ADAPTER_FAULT`
   */
  private goOn(last: unknown, item: Item | undefined): void {
    const { partition, range, reverse } = this.query
    const { name } = this.table.schema
    if (!isKey(last) || Buffer.compare(last.p.B, partition) !== 0) throw badAnswer(name, 'a page that ends outside of the partition')
    const [start, end] = reverse ? [range.high, range.low] : [range.low, range.high]
    const order = (from: Uint8Array, to: Uint8Array): number => (reverse ? Buffer.compare(to, from) : Buffer.compare(from, to))
    const at = last.s.B
    if (order(start, at) > 0 || order(at, end) > 0) throw badAnswer(name, 'a page that ends outside of the range')
    if (this.after !== undefined && order(this.after.s.B, at) >= 0) throw badAnswer(name, 'a page that ends where it began')
    if (isKey(item) && order(item.s.B, at) > 0) throw badAnswer(name, 'a page that ends before its last item')
    this.after = last
    if (order(at, end) === 0) this.isDone = true // DynamoDB refuses a start key that is the end of the range
  }
}
