// Tested by properties.test.ts.
import type { TypeData, Value } from './column-type.js'
import type { Reader } from './reader.js'
import { codecError } from '../error.js'
import { showName } from '../show.js'
import { utf8Of } from '../utf8.js'
import { typeImpl, type Encoding } from './type-impl.js'
import { values, type Values } from './values.js'

/** One key column: encoding, direction and null marker together. */
export interface ColumnCodec {
  readonly name: string
  readonly type: TypeData
  readonly values: Values
  readonly minBytes: number
  readonly maxBytes: number
  /** How its end is found, if not by its own bytes. */
  readonly openEnd: Encoding['openEnd']
  size(value: Value): number
  write(target: Uint8Array, at: number, value: Value): number
  /** Ascending, without a null marker and without the text that follows, as salts hash it. */
  readonly ascending: Encoding
  read(reader: Reader): Value
  /** Key order: direction and null placement included. */
  compare(a: Value, b: Value): number
}

/**
 * How one key column is encoded.
 *
 * @internal
 * @param after the bytes of the columns after it, if it ends so many bytes before the key
 * @throws RowkeyError `INVALID_LAYOUT` if the type cannot be in a key.
 * @example
 * ```ts
 * columnCodec('host', text()).size('web') //=> 5
 * columnCodec('body', json())             //=> throws INVALID_LAYOUT
 * ```
 */
export function columnCodec(name: string, type: TypeData, after = 0): ColumnCodec {
  const ascending = encodingOf(name, type, after)
  const written = (type.desc ? ascending.descending : undefined) ?? ascending
  const mask = type.desc && written === ascending ? 255 : 0
  const isNull = type.nulls === 'last' ? 2 : 0
  const marker = type.nullable ? 1 : 0
  const constant = utf8Of(type.followedBy ?? '')
  const impl = typeImpl(type)
  const encoded = type.ordered ? undefined : impl.compareEncoded?.(type)
  const compareValues = encoded ?? (impl.conversion(type, name).compare as (a: Value, b: Value) => number)
  const writeMarked: Encoding['write'] = (target, at, value) => {
    if (marker === 1) target[at++] = value === null ? isNull : 1
    if (value === null) return at
    const end = written.write(target, at, value)
    if (mask !== 0) for (let i = at; i < end; i++) target[i] = (target[i] as number) ^ mask
    for (let i = 0; i < constant.length; i++) target[end + i] = constant[i] as number
    return end + constant.length
  }
  const isPlain = marker === 0 && constant.length === 0
  return {
    name,
    type,
    values: values(type, name),
    ascending,
    minBytes: marker === 1 ? 1 : ascending.minBytes + constant.length,
    maxBytes: marker + ascending.maxBytes + constant.length,
    openEnd: ascending.openEnd,
    size: isPlain ? ascending.size : (value) => (value === null ? 1 : marker + ascending.size(value) + constant.length),
    write: isPlain && mask === 0 ? written.write : writeMarked,
    read(reader) {
      reader.column = name
      if (marker === 1) {
        reader.mask = 0
        const byte = reader.byte()
        if (byte === isNull) return null
        if (byte !== 1) reader.fail(`a null marker is ${isNull === 0 ? '00 or 01' : '01 or 02'}`)
      }
      reader.mask = mask
      const value = written.read(reader)
      if (constant.length > 0) {
        reader.mask = 0
        reader.pass(constant)
      }
      return value
    },
    compare(a, b) {
      if (a === null || b === null) {
        const nullsFirst = Number(b === null) - Number(a === null)
        return isNull === 0 ? nullsFirst : -nullsFirst
      }
      return type.desc ? compareValues(b, a) : compareValues(a, b)
    },
  }
}

function encodingOf(name: string, type: TypeData, after: number): Encoding {
  const encoding = typeImpl(type).encoding?.(type, after)
  if (encoding !== undefined) return encoding
  throw codecError(
    'INVALID_LAYOUT',
    `column '${showName(name)}' is ${type.kind}, which cannot be part of a key. Use it as a value column.`,
    {
      column: showName(name),
    },
  )
}
