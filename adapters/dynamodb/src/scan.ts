// Tested by scans.test.ts.
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { Page, PageSource, ReadOptions, Slice } from 'rowkey/adapter'
import { inRequest, unlogged } from './client/requests.js'
import { checkedPage, isSameKey, keyIn } from './client/answers.js'
import type { TableContext } from './context.js'
import { badAnswer, onTable } from './errors.js'
import { filterOf, type Filter } from './filter.js'
import { keyAttributes, keyNames, maxPartitionBytes, sortRange, tagged, type KeyParts, type SortRange } from './keys.js'
import type { ItemReader } from './rows.js'

/** The pages of a slice. */
export function scanSlice(table: TableContext, { bucket, from, to, reverse, filter }: Slice, options: ReadOptions): PageSource {
  const { form, schema } = table
  const { layout } = schema
  const partition = tagged(form, layout.partition(bucket, from.prefix))
  const range = sortRange(form, layout.sortKeyBound(from), layout.sortKeyBound(to))
  if (range === undefined || partition.length > maxPartitionBytes) return noRows
  return new QueryScan(table, { partition, range, reverse, filter: filterOf(schema, filter) }, options)
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
  private after: KeyParts | undefined
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
        ...keyNames(table.form),
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
    const { client, form, format, schema } = this.table
    const ExclusiveStartKey = this.after === undefined ? undefined : keyAttributes(form, this.after)
    const command = unlogged(new QueryCommand({ ...this.input, Limit: Math.max(1, want), ExclusiveStartKey }))
    const { name } = schema
    const answer = await onTable(name, () => inRequest(this.options, (request) => client.send(command, request)), this.options.cancellation)
    const { items, examined, units } = checkedPage(name, answer, this.query.filter !== undefined)
    const rows = items.map((item) => format.rowAt(item, this.reader))
    const item = keyIn(form, items.at(-1))
    const last = answer.LastEvaluatedKey === undefined ? undefined : this.goOn(answer.LastEvaluatedKey, item)
    if (last === undefined) this.isDone = true
    if (examined === 0 && this.isDone) return undefined
    const page = { rows, examined, cost: units === undefined ? { calls: 1 } : { calls: 1, units } }
    if (last === undefined) return examined === rows.length ? page : { ...page, exhausted: true }
    return item !== undefined && isSameKey(item, last) ? page : { ...page, last: format.keyAt(last) }
  }

  /**
   * Remembers where a page ends: beyond the one before, and not before its last item. That may be at an item that a filter dropped, or that was
   * deleted: compatible servers end a page after so many of them, even if it is empty.
   *
   * @throws RowkeyError `ADAPTER_FAULT`
   */
  private goOn(given: unknown, item: KeyParts | undefined): KeyParts {
    const { partition, range, reverse } = this.query
    const { form, schema } = this.table
    const { name } = schema
    const last = keyIn(form, given)
    if (last === undefined || Buffer.compare(last.p, partition) !== 0) throw badAnswer(name, 'a page that ends outside of the partition')
    const [start, end] = reverse ? [range.high, range.low] : [range.low, range.high]
    const order = (from: Uint8Array, to: Uint8Array): number => (reverse ? Buffer.compare(to, from) : Buffer.compare(from, to))
    const at = last.s
    if (order(start, at) > 0 || order(at, end) > 0) throw badAnswer(name, 'a page that ends outside of the range')
    if (this.after !== undefined && order(this.after.s, at) >= 0) throw badAnswer(name, 'a page that ends where it began')
    if (item !== undefined && order(item.s, at) > 0) throw badAnswer(name, 'a page that ends before its last item')
    this.after = last
    if (order(at, end) === 0) this.isDone = true // DynamoDB refuses a start key that is the end of the range
    return last
  }
}
