// Tested by operations.test.ts and keys.test.ts.
import { isUint8Array } from 'node:util/types'
import { kindOf, Refusal } from '../refusal.js'
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
  pathOf,
  TEXT,
  type CellColumn,
} from './layout.js'
import type { Sink } from './sink.js'

/** Kudu takes no longer cell. */
const maxCellLength = 65_536
/** Longer texts are written faster by native code. */
const shortText = 24

/** Writes a value of a fixed size where the sink ends, which must have room: a cell is little-endian, a key big-endian. */
export function writeFixed(sink: Sink, column: CellColumn, value: unknown, isLittle: boolean): void {
  const { view, length } = sink
  switch (column.kind) {
    case INT8:
      view.setInt8(length, integer(column, value))
      break
    case INT16:
      view.setInt16(length, integer(column, value), isLittle)
      break
    case INT32:
      view.setInt32(length, integer(column, value), isLittle)
      break
    case INT64:
      writeLong(view, length, column, value, isLittle)
      break
    case DECIMAL32:
      view.setInt32(length, Number(decimal(column, value)), isLittle)
      break
    case DECIMAL64:
      view.setBigInt64(length, decimal(column, value), isLittle)
      break
    case DECIMAL128: {
      const digits = decimal(column, value)
      view.setBigInt64(isLittle ? length : length + 8, BigInt.asIntN(64, digits), isLittle)
      view.setBigInt64(isLittle ? length + 8 : length, digits >> 64n, isLittle)
      break
    }
    case BOOL:
      if (typeof value !== 'boolean') throw wrong(column, value, 'true or false')
      view.setUint8(length, value ? 1 : 0)
      break
    case FLOAT: {
      if (typeof value !== 'number') throw wrong(column, value, 'a number')
      if (!Number.isFinite(Math.fround(value)) && Number.isFinite(value)) throw refusal(column, `is ${value}, which is too large for FLOAT`)
      view.setFloat32(length, value, isLittle)
      break
    }
    case DOUBLE:
      if (typeof value !== 'number') throw wrong(column, value, 'a number')
      view.setFloat64(length, value, isLittle)
      break
    default:
      throw refusal(column, 'has no fixed size')
  }
  sink.length += column.size
}

/** Writes the bytes of a text or of bytes where the sink ends. */
export function writeVarying(sink: Sink, column: CellColumn, value: unknown): void {
  if (column.kind === TEXT) {
    if (typeof value !== 'string') throw wrong(column, value, 'text')
    writeText(sink, column, value)
    return
  }
  if (!isUint8Array(value)) throw wrong(column, value, 'a Uint8Array')
  if (value.length > maxCellLength) throw tooLong(column, value.length)
  sink.push(value)
}

function writeText(sink: Sink, column: CellColumn, value: string): void {
  const { length } = value
  if (length > maxCellLength) throw tooLong(column, Buffer.byteLength(value))
  if (length > column.characters) checkCharacters(column, value)
  sink.ensure(3 * length)
  const { bytes } = sink
  const start = sink.length
  if (length <= shortText) {
    let index = 0
    for (; index < length; index++) {
      const code = value.charCodeAt(index)
      if (code > 127) break
      bytes[start + index] = code
    }
    if (index === length) {
      sink.length = start + length
      return
    }
  }
  if (!value.isWellFormed()) throw refusal(column, 'has half a character and cannot be stored as UTF-8')
  const written = bytes.write(value, start, 'utf8')
  if (written > maxCellLength) throw tooLong(column, written)
  sink.length = start + written
}

/** The server does not look at it. Characters are counted, not halves of them. */
function checkCharacters(column: CellColumn, value: string): void {
  let count = 0
  for (const _ of value) count++
  if (count > column.characters) throw refusal(column, `has ${count} characters. VARCHAR(${column.characters}) takes no more than it says`)
}

function integer(column: CellColumn, value: unknown): number {
  if (typeof value !== 'number') throw wrong(column, value, 'a number')
  if (!Number.isInteger(value) || value < column.min || value > column.max) {
    const meaning = column.type === 'DATE' ? ', days since 1970' : ''
    throw refusal(column, `is ${value}. ${column.type} takes whole numbers from ${column.min} to ${column.max}${meaning}`)
  }
  return value
}

const whole = 'a bigint, or a whole number that is safe'

function writeLong(view: DataView, offset: number, column: CellColumn, value: unknown, isLittle: boolean): void {
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) !== value) throw refusal(column, `is ${value}. ${column.type} has 64 bits`)
    view.setBigInt64(offset, value, isLittle)
    return
  }
  if (typeof value !== 'number') throw wrong(column, value, whole)
  if (!Number.isSafeInteger(value)) throw refusal(column, `is ${value}. Give ${whole}`)
  const high = Math.floor(value / 2 ** 32)
  view.setInt32(isLittle ? offset + 4 : offset, high, isLittle)
  view.setUint32(isLittle ? offset : offset + 4, value - high * 2 ** 32, isLittle)
}

function decimal(column: CellColumn, value: unknown): bigint {
  let digits: bigint
  if (typeof value === 'bigint') digits = value
  else if (typeof value !== 'number') throw wrong(column, value, whole)
  else if (!Number.isSafeInteger(value)) throw refusal(column, `is ${value}. Give ${whole}: all digits, without the point`)
  else digits = BigInt(value)
  if (digits > column.largest || digits < -column.largest)
    throw refusal(column, `is ${digits}. The digits of this DECIMAL are from ${-column.largest} to ${column.largest}`)
  return digits
}

/** What is wrong with the value of a column. */
export const refusal = (column: CellColumn, problem: string): Refusal => new Refusal(pathOf(column.name), problem)

const wrong = (column: CellColumn, value: unknown, wanted: string): Refusal =>
  refusal(column, `is ${kindOf(value)}. ${column.type} takes ${wanted}`)

const tooLong = (column: CellColumn, length: number): Refusal =>
  refusal(column, `has ${length} bytes. Kudu takes at most ${maxCellLength} in a cell`)
