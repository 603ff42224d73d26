import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { typeFacts, type SchemaColumn, type Storage, type TypeFacts, type Value } from 'rowkey/adapter'
import { isSameNumber, withScale } from './client/number-text.js'

/** How values are stored. */
export interface ValueType {
  /** The type of the attribute in DynamoDB. */
  readonly native: string
  readonly encoding: string
  readonly why: string
}

/**
 * How attributes contain the values of columns, by storage class, for programs that read items with another client. A null has no
 * attribute. Key columns are only in `p` and `s`. Options that only matter in keys (direction, padding, separators, codes, reversing) have
 * no effect here.
 *
 * @example
 * ```ts
 * valueTypes.bigint.native //=> 'N'
 * ```
 */
export const valueTypes: Readonly<Record<Storage['class'], ValueType>> = Object.freeze({
  text: { native: 'S', encoding: 'the text', why: 'readable; S keeps any text, also empty text' },
  json: { native: 'S', encoding: 'its JSON text', why: 'M would lose the order of names and how numbers are written' },
  bytes: { native: 'B', encoding: 'the bytes', why: 'B keeps any bytes, also zero bytes' },
  boolean: { native: 'BOOL', encoding: 'true or false', why: 'its own type' },
  int: {
    native: 'N',
    encoding: 'decimal digits; for instants, ms since 1970-01-01 UTC; for dates, days',
    why: 'exact: N has 38 digits and is sent as text',
  },
  bigint: {
    native: 'N',
    encoding: 'decimal digits; for instants, µs or ns since 1970-01-01 UTC',
    why: 'exact: N has 38 digits and is sent as text',
  },
  float: {
    native: 'N or B',
    encoding: 'N: the shortest digits that read back as the same number; B: IEEE 754, big-endian, 4 or 8 bytes',
    why: 'N has neither −0, NaN nor infinities, and ends at 1e-130 and 1e126: those are B',
  },
  decimal: { native: 'N', encoding: 'the number', why: 'exact; the scale of the column restores zeros at the end' },
})

/** Converts values of one column to attributes and back. The caller handles null. */
export interface AttributeCodec {
  toAttribute(value: Value): AttributeValue
  /** undefined if the attribute is not a value of this column. */
  toValue(attribute: AttributeValue): Value | undefined
}

type Accepts = TypeFacts['accepts']

/** The codec of a column, as described in `valueTypes`. */
export function valueCodec({ type }: Pick<SchemaColumn, 'type'>): AttributeCodec {
  const { storage, accepts } = typeFacts(type)
  switch (storage.class) {
    case 'boolean':
      return { toAttribute: (value) => ({ BOOL: value as boolean }), toValue: ({ BOOL }) => (typeof BOOL === 'boolean' ? BOOL : undefined) }
    case 'int':
      return integers(storage.min, storage.max)
    case 'bigint':
      return bigints(storage.min, storage.max)
    case 'float':
      return floatCodec(storage.bytes)
    case 'decimal':
      return decimals(storage.scale, accepts)
    case 'bytes':
      return bytes(storage.length)
    case 'text':
      return texts(storage.restricted ? accepts : anyText)
    case 'json':
      return texts(anyText)
  }
}

const anyText: Accepts = () => true

const integers = (min: number, max: number): AttributeCodec => ({
  toAttribute: (value) => ({ N: String(value) }),
  toValue({ N }) {
    if (typeof N !== 'string') return undefined
    const value = Number(N) + 0 // no −0
    if (!(Number.isInteger(value) && value >= min && value <= max)) return undefined
    return String(value) === N || isSameNumber(N, String(value)) ? value : undefined
  },
})

const bigints = (min: bigint, max: bigint): AttributeCodec => ({
  toAttribute: (value) => ({ N: String(value) }),
  toValue({ N }) {
    const text = typeof N === 'string' ? withScale(N, 0) : undefined
    if (text === undefined) return undefined
    const value = BigInt(text)
    return value >= min && value <= max ? value : undefined
  },
})

const decimals = (scale: number, accepts: Accepts): AttributeCodec => ({
  toAttribute: (value) => ({ N: value as string }),
  toValue({ N }) {
    const text = typeof N === 'string' ? withScale(N, scale) : undefined
    return text !== undefined && accepts(text) ? text : undefined
  },
})

const bytes = (length: number | undefined): AttributeCodec => ({
  toAttribute: (value) => ({ B: value as Uint8Array }),
  toValue: ({ B }) => (B instanceof Uint8Array && (length === undefined || B.length === length) ? B : undefined),
})

const texts = (accepts: Accepts): AttributeCodec => ({
  toAttribute: (value) => ({ S: value as string }),
  toValue: ({ S }) => (typeof S === 'string' && accepts(S) ? S : undefined),
})

/** The range of N: the smallest absolute value except zero, and the first that is too large. */
const least = 1e-130
const max = 1e126

/** Floats of 4 or 8 bytes: N if it can contain them exactly, else their bytes. */
function floatCodec(width: 4 | 8): AttributeCodec {
  return {
    toAttribute: (value) => (isNumber(value as number) ? { N: String(value) } : { B: bytesOf(value as number, width) }),
    toValue({ N, B }: AttributeValue) {
      if (typeof N === 'string') return numberOf(N, width)
      return B instanceof Uint8Array && B.length === width ? floatOf(B) : undefined
    },
  }
}

function isNumber(value: number): boolean {
  const size = Math.abs(value)
  return (size >= least && size < max) || Object.is(value, 0)
}

/** A number that another program may have written. It is invalid if the column would have to round it. */
function numberOf(text: string, width: 4 | 8): number | undefined {
  const value = Number(text) + 0 // no −0: N has one zero
  const isHeld = isNumber(value) && (width === 8 || Math.fround(value) === value)
  return isHeld && isSameNumber(text, String(value)) ? value : undefined
}

function bytesOf(value: number, width: 4 | 8): Uint8Array {
  const bytes = new Uint8Array(width)
  const view = new DataView(bytes.buffer)
  if (width === 4) view.setFloat32(0, value)
  else view.setFloat64(0, value)
  return bytes
}

function floatOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const value = bytes.length === 4 ? view.getFloat32(0) : view.getFloat64(0)
  return Number.isNaN(value) ? NaN : value // without the payload of a NaN
}
