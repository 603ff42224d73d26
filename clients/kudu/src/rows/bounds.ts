import { MalformedAnswer } from '../malformed-answer.js'
import { checkList, checkNames, checkObject, each, inside, type Names } from '../refusal.js'
import type { Column, RangePartition, Row, Value } from '../requests.js'
import { refusal, writeFixed, writeVarying } from './cells.js'
import { bufferOf, malformed, readFixed, textOf } from './columnar.js'
import { orderOf, smallest, writeOrdered, type Ordered } from './keys.js'
import { cellColumn, columnNamed, isFixed, layoutOf, TEXT, type CellColumn, type RowLayout } from './layout.js'
import { writeRow, type RowOperations } from './operations.js'
import { Sink, viewOf } from './sink.js'

const splitRow = 4
const lowerBound = 6
const upperBound = 7

const rangeNames: Names<RangePartition> = { from: true, to: true, hash: true }

/** Ranges and the rows that split them, as operations over all columns of the table. `range` has the names of the range columns. */
export function encodeRanges(
  columns: readonly Column[],
  range: readonly string[],
  ranges: readonly RangePartition[],
  splits: readonly Row[] = [],
): RowOperations {
  const layout = layoutOf(columns)
  const isOfRange = new Set(range.map((name) => columnNamed(layout, name)))
  const sink = new Sink(256)
  const indirect = new Sink(256)
  const write = (code: number, row: Row): void => {
    checkObject('', row)
    writeRow(layout, code, row, sink, indirect)
    for (const column of layout.columns) {
      if (row[column.name] !== undefined && Object.hasOwn(row, column.name) && !isOfRange.has(column))
        throw refusal(column, 'is no column of the range partitions')
    }
  }
  checkList('ranges', ranges)
  each('ranges', ranges, (bounds) => {
    checkObject('', bounds)
    checkNames(bounds, rangeNames)
    inside('from', () => write(lowerBound, bounds.from ?? {}))
    inside('to', () => write(upperBound, bounds.to ?? {}))
  })
  checkList('splits', splits)
  each('splits', splits, (row) => write(splitRow, row))
  return { rows: sink.written(), indirectData: indirect.written() }
}

/** The message `RowOperationsPB`, as a server tells it. */
interface RangeBounds {
  readonly rows?: Uint8Array | undefined
  readonly indirectData?: Uint8Array | undefined
}

/** The bounds of a range as encoded range columns; empty = open. `range` has the positions of the range columns. @throws MalformedAnswer */
export function decodeRange(
  columns: readonly Column[],
  range: readonly number[],
  { rows = new Uint8Array(), indirectData = new Uint8Array() }: RangeBounds,
): { readonly from: Uint8Array; readonly to: Uint8Array } {
  const reader = new BoundReader(layoutOf(columns), rows, indirectData)
  const [from, to] = [reader.bound(lowerBound, range), reader.bound(upperBound, range)]
  return { from, to }
}

/** Reads bounds that a server tells. */
class BoundReader {
  readonly #layout: RowLayout
  readonly #rows: Uint8Array
  readonly #view: DataView
  readonly #indirect: Uint8Array
  #position = 0

  constructor(layout: RowLayout, rows: Uint8Array, indirect: Uint8Array) {
    this.#layout = layout
    this.#rows = rows
    this.#view = viewOf(rows)
    this.#indirect = indirect
  }

  /** The next bound, as encoded range columns. */
  bound(code: number, range: readonly number[]): Uint8Array {
    const { columns, bitmap, hasNullable } = this.#layout
    const isSet = this.#take(1 + (hasNullable ? 2 : 1) * bitmap) + 1
    if (this.#rows[isSet - 1] !== code)
      throw new MalformedAnswer(`a bound of a range has the type ${this.#rows[isSet - 1]} instead of ${code}`)
    const cells = new Map<number, Ordered>()
    for (const column of columns) {
      if (hasBit(this.#rows, isSet, column.position) && !(hasNullable && hasBit(this.#rows, isSet + bitmap, column.position)))
        cells.set(column.position, this.#cell(column))
    }
    const key = new Sink(64)
    if (cells.size === 0) return key.written()
    range.forEach((position, index) => {
      const column = columns[position] as CellColumn
      writeOrdered(key, column, cells.get(position) ?? smallest(column), index === range.length - 1)
    })
    return key.written()
  }

  #cell(column: CellColumn): Ordered {
    const start = this.#take(column.size)
    if (isFixed(column)) return orderOf(column, this.#rows.subarray(start, start + column.size))
    const offset = Number(this.#view.getBigUint64(start, true))
    const end = offset + Number(this.#view.getBigUint64(start + 8, true))
    if (end > this.#indirect.length) throw new MalformedAnswer('a bound of a range ends after its bytes')
    return Buffer.from(this.#indirect.subarray(offset, end))
  }

  #take(count: number): number {
    const start = this.#position
    if (start + count > this.#rows.length) throw new MalformedAnswer('a bound of a range ends too early')
    this.#position = start + count
    return start
  }
}

const hasBit = (bytes: Uint8Array, start: number, position: number): boolean =>
  ((bytes[start + (position >> 3)] as number) & (1 << (position & 7))) !== 0

/** A default value as the cell that stands for it. */
export function encodeCell(column: Column, value: Value): Uint8Array {
  const cell = cellColumn(column, 0)
  const sink = new Sink(cell.size)
  if (isFixed(cell)) writeFixed(sink, cell, value, true)
  else writeVarying(sink, cell, value)
  return sink.written()
}

/** A default value from its cell. @throws MalformedAnswer */
export function decodeCell(column: Column, bytes: Uint8Array): Value {
  const cell = cellColumn(column, 0)
  if (!isFixed(cell)) {
    const value = cell.kind === TEXT ? textOf(bufferOf(bytes), 0, bytes.length) : Buffer.from(bytes)
    if (value === undefined) throw malformed(cell, 'has a default value that is not UTF-8')
    return value
  }
  if (bytes.length !== cell.size) throw malformed(cell, `has a default value of ${bytes.length} bytes instead of ${cell.size}`)
  return readFixed(cell.kind, viewOf(bytes), 0)
}
