// Tested by conformance.test.ts and regions.test.ts.
import type { Page, PageSource, ReadOptions } from 'rowkey/adapter'
import type { TableContext } from './context.js'
import { after } from './keys.js'
import type { RowReader } from './rows.js'
import { readPage } from './scan.js'
import { checkpointOf, rangeOf, type Range } from './splits.js'

/** All rows, or those of a split, in the order of their keys. */
export class FullScan implements PageSource {
  private readonly table: TableContext
  private readonly reader: RowReader
  private readonly options: ReadOptions
  private range: Range
  private isDone = false

  /** @throws RowkeyError `CURSOR_INVALID` */
  constructor(table: TableContext, checkpoint: string | undefined, options: ReadOptions) {
    this.table = table
    this.reader = table.format.reader(options.columns)
    this.options = options
    this.range = checkpoint === undefined ? { start: undefined, stop: undefined } : rangeOf(checkpoint)
  }

  async next(want: number): Promise<Page | undefined> {
    this.table.calls.mustBeOpen()
    const { start, stop } = this.range
    const isEmpty = start !== undefined && stop !== undefined && Buffer.compare(start, stop) >= 0
    if (this.isDone || isEmpty) return undefined
    const { selection, pageSize } = this.reader
    const request = { start, stop, reverse: false, filter: undefined, selection, size: pageSize }
    const { results, isLast } = await readPage(this.table, request, want, this.options.cancellation)
    this.isDone ||= isLast
    const last = results.at(-1)?.row
    if (last === undefined) return undefined
    this.range = { start: after(last), stop }
    const rows = results.map((result) => this.reader.rowAt(result))
    return { rows, examined: rows.length, checkpoint: checkpointOf(this.range), cost: { calls: 1 } }
  }

  close(): void {
    this.isDone = true
  }
}
