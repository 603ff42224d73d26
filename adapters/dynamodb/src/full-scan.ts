// Tested by scans.test.ts.
import { Progress, type Page, type PageSource, type ReadOptions } from 'rowkey/adapter'
import { ScanCommand } from '@aws-sdk/client-dynamodb'
import { inRequest, unlogged } from './client/requests.js'
import type { TableContext } from './context.js'
import { badAnswer, onTable } from './errors.js'
import { checkedKey, checkedPage, nextStart } from './client/answers.js'
import { isSystem, keyAttributes, type Item, type KeyParts } from './keys.js'
import type { ItemReader } from './rows.js'
import { checkpointOf, placeOf, type Segment } from './splits.js'

/** All rows of a table, or of one of its segments, in the order of the server. */
export class FullScan implements PageSource {
  private readonly table: TableContext
  private readonly reader: ItemReader
  private readonly options: ReadOptions
  private readonly segment: Segment | undefined
  private after: KeyParts | undefined
  private readonly progress = new Progress()
  private isDone = false

  /** @throws RowkeyError `CURSOR_INVALID` */
  constructor(table: TableContext, checkpoint: string | undefined, options: ReadOptions) {
    this.table = table
    this.reader = table.format.reader(options.columns)
    this.options = options
    const place = checkpoint === undefined ? undefined : placeOf(checkpoint)
    this.after = place?.after
    this.segment = place?.segment
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
    const { name } = schema
    const command = unlogged(
      new ScanCommand({
        TableName: name,
        Limit: Math.max(1, want),
        ...this.segment,
        ExclusiveStartKey: this.after === undefined ? undefined : keyAttributes(form, this.after),
        ...this.reader.projection,
        ConsistentRead: this.options.consistency === 'strong',
        ReturnConsumedCapacity: 'TOTAL',
      }),
    )
    const answer = await onTable(name, () => inRequest(this.options, (request) => client.send(command, request)), this.options.cancellation)
    const { items, units } = checkedPage(name, answer, false)
    const keys = items.map((item) => checkedKey(name, form, item))
    let before = this.after
    for (const key of keys) {
      if (before !== undefined && order(before, key) >= 0) throw badAnswer(name, 'items in another order')
      before = key
    }
    const lastItem = keys.at(-1)
    // The page may end after its last item, at one that was deleted.
    const next = nextStart(name, form, answer.LastEvaluatedKey, this.progress)
    if (next !== undefined && lastItem !== undefined && order(lastItem, next) > 0) {
      throw badAnswer(name, 'a page that ends before its last item')
    }
    this.isDone ||= next === undefined
    const last = next ?? lastItem
    if (last === undefined) return undefined
    this.after = last
    const rows = keys.flatMap((key, i) => (isSystem(form, key) ? [] : [format.rowAt(items[i] as Item, this.reader, key)]))
    return {
      rows,
      examined: rows.length,
      checkpoint: checkpointOf(last, this.segment),
      cost: { calls: 1, sent: items.length, ...(units === undefined ? {} : { units }) },
    }
  }
}

/** Which of two keys comes first, as far as that is known: within a partition, by the sort key. The order of partitions is not known. */
const order = (a: KeyParts, b: KeyParts): number => {
  const bySort = Buffer.compare(a.s, b.s)
  return bySort >= 0 && Buffer.compare(a.p, b.p) === 0 ? bySort : -1
}
