// Tested by packages/rowkey/test/mapper/index-scan.test.ts.
import type { Row } from '#codec'
import type { TableIndex, TableSchema } from '#model'
import type { TableStore } from '../contract/adapter.js'
import type { MaybePromise, Page, ReadOptions } from '../contract/reading.js'
import { isExpired } from '../table/row.js'
import { addCost, costOf } from './cost.js'
import { isEntryOf, rowKeysOf, rowsInEntries } from './entry.js'
import { getRows } from './get-rows.js'
import { andThen } from './maybe-promise.js'
import type { Position, RowSource } from './row-source.js'
import type { EntryCounts } from './run.js'

/** The rows of a table. */
export interface RowsOf {
  readonly schema: TableSchema
  /** Whether entries have all that is asked of the rows, and are written with them. */
  readonly isCovered: boolean
  readonly store: TableStore
  readonly read: ReadOptions
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** The rows of entries, in the order of the entries. Those whose rows have other values by now are left out. */
export class IndexSource implements RowSource {
  private readonly index: TableIndex
  private readonly entries: RowSource
  private readonly accepts: (entry: Row) => boolean
  private readonly rows: RowsOf
  /** What is taken of an entry: the row itself if that is covered, its key otherwise. */
  private readonly takenOf: (entry: Row) => Row
  private counts: EntryCounts = { entries: 0, fetched: 0, stale: 0 }

  /** @param accepts whether an entry meets the conditions on its own columns */
  constructor(index: TableIndex, entries: RowSource, accepts: (entry: Row) => boolean, rows: RowsOf) {
    this.index = index
    this.entries = entries
    this.accepts = accepts
    this.rows = rows
    this.takenOf = rows.isCovered ? rowsInEntries(rows.schema, index) : rowKeysOf(rows.schema, index)
  }

  get position(): Position | undefined {
    return this.entries.position
  }

  get ended(): boolean {
    return this.entries.ended
  }

  get entryCounts(): EntryCounts {
    return this.counts
  }

  next(want: number, mayExamine?: number): MaybePromise<Page | undefined> {
    return andThen(this.entries.next(want, mayExamine), (page) => (page === undefined ? undefined : this.fetch(page)))
  }

  close(): void {
    this.entries.close()
  }

  private fetch(page: Page): MaybePromise<Page> {
    const { index, rows } = this
    const now = index.schema.expiryIndex < 0 ? 0 : rows.clock()
    const live = page.rows.filter((entry) => !isExpired(index.schema, entry, now) && this.accepts(entry))
    if (live.length === 0) return page.rows.length === 0 ? page : { ...page, rows: [] }
    if (rows.isCovered) {
      this.counts = { ...this.counts, entries: this.counts.entries + live.length }
      return { ...page, rows: live.map(this.takenOf) }
    }
    const keys = distinctKeys(rows.schema, live.map(this.takenOf))
    return andThen(getRows(rows.schema, rows.store, keys.keys, rows.read), (found) => {
      const kept: Row[] = []
      live.forEach((entry, at) => {
        const row = found[keys.places === undefined ? at : (keys.places[at] as number)]
        if (row !== undefined && isEntryOf(index, entry, row)) kept.push(row)
      })
      const { counts } = this
      this.counts = {
        entries: counts.entries + live.length,
        fetched: counts.fetched + keys.keys.length,
        stale: counts.stale + live.length - kept.length,
      }
      return {
        ...page,
        rows: kept,
        examined: page.examined + keys.keys.length,
        cost: addCost(costOf(page), { calls: 1, sent: found.length }),
      }
    })
  }
}

/** Keys without repetitions, and the place of each of the given ones among them: a row may have stale entries next to its own. */
export function distinctKeys(
  { layout }: TableSchema,
  given: readonly Row[],
): { readonly keys: readonly Row[]; readonly places: readonly number[] | undefined } {
  if (isAscending(layout, given)) return { keys: given, places: undefined }
  const sorted = given.map((_, at) => at).sort((a, b) => layout.compareRows(given[a] as Row, given[b] as Row) || a - b)
  const keys: Row[] = []
  const places: number[] = []
  for (const at of sorted) {
    const key = given[at] as Row
    const last = keys.at(-1)
    if (last === undefined || layout.compareRows(last, key) !== 0) keys.push(key)
    places[at] = keys.length - 1
  }
  return { keys, places }
}

/** As where an index starts with columns that are the same in all rows that are read. */
function isAscending(layout: TableSchema['layout'], keys: readonly Row[]): boolean {
  for (let at = 1; at < keys.length; at++) if (layout.compareRows(keys[at - 1] as Row, keys[at] as Row) >= 0) return false
  return true
}
