import type { Column, Value } from '../src/requests.js'
import { encodeCell } from '../src/rows/bounds.js'
import type { ColumnarRows } from '../src/rows/row-batch.js'

/** An answer to a scan, as a server lays it out. */
export interface ColumnarAnswer {
  readonly rows: ColumnarRows
  readonly sidecars: readonly Uint8Array[]
}

/** Rows by the positions of columns. */
export function columnarAnswer(columns: readonly Column[], rows: readonly (readonly (Value | null)[])[]): ColumnarAnswer {
  const sidecars: Uint8Array[] = []
  const add = (bytes: Uint8Array): number => sidecars.push(bytes) - 1
  const laidOut = columns.map((column, position) => {
    const cells = rows.map((row) => cellOf(column, row[position] as Value | null))
    const isVarying = ['STRING', 'VARCHAR', 'BINARY'].includes(column.type)
    return {
      dataSidecar: add(isVarying ? offsetsOf(cells) : Buffer.concat(cells)),
      ...(isVarying ? { varlenDataSidecar: add(Buffer.concat(cells)) } : {}),
      ...(column.isNullable === true ? { nonNullBitmapSidecar: add(bitmapOf(rows.map((row) => row[position] !== null))) } : {}),
    }
  })
  return { rows: { columns: laidOut, numRows: BigInt(rows.length) }, sidecars }
}

/** Cells that are null have a place, with something in it. */
function cellOf(column: Column, value: Value | null): Uint8Array {
  if (value !== null) return encodeCell(column, value)
  const cell = encodeCell(
    column,
    column.type === 'BOOL' ? false : ['STRING', 'VARCHAR'].includes(column.type) ? '' : column.type === 'BINARY' ? Buffer.alloc(0) : 0,
  )
  return Buffer.alloc(cell.length, 0xee)
}

function offsetsOf(cells: readonly Uint8Array[]): Buffer {
  const offsets = Buffer.alloc(4 * (cells.length + 1))
  let end = 0
  for (const [index, { length }] of cells.entries()) offsets.writeUInt32LE((end += length), 4 * (index + 1))
  return offsets
}

function bitmapOf(bits: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  for (const [index, bit] of bits.entries()) if (bit) (bytes[index >> 3] as number) |= 1 << (index & 7)
  return bytes
}
