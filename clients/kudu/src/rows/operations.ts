import { Refusal, within } from '../refusal.js'
import type { Operation, OperationType, Row, RowValues } from '../requests.js'
import type { KuduTable } from '../table.js'
import { refusal, writeFixed, writeVarying } from './cells.js'
import { checkRowNames, layoutOf, TEXT, valueIn, type CellColumn, type RowLayout } from './layout.js'
import { Sink } from './sink.js'

/** Kudu takes no longer key, counted as it is encoded. */
export const maxKeyLength = 16_384

/** The message `RowOperationsPB`. */
export interface RowOperations {
  readonly rows: Uint8Array
  readonly indirectData: Uint8Array
}

const codes: ReadonlyMap<OperationType, number> = new Map([
  ['insert', 1],
  ['update', 2],
  ['delete', 3],
  ['upsert', 5],
  ['insertIgnore', 10],
  ['updateIgnore', 11],
  ['deleteIgnore', 12],
])
const makesRows = (code: number): boolean => code === 1 || code === 5 || code === 10
/** Rows of a table's partitions have some columns of the key, and no others. */
const isBound = (code: number): boolean => code === 4 || (code >= 6 && code <= 9)
const updates = (code: number): boolean => code === 2 || code === 11
const deletes = (code: number): boolean => code === 3 || code === 12

/** Writes operations into one message. What {@link OperationEncoder.finish} returns stays as it is. */
export class OperationEncoder {
  readonly #layout: RowLayout
  readonly #rows: Sink
  readonly #indirect: Sink
  count = 0

  /** @param expected - how many operations will come, about */
  constructor(table: KuduTable, expected = 16) {
    this.#layout = layoutOf(table.columns)
    this.#rows = new Sink(expected * this.#layout.size)
    this.#indirect = new Sink(expected * 16 * this.#layout.columns.length)
  }

  /** Bytes of the message so far. */
  get size(): number {
    return this.#rows.length + this.#indirect.length
  }

  /** Adds an operation. @throws Refusal, and then it is not added */
  add({ type, row }: Operation): void {
    const code = codes.get(type)
    if (code === undefined) throw new Refusal('type', `is ${String(type)}. Give one of ${[...codes.keys()].join(', ')}`)
    const rows = this.#rows.length
    const indirect = this.#indirect.length
    try {
      this.#add(code, row)
      this.count++
    } catch (error) {
      this.#rows.length = rows
      this.#indirect.length = indirect
      throw within('row', error)
    }
  }

  #add(code: number, row: Row | RowValues): void {
    const layout = this.#layout
    const sink = this.#rows
    const varying = writeRow(layout, code, row, sink, this.#indirect)
    if (layout.fixedKey + 2 * (varying + layout.varyingKey) > maxKeyLength) checkKeyLength(layout, row)
  }

  finish(): RowOperations {
    return { rows: this.#rows.written(), indirectData: this.#indirect.written() }
  }
}

/** An operation of a row. Returns how many bytes the texts and bytes of its key have. */
export function writeRow(layout: RowLayout, code: number, row: Row | RowValues, sink: Sink, indirect: Sink): number {
  const { columns, keyColumns, bitmap } = layout
  const { length } = columns
  const values = Array.isArray(row) ? (row as RowValues) : undefined
  if (values === undefined) checkObjectRow(row)
  else if (values.length > length) throw new Refusal('', `has ${values.length} values. The table has ${length} columns`)
  sink.ensure(layout.size)
  const { bytes } = sink
  const isSet = sink.length + 1
  const isNull = layout.hasNullable ? isSet + bitmap : 0
  const start = layout.hasNullable ? isNull + bitmap : isSet + bitmap
  bytes[isSet - 1] = code
  for (let index = isSet; index < start; index++) bytes[index] = 0
  sink.length = start
  let set = 0
  let varyingKey = 0
  for (let position = 0; position < length; position++) {
    const column = columns[position] as CellColumn
    const value = values === undefined ? valueIn(row as Row, column) : values[position]
    if (value === undefined) {
      if (position < keyColumns ? !isBound(code) : column.isRequired && makesRows(code)) throw missing(column)
      continue
    }
    set++
    const bit = 1 << (position & 7)
    ;(bytes[isSet + (position >> 3)] as number) |= bit
    if (value === null) {
      if (!column.isNullable) throw refusal(column, 'is null. The column cannot be')
      ;(bytes[isNull + (position >> 3)] as number) |= bit
    } else if (column.kind < TEXT) writeFixed(sink, column, value, true)
    else {
      const offset = indirect.length
      writeVarying(indirect, column, value)
      const size = indirect.length - offset
      writeReference(sink, offset, size)
      if (position < keyColumns) varyingKey += size
    }
    if (position >= keyColumns && deletes(code)) throw refusal(column, 'is set. A delete has the columns of the key alone')
  }
  if (values === undefined) checkSet(layout, row as Row, set)
  if (set === keyColumns && updates(code)) throw new Refusal('', 'changes nothing: no column is set that is not of the key')
  return varyingKey
}

/** The offset and the length of a text or bytes, 64 bits each. */
function writeReference(sink: Sink, offset: number, size: number): void {
  const { view, length } = sink
  view.setUint32(length, offset, true)
  view.setUint32(length + 4, 0, true)
  view.setUint32(length + 8, size, true)
  view.setUint32(length + 12, 0, true)
  sink.length = length + 16
}

function checkObjectRow(row: unknown): void {
  if (typeof row !== 'object' || row === null || ArrayBuffer.isView(row))
    throw new Refusal('', 'is no row. Give an object with the names of columns, or an array with a value of each')
}

/** A row with as many properties as columns that are set has no others. */
function checkSet(layout: RowLayout, row: Row, set: number): void {
  let named = 0
  for (const _ in row) named++
  if (named !== set) checkRowNames(layout, row)
}

const missing = (column: CellColumn): Refusal =>
  refusal(column, column.isKey ? 'is not set. It is a column of the key' : 'is not set. The column cannot be null and has no default')

/** Refuses a key that is too long: texts and bytes before the last column have their zero bytes doubled, and two more. */
function checkKeyLength({ columns, keyColumns, fixedKey }: RowLayout, row: Row | RowValues): void {
  let length = fixedKey
  for (let position = 0; position < keyColumns; position++) {
    const column = columns[position] as CellColumn
    if (column.kind < TEXT) continue
    const value = (Array.isArray(row) ? row[position] : valueIn(row as Row, column)) as string | Uint8Array
    const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value
    length += bytes.length
    if (position === keyColumns - 1) continue
    length += 2
    for (const byte of bytes) if (byte === 0) length++
  }
  if (length > maxKeyLength) throw new Refusal('', `has a key with ${length} bytes. Kudu takes at most ${maxKeyLength}`)
}
