import type { ColumnCodec } from '../encodings/column-codec.js'
import type { Reader } from '../encodings/reader.js'
import type { Row } from '../values/value.js'
import type { Salt } from './salt.js'
import type { Kind } from '../types/column-type.js'
import { codecError } from '../error.js'
import { integerKinds } from '../values/integer-range.js'
import { hashed, hashInput, kuduLast } from './hash-input.js'
import { md5OfText, md5Word } from './md5.js'
import { murmur2Modulo } from './murmur2.js'
import { murmur3Of } from './murmur3.js'

/** One salt level of a layout. */
export interface SaltCodec {
  readonly kind: Salt['kind']
  /** Positions of its inputs, ascending. */
  readonly columns: readonly number[]
  readonly count: number
  readonly seed: number
  /** hashPrefix: it hashes the text of its only column, `String(value)`, and drops so many low bits of the first 32. */
  readonly isText: boolean
  readonly drop: number
  /** Its value for a row; reads `columns` only. */
  of(row: Row): number
  readonly bytes: number
  write(target: Uint8Array, at: number, value: number): number
  read(reader: Reader): number
}

/** @throws RowkeyError `INVALID_LAYOUT` if an input is missing, nullable, or no integer for a modulo. */
export function saltCodec(salt: Salt, columns: readonly ColumnCodec[]): SaltCodec {
  const positions = salt.of.map((name) => positionOf(name, salt, columns)).sort((a, b) => a - b)
  const inputs = positions.map((at) => columns[at] as ColumnCodec)
  const { kind, count, seed = 0, digits = 4 } = salt
  const [only] = inputs
  const recipe: Recipe = {
    kind,
    columns: Object.freeze(positions),
    count,
    seed,
    isText: kind === 'hashPrefix' && inputs.length === 1 && only !== undefined && hasTextForm(only),
    drop: 32 - 4 * digits,
  }
  return { ...recipe, of: valueOf(recipe, inputs), ...(kind === 'hashPrefix' ? hexForm(digits) : numberForm(count)) }
}

type Recipe = Pick<SaltCodec, 'kind' | 'columns' | 'count' | 'seed' | 'isText' | 'drop'>

function positionOf(name: string, salt: Salt, columns: readonly ColumnCodec[]): number {
  const at = columns.findIndex((column) => column.name === name)
  const column = columns[at]
  if (column === undefined) {
    const known = columns.map((other) => `'${other.name}'`).join(', ')
    throw codecError('INVALID_LAYOUT', `the salt is of '${name}', which is no key column. Use one of ${known}.`, { column: name })
  }
  if (column.type.nullable) {
    throw codecError('INVALID_LAYOUT', `the salt is of '${name}', which may be null. Use columns that are never null.`, { column: name })
  }
  if (salt.kind === 'modulo' && !hasModulo(column)) {
    const remedy = 'Use an integer, timestamp or date column, or { count }.'
    throw codecError('INVALID_LAYOUT', `bucket({ modulo }) is of '${name}', a ${column.type.kind}. ${remedy}`, { column: name })
  }
  if (salt.kind === 'hashPartition' && !hasKuduForm(column)) {
    const remedy = 'Kudu hashes signed integers, decimals, dates, timestamps, text and bytes; use bucket({ count }) for others.'
    throw codecError('INVALID_LAYOUT', `hashPartition() is of '${name}', a ${column.type.kind}. ${remedy}`, { column: name })
  }
  return at
}

/** `reversed` only turns the bytes; its values are those of the type inside. */
const kindOf = ({ type }: ColumnCodec): Kind => type.inner?.kind ?? type.kind

const instants: readonly Kind[] = ['timestamp', 'date']

const hasModulo = (column: ColumnCodec): boolean => instants.includes(kindOf(column)) || integerKinds[kindOf(column)] !== undefined

const textKinds: readonly Kind[] = ['text', 'paddedText', 'separatedText']

const hasTextForm = (column: ColumnCodec): boolean => textKinds.includes(kindOf(column)) || integerKinds[kindOf(column)] !== undefined

const kuduKinds: readonly Kind[] = ['int8', 'int16', 'int32', 'int64', 'decimal', 'date', 'timestamp', 'text', 'bytes']

const hasKuduForm = (column: ColumnCodec): boolean => kuduKinds.includes(column.type.kind)

function valueOf({ kind, columns, count, seed, isText, drop }: Recipe, inputs: readonly ColumnCodec[]): (row: Row) => number {
  const [first = 0] = columns
  if (kind === 'modulo') {
    const signed = kindOf(inputs[0] as ColumnCodec) !== 'uint64'
    return (row) => floorModulo(row[first] as number | bigint, count, signed)
  }
  if (isText) return (row) => md5OfText(String(row[first])) >>> drop
  const encodings = inputs.map(({ ascending }) => ascending)
  if (kind === 'hashPartition') encodings.splice(-1, 1, kuduLast(inputs.at(-1) as ColumnCodec))
  const fill = hashInput(columns, encodings)
  return (row) => {
    const length = fill(row) // first: it may replace the array
    if (kind === 'hashPrefix') return md5Word(hashed, length) >>> drop
    return kind === 'hash' ? murmur3Of(hashed, 0, length, seed) % count : murmur2Modulo(hashed, 0, length, seed, count)
  }
}

const halves = new DataView(new ArrayBuffer(8))

/** Without bigint arithmetic, by the two halves of the value. */
function floorModulo(value: number | bigint, modulo: number, signed: boolean): number {
  if (typeof value === 'number') return floored(value, modulo)
  halves.setBigUint64(0, value)
  const high = floored(signed ? halves.getInt32(0) : halves.getUint32(0), modulo)
  return (high * (2 ** 32 % modulo) + halves.getUint32(4)) % modulo
}

function floored(value: number, modulo: number): number {
  const rest = value % modulo
  return rest < 0 ? rest + modulo : rest + 0
}

type Form = Pick<SaltCodec, 'bytes' | 'write' | 'read'>

function numberForm(count: number): Form {
  const bytes = count <= 256 ? 1 : 2
  return {
    bytes,
    write(target, at, value) {
      if (bytes === 2) target[at++] = value >>> 8
      target[at++] = value
      return at
    },
    read(reader) {
      reader.column = 'salt'
      const from = reader.take(bytes)
      const value = bytes === 1 ? (reader.bytes[from] as number) : (reader.bytes[from] as number) * 256 + (reader.bytes[from + 1] as number)
      return value < count ? value : reader.fail(`bucket ${value} is not below ${count}`)
    },
  }
}

function hexForm(digits: number): Form {
  return {
    bytes: digits,
    write(target, at, value) {
      const hex = value.toString(16).padStart(digits, '0')
      for (let i = 0; i < digits; i++) target[at + i] = hex.charCodeAt(i)
      return at + digits
    },
    read(reader) {
      reader.column = 'salt'
      const from = reader.take(digits)
      const hex = String.fromCharCode(...reader.bytes.subarray(from, from + digits))
      return /^[0-9a-f]+$/.test(hex) ? Number.parseInt(hex, 16) : reader.fail('a hash prefix is lower-case hex')
    },
  }
}
