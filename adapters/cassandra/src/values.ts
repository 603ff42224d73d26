// Tested by schema.test.ts and conformance.test.ts.
import { typeFacts, type SchemaColumn, type Storage, type Value } from 'rowkey/adapter'
import * as native from './client/native-bytes.js'
import * as driver from './client/driver-values.js'

/** How values of one class are stored, as the documentation says it. */
interface ValueText {
  /** The type in CQL. */
  readonly cql: string
  /** What is stored for a value. */
  readonly encoding: string
  readonly why: string
}

/** How the values of one column are stored. */
export interface ValueType extends ValueText {
  write(value: Value): Buffer
  /** undefined for a value that the column's type does not allow, because another program wrote it. */
  read(given: unknown): Value | undefined
}

const counted = 'CQL only has milliseconds; both are signed, as in rowkeys'
const floats = {
  encoding: 'the number; in a key −0 is written as 0',
  why: '-Infinity < … < Infinity < NaN, as in rowkeys; Cassandra distinguishes −0 from 0, rowkeys do not',
}

type StoredAs =
  | Exclude<Storage['class'], 'int' | 'float'>
  | 'uuid'
  | 'ascii'
  | `int ${'of 8 bits' | 'of 16 bits' | 'of 32 bits' | 'beyond'}`
  | 'bigint beyond'
  | `float of ${4 | 8} bytes`
  | 'ms'
  | 'µs and ns'
  | 'days'

/** The table of the page on value types, in its order. */
export const valueTypes: Readonly<Record<StoredAs, ValueText>> = {
  text: { cql: 'text', encoding: 'the text', why: 'compared by UTF-8 bytes, so by code point, as in rowkeys' },
  json: { cql: 'text', encoding: 'the text', why: 'the store does not parse it' },
  uuid: {
    cql: 'uuid',
    encoding: 'the UUID',
    why: "compared by version, then by clock: the order of uuid({ order: 'time' }), not that of the text",
  },
  ascii: { cql: 'ascii', encoding: 'the 26 characters', why: 'compared by bytes, and the alphabet of ULIDs is in byte order' },
  bytes: { cql: 'blob', encoding: 'the bytes', why: 'compared unsigned, as in rowkeys' },
  boolean: { cql: 'boolean', encoding: 'the value', why: 'false < true, as in rowkeys' },
  'int of 8 bits': { cql: 'tinyint', encoding: 'the number', why: 'signed, as in rowkeys' },
  'int of 16 bits': {
    cql: 'smallint',
    encoding: 'the number',
    why: 'signed, as in rowkeys; also unsigned integers of 8 bits, because CQL has no unsigned types',
  },
  'int of 32 bits': { cql: 'int', encoding: 'the number', why: 'signed, as in rowkeys; also unsigned integers of 16 bits' },
  'int beyond': { cql: 'bigint', encoding: 'the number', why: 'the next wider type' },
  bigint: { cql: 'bigint', encoding: 'the number', why: 'signed, as in rowkeys' },
  'bigint beyond': { cql: 'varint', encoding: 'the number', why: 'the next wider type, compared as numbers' },
  'float of 4 bytes': { cql: 'float', ...floats },
  'float of 8 bytes': { cql: 'double', ...floats },
  decimal: {
    cql: 'decimal',
    encoding: 'the number, always with the scale of the column',
    why: 'compared as numbers; 1.5 and 1.50 are one clustering key but two partition keys, so only one form is written',
  },
  ms: { cql: 'timestamp', encoding: 'the instant', why: counted },
  'µs and ns': { cql: 'bigint', encoding: 'the number of µs or ns since 1970', why: counted },
  days: { cql: 'date', encoding: 'the day', why: 'signed days since 1970, as in rowkeys' },
}

/** How a column is stored: a value column, or a key column with a type of its own. */
export function valueTypeOf({ type }: Pick<SchemaColumn, 'type'>): ValueType {
  let valueType = known.get(type)
  if (valueType === undefined) known.set(type, (valueType = make(typeFacts(type).storage)))
  return valueType
}

/** Cached, because it is needed for every value that is written. */
const known = new WeakMap<SchemaColumn['type'], ValueType>()

function make(storage: Storage): ValueType {
  switch (storage.class) {
    case 'boolean':
      return held('boolean', native.boolean, of('boolean'))
    case 'int':
      return integer(storage)
    case 'bigint':
      return bigInteger(storage)
    case 'float':
      return storage.bytes === 4
        ? held('float of 4 bytes', native.float, of('number'))
        : held('float of 8 bytes', native.double, of('number'))
    case 'decimal':
      return held(
        'decimal',
        (value: string) => native.decimal(value, storage.scale),
        (given) => decimalOf(given, storage),
      )
    case 'bytes':
      return held('bytes', native.blob, (given) => {
        if (!Buffer.isBuffer(given)) return undefined
        const { length = given.length } = storage
        return given.length === length ? driver.bytesOf(given) : undefined
      })
    case 'json':
      return held('json', native.text, of('string'))
    case 'text':
      if (storage.format === 'ascii') return held('ascii', native.text, of('string'))
      if (storage.format !== undefined) return held('uuid', native.uuid, uuidOf)
      return held('text', native.text, of('string'))
  }
}

type Class<C extends Storage['class']> = Extract<Storage, { class: C }>

function held<V extends Value>(storedAs: StoredAs, write: (value: V) => Buffer, read: (given: unknown) => Value | undefined): ValueType {
  return { ...valueTypes[storedAs], write: write, read }
}

/** Reads what the driver returns as a value of JavaScript already. */
const of =
  (type: 'boolean' | 'number' | 'string') =>
  (given: unknown): Value | undefined =>
    typeof given === type ? (given as Value) : undefined

const uuidLength = 36

function uuidOf(given: unknown): Value | undefined {
  const text = String(given)
  return text.length === uuidLength ? text : undefined
}

/** Numbers, by the narrowest type of CQL that includes all of them. */
function integer({ min, max, counts }: Class<'int'>): ValueType {
  const within = (given: number): number | undefined => (given >= min && given <= max ? given : undefined)
  if (counts === 'days') return held('days', native.date, (given) => within(driver.daysOf(given)))
  if (counts === 'ms') return held('ms', native.int64Of, (given) => within(driver.instantOf(given)))
  const fits = (bits: number): boolean => min >= -(2 ** (bits - 1)) && max < 2 ** (bits - 1)
  const read = (given: unknown): Value | undefined => (Number.isInteger(given) ? within(given as number) : undefined)
  if (fits(8)) return held('int of 8 bits', native.int8, read)
  if (fits(16)) return held('int of 16 bits', native.int16, read)
  if (fits(32)) return held('int of 32 bits', native.int32, read)
  return held('int beyond', native.int64Of, (given) => within(Number(driver.bigintOf(given))))
}

function bigInteger({ min, max, counts }: Class<'bigint'>): ValueType {
  if (counts !== undefined) return held('µs and ns', native.int64, driver.bigintOf)
  const read = (value: bigint): bigint | undefined => (value >= min && value <= max ? value : undefined)
  if (min >= -(2n ** 63n) && max < 2n ** 63n) return held('bigint', native.int64, (given) => read(driver.bigintOf(given)))
  return held('bigint beyond', native.varint, (given) => read(driver.varintOf(given)))
}

function decimalOf(given: unknown, { precision, scale }: Class<'decimal'>): string | undefined {
  const text = driver.decimalOf(given, scale)
  if (text === undefined) return undefined
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '')
  return digits.length <= precision && (scale < precision || /^-?0\./.test(text)) ? text : undefined
}
