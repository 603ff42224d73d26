import type { TypeData } from '../types/column-type.js'
import type { Value } from '../values/value.js'
import type { Encoding } from './encoding.js'
import type { Reader } from './reader.js'
import { compareText } from '../compare.js'
import { codecError } from '../error.js'
import { integerKinds } from '../values/integer-range.js'
import { values, type Values } from '../values/values.js'
import { dictionaryEncoding, fixedBytesEncoding, paddedTextEncoding, separatedTextEncoding } from './bare.js'
import { decimalEncoding } from './decimal.js'
import { bytesEncoding, textEncoding } from './escaped.js'
import { boolEncoding, dateEncoding, floatEncoding, integerEncoding, millisecondsEncoding, wideEncoding } from './fixed.js'
import { timedUuidEncoding, ulidEncoding, uuidEncoding } from './ids.js'
import { reversedEncoding } from './reversed.js'

/** One key column: encoding, direction and null marker together. */
export interface ColumnCodec {
  readonly name: string
  readonly type: TypeData
  readonly values: Values
  readonly minBytes: number
  readonly maxBytes: number
  size(value: Value): number
  write(target: Uint8Array, at: number, value: Value): number
  /** Ascending and without null marker, as salts hash it. */
  readonly ascending: Encoding
  read(reader: Reader): Value
  /** Key order: direction and null placement included. */
  compare(a: Value, b: Value): number
}

/** @throws RowkeyError `INVALID_LAYOUT` if the type cannot be in a key. */
export function columnCodec(name: string, type: TypeData): ColumnCodec {
  const ascending = encodingOf(name, type)
  const flip = type.desc ? 0xff : 0
  const isNull = type.nulls === 'last' ? 2 : 0
  const marker = type.nullable ? 1 : 0
  const compareValues = keyOrderOf(type)
  return {
    name,
    type,
    values: values(type, name),
    ascending,
    minBytes: marker === 1 ? 1 : ascending.minBytes,
    maxBytes: marker + ascending.maxBytes,
    size: (value) => (value === null ? 1 : marker + ascending.size(value)),
    write(target, at, value) {
      if (marker === 1) target[at++] = value === null ? isNull : 1
      if (value === null) return at
      const end = ascending.write(target, at, value)
      if (flip === 0xff) for (let i = at; i < end; i++) target[i] = (target[i] as number) ^ 0xff
      return end
    },
    read(reader) {
      reader.column = name
      if (marker === 1) {
        const byte = reader.bytes[reader.take(1)] as number
        if (byte === isNull) return null
        if (byte !== 1) reader.fail(`a null marker is ${isNull === 0 ? '00 or 01' : '01 or 02'}`)
      }
      return ascending.read(reader, flip)
    },
    compare(a, b) {
      if (a === null || b === null) {
        const nullsFirst = Number(b === null) - Number(a === null)
        return isNull === 0 ? nullsFirst : -nullsFirst
      }
      return flip === 0 ? compareValues(a, b) : compareValues(b, a)
    },
  }
}

function encodingOf(name: string, type: TypeData): Encoding {
  const integer = integerKinds[type.kind]
  if (integer !== undefined) return integer.bytes === 8 ? wideEncoding(integer.signed) : integerEncoding(integer.bytes, integer.signed)
  switch (type.kind) {
    case 'text':
      return textEncoding
    case 'bytes':
      return bytesEncoding
    case 'fixedBytes':
      return fixedBytesEncoding(type.width ?? 0)
    case 'bool':
      return boolEncoding
    case 'uuid':
      return type.order === 'time' ? timedUuidEncoding : uuidEncoding
    case 'ulid':
      return ulidEncoding
    case 'decimal':
      return decimalEncoding(type.precision ?? 0, type.scale ?? 0)
    case 'float32':
      return floatEncoding(4)
    case 'float64':
      return floatEncoding(8)
    case 'timestamp':
      return type.unit === 'ms' ? millisecondsEncoding : wideEncoding(true)
    case 'date':
      return dateEncoding
    case 'paddedText':
      return paddedTextEncoding(type.width ?? 0, type.pad ?? '')
    case 'separatedText':
      return separatedTextEncoding(type.separator ?? '')
    case 'dictionary':
      return dictionaryEncoding(type.codes ?? [])
    case 'reversed':
      return reversedEncoding(type.inner as TypeData)
    default:
      throw codecError('INVALID_LAYOUT', `column '${name}' is ${type.kind}, which no key can hold. Use it as a value column.`, {
        column: name,
      })
  }
}

/** The order of the bytes where it is not the order of the values. */
function keyOrderOf(type: TypeData): (a: Value, b: Value) => number {
  if (type.ordered) return values(type, '').compare
  switch (type.kind) {
    case 'dictionary': {
      const codes = new Map(type.codes)
      return (a, b) => compareText(codes.get(a as string) as string, codes.get(b as string) as string)
    }
    case 'paddedText':
      return (a, b) => compareText((a as string).padEnd(type.width ?? 0, type.pad), (b as string).padEnd(type.width ?? 0, type.pad))
    case 'separatedText':
      return (a, b) => compareText(`${a as string}${type.separator}`, `${b as string}${type.separator}`)
    case 'reversed':
      return (a, b) => compareText(Array.from(String(a)).reverse().join(''), Array.from(String(b)).reverse().join(''))
    default:
      return values(type, '').compare
  }
}
