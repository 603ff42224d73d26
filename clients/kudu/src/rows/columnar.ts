// Tested by row-batch.test.ts.
import { isAscii, isUtf8 } from 'node:buffer'
import { KuduError } from '../error.js'
import { MalformedAnswer } from '../malformed-answer.js'
import type { Value } from '../requests.js'
import { show } from '../show.js'
import {
  BOOL,
  DECIMAL128,
  DECIMAL32,
  DECIMAL64,
  DOUBLE,
  FLOAT,
  INT16,
  INT32,
  INT64,
  INT8,
  isFixed,
  TEXT,
  type CellColumn,
} from './layout.js'
import { viewOf } from './sink.js'

/** Methods of buffers that `toString()` calls, which would look at its arguments for each value. */
export interface Slices {
  latin1Slice(start: number, end: number): string
  utf8Slice(start: number, end: number): string
}

/** The cells of a column, and whether they hold together. */
export class ColumnCells {
  readonly column: CellColumn
  readonly data: DataView
  /** Undefined: no cell is null. */
  readonly present: Uint8Array | undefined
  /** Where texts and bytes are. */
  readonly varying: Buffer & Slices
  readonly isAscii: boolean
  #text: string | undefined

  constructor(
    column: CellColumn,
    rows: number,
    data: Uint8Array | undefined,
    varying: Uint8Array | undefined,
    present: Uint8Array | undefined,
  ) {
    this.column = column
    this.data = viewOf(atLeast(column, 'data', data, isFixed(column) ? rows * column.size : (rows + 1) * 4))
    this.present = column.isNullable ? atLeast(column, 'bitmap', present, Math.ceil(rows / 8)) : undefined
    this.varying = bufferOf(varying ?? nothing)
    this.isAscii = column.kind === TEXT && isAscii(this.varying)
    if (isFixed(column)) return
    let last = 0
    for (let row = 0; row <= rows; row++) {
      const offset = this.data.getUint32(4 * row, true)
      if (offset < last) throw malformed(column, 'goes back in its bytes')
      last = offset
    }
    if (last > this.varying.length) throw malformed(column, `ends after ${last} bytes, of which it has ${this.varying.length}`)
  }

  /** All texts as one. */
  #all(): string {
    return (this.#text ??= this.varying.latin1Slice(0, this.varying.length))
  }

  isNull(row: number): boolean {
    return this.present !== undefined && ((this.present[row >> 3] as number) & (1 << (row & 7))) === 0
  }

  /** The bytes of a cell that has an offset. */
  bytes(row: number): Uint8Array | null {
    const { column, data, varying } = this
    if (isFixed(column))
      throw new KuduError('INVALID_ARGUMENT', `The column ${show(column.name)} is ${column.type}. See value().`, { isSent: false })
    return this.isNull(row) ? null : varying.subarray(data.getUint32(4 * row, true), data.getUint32(4 * row + 4, true))
  }

  /** The value of a row that there is. */
  value(row: number): Value | null {
    const { column, present, data } = this
    if (present !== undefined && ((present[row >> 3] as number) & (1 << (row & 7))) === 0) return null
    if (column.kind < TEXT) return readFixed(column.kind, data, row * column.size)
    const start = data.getUint32(4 * row, true)
    const end = data.getUint32(4 * row + 4, true)
    if (column.kind !== TEXT) return this.varying.subarray(start, end)
    if (this.isAscii) return end - start < shortText ? this.#all().slice(start, end) : this.varying.latin1Slice(start, end)
    const text = textOf(this.varying, start, end)
    if (text === undefined) throw notText(column)
    return text
  }
}

/** A value that is not null, from its cell. */
export function readFixed(kind: number, view: DataView, offset: number): Value {
  switch (kind) {
    case INT8:
      return view.getInt8(offset)
    case INT16:
      return view.getInt16(offset, true)
    case INT32:
      return view.getInt32(offset, true)
    case INT64:
    case DECIMAL64:
      return view.getBigInt64(offset, true)
    case DECIMAL32:
      return BigInt(view.getInt32(offset, true))
    case DECIMAL128:
      return (view.getBigInt64(offset + 8, true) << 64n) | view.getBigUint64(offset, true)
    case BOOL:
      return view.getUint8(offset) !== 0
    case FLOAT:
      return view.getFloat32(offset, true)
    case DOUBLE:
      return view.getFloat64(offset, true)
    default:
      throw new TypeError(`cells of kind ${kind} have no fixed size`)
  }
}

/** A part of a text that is so short is a copy. A longer one would keep all of the text in memory. */
const shortText = 13
const replacement = '\ufffd'

/** Text in UTF-8; undefined if it is not, because the server does not look, and other programs may have written something else. */
export function textOf(bytes: Buffer & Slices, start: number, end: number): string | undefined {
  const text = bytes.utf8Slice(start, end)
  return text.includes(replacement) && !isUtf8(bytes.subarray(start, end)) ? undefined : text
}

/** Batches have been handed out when texts are made: this error meets the program itself. */
const notText = ({ name }: CellColumn): KuduError =>
  new KuduError('MALFORMED_ANSWER', `A row has a text in the column ${show(name)} that is not UTF-8. See bytes() of its batch.`, {
    isSent: true,
  })

export const malformed = ({ name }: CellColumn, problem: string): MalformedAnswer =>
  new MalformedAnswer(`the column ${show(name)} ${problem}`)

const nothing = new Uint8Array()

export const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer & Slices =>
  Buffer.from(buffer, byteOffset, byteLength) as Buffer & Slices

function atLeast(column: CellColumn, what: string, bytes: Uint8Array = nothing, needed: number): Uint8Array {
  if (bytes.length < needed) throw malformed(column, `has ${bytes.length} bytes of ${what} where its rows need ${needed}`)
  return bytes
}
