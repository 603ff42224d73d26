// Tested by key-order.test.ts and conformance.test.ts.
import {
  cutSlice,
  paging,
  rowWeight,
  type NativePage,
  type PageSource,
  type Piece,
  type Endpoint,
  type ReadOptions,
  type Row,
  type Slice,
} from '@rowkey/store/adapter'
import type { KeyColumn } from './keys.js'
import { int32 } from './client/native-bytes.js'
import type { NativeRow } from './client/answers.js'
import type { RowReader } from './rows.js'
import type { TableContext } from './context.js'

/** The pages of a slice. Each continues after the last key, not by the paging state of the server: that does not say which statement it belongs to. */
export function scanSlice(table: TableContext, reader: RowReader, slice: Slice, options: ReadOptions): PageSource {
  const size = new PageSize()
  return paging(table.schema, slice, (rest, want) => {
    table.calls.mustBeOpen()
    return fetchPage(table, reader, rest, size, size.fitting(want), options)
  })
}

async function fetchPage(
  table: TableContext,
  reader: RowReader,
  rest: Slice,
  size: PageSize,
  want: number,
  { consistency }: ReadOptions,
): Promise<NativePage> {
  const rows: Row[] = []
  let [examined, calls] = [0, 0]
  let behind: NativeRow | undefined // the last row, if it is the remains of an expired one
  for (const piece of cutSlice(table.schema, rest)) {
    const found = await readPiece(table, reader, piece, rest, want - examined, consistency)
    calls++
    examined += found.length
    for (const native of found) {
      const row = reader.read(native)
      if (row !== undefined) rows.push(row)
      behind = row === undefined ? native : undefined
    }
    if (examined < want) continue
    size.learn(rows)
    return { rows, more: true, examined, cost: { calls, sent: examined }, last: behind === undefined ? undefined : reader.key(behind) }
  }
  return { rows, more: false, examined, cost: { calls, sent: examined }, last: behind === undefined ? undefined : reader.key(behind) }
}

/** The first rows of a piece in the direction of the scan. */
async function readPiece(
  table: TableContext,
  { columns }: RowReader,
  piece: Piece,
  { bucket, reverse }: Pick<Slice, 'bucket' | 'reverse'>,
  want: number,
  consistency: ReadOptions['consistency'],
): Promise<readonly NativeRow[]> {
  const { prefix, from, to } = piece
  const query = table.statements.scan(columns, piece, reverse)
  const next = table.keys[prefix.length]
  const ends = next === undefined ? [] : [from, to].filter((end) => end !== undefined).map((end) => bytesOf(next, end))
  const params = [...table.keyBytes(prefix, prefix.length, bucket), ...ends, int32(want)]
  const { rows } = await table.read({ query, params }, consistency)
  return rows
}

const bytesOf = (column: KeyColumn, { value }: Endpoint): Buffer => column.write(value)

/** Bytes of one answer. The driver keeps the whole answer in memory. */
const answerBytes = 8 << 20
/** Rows of the first answer, when the size of rows is unknown. */
const firstRows = 500

/** Limits the size of answers, by the size of the rows before. */
export class PageSize {
  private max = firstRows

  fitting(want: number): number {
    return Math.max(1, Math.min(want, this.max))
  }

  learn(rows: readonly Row[]): void {
    if (rows.length === 0) return
    let weight = 0
    for (const row of rows) weight += rowWeight(row)
    this.max = Math.ceil(answerBytes / Math.max(1, weight / rows.length))
  }
}
