import { isUint8Array } from 'node:util/types'
import { kindOf, Refusal } from '../refusal.js'
import type { Row, RowValues } from '../requests.js'
import type { KuduTable } from '../table.js'
import { refusal, writeFixed, writeVarying } from './cells.js'
import {
  BOOL,
  checkRowNames,
  DECIMAL128,
  DECIMAL32,
  DECIMAL64,
  FLOAT,
  isFixed,
  layoutOf,
  valueIn,
  type CellColumn,
  type RowLayout,
} from './layout.js'
import { maxKeyLength } from './operations.js'
import { Sink } from './sink.js'

/** Keys are written here and copied out. */
const scratch = new Sink(1024)

/** What a row has in a column of a key. @throws Refusal if it has nothing */
export function keyValue(row: Row | RowValues, column: CellColumn): unknown {
  const value = Array.isArray(row) ? (row as RowValues)[column.position] : valueIn(row as Row, column)
  if (value === undefined) throw refusal(column, 'is not set. It is a column of the key')
  return value
}

/** Writes a column of a key. All but the last column end so that a longer value is not less. */
export function writeKeyColumn(sink: Sink, column: CellColumn, value: unknown, isLast: boolean): void {
  const start = sink.length
  if (isFixed(column)) {
    sink.ensure(column.size)
    writeFixed(sink, column, value, false)
    ;(sink.bytes[start] as number) ^= 0x80
  } else {
    writeVarying(sink, column, value)
    if (!isLast) endVarying(sink, start)
  }
}

/** Makes the bytes from `start` on comparable before others: 00 becomes 00 01, and 00 00 is the end. */
function endVarying(sink: Sink, start: number): void {
  let zeros = 0
  const end = sink.length
  for (let index = start; index < end; index++) if (sink.bytes[index] === 0) zeros++
  sink.ensure(zeros + 2)
  const { bytes } = sink
  let to = end + zeros
  sink.length = to + 2
  bytes[to] = 0
  bytes[to + 1] = 0
  for (let from = end; to > from;) {
    const byte = bytes[--from] as number
    if (byte === 0) bytes[--to] = 1
    bytes[--to] = byte
  }
}

/** The encoded key of a row. */
export function primaryKey(table: KuduTable, row: Row | RowValues): Uint8Array {
  const { columns, keyColumns } = layoutOf(table.columns)
  scratch.length = 0
  for (let position = 0; position < keyColumns; position++) {
    const column = columns[position] as CellColumn
    writeKeyColumn(scratch, column, keyValue(row, column), position === keyColumns - 1)
  }
  return checkedKey(scratch)
}

function checkedKey(sink: Sink): Uint8Array {
  if (sink.length > maxKeyLength) throw new Refusal('', `has a key with ${sink.length} bytes. Kudu takes at most ${maxKeyLength}`)
  return sink.copy()
}

/** A bound of a scan as an encoded key: columns of the key that it leaves out at the end are the smallest. */
export function keyBound(table: KuduTable, bound: Row | RowValues | Uint8Array): Uint8Array {
  if (isUint8Array(bound)) return bound
  if (typeof bound !== 'object' || (bound as object | null) === null)
    throw new Refusal('', `is ${kindOf(bound)}. Give a row or an encoded key`)
  const layout = layoutOf(table.columns)
  const set = prefixOf(layout, bound)
  scratch.length = 0
  for (let position = 0; position < layout.keyColumns; position++) {
    const column = layout.columns[position] as CellColumn
    const isLast = position === layout.keyColumns - 1
    if (position < set) writeKeyColumn(scratch, column, keyValue(bound, column), isLast)
    else writeOrdered(scratch, column, smallest(column), isLast)
  }
  return checkedKey(scratch)
}

/** How many columns of the key a bound has, which must be the first. */
function prefixOf(layout: RowLayout, bound: Row | RowValues): number {
  const { columns, keyColumns } = layout
  let set = 0
  for (const column of columns) {
    const value = Array.isArray(bound) ? (bound as RowValues)[column.position] : valueIn(bound as Row, column)
    if (value === undefined) continue
    if (column.position >= keyColumns) throw refusal(column, 'is no column of the key')
    if (column.position > set) throw refusal(columns[set] as CellColumn, `is not set, but ${column.name} is, which follows it in the key`)
    set++
  }
  if (!Array.isArray(bound)) checkRowNames(layout, bound as Row)
  if (set === 0) throw new Refusal('', 'has no column of the key')
  return set
}

/**
 * A value as bytes that compare as the values do: those of a key, where it is the last column. Predicates and bounds are compared and counted up
 * in this form.
 */
export type Ordered = Buffer

/** A value in order. */
export function orderedOf(column: CellColumn, value: unknown): Ordered {
  const sink = new Sink(column.size)
  if (!isFixed(column)) writeVarying(sink, column, value)
  else {
    writeFixed(sink, column, value === 0 ? 0 : value, false) // −0 equals 0
    flip(column, sink.bytes)
  }
  return sink.written()
}

/** Bytes of a value between their order and that of their type. */
function flip({ kind }: CellColumn, bytes: Buffer): void {
  const first = bytes[0] as number
  if (kind === BOOL) return
  if (kind >= FLOAT && (first & 0x80) !== 0) for (let index = 0; index < bytes.length; index++) (bytes[index] as number) ^= 0xff
  else bytes[0] = first ^ 0x80
}

/** The cell of a value in order, as it is in rows and predicates. */
export function cellOf(column: CellColumn, ordered: Ordered): Uint8Array {
  if (!isFixed(column) || column.kind === BOOL) return ordered
  const cell = Buffer.from(ordered)
  if (column.kind >= FLOAT && ((cell[0] as number) & 0x80) === 0)
    for (let index = 0; index < cell.length; index++) (cell[index] as number) ^= 0xff
  else cell[0] = (cell[0] as number) ^ 0x80
  return cell.reverse()
}

/** The order of a cell, as it is in rows. */
export function orderOf(column: CellColumn, cell: Uint8Array): Ordered {
  const ordered = Buffer.from(cell)
  if (!isFixed(column)) return ordered
  flip(column, ordered.reverse())
  return ordered
}

/** A column of a key from a value in order. */
export function writeOrdered(sink: Sink, column: CellColumn, ordered: Ordered, isLast: boolean): void {
  const start = sink.length
  sink.push(ordered)
  if (!isFixed(column) && !isLast) endVarying(sink, start)
}

/** The smallest value of a column of a key. */
export function smallest(column: CellColumn): Ordered {
  if (!isFixed(column)) return Buffer.alloc(0)
  if (isDecimal(column)) return orderedOf(column, -column.largest)
  return column.type === 'DATE'
    ? orderedOf(column, column.min)
    : column.kind >= FLOAT
      ? orderedOf(column, -Infinity)
      : Buffer.alloc(column.size)
}

/** The largest value of a column; texts and bytes have none. */
export function greatest(column: CellColumn): Ordered | undefined {
  if (!isFixed(column)) return undefined
  if (isDecimal(column)) return orderedOf(column, column.largest)
  if (column.type === 'DATE') return orderedOf(column, column.max)
  if (column.kind === BOOL) return Buffer.of(1)
  return column.kind >= FLOAT ? orderedOf(column, Infinity) : Buffer.alloc(column.size, 255)
}

const isDecimal = ({ kind }: CellColumn): boolean => kind === DECIMAL32 || kind === DECIMAL64 || kind === DECIMAL128

/** The next value of a column; undefined after the largest. */
export function nextOf(column: CellColumn, ordered: Ordered): Ordered | undefined {
  const largest = greatest(column)
  if (largest === undefined) return Buffer.concat([ordered, Buffer.of(0)])
  if (ordered.equals(largest)) return undefined
  const next = Buffer.from(ordered)
  for (let index = next.length - 1; ; index--) {
    next[index] = ((next[index] as number) + 1) & 0xff
    if (next[index] !== 0) return next
  }
}
