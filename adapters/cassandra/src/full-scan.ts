// Tested by conformance.test.ts.
import type { Page, PageSource, ReadOptions, Row } from 'rowkey/adapter'
import { TableWalk } from './ranges/table-walk.js'
import type { RowReader } from './rows.js'
import { PageSize } from './scan.js'
import { checkpointOf, placeOf, type TokenRange } from './splits.js'
import type { TableContext } from './context.js'

/**
 * All rows, or those of a range of tokens, partition by partition in the order of their tokens. A new source continues after the last row, first
 * with the rest of its partition, and then with the tokens after it.
 */
export class FullScan implements PageSource {
  private readonly table: TableContext
  private readonly reader: RowReader
  private readonly range: TokenRange | undefined
  private readonly size: PageSize
  private readonly walk: TableWalk

  constructor(table: TableContext, checkpoint: string | undefined, { columns, consistency, cancellation }: ReadOptions) {
    const reader = table.reader(columns)
    this.table = table
    this.reader = reader
    this.size = new PageSize(table.schema)
    const place = checkpoint === undefined ? undefined : placeOf(table.schema, checkpoint)
    this.range = place?.range
    const keyOf = reader.key.bind(reader)
    this.walk = new TableWalk({
      table,
      columns: reader.columns,
      keyOf,
      after: place?.after,
      range: this.range,
      consistency,
      cancellation,
    })
  }

  async next(want: number): Promise<Page | undefined> {
    this.table.calls.mustBeOpen()
    const found = await this.walk.next(this.size.fits(want))
    if (found === undefined) return undefined
    const { rows: natives, calls, fitting } = found
    const rows: Row[] = []
    for (const native of natives) {
      const row = this.reader.read(native)
      if (row !== undefined) rows.push(row)
    }
    this.size.learn(rows, fitting)
    const last = this.walk.last as Row
    const cost = { calls, sent: natives.length }
    return { rows, examined: natives.length, last, cost, checkpoint: checkpointOf(this.table.schema, last, this.range) }
  }

  close(): void {
    this.walk.close()
  }
}
