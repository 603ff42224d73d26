// Also tested by conformance.test.ts.
import { readUtf8, typeFacts, utf8Of, type SchemaColumn, type Storage, type TypeFacts, type Value } from 'rowkey/adapter'

/** How values of one class are stored, as the documentation says it. */
interface ValueText {
  /** What other programs read it with: a method of Java's `Bytes`. */
  readonly java: string
  /** The type of Lindorm's `MAP DYNAMIC COLUMN`; undefined: its SQL has none for these bytes. */
  readonly lindorm: string | undefined
  readonly encoding: string
}

/** How the values of one column are stored. Null is not stored: the row has no cell of that column. */
export interface ValueType extends ValueText {
  write(value: Value): Uint8Array
  /** undefined for bytes that the column's type does not allow, because another program wrote them. */
  read(bytes: Uint8Array): Value | undefined
  /** Whether equal values always have equal bytes. */
  readonly isExact?: true
  /** The ranges of bytes that contain all values from `low` to `high`; undefined: the bytes do not sort like the values. */
  readonly ranges?: (low: Value | undefined, high: Value | undefined) => readonly ByteRange[]
}

/** Stored bytes from `low` to `high`, both inclusive; undefined = no end. */
export interface ByteRange {
  readonly low?: Uint8Array | undefined
  readonly high?: Uint8Array | undefined
}

type StoredAs = 'boolean' | 'int' | 'long' | 'long beyond' | 'float' | 'double' | 'decimal' | 'text' | 'json' | 'bytes'

/** The table of the page on value types, in its order. */
export const valueTypes: Readonly<Record<StoredAs, ValueText>> = {
  boolean: { java: 'toBoolean', lindorm: 'HBOOLEAN', encoding: '`ff` or `00`' },
  int: {
    java: 'toInt',
    lindorm: 'HINTEGER',
    encoding: '4 bytes, two’s complement, for integers of up to 32 bits with sign; days since 1970',
  },
  long: { java: 'toLong', lindorm: 'HLONG', encoding: '8 bytes, two’s complement; instants in their unit since 1970' },
  'long beyond': { java: 'toString', lindorm: 'HSTRING', encoding: 'the digits as text, because a Java long ends at 2^63 - 1' },
  float: { java: 'toFloat', lindorm: 'HFLOAT', encoding: '4 bytes, IEEE 754' },
  double: { java: 'toDouble', lindorm: 'HDOUBLE', encoding: '8 bytes, IEEE 754' },
  decimal: { java: 'toString', lindorm: 'HSTRING', encoding: 'the digits as text, always with the scale of the column' },
  text: { java: 'toString', lindorm: 'HSTRING', encoding: 'UTF-8' },
  json: { java: 'toString', lindorm: 'HSTRING', encoding: 'UTF-8' },
  bytes: { java: 'the bytes', lindorm: undefined, encoding: 'as they are' },
}

/** How a column is stored. */
export function valueTypeOf({ type }: Pick<SchemaColumn, 'type'>): ValueType {
  let valueType = known.get(type)
  if (valueType === undefined) known.set(type, (valueType = make(typeFacts(type))))
  return valueType
}

/** Cached, because it is needed for every value that is written. */
const known = new WeakMap<SchemaColumn['type'], ValueType>()

function make({ storage, storedOrder, accepts }: TypeFacts): ValueType {
  switch (storage.class) {
    case 'boolean':
      return {
        ...valueTypes.boolean,
        write: (value) => (value === true ? yes : no),
        // As Bytes.toBoolean: what is not 0 is true.
        read: (bytes) => (bytes.length === 1 ? bytes[0] !== 0 : undefined),
        ranges: (low, high) => [{ low: low === true ? one : no, high: high === false ? no : undefined }],
      }
    case 'int':
      return integer(storage)
    case 'bigint':
      return bigInteger(storage)
    case 'float':
      return float(storage.bytes)
    case 'decimal':
      return { ...valueTypes.decimal, isExact: true, write: writeText, read: (bytes) => accepted(readUtf8(bytes), accepts) }
    case 'json':
      return { ...valueTypes.json, write: writeText, read: readUtf8 }
    case 'text': {
      const read = storage.restricted ? (bytes: Uint8Array) => accepted(readUtf8(bytes), accepts) : readUtf8
      const type = { ...valueTypes.text, isExact: true, write: writeText, read } as const
      return storedOrder ? { ...type, ranges: asBytes(writeText) } : type
    }
    case 'bytes':
      return {
        ...valueTypes.bytes,
        write: (value) => value as Uint8Array,
        read: (bytes) => (storage.length === undefined || bytes.length === storage.length ? new Uint8Array(bytes) : undefined),
        ranges: asBytes((value) => value as Uint8Array),
      }
  }
}

const yes = Uint8Array.of(0xff)
const no = Uint8Array.of(0)
/** The least that is true. */
const one = Uint8Array.of(1)

/** A Buffer, because those of short texts share their memory. */
const writeText = (value: Value): Uint8Array => Buffer.from(value as string)

const accepted = (value: string | undefined, accepts: TypeFacts['accepts']): Value | undefined =>
  value !== undefined && accepts(value) ? value : undefined

/** One range of bytes, for values that sort like their bytes. */
const asBytes =
  (write: (value: Value) => Uint8Array): NonNullable<ValueType['ranges']> =>
  (low, high) => [{ low: low === undefined ? undefined : write(low), high: high === undefined ? undefined : write(high) }]

type Class<C extends Storage['class']> = Extract<Storage, { class: C }>

/** Numbers, in 4 bytes if all of them fit. */
function integer({ min, max }: Class<'int'>): ValueType {
  const within = (given: number): number | undefined => (given >= min && given <= max ? given : undefined)
  if (min >= -(2 ** 31) && max < 2 ** 31) {
    const write = (value: Value): Uint8Array => int32(value as number)
    const read = (bytes: Uint8Array): Value | undefined => (bytes.length === 4 ? within(viewOf(bytes).getInt32(0)) : undefined)
    return { ...valueTypes.int, write, read, ranges: signed(write, 0, -1) }
  }
  const write = (value: Value): Uint8Array => int64(BigInt(value as number))
  const read = (bytes: Uint8Array): Value | undefined => (bytes.length === 8 ? within(Number(viewOf(bytes).getBigInt64(0))) : undefined)
  return { ...valueTypes.long, write, read, ranges: signed(write, 0, -1) }
}

function bigInteger({ min, max }: Class<'bigint'>): ValueType {
  const within = (given: bigint): bigint | undefined => (given >= min && given <= max ? given : undefined)
  if (min >= -(2n ** 63n) && max < 2n ** 63n) {
    const write = (value: Value): Uint8Array => int64(value as bigint)
    const read = (bytes: Uint8Array): Value | undefined => (bytes.length === 8 ? within(viewOf(bytes).getBigInt64(0)) : undefined)
    return { ...valueTypes.long, write, read, ranges: signed(write, 0n, -1n) }
  }
  return {
    ...valueTypes['long beyond'],
    isExact: true,
    write: (value) => utf8Of(String(value)),
    read(bytes) {
      const digits = readUtf8(bytes) ?? ''
      return /^(0|-?[1-9]\d*)$/.test(digits) && digits.length < maxDigits ? within(BigInt(digits)) : undefined
    },
  }
}

/** More than any integer of a column has; it keeps a damaged value from being computed. */
const maxDigits = 100

function float(bytes: 4 | 8): ValueType {
  const write = (value: Value): Uint8Array => {
    if (bytes === 4) scratch.setFloat32(0, value as number)
    else scratch.setFloat64(0, value as number)
    return written.slice(0, bytes)
  }
  return {
    ...(bytes === 4 ? valueTypes.float : valueTypes.double),
    write,
    read: (given) => (given.length === bytes ? (bytes === 4 ? viewOf(given).getFloat32(0) : viewOf(given).getFloat64(0)) : undefined),
  }
}

/**
 * Two's complement sorts negative numbers after positive ones. So a range is at most two ranges of bytes, one for each sign.
 *
 * @param zero the least number without sign
 * @param minusOne the greatest one with it
 */
function signed<V extends number | bigint>(write: (value: Value) => Uint8Array, zero: V, minusOne: V): NonNullable<ValueType['ranges']> {
  return (low, high) => {
    const ranges: ByteRange[] = []
    const [from, to] = [low as V | undefined, high as V | undefined]
    if (from === undefined || from < zero) {
      // Of numbers with a sign the first byte is at least 80, and the least number sorts first among them.
      const end = to !== undefined && to < zero ? to : minusOne
      ranges.push({ low: from === undefined ? Uint8Array.of(0x80) : write(from), high: write(end) })
    }
    if (to === undefined || to >= zero) {
      const start = from !== undefined && from >= zero ? from : zero
      ranges.push({ low: write(start), high: to === undefined ? Uint8Array.of(0x7f, ...new Uint8Array(8).fill(0xff)) : write(to) })
    }
    return ranges
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Numbers are written here and copied: a view of each copy would take several times as long. */
const scratch = new DataView(new ArrayBuffer(8))
const written = new Uint8Array(scratch.buffer)

/** `Bytes.toBytes(int)` */
function int32(value: number): Uint8Array {
  scratch.setInt32(0, value)
  return written.slice(0, 4)
}

/** `Bytes.toBytes(long)` */
function int64(value: bigint): Uint8Array {
  scratch.setBigInt64(0, value)
  return written.slice()
}
