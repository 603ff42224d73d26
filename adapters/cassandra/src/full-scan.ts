// Tested by conformance.test.ts.
import type { Page, PageSource, ReadOptions, Row } from '@rowkey/store/adapter'
import { int64 } from './client/native-bytes.js'
import { PageStates, type NativeRow } from './client/answers.js'
import type { RowReader } from './rows.js'
import { PageSize, scanSlice } from './scan.js'
import { checkpointOf, placeOf, type TokenRange } from './splits.js'
import type { TableContext } from './context.js'

/**
 * All rows, or those of a range of tokens, partition by partition in the order of their tokens. A new source continues after the last row, first
 * with the rest of its partition, and then with the tokens after it. The same source continues by the paging state of its statement.
 */
export class FullScan implements PageSource {
  private readonly table: TableContext
  private readonly reader: RowReader
  private readonly options: ReadOptions
  private readonly after: Row | undefined
  private readonly range: TokenRange | undefined
  private readonly size = new PageSize()
  /** The rest of the partition of the checkpoint. */
  private rest: PageSource | undefined
  private pageState: string | undefined
  private readonly pageStates: PageStates
  private isDone = false

  constructor(table: TableContext, reader: RowReader, checkpoint: string | undefined, options: ReadOptions) {
    this.table = table
    this.reader = reader
    this.options = options
    this.pageStates = new PageStates(table.schema.name)
    const place = checkpoint === undefined ? undefined : placeOf(table.schema, checkpoint)
    this.after = place?.after
    this.range = place?.range
    if (this.after !== undefined) this.rest = this.restOfPartition(this.after)
  }

  async next(want: number): Promise<Page | undefined> {
    this.table.calls.mustBeOpen()
    while (!this.isDone) {
      const page = this.rest === undefined ? await this.nextOfTokens(want) : await this.nextOfPartition(this.rest, want)
      if (page.examined > 0) return page
    }
    return undefined
  }

  close(): void {
    this.isDone = true
    this.rest?.close()
  }

  private async nextOfPartition(rest: PageSource, want: number): Promise<Page> {
    const page = await rest.next(want)
    if (page === undefined) this.rest = undefined
    return page === undefined || page.examined === 0 ? nothing : this.behind(page, page.last ?? (page.rows.at(-1) as Row))
  }

  private async nextOfTokens(want: number): Promise<Page> {
    const { table, reader, after } = this
    const { above, upTo } = this.range ?? {}
    const from = after === undefined ? (above === undefined ? undefined : 'token') : 'partition'
    const query = table.statements.all(reader.columns, from, upTo !== undefined)
    const params = [
      ...(after === undefined
        ? above === undefined
          ? []
          : [int64(above)]
        : table.keyBytes(after, table.schema.partitionLength, table.schema.layout.bucketOf(after))),
      ...(upTo === undefined ? [] : [int64(upTo)]),
    ]
    const page = this.pageState === undefined ? {} : { pageState: this.pageState }
    const fetchSize = this.size.fitting(want)
    const answer = await table.read({ query, params }, this.options.consistency, { fetchSize, ...page })
    this.pageState = this.pageStates.after(answer)
    if (this.pageState === undefined) this.isDone = true
    const natives = answer.rows as unknown as readonly NativeRow[]
    if (natives.length === 0) return nothing
    const rows = natives.map((native) => reader.read(native)).filter((row) => row !== undefined)
    this.size.learn(rows)
    return this.behind(
      { rows, examined: natives.length, cost: { calls: 1, sent: natives.length } },
      reader.key(natives.at(-1) as NativeRow),
    )
  }

  private behind(page: Page, last: Row): Page {
    return { ...page, checkpoint: checkpointOf(this.table.schema, last, this.range) }
  }

  private restOfPartition(key: Row): PageSource {
    const { schema } = this.table
    const partition = key.slice(0, schema.partitionLength)
    const slice = {
      bucket: schema.layout.bucketOf(key),
      from: { prefix: key.slice(0, schema.keyLength), edge: 'after' },
      to: { prefix: partition, edge: 'after' },
      reverse: false,
    } as const
    return scanSlice(this.table, this.reader, slice, this.options)
  }
}

const nothing: Page = Object.freeze({ rows: [], examined: 0 })
