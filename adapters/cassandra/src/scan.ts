import {
  cutSlice,
  paging,
  type NativePage,
  type PageSource,
  type Piece,
  type PieceEnd,
  type ReadOptions,
  type Row,
  type Slice,
} from '@rowkey/store'
import type { KeyColumn } from './key-columns.js'
import { int32 } from './native-bytes.js'
import { PageSize } from './page-size.js'
import type { NativeRow, RowReader } from './row-reader.js'
import type { CassandraTable } from './table.js'

/** Pages over a slice. Pages go on behind the last key, never by the paging state of the server, which fits any statement. */
export function scanSlice(table: CassandraTable, reader: RowReader, slice: Slice, options: ReadOptions): PageSource {
  const size = new PageSize()
  return paging(table.schema, slice, (rest, want) => {
    table.mustBeOpen()
    return fetchPage(table, reader, rest, size, size.fitting(want), options)
  })
}

async function fetchPage(
  table: CassandraTable,
  reader: RowReader,
  rest: Slice,
  size: PageSize,
  want: number,
  { consistency }: ReadOptions,
): Promise<NativePage> {
  const rows: Row[] = []
  let [examined, calls] = [0, 0]
  let behind: NativeRow | undefined // the last row, if it is the remains of one that expired
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
    return { rows, more: true, examined, cost: { calls }, ...(behind === undefined ? {} : { last: reader.key(behind) }) }
  }
  return { rows, more: false, examined, cost: { calls }, ...(behind === undefined ? {} : { last: reader.key(behind) }) }
}

/** The first rows of a piece in the direction of the scan. */
async function readPiece(
  table: CassandraTable,
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

const bytesOf = (column: KeyColumn, { value }: PieceEnd): Buffer => column.write(value)
