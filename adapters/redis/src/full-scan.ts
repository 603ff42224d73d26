// Tested by conformance.test.ts.
import type { Page, PageSource, ReadOptions, RecordReader } from 'rowkey/adapter'
import type { Argument } from './client/commands.js'
import type { TableContext } from './context.js'
import { rethrow } from './errors.js'
import { after, pageBytes, pageRows, sendingOf, upToIncluding } from './scan.js'
import { checkpointOf, rangeOf, type Range } from './splits.js'
import type { Sending, Shard } from './shards/shard.js'

/** All rows, or those of a split, shard by shard. */
export class FullScan implements PageSource {
  private readonly table: TableContext
  private readonly reader: RecordReader
  private readonly sending: Sending | undefined
  private readonly upTo: Range['upTo']
  private readonly isSplit: boolean
  private shard: number
  private last: Buffer | undefined
  private isClosed = false

  /** @throws RowkeyError `CURSOR_INVALID` */
  constructor(table: TableContext, checkpoint: string | undefined, options: ReadOptions) {
    this.table = table
    this.reader = table.rows.readerOf(options)
    this.sending = sendingOf(table, options)
    const [range, isSplit] = checkpoint === undefined ? [undefined, false] : rangeOf(checkpoint, table.shards.length)
    this.upTo = range?.upTo
    this.isSplit = isSplit
    this.shard = range?.after.shard ?? 0
    this.last = range?.after.last
  }

  /** Skips shards without rows after the last row. */
  async next(target: number): Promise<Page | undefined> {
    this.table.calls.mustBeOpen()
    const want = Math.min(Math.max(1, target), pageRows)
    const end = this.upTo?.shard ?? this.table.shards.length - 1
    for (let calls = 1; this.shard <= end && !this.isClosed; calls++) {
      const page = await this.read(this.table.shards[this.shard] as Shard, want, calls)
      if (page !== undefined) return page
    }
    return undefined
  }

  close(): void {
    this.isClosed = true
  }

  private async read(shard: Shard, want: number, calls: number): Promise<Page | undefined> {
    try {
      const range = { low: after(this.last), high: this.high(), reverse: false }
      const page = await shard.page(range, { rows: want, bytes: pageBytes }, this.sending)
      const rows = this.table.rowsOf(page, this.reader)
      const last = page.members.at(-1)
      const checkpoint = checkpointOf(this.table.shards.length, { after: { shard: this.shard, last }, upTo: this.upTo }, this.isSplit)
      if (page.isCut || rows.length === want) this.last = last
      else {
        this.shard++
        this.last = undefined
      }
      return rows.length === 0 ? undefined : { rows, examined: rows.length, checkpoint, cost: { calls } }
    } catch (error) {
      return rethrow(this.table.schema.name, error)
    }
  }

  private high(): Argument {
    return this.upTo?.last !== undefined && this.upTo.shard === this.shard ? upToIncluding(this.upTo.last) : '+'
  }
}
