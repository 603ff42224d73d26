// Also tested by conformance.test.ts.
import type { Result } from '@rowkey/hbase-client'
import { type Cancellation, type NativePage, type PageSource, paging, type ReadOptions, readStoredKey, type Slice } from 'rowkey/adapter'
import { inCall, readOn, type TableContext } from './context.js'
import type { PageSize } from './client/page-size.js'
import { also, type Selection } from './client/selection.js'
import { badAnswer, isMalformed } from './errors.js'
import { filterOf, type Filter } from './filter.js'
import { rowRange, type RowRange } from './keys.js'

/** The pages of a slice. The next page starts after the last row, so a region that splits or moves between two pages has no effect on it. */
export function scanSlice(table: TableContext, slice: Slice, { columns, cancellation }: ReadOptions): PageSource {
  const { schema, format, limits } = table
  const reader = format.reader(columns)
  const filter = filterOf(table, slice.filter)
  const selection = filter === undefined ? reader.selection : reader.with(filter.qualifiers)
  return paging(schema, slice, async ({ bucket, from, to, reverse }, want): Promise<NativePage> => {
    table.calls.mustBeOpen()
    const { rowkeyBound } = schema.layout
    const range = rowRange(rowkeyBound(bucket, from), rowkeyBound(bucket, to), reverse, limits.rowkeyBytes)
    if (range === undefined) return { rows: [], more: false }
    const request = { ...range, reverse, filter, selection, size: filter === undefined ? reader.pageSize : reader.filteredPageSize }
    const { results, passed, isLast } = await readPage(table, request, want, cancellation)
    const [rows, examined] = [passed.map((result) => reader.rowAt(result)), results.length]
    const dropped = results.at(-1) === passed.at(-1) ? undefined : results.at(-1)
    return {
      rows,
      more: !isLast,
      examined,
      last: dropped && readStoredKey(schema, dropped.row as Uint8Array),
      cost: { calls: 1, sent: examined },
    }
  })
}

/** A page to read. */
export interface PageRequest extends RowRange {
  readonly reverse: boolean
  readonly filter: Filter | undefined
  readonly selection: Selection
  readonly size: PageSize
}

/** Rows of a range, and whether these are all. */
export interface ResultPage {
  readonly results: readonly Result[]
  /** Those that may meet the filter. */
  readonly passed: readonly Result[]
  readonly isLast: boolean
}

/** Up to about `want` rows. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `ADAPTER_FAULT` */
export async function readPage(
  table: TableContext,
  { start, stop, reverse, filter, selection, size }: PageRequest,
  want: number,
  cancellation: Cancellation | undefined,
): Promise<ResultPage> {
  const { client, server, schema } = table
  const rows = size.rows(want)
  const cells = also(selection, filter?.bytes)
  const read = (limit: number): Promise<readonly Result[]> => {
    const scan = { start, stop, ...cells, reversed: reverse, limit, caching: limit }
    return inCall(cancellation, (options) => client.scan(server.name, scan, limit, options))
  }
  const { results, limit } = await readOn(table, () => readFewer(read, rows, size))
  check(schema.name, results, reverse, limit)
  const passed = filter === undefined ? results : results.filter((result) => filter.mayPass(result))
  // Rows of which the server has left out cells say nothing about the others.
  if (passed.length > 0) size.learn(passed.length, bytesOf(passed))
  else size.learn(results.length, results.length * failedRow)
  return { results, passed, isLast: results.length < limit }
}

/** Reads up to `limit` rows, or fewer if the answer is longer than the client allows. */
async function readFewer(
  read: (limit: number) => Promise<readonly Result[]>,
  limit: number,
  size: PageSize,
): Promise<{ readonly results: readonly Result[]; readonly limit: number }> {
  try {
    return { results: await read(limit), limit }
  } catch (error) {
    if (!isMalformed(error) || !size.shrink(limit)) throw error
    return readFewer(read, size.rows(limit), size)
  }
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

function bytesOf(results: readonly Result[]): number {
  let bytes = 0
  for (const { row, cells } of results) {
    bytes += (row?.length ?? 0) + cells.length * cellOverhead
    for (const { value } of cells) bytes += value.length
  }
  return bytes
}

/** What a row that failed the filter is taken to have: so little that pages get longer while nothing is found. */
const failedRow = 4096

/** Bytes of a cell beside its value. */
const cellOverhead = 48
