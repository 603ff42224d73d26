// Also tested by conformance.test.ts.
import type { Result } from '@rowkey/hbase-client'
import { inParallel, Sweep, type Cancellation, type Stretch } from 'rowkey/adapter'
import { deletionOf, isUnchanged } from './changes.js'
import { PageSize } from './client/page-size.js'
import { onTable, type TableContext } from './context.js'
import { filterOf, type Filter } from './filter.js'
import { after } from './keys.js'
import { markIn } from './rows.js'
import { readPage } from './scan.js'

const pageRows = 1000
const deletesAtOnce = 16

/** Deletes expired rows. To find them, the server reads the whole table. */
export class Purge {
  private readonly table: TableContext
  private readonly sweep = new Sweep<Uint8Array>()
  private readonly size: PageSize

  constructor(table: TableContext) {
    this.table = table
    this.size = new PageSize(table.limits.read)
  }

  /** Deletes up to `limit` rows and returns how many. @throws the reason of the cancellation, before it deletes more */
  run(now: number, limit: number, cancellation?: Cancellation): Promise<number> {
    return this.sweep.run(limit, (part) => this.walk(part, now, cancellation))
  }

  private async walk(
    { from, upTo, left, stopAt }: Stretch<Uint8Array>,
    now: number,
    cancellation: Cancellation | undefined,
  ): Promise<number> {
    // Also rows that do not expire come with their mark, so that a large table is read page by page.
    const filter = filterOf(this.table, [{ column: this.table.schema.expiryIndex, high: { value: now, inclusive: true } }]) as Filter
    const { selection } = this.table.format.reader([this.table.schema.expiryIndex])
    let deleted = 0
    for (let start = from; ;) {
      cancellation?.throwIfOver()
      const request = { start, stop: upTo, reverse: false, filter, selection, size: this.size }
      const { results, passed: expired, isLast } = await readPage(this.table, request, pageRows, cancellation)
      const some = expired.slice(0, left - deleted)
      const gone = await inParallel(some, deletesAtOnce, (row) => this.delete(row, cancellation))
      deleted += gone.filter((isGone) => isGone).length
      const last = (some.length < expired.length ? some : results).at(-1)?.row
      if (deleted >= left) {
        stopAt(last === undefined ? undefined : after(last))
        return deleted
      }
      if ((isLast && some.length === expired.length) || last === undefined) return deleted
      start = after(last)
    }
  }

  /** Deletes a row if it has not changed since. Returns whether it did. */
  private async delete(result: Result, cancellation: Cancellation | undefined): Promise<boolean> {
    const { client, server } = this.table
    const [row, seen] = [result.row as Uint8Array, markIn(result)]
    if (seen === undefined) return false // it is of another program
    cancellation?.throwIfOver()
    server.timestamps?.saw(row, seen.timestamp)
    return onTable(this.table, () =>
      client.checkAndDelete(server.name, isUnchanged(row, seen.value).cell, deletionOf(this.table, row, seen.timestamp)),
    )
  }
}
