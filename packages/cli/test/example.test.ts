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
  followedBy,
  int16,
  int32,
  int64,
  int8,
  isRowkeyError,
  lastBytes,
  lastText,
  nullable,
  paddedText,
  period,
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
} from 'rowkey/codec'
import { typeText } from 'rowkey/internal'
import { defineTable } from 'rowkey'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decoderOf } from '../src/keys/decode-key.js'
import { exampleKey } from '../src/values/example.js'

const integers = [int8, int16, int32, uint8, uint16, uint32].map((type) => type())
const longs = [int64, uint64].flatMap((type) => [type(), type({ as: 'number' }), type({ as: 'text' })])
const times = [
  timestamp('ms'),
  timestamp('ms', { as: 'number' }),
  timestamp('ms', { as: 'bigint' }),
  timestamp('us'),
  timestamp('us', { as: 'text' }),
  timestamp('ns'),
  date(),
  date({ as: 'number' }),
]
const numbers: readonly ColumnType[] = [...integers, ...longs, ...times]
const separators = ['_', '|', '\0', 'é', '\uffff']
const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, at) => at + 1)

const decimalText: readonly ColumnType[] = numbers.flatMap((type) => [
  digits(type),
  ...upTo(20).map((width) => digits(type, { width })),
  ...upTo(19).flatMap((width) => ['1', '9'].map((first) => digits(type, { max: first.padEnd(width, '0') }))),
  ...separators.map((separator) => digits(type, { separator })),
])
const calendars = ['yyyyMMdd', 'yyyyMMddHH', 'yyyyMMddHHmm', 'yyyyMMddHHmmss', 'yyyyMMddHHmmssSSS'] as const
const ofCalendar: readonly ColumnType[] = [date(), timestamp('ms'), timestamp('ms', { as: 'bigint' })]
const fields: readonly ColumnType[] = ofCalendar.flatMap((type) => calendars.map((format) => digits(type, { format })))
const texts: readonly ColumnType[] = [
  text(),
  lastText(),
  ...[...separators, 'w', '1', '-'].flatMap((mark) => [separatedText(mark), separatedText(mark, { split: 'last' })]),
  separatedText('', { split: 'last' }),
  ...[...upTo(40), 255].map((width) => fixedText(width)),
]
const others: readonly ColumnType[] = [
  bool(),
  bytes(),
  lastBytes(),
  float32(),
  float64(),
  uuid(),
  uuid({ order: 'time' }),
  ulid(),
  dictionary({ taobao: 'tb' }),
  dictionary({ '': '\0', b: 'x' }),
  ...[1, 4, 16, 255].map((length) => fixedBytes(length)),
  ...upTo(38).flatMap((precision) => [0, 1, precision].map((scale) => decimal(precision, Math.min(scale, precision)))),
  ...[1, 2, 6, 40].flatMap((width) => ['w', 'x', '1', '\0'].map((pad) => paddedText(width, { pad }))),
]
const plain: readonly ColumnType[] = [...numbers, ...decimalText, ...fields, ...texts, ...others]
const spelled = [...numbers, ...decimalText, ...fields, ...texts].flatMap(formed((type) => reversed(type)))
const wrappers: readonly ((type: ColumnType) => ColumnType)[] = [
  (type) => desc(type),
  (type) => nullable(type),
  (type) => followedBy(type, '|'),
]
const all = [...plain, ...spelled, ...[...others, ...texts, ...fields].flatMap((type) => wrappers.flatMap((wrap) => formed(wrap)(type)))]

/** What is made of a type, unless it is refused: not everything goes around everything, or into a key. */
function formed<Result>(make: (type: ColumnType) => Result): (type: ColumnType) => readonly Result[] {
  return (type) => {
    try {
      return [make(type)]
    } catch (error) {
      if (isRowkeyError(error)) return []
      throw error
    }
  }
}

test('the types are of every kind, except the one that no key holds and the one that needs another column', () => {
  const source = readFileSync(new URL('../../rowkey/src/codec/columns/all.ts', import.meta.url), 'utf8')
  const kinds = [...source.matchAll(/^ {2}(\w+): \w+Impl,$/gm)].map(([, kind]) => kind)
  expect([...new Set([...plain, ...spelled].map(({ kind }) => kind))].sort()).toEqual(
    kinds.filter((kind) => kind !== 'json' && kind !== 'period').sort(),
  )
  expect(kinds.length).toBeGreaterThan(20)
})

test('every type has examples that its column holds and a key has', () => {
  const tables = all.flatMap(formed((type) => ({ type, schema: defineTable('t', { columns: { c: type }, key: ['c'] }) })))
  const without: string[] = []
  for (const { type, schema } of tables) {
    try {
      for (const variant of [0, 1, 9, 64, 300]) schema.layout.rowkey(exampleKey(schema, variant))
    } catch (error) {
      without.push(`${typeText(type)}: ${(error as Error).message}`)
    }
  }
  expect(without).toEqual([])
  expect(tables.length).toBeGreaterThan(2000)
})

test.each(['hour', 'day', 'week', 'month', 'year'] as const)('the example of a period of an %s is that of its source', (every) => {
  for (const at of [timestamp('ms'), timestamp('us'), timestamp('ns'), desc(timestamp('ms'))]) {
    const columns = { p: period(every, { of: 'at', offset: '+05:30' }), at }
    const schema = defineTable('t', { columns, key: ['p', 'at'] })
    const { decode } = decoderOf(schema)
    for (const variant of [0, 1, 64]) expect(decode(schema.layout.rowkey(exampleKey(schema, variant)))).toBeInstanceOf(Array)
  }
})
