import { values, type SchemaColumn } from '@rowkey/store'
import type { AttributeCodec } from './attribute-codec.js'
import { floatCodec } from './float-codec.js'
import { isSameNumber, withScale } from './number-text.js'

type Column = Pick<SchemaColumn, 'name' | 'type'>

const lastInstant = 8.64e15
const lastDay = 100_000_000

/** How the values of a column are stored; `valueTypes` says the same as a table. */
export function valueCodec(column: Column): AttributeCodec {
  const { type } = column
  const { kind } = type
  switch (kind) {
    case 'reversed':
      return valueCodec({ ...column, type: type.inner as SchemaColumn['type'] })
    case 'bool':
      return { toAttribute: (value) => ({ BOOL: value as boolean }), toValue: ({ BOOL }) => BOOL }
    case 'int8':
    case 'int16':
    case 'int32':
      return integers(-(2 ** (Number(kind.slice(3)) - 1)), 2 ** (Number(kind.slice(3)) - 1) - 1)
    case 'uint8':
    case 'uint16':
    case 'uint32':
      return integers(0, 2 ** Number(kind.slice(4)) - 1)
    case 'date':
      return integers(-lastDay, lastDay)
    case 'timestamp':
      return type.unit === 'ms' ? integers(-lastInstant, lastInstant) : wideSigned
    case 'int64':
      return wideSigned
    case 'uint64':
      return wide(0n, 2n ** 64n - 1n)
    case 'float32':
      return floatCodec(4)
    case 'float64':
      return floatCodec(8)
    case 'decimal':
      return decimals(column)
    case 'bytes':
    case 'fixedBytes':
      return bytes(type.width)
    case 'text':
    case 'json':
      return texts(() => true)
    default:
      return texts(fits(column))
  }
}

const integers = (least: number, most: number): AttributeCodec => ({
  toAttribute: (value) => ({ N: String(value) }),
  toValue({ N }) {
    const value = Number(N) + 0 // no −0
    if (N === undefined || !(Number.isInteger(value) && value >= least && value <= most)) return undefined
    return String(value) === N || isSameNumber(N, String(value)) ? value : undefined
  },
})

const wide = (least: bigint, most: bigint): AttributeCodec => ({
  toAttribute: (value) => ({ N: String(value) }),
  toValue({ N }) {
    const text = N === undefined ? undefined : withScale(N, 0)
    if (text === undefined) return undefined
    const value = BigInt(text)
    return value >= least && value <= most ? value : undefined
  },
})

const wideSigned = wide(-(2n ** 63n), 2n ** 63n - 1n)

function decimals(column: Column): AttributeCodec {
  const { scale = 0 } = column.type
  const fit = fits(column)
  return {
    toAttribute: (value) => ({ N: value as string }),
    toValue({ N }) {
      const text = N === undefined ? undefined : withScale(N, scale)
      return text !== undefined && fit(text) ? text : undefined
    },
  }
}

const bytes = (width: number | undefined): AttributeCodec => ({
  toAttribute: (value) => ({ B: value as Uint8Array }),
  toValue: ({ B }) => (B !== undefined && (width === undefined || B.length === width) ? B : undefined),
})

const texts = (fit: (text: string) => boolean): AttributeCodec => ({
  toAttribute: (value) => ({ S: value as string }),
  toValue: ({ S }) => (S !== undefined && fit(S) ? S : undefined),
})

/** Of kinds whose values look the same in a row and outside: the codec's own strict check. */
function fits({ type, name }: Column): (text: string) => boolean {
  const { toValue } = values(type, name)
  return (text) => {
    try {
      return toValue(text) === text
    } catch {
      return false
    }
  }
}
