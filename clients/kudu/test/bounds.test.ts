import { expect, test } from 'vitest'
import { seeded } from '../../../test/kit/seeded.js'
import { MalformedAnswer } from '../src/malformed-answer.js'
import { refusing } from '../src/refusal.js'
import type { Row, Value } from '../src/requests.js'
import { decodeCell, decodeRange, encodeCell, encodeRanges } from '../src/rows/bounds.js'
import { partitionKey } from '../src/rows/partition-key.js'
import type { TableColumn } from '../src/table.js'
import { allTypes, randomKey, randomTable, randomValue } from './random-values.js'
import { columnOf as readColumn } from '../src/tables/columns.js'
import { columnOf, tableOf } from './tables.js'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Nine columns: two bytes of bitmap. */
const types = ['STRING', 'INT32', ...Array.from({ length: 7 }, () => 'INT8')]
const names = ['host', 'seq', ...'cdefghi']
const { columns } = tableOf({ types, names, keyColumns: 2, nullable: [8] })

test('ranges and splits as Kudu takes them', () => {
  const range = { from: { seq: 0 }, to: { seq: 10 } }
  const expected = ['06', '0200', '0000', '00000000', '07', '0200', '0000', '0a000000']
  expect(hex(encodeRanges(columns, ['seq'], [range]).rows)).toBe(expected.join(''))
  const split = ['04', '0300', '0000', `${'00'.repeat(8)}01${'00'.repeat(7)}`, '05000000']
  const { rows, indirectData } = encodeRanges(columns, ['host', 'seq'], [{}], [{ host: 'm', seq: 5 }])
  expect([hex(rows), hex(indirectData)]).toEqual([['06', '0000', '0000', '07', '0000', '0000', ...split].join(''), '6d'])
})

test.each<[string, () => unknown]>([
  ['ranges[1].from.host is no column of the range partitions', () => encodeRanges(columns, ['seq'], [{}, { from: { host: 'm' } }])],
  ['ranges[0].to.c is no column of the range partitions', () => encodeRanges(columns, ['seq'], [{ to: { seq: 1, c: 1 } }])],
  ['ranges[0].to.seq is a string. INT32 takes a number', () => encodeRanges(columns, ['seq'], [{ to: { seq: '1' } }])],
  ['ranges[0].to.seq is null. The column cannot be', () => encodeRanges(columns, ['seq'], [{ to: { seq: null } }])],
  ['ranges[0].to is an array. Give an object', () => encodeRanges(columns, ['seq'], [{ to: [] as unknown as Row }])],
  ["ranges[0].'until' does not exist. There are from, to, hash", () => encodeRanges(columns, ['seq'], [{ until: 1 } as object])],
  ["splits[0].nothing is no column. There are 'host', 'seq', 'c'", () => encodeRanges(columns, ['seq'], [], [{ nothing: 1 }])],
  ["column is 'x', which is no column", () => encodeRanges(columns, ['x'], [])],
])('%s', (problem, encode) => {
  expect(() => refusing('createTable', encode)).toThrow(`createTable() was not sent: ${problem}`)
})

test('a range that a server tells is one of partition keys', () => {
  const random = seeded()
  for (let round = 0; round < 300; round++) {
    const table = { ...randomTable(random, ['BOOL']), hash: [] }
    const rangeNames = table.range.map((position) => (table.columns[position] as TableColumn).name)
    const keys = [randomKey(random, table), randomKey(random, table)]
    const [from, to] = keys.map((key) => Object.fromEntries(table.range.map((position) => [`c${position}`, key[position] as Value]))) as [
      Row,
      Row,
    ]
    const decoded = decodeRange(table.columns, table.range, encodeRanges(table.columns, rangeNames, [{ from, to }]))
    expect([hex(decoded.from), hex(decoded.to)]).toEqual(keys.map((key) => hex(partitionKey(table, key).bytes)))
  }
})

test('a column that a bound leaves out is the smallest; one without columns is open', () => {
  const range = encodeRanges(columns, ['host', 'seq'], [{ from: { host: 'm' } }])
  const decoded = decodeRange(columns, [0, 1], range)
  expect([hex(decoded.from), hex(decoded.to)]).toEqual(['6d000000000000', ''])
})

test('a range that cannot be', () => {
  const { rows, indirectData } = encodeRanges(columns, ['host'], [{ from: { host: 'abc' } }])
  const decode = (given: object) => () => decodeRange(columns, [0], given)
  expect(decode({})).toThrow(MalformedAnswer)
  for (let length = 0; length < rows.length; length++)
    expect(decode({ rows: rows.slice(0, length), indirectData })).toThrow(MalformedAnswer)
  expect(decode({ rows, indirectData: indirectData.slice(1) })).toThrow('a bound of a range ends after its bytes')
  const swapped = Buffer.from(rows)
  swapped[0] = 7
  expect(decode({ rows: swapped, indirectData })).toThrow('a bound of a range has the type 7 instead of 6')
  const far = Buffer.from(rows)
  far.fill(255, 5, 21)
  expect(decode({ rows: far, indirectData })).toThrow('a bound of a range ends after its bytes')
})

test.each(allTypes)('a default value of %s', (type) => {
  const random = seeded()
  const column = columnOf('c', type, false)
  for (let round = 0; round < 100; round++) {
    const value = randomValue(random, { ...column, id: 0 })
    expect(decodeCell(column, encodeCell(column, value))).toEqual(value)
  }
})

test('default values that cannot be', () => {
  const [number, text] = [columnOf('n', 'INT16', false), columnOf('t', 'STRING', false)]
  expect(hex(encodeCell(number, 1))).toBe('0100')
  expect(() => encodeCell(number, 'a')).toThrow('is a string. INT16 takes a number')
  expect(() => decodeCell(number, Buffer.alloc(3))).toThrow(
    new MalformedAnswer("the column 'n' has a default value of 3 bytes instead of 2"),
  )
  expect(() => decodeCell(text, Buffer.of(255))).toThrow(new MalformedAnswer("the column 't' has a default value that is not UTF-8"))
})

test('a decimal has so many digits as its cells hold', () => {
  const told = (type: 'DECIMAL32' | 'DECIMAL128', precision?: number) => () =>
    readColumn({ id: 1, name: 'd', type, typeAttributes: { precision, scale: 0 } }, 'openTable')
  expect(told('DECIMAL32', 9)()).toMatchObject({ type: 'DECIMAL', precision: 9 })
  for (const precision of [undefined, -1, 0, 10, 38, 2 ** 31 - 1])
    expect(told('DECIMAL32', precision)).toThrow(new MalformedAnswer(`the column 'd' is DECIMAL32 with ${precision} digits`))
  expect(told('DECIMAL128', 2 ** 31 - 1)).toThrow(MalformedAnswer)
})
