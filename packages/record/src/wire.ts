import type { SchemaColumn } from '@rowkey/model'
import { values, type TypeData, type Value } from '@rowkey/codec'

/** What a value of one column looks like in a record, and which values it may be. */
export interface Wire {
  readonly form: 'bool' | 'int' | 'wide' | 'float32' | 'float64' | 'text' | 'bytes'
  /** Inclusive, of `int`. */
  readonly min: number
  readonly max: number
  /** Inclusive, of `wide`. */
  readonly least: bigint
  readonly most: bigint
  /** Whether text or bytes of the right form can be of this column; undefined: all can. */
  readonly fits: ((value: Value) => boolean) | undefined
}

const base = { min: 0, max: 0, least: 0n, most: 0n, fits: undefined }
const lastInstant = 8.64e15
const lastDay = 100_000_000

/** The wire form of a column. */
export function wireOf({ name, type }: Pick<SchemaColumn, 'name' | 'type'>): Wire {
  const { kind } = type
  switch (kind) {
    case 'bool':
    case 'float32':
    case 'float64':
      return { ...base, form: kind }
    case 'int8':
    case 'int16':
    case 'int32':
      return signed(2 ** (Number(kind.slice(3)) - 1))
    case 'uint8':
    case 'uint16':
    case 'uint32':
      return { ...base, form: 'int', max: 2 ** Number(kind.slice(4)) - 1 }
    case 'date':
      return { ...base, form: 'int', min: -lastDay, max: lastDay }
    case 'timestamp':
      return type.unit === 'ms' ? { ...base, form: 'int', min: -lastInstant, max: lastInstant } : wideSigned
    case 'int64':
      return wideSigned
    case 'uint64':
      return { ...base, form: 'wide', most: 2n ** 64n - 1n }
    case 'reversed':
      return wireOf({ name, type: type.inner as TypeData })
    case 'bytes':
      return { ...base, form: 'bytes' }
    case 'fixedBytes':
      return { ...base, form: 'bytes', fits: fits(type, name) }
    case 'text':
    case 'json':
      return { ...base, form: 'text' }
    default:
      return { ...base, form: 'text', fits: fits(type, name) }
  }
}

const wideSigned: Wire = { ...base, form: 'wide', least: -(2n ** 63n), most: 2n ** 63n - 1n }

const signed = (limit: number): Wire => ({ ...base, form: 'int', min: -limit, max: limit - 1 })

/** Of kinds whose values look the same in a row and outside: the codec's own strict check. */
function fits(type: TypeData, column: string): (value: Value) => boolean {
  const { toValue } = values(type, column)
  return (value) => {
    try {
      return toValue(value) === value
    } catch {
      return false
    }
  }
}
