// Tested by splits.test.ts and conformance.test.ts.
import type { Tablet } from '@rowkey/kudu-client'
import type { Page, PageSource, ReadOptions } from 'rowkey/adapter'
import { inCall, type Opened, type TableContext } from './context.js'
import { isKudu } from './errors.js'
import { onTable } from './outcomes.js'
import { readPage, type TabletPage } from './scan.js'
import { checkpointOf, comparePlaces, placeOf, stretchOf, type Stretch } from './splits.js'

const everything: Stretch = { from: undefined, after: undefined, upTo: undefined }

/** All rows, or those of a split: tablet by tablet, each in the order of its keys. */
export class FullScan implements PageSource {
  private readonly table: TableContext
  private readonly options: ReadOptions
  private rest: Stretch
  private left: readonly Tablet[] | undefined
  private isClosed = false

  /** @throws RowkeyError `CURSOR_INVALID` */
  constructor(table: TableContext, checkpoint: string | undefined, options: ReadOptions) {
    this.table = table
    this.options = options
    this.rest = checkpoint === undefined ? everything : stretchOf(checkpoint)
  }

  next(want: number): Promise<Page | undefined> {
    const { table, options } = this
    return onTable(table, async () => {
      table.calls.mustBeOpen()
      const opened = await table.opened()
      this.left ??= await this.tabletsLeft(opened)
      let calls = 0
      for (let [tablet] = this.left; tablet !== undefined && !this.isClosed; [tablet] = this.left) {
        const { from, after } = this.rest
        // Keys of another tablet may lie before this one's, and then all of it is read.
        const isHere = from !== undefined && comparePlaces(from, placeOf(tablet)) === 0
        const reading = {
          reader: table.reader(options.columns),
          filter: undefined,
          bounds: { start: undefined, stop: undefined },
          tablet: tablet.id,
          after: isHere ? after : undefined,
          cancellation: options.cancellation,
        }
        let page: TabletPage
        try {
          page = await readPage(table, opened, reading, want)
        } catch (error) {
          if (!isKudu(error, 'NOT_FOUND')) throw error
          this.left = await this.tabletsLeft(opened)
          if (this.left[0]?.id === tablet.id) throw error
          continue // it was dropped with its range
        }
        calls += page.calls
        if (page.isLast) this.left = this.left.slice(1)
        const [next] = this.left
        this.rest = page.isLast
          ? { from: next === undefined ? this.rest.upTo : placeOf(next), after: undefined, upTo: this.rest.upTo }
          : { from: placeOf(tablet), after: page.lastKey, upTo: this.rest.upTo }
        if (page.rows.length === 0) continue
        const checkpoint =
          next === undefined ? checkpointOf({ ...this.rest, from: placeOf(tablet), after: page.lastKey }) : checkpointOf(this.rest)
        return { rows: page.rows, examined: page.examined, checkpoint, cost: { calls } }
      }
      return undefined
    })
  }

  close(): void {
    this.isClosed = true
  }

  private async tabletsLeft({ table: found }: Opened): Promise<readonly Tablet[]> {
    const all = await inCall(this.options.cancellation, (call) => this.table.client.tablets(found, {}, call))
    return all.filter((each) => this.isLeft(each))
  }

  private isLeft(tablet: Tablet): boolean {
    const { from, upTo } = this.rest
    const place = placeOf(tablet)
    return (from === undefined || comparePlaces(from, place) <= 0) && (upTo === undefined || comparePlaces(place, upTo) < 0)
  }
}
