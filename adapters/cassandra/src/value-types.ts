import type { SchemaColumn, Value } from '@rowkey/store'
import * as native from './native-bytes.js'
import * as driver from './driver-values.js'

type Type = SchemaColumn['type']

/** How the values of one kind of column are held. */
export interface ValueType {
  /** The type in CQL. */
  readonly cql: string
  /** How a value becomes one of that type. */
  readonly encoding: string
  readonly why: string
  /** Whether a key column of this kind is in the same order as ours, and every value has one form. */
  readonly ordered: boolean
  write(value: never, type: Type): Buffer
  /** undefined for what the column cannot hold: something else wrote it. */
  read(given: unknown, type: Type): Value | undefined
}

const integer = (cql: string, encoding: string, why: string, write: (value: number) => Buffer, low: number, high: number): ValueType => ({
  cql,
  encoding,
  why,
  ordered: true,
  write,
  read: (given) => ((given as number) >= low && (given as number) <= high ? (given as number) : undefined),
})

const sameText = (why: string): ValueType => ({
  cql: 'text',
  encoding: 'the text',
  why,
  ordered: false,
  write: native.text,
  read: (given) => given as string,
})

const floating = (cql: string, write: (value: number) => Buffer): ValueType => ({
  cql,
  encoding: 'the number; in a key −0 is written as 0',
  why: '-Infinity < … < Infinity < NaN, as ours; Cassandra tells −0 from 0, rowkeys do not',
  ordered: true,
  write,
  read: (given) => given as number,
})

const fits = ({ precision = 0, scale = 0 }: Type, text: string): boolean => {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '')
  return digits.length <= precision && (scale < precision || /^-?0\./.test(text))
}

/** The table of the page on value types, in its order. */
export const valueTypes: Readonly<Record<Exclude<Type['kind'], 'reversed'>, ValueType>> = {
  text: { ...sameText('compared by UTF-8 bytes, which is by code point, as ours'), ordered: true },
  bytes: {
    cql: 'blob',
    encoding: 'the bytes',
    why: 'compared unsigned, as ours',
    ordered: true,
    write: native.blob,
    read: driver.bytesOf,
  },
  fixedBytes: {
    cql: 'blob',
    encoding: 'the bytes',
    why: 'compared unsigned, as ours',
    ordered: true,
    write: native.blob,
    read: (given, { width }) => ((given as Buffer).length === width ? driver.bytesOf(given) : undefined),
  },
  bool: {
    cql: 'boolean',
    encoding: 'the value',
    why: 'false < true, as ours',
    ordered: true,
    write: native.boolean,
    read: (given) => given as boolean,
  },
  int8: integer('tinyint', 'the number', 'signed, as ours', native.int8, -0x80, 0x7f),
  int16: integer('smallint', 'the number', 'signed, as ours', native.int16, -0x8000, 0x7fff),
  int32: integer('int', 'the number', 'signed, as ours', native.int32, -0x8000_0000, 0x7fff_ffff),
  int64: { cql: 'bigint', encoding: 'the number', why: 'signed, as ours', ordered: true, write: native.int64, read: driver.bigintOf },
  uint8: integer('smallint', 'the number', 'CQL has no unsigned integers; the next wider type', native.int16, 0, 0xff),
  uint16: integer('int', 'the number', 'the next wider type', native.int32, 0, 0xffff),
  uint32: {
    cql: 'bigint',
    encoding: 'the number',
    why: 'the next wider type',
    ordered: true,
    write: (value: number) => native.int64(BigInt(value)),
    read(given) {
      const value = driver.bigintOf(given)
      return value >= 0n && value <= 0xffff_ffffn ? Number(value) : undefined
    },
  },
  uint64: {
    cql: 'varint',
    encoding: 'the number',
    why: 'the next wider type, compared as numbers',
    ordered: true,
    write: native.varint,
    read(given) {
      const value = driver.varintOf(given)
      return value >= 0n && value <= 0xffff_ffff_ffff_ffffn ? value : undefined
    },
  },
  float32: floating('float', native.float),
  float64: floating('double', native.double),
  decimal: {
    cql: 'decimal',
    encoding: 'the number, always with the scale of the column',
    why: 'compared as numbers; 1.5 and 1.50 are one clustering key but two partition keys, so one form only is written',
    ordered: true,
    write: (value: string, { scale = 0 }) => native.decimal(value, scale),
    read(given, type) {
      const text = driver.decimalOf(given, type.scale ?? 0)
      return text !== undefined && fits(type, text) ? text : undefined
    },
  },
  timestamp: {
    cql: 'timestamp (ms), bigint (us, ns)',
    encoding: 'the instant; µs and ns as their count from 1970',
    why: 'CQL counts milliseconds only; both are signed, as ours',
    ordered: true,
    write: (value: number | bigint) => native.int64(BigInt(value)),
    read(given, { unit }) {
      if (unit !== 'ms') return driver.bigintOf(given)
      const ms = driver.instantOf(given)
      return Number.isNaN(ms) ? undefined : ms
    },
  },
  date: {
    cql: 'date',
    encoding: 'the day',
    why: 'signed days from 1970, as ours',
    ordered: true,
    write: native.date,
    read(given) {
      const days = driver.daysOf(given)
      return Number.isNaN(days) ? undefined : days
    },
  },
  uuid: {
    cql: 'uuid',
    encoding: 'the UUID',
    why: "compared by version, then by clock: the order of uuid({ order: 'time' }), not that of the text",
    ordered: false,
    write: native.uuid,
    read: String,
  },
  ulid: {
    cql: 'ascii',
    encoding: 'the 26 characters',
    why: 'compared by bytes; the alphabet of ULIDs is in their order',
    ordered: true,
    write: native.text,
    read: (given) => given as string,
  },
  json: sameText('what is in it is not looked at'),
  paddedText: sameText('the padding is of the key only'),
  separatedText: sameText('the separator is of the key only'),
  dictionary: sameText('the codes are of the key only'),
}

/** How a column is held that is a value, or a key column of its own type. */
export function valueTypeOf(type: Type): ValueType {
  return type.kind === 'reversed' ? valueTypeOf(type.inner as Type) : valueTypes[type.kind]
}

/** The type of a column in CQL. */
export function cqlOf(type: Type): string {
  if (type.kind === 'timestamp') return type.unit === 'ms' ? 'timestamp' : 'bigint'
  return valueTypeOf(type).cql
}

/** The type whose options count: `reversed()` plays no part in values. */
export const innerType = (type: Type): Type => (type.kind === 'reversed' ? (type.inner as Type) : type)
