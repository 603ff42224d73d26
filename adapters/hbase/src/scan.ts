// Tested by scans.test.ts and conformance.test.ts.
import type { Column, Result } from '@rowkey/hbase-client'
import { paging, readStoredKey } from '@rowkey/store/adapter'
import type { Cancellation, NativePage, PageSource, ReadOptions, Row, Slice, Value } from '@rowkey/store/adapter'
import { inCall, onTable, type TableContext } from './context.js'
import { badAnswer } from './errors.js'
import { filterOf } from './filter.js'
import { rowRange, type RowRange } from './keys.js'
import type { RowReader } from './rows.js'

/** The pages of a slice. The next page starts behind the last row, so a region that splits or moves between two pages has no effect on it. */
export function scanSlice(table: TableContext, reader: RowReader, slice: Slice, { cancellation }: ReadOptions): PageSource {
  const { schema, limits } = table
  const filter = filterOf(table, slice.filter)
  const columns = filter === undefined || reader.isWhole ? reader.columns : [...reader.columns, ...filter.columns]
  return paging(schema, slice, async ({ bucket, from, to, reverse }, want): Promise<NativePage> => {
    table.calls.mustBeOpen()
    const { rowkeyBound } = schema.layout
    const range = rowRange(rowkeyBound(bucket, from), rowkeyBound(bucket, to), reverse, limits.rowkeyBytes)
    if (range === undefined) return { rows: [], more: false }
    const { results, isLast } = await readPage(table, { ...range, reverse, filter: filter?.bytes, columns }, want, cancellation)
    const passed = filter === undefined ? results : results.filter((result) => filter.mayPass(result))
    const page = { rows: passed.map((result) => reader.rowAt(result)), more: !isLast }
    const [last, lastPassed] = [results.at(-1), passed.at(-1)]
    if (last === lastPassed) return { ...page, examined: results.length, cost: { calls: 1, sent: results.length } }
    return { ...page, examined: results.length, last: keyOf(table, last as Result), cost: { calls: 1, sent: results.length } }
  })
}

function keyOf({ schema }: TableContext, { row }: Result): Row {
  const key: Value[] = []
  readStoredKey(schema, row as Uint8Array, key)
  return key
}

/** A page to read. */
export interface PageRequest extends RowRange {
  readonly reverse: boolean
  readonly filter: Uint8Array | undefined
  readonly columns: readonly Column[]
}

/** Rows of a range, and whether these are all. */
export interface ResultPage {
  readonly results: readonly Result[]
  readonly isLast: boolean
}

/** Up to about `want` rows. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `ADAPTER_FAULT` */
export async function readPage(
  table: TableContext,
  { start, stop, reverse, filter, columns }: PageRequest,
  want: number,
  cancellation: Cancellation | undefined,
): Promise<ResultPage> {
  const { client, server, schema, limits } = table
  const rows = Math.max(1, Math.min(want, limits.read.rows, Math.floor(limits.read.bytes / table.rowBytes)))
  const scan = { start, stop, columns, filter, reversed: reverse, limit: rows, caching: rows }
  const results = await onTable(table, () => inCall(cancellation, (options) => client.getScannerResults(server.name, scan, rows, options)))
  check(schema.name, results, reverse, rows)
  learnSize(table, results)
  return { results, isLast: results.length < rows }
}

/** Rows in another order could make a scan go round in circles. @throws RowkeyError `ADAPTER_FAULT` */
function check(table: string, results: readonly Result[], reverse: boolean, max: number): void {
  if (results.length > max) throw badAnswer(table, 'more rows than it was asked for')
  for (let i = 0; i < results.length; i++) {
    const row = results[i]?.row
    if (row === undefined) throw badAnswer(table, 'a row without a key')
    const before = results[i - 1]?.row
    if (before === undefined) continue
    const order = Buffer.compare(before, row)
    if (reverse ? order <= 0 : order >= 0) throw badAnswer(table, 'rows in another order')
  }
}

/** The next page has as many rows as fit into its bytes, if they are about as long as these. */
function learnSize(table: TableContext, results: readonly Result[]): void {
  if (results.length === 0) return
  let bytes = 0
  for (const { row, cells } of results) {
    bytes += (row?.length ?? 0) + cells.length * cellOverhead
    for (const { value } of cells) bytes += value.length
  }
  const average = Math.ceil(bytes / results.length)
  // Grows at once and shrinks slowly: a page that is too large is worse than one that is too small.
  table.rowBytes = average >= table.rowBytes ? average : Math.max(average, table.rowBytes >> 2)
}

/** Bytes of a cell beside its value. */
const cellOverhead = 48
