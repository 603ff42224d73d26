import {
  bool,
  bytes,
  date,
  decimal,
  desc,
  dictionary,
  digits,
  fixedBytes,
  fixedText,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  json,
  lastBytes,
  lastText,
  nullable,
  paddedText,
  reversed,
  separatedText,
  text,
  timestamp,
  uint16,
  uint32,
  uint64,
  uint8,
  ulid,
  uuid,
  type ColumnType,
  type Value,
} from '#codec'
import { defineTable } from '#model'
import type { TableSchema } from '#store/adapter'

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))

const integers = (...values: number[]): number[] => [0, 1, 127, 128, 255, 256, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, ...values]
const signedEdges = [-1, -32, -33, -128, -129, -32_768, -32_769, -(2 ** 31), -(2 ** 31) - 1, -(2 ** 53) + 1, 2 ** 53 - 1, 2 ** 32]
const within = (min: number, max: number): number[] => integers(...signedEdges, min, max).filter((value) => value >= min && value <= max)
const wide = (min: bigint, max: bigint): bigint[] =>
  [...within(-(2 ** 53) + 1, 2 ** 53 - 1).map(BigInt), min, max, -(2n ** 53n) - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n].filter(
    (value) => value >= min && value <= max,
  )

const ofLength = (length: number): string => 'x'.repeat(length)
const texts = ['', 'a', '\0', 'é', '€', '\u{1f600}', '\ufeffbom', '\ud7ff\ue000\uffff\u{10ffff}', 'null', ...[31, 32, 47, 48, 49, 255, 256, 65_535].map(ofLength), 'é'.repeat(31), '€'.repeat(90), '\u{1f600}'.repeat(64)] // prettier-ignore
const byteStrings = ['', '00', 'ff', 'c0', '0102'].map(hex).concat([255, 256, 65_535].map((length) => new Uint8Array(length).fill(7)))

/** Every kind of column, with values that are easily lost. */
export const kinds: Readonly<Record<string, readonly [type: ColumnType, values: readonly Value[]]>> = {
  bool: [bool(), [true, false]],
  int8: [int8(), within(-128, 127)],
  int16: [int16(), within(-32_768, 32_767)],
  int32: [int32(), within(-(2 ** 31), 2 ** 31 - 1)],
  uint8: [uint8(), within(0, 255)],
  uint16: [uint16(), within(0, 65_535)],
  uint32: [uint32(), within(0, 2 ** 32 - 1)],
  int64: [int64(), wide(-(2n ** 63n), 2n ** 63n - 1n)],
  int64_number: [int64({ as: 'number' }), wide(-(2n ** 53n) + 1n, 2n ** 53n - 1n)],
  uint64: [uint64(), wide(0n, 2n ** 64n - 1n)],
  float32: [float32(), [0, -0, 1.5, -1.5, NaN, Infinity, -Infinity, Math.fround(0.1), 2 ** 127, 2 ** -149]],
  float64: [float64(), [0, -0, 1, -1.5, NaN, Infinity, -Infinity, 0.1, 1e308, 5e-324, 2 ** 53 + 2]],
  decimal: [decimal(9, 2), ['0.00', '-9.99', '1234567.89']],
  timestamp: [timestamp('ms'), within(-8.64e15, 8.64e15)],
  timestamp_us: [timestamp('us'), wide(-(2n ** 63n), 2n ** 63n - 1n)],
  timestamp_ns: [timestamp('ns'), wide(-(2n ** 63n), 2n ** 63n - 1n)],
  date: [date(), within(-100_000_000, 100_000_000)],
  text: [text(), texts],
  text_desc: [desc(text()), texts],
  json: [json(), ['null', '{"a":[1,"€"]}', '""']],
  uuid: [uuid(), ['00000000-0000-0000-0000-000000000000', '018bcfe5-6800-7000-8000-0000000000ff']],
  ulid: [ulid(), ['01ARZ3NDEKTSV4RRFFQ69G5FAV']],
  digits: [digits(uint16(), { width: 5 }), within(0, 65_535)],
  dictionary: [dictionary({ login: 'z', logout: 'a' }), ['login', 'logout']],
  padded: [paddedText(8, { pad: ' ' }), ['', 'host1']],
  separated: [separatedText('_'), ['', 'host1']],
  split: [separatedText('_', { split: 'last' }), ['', 'a_b']],
  fixed_text: [fixedText(2), ['ab', 'é']],
  last_text: [lastText(), texts.filter((value) => value !== '')],
  last_bytes: [lastBytes(), byteStrings.filter(({ length }) => length > 0)],
  bytes: [bytes(), byteStrings],
  fixed: [fixedBytes(2), [hex('0000'), hex('c0ff')]],
  reversed_text: [reversed(text()), texts],
  reversed_int: [reversed(int32()), within(-(2 ** 31), 2 ** 31 - 1)],
}

/** One nullable value column per kind, expiry and version. */
export const every: TableSchema = defineTable('every', {
  columns: {
    id: uint32(),
    ...Object.fromEntries(Object.entries(kinds).map(([name, [type]]) => [name, nullable(type)])),
  },
  key: ['id'],
  ttl: '1d',
  version: 'revision',
})

/** Where rows have a column. */
export const position = (schema: TableSchema, physical: string): number =>
  schema.columns.findIndex((column) => column.physical === physical)
