// Tested by lanes.test.ts and conformance.test.ts.
import type { Predicate, Scan } from '@rowkey/kudu-client'
import { mergePages, paging, type NativePage, type Page, type PageSource, type ReadOptions, type Row, type Slice } from 'rowkey/adapter'
import { inCall, type Opened, type TableContext } from './context.js'
import { isKudu } from './errors.js'
import { filterOf, type Filter } from './filter.js'
import { onTable } from './outcomes.js'
import type { RowReader } from './rows.js'
import { boundsOf, keyAfter, type KeyBounds } from './tablets/bounds.js'
import { lanesOf, oneTablet, type Lane } from './tablets/lanes.js'

/** The pages of a slice. Each page begins after the last key, so no scanner of the server lives between two of them. */
export const scanSlice = (table: TableContext, slice: Slice, options: ReadOptions): PageSource => new SliceSource(table, slice, options)

/** Finds out which tablets have rows of the slice when the first page is asked for. */
class SliceSource implements PageSource {
  private readonly table: TableContext
  private readonly slice: Slice
  private readonly options: ReadOptions
  private pages: PageSource | undefined
  private isClosed = false

  constructor(table: TableContext, slice: Slice, options: ReadOptions) {
    this.table = table
    this.slice = slice
    this.options = options
  }

  async next(want: number): Promise<Page | undefined> {
    this.table.calls.mustBeOpen()
    if (this.pages !== undefined) return this.isClosed ? undefined : this.pages.next(want)
    this.pages = await onTable(this.table, () => this.open())
    return this.isClosed ? undefined : this.pages.next(want)
  }

  close(): void {
    this.isClosed = true
    this.pages?.close()
  }

  private async open(): Promise<PageSource> {
    const { table, slice, options } = this
    const opened = await table.opened()
    const shared = { reader: table.reader(options.columns), filter: filterOf(table, slice.filter), cancellation: options.cancellation }
    const where = oneTablet(table, opened, slice)
    if (where !== undefined) return pagesOfOne(table, slice, { ...shared, where })
    const bounds = boundsOf(table, slice)
    if (bounds === undefined) return nothing
    const lanes = await inCall(options.cancellation, (call) => lanesOf(table, opened, slice, bounds, true, call))
    const sources = [...lanes].map(([name, lane]) => pagesOf(table, slice, { ...shared, name, lane }))
    const [only] = sources
    if (only === undefined) return nothing
    return sources.length === 1 ? only : mergePages(table.schema, slice, sources)
  }
}

const nothing: PageSource = { next: () => undefined, close: () => undefined }

/** What is read of each row. */
interface Reading extends Pick<ReadOptions, 'cancellation'> {
  readonly reader: RowReader
  readonly filter: Filter | undefined
}

interface LaneReading extends Reading {
  readonly name: string
  readonly lane: Lane
}

/** The pages of a slice the rows of which are in one tablet, by what they have in common. */
function pagesOfOne(table: TableContext, slice: Slice, reading: Reading & { readonly where: readonly Predicate[] }): PageSource {
  return paging(table.schema, slice, (rest, want) =>
    onTable(table, async (): Promise<NativePage> => {
      table.calls.mustBeOpen()
      const bounds = boundsOf(table, rest)
      if (bounds === undefined) return { rows: [], more: false }
      const page = await readPage(table, await table.opened(), { ...reading, bounds }, want)
      return nativePage(page, page.calls, !page.isLast)
    }),
  )
}

const nativePage = (page: TabletPage, calls: number, more: boolean): NativePage => ({
  rows: page.rows,
  examined: page.examined,
  more,
  last: more ? page.last : undefined,
  cost: { calls, sent: page.rows.length },
})

/** The pages of a slice in tablets that follow each other. */
function pagesOf(table: TableContext, slice: Slice, reading: LaneReading): PageSource {
  let { lane } = reading
  let at = 0
  return paging(table.schema, slice, (rest, want) =>
    onTable(table, async (): Promise<NativePage> => {
      table.calls.mustBeOpen()
      const opened = await table.opened()
      const bounds = boundsOf(table, rest)
      let calls = 0
      while (bounds !== undefined && at < lane.length) {
        const { id: tablet } = lane[at] as Lane[number]
        let page: TabletPage
        try {
          page = await readPage(table, opened, { ...reading, bounds, tablet }, want)
        } catch (error) {
          if (!isKudu(error, 'NOT_FOUND')) throw error
          const now = await inCall(reading.cancellation, (call) => lanesOf(table, opened, slice, bounds, false, call))
          lane = now.get(reading.name) ?? []
          at = 0
          // Else the tablet was dropped with its range, and perhaps the range was added again.
          if (lane[0]?.id === tablet) throw error
          continue
        }
        calls += page.calls
        if (page.isLast) at++
        if (page.isLast && page.examined === 0) continue // the next tablet begins where this one ends
        return nativePage(page, calls, !page.isLast || at < lane.length)
      }
      return { rows: [], more: false, cost: { calls } }
    }),
  )
}

/** A page of one tablet. */
export interface TabletReading extends Reading {
  readonly bounds: KeyBounds
  /** Which tablet: by its id, or by what its rows have. */
  readonly tablet?: string
  readonly where?: readonly Predicate[]
  /** Only rows after this encoded key, instead of a start. */
  readonly after?: Uint8Array | undefined
}

/** Rows of a tablet in the order of the key. */
export interface TabletPage {
  readonly rows: readonly Row[]
  readonly examined: number
  /** Whether the tablet has no rows of the bounds after these. */
  readonly isLast: boolean
  /** The key of the last examined row, if that is not the last of `rows`. */
  readonly last: Row | undefined
  /** The same, encoded. */
  readonly lastKey: Uint8Array | undefined
  readonly calls: number
}

/** A page ends when its rows have so many bytes. */
const maxPageBytes = 4 << 20

const scanOf = ({ bounds: { start, stop }, after, tablet, where }: TabletReading): Scan => ({
  where,
  ...(after === undefined ? { start } : { after }),
  stop,
  isOrdered: true,
  tablet,
})

/** Up to `want` rows of a tablet; fewer if they are long. */
export async function readPage(table: TableContext, opened: Opened, reading: TabletReading, want: number): Promise<TabletPage> {
  if (reading.filter !== undefined) return readWindow(table, opened, reading, reading.filter, want)
  const { reader, cancellation } = reading
  const rows: Row[] = []
  let [calls, bytes, isLast] = [0, 0, true]
  let lastKey: Uint8Array | undefined
  await inCall(cancellation, async (options) => {
    const scanner = table.client.scan(opened.table, { ...scanOf(reading), columns: reader.columns, limit: want }, options)
    try {
      for (let batch = await scanner.next(); batch !== undefined; batch = await scanner.next()) {
        calls++
        reader.addTo(rows, batch)
        if (batch.length > 0) lastKey = batch.lastKey
        bytes += batch.byteLength
        if (bytes < maxPageBytes) continue
        isLast = false
        break
      }
    } finally {
      await scanner.close()
    }
  })
  return { rows, examined: rows.length, isLast: isLast && rows.length < want, last: undefined, lastKey, calls: Math.max(1, calls) }
}

/**
 * The rows among the next `want` that meet the conditions which the server can check. A server drops what fails and does not say how far it has come,
 * so it is asked first where these rows end, without any column of them.
 */
async function readWindow(
  table: TableContext,
  opened: Opened,
  reading: TabletReading,
  { where }: Filter,
  want: number,
): Promise<TabletPage> {
  const { reader, cancellation } = reading
  const scan = scanOf(reading)
  return inCall(cancellation, async (options) => {
    const counted = table.client.scan(opened.table, { ...scan, columns: [], limit: want }, options)
    let [examined, calls] = [0, 0]
    let lastKey: Uint8Array | undefined
    try {
      for (let batch = await counted.next(); batch !== undefined; batch = await counted.next()) {
        calls++
        examined += batch.length
        if (batch.length > 0) lastKey = batch.lastKey
      }
    } finally {
      await counted.close()
    }
    if (lastKey === undefined) return { rows: [], examined: 0, isLast: true, last: undefined, lastKey, calls: Math.max(1, calls) }
    const isLast = examined < want
    const rows: Row[] = []
    const last = table.keyOf(opened, lastKey)
    const { snapshot } = counted
    const found = table.client.scan(
      opened.table,
      {
        ...scan,
        columns: reader.columns,
        where: [...(scan.where ?? []), ...where],
        stop: keyAfter(table, last) ?? scan.stop,
        ...(snapshot === undefined ? {} : { snapshot }),
      },
      options,
    )
    let foundKey: Uint8Array | undefined
    let bytes = 0
    try {
      for (let batch = await found.next(); batch !== undefined; batch = await found.next()) {
        calls++
        reader.addTo(rows, batch)
        if (batch.length > 0) foundKey = batch.lastKey
        bytes += batch.byteLength
        if (bytes >= maxPageBytes) break
      }
    } finally {
      await found.close()
    }
    // Cut within the window: the page ends with its last row.
    if (bytes >= maxPageBytes) return { rows, examined: rows.length, isLast: false, last: undefined, lastKey: foundKey, calls }
    const isWhole = foundKey !== undefined && Buffer.compare(foundKey, lastKey) === 0
    return { rows, examined, isLast, last: isWhole ? undefined : last, lastKey, calls }
  })
}
