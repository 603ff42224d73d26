// Tested by properties.test.ts.
import type { TypeData, Value } from './column-type.js'
import type { Reader } from './reader.js'
import { codecError } from '../error.js'
import { showName } from '../show.js'
import { typeImpl, type Encoding } from './type-impl.js'
import { values, type Values } from './values.js'

/** One key column: encoding, direction and null marker together. */
export interface ColumnCodec {
  readonly name: string
  readonly type: TypeData
  readonly values: Values
  readonly minBytes: number
  readonly maxBytes: number
  size(value: Value): number
  write(target: Uint8Array, at: number, value: Value): number
  /** Ascending and without a null marker, as salts hash it. */
  readonly ascending: Encoding
  read(reader: Reader): Value
  /** Key order: direction and null placement included. */
  compare(a: Value, b: Value): number
}

/**
 * How one key column is encoded.
 *
 * @internal
 * @throws RowkeyError `INVALID_LAYOUT` if the type cannot be in a key.
 * @example
 * ```ts
 * columnCodec('host', text()).size('web') //=> 5
 * columnCodec('body', json())             //=> throws INVALID_LAYOUT
 * ```
 */
export function columnCodec(name: string, type: TypeData): ColumnCodec {
  const ascending = encodingOf(name, type)
  const mask = type.desc ? 255 : 0
  const isNull = type.nulls === 'last' ? 2 : 0
  const marker = type.nullable ? 1 : 0
  const impl = typeImpl(type)
  const encoded = type.ordered ? undefined : impl.compareEncoded?.(type)
  const compareValues = encoded ?? (impl.conversion(type, name).compare as (a: Value, b: Value) => number)
  const writeMarked: Encoding['write'] = (target, at, value) => {
    if (marker === 1) target[at++] = value === null ? isNull : 1
    if (value === null) return at
    const end = ascending.write(target, at, value)
    if (mask !== 0) for (let i = at; i < end; i++) target[i] = (target[i] as number) ^ mask
    return end
  }
  return {
    name,
    type,
    values: values(type, name),
    ascending,
    minBytes: marker === 1 ? 1 : ascending.minBytes,
    maxBytes: marker + ascending.maxBytes,
    size: marker === 0 ? ascending.size : (value) => (value === null ? 1 : 1 + ascending.size(value)),
    write: marker === 0 && mask === 0 ? ascending.write : writeMarked,
    read(reader) {
      reader.column = name
      if (marker === 1) {
        reader.mask = 0
        const byte = reader.byte()
        if (byte === isNull) return null
        if (byte !== 1) reader.fail(`a null marker is ${isNull === 0 ? '00 or 01' : '01 or 02'}`)
      }
      reader.mask = mask
      return ascending.read(reader)
    },
    compare(a, b) {
      if (a === null || b === null) {
        const nullsFirst = Number(b === null) - Number(a === null)
        return isNull === 0 ? nullsFirst : -nullsFirst
      }
      return mask === 0 ? compareValues(a, b) : compareValues(b, a)
    },
  }
}

function encodingOf(name: string, type: TypeData): Encoding {
  const encoding = typeImpl(type).encoding?.(type)
  if (encoding !== undefined) return encoding
  throw codecError(
    'INVALID_LAYOUT',
    `column '${showName(name)}' is ${type.kind}, which cannot be part of a key. Use it as a value column.`,
    {
      column: showName(name),
    },
  )
}
