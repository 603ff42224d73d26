// Conditions and bounds of an explanation (packages/rowkey/src/store/advice/condition.ts, bound.ts): data that JSON holds, and the text made from it.
import {
  bool,
  bytes,
  date,
  decimal,
  desc,
  dictionary,
  fixedBytes,
  float64,
  int64,
  int8,
  nullable,
  paddedText,
  text,
  timestamp,
  uint64,
  uuid,
} from '#codec'
import { defineTable } from '#model'
import { compileQuery, explain, type Explanation, type QueryOptions } from '#store'
import { expect, test } from 'vitest'
import { explanationText } from '../../src/store/explain/explanation-text.js'

const columns = {
  id: text(),
  n: desc(int64()),
  raw: nullable(bytes()),
  hash: fixedBytes(2),
  count: uint64({ as: 'text' }),
  at: timestamp('ms'),
  ns: timestamp('ns'),
  on: date(),
  part: float64(),
  sum: decimal(9, 2),
  flag: bool(),
  kind: dictionary({ apple: 'a', pear: 'p' }),
  padded: paddedText(4, { pad: ' ' }),
  who: uuid(),
  small: int8(),
}
const Things = defineTable('things', { columns, key: ['id', 'n', 'raw'] })
const explained = (where: object, options?: QueryOptions): Explanation =>
  explain(compileQuery(Things, where as Record<string, unknown>, options))

test.each<[string, unknown, unknown, string]>([
  ['n', 2n ** 62n, { bigint: '4611686018427387904' }, 'n = 4611686018427387904n'],
  ['raw', new Uint8Array([0, 255]), { bytes: '00ff' }, 'raw = 0x00ff'],
  ['hash', new Uint8Array([1, 2]), { bytes: '0102' }, 'hash = 0x0102'],
  ['count', '18446744073709551615', { bigint: '18446744073709551615' }, 'count = "18446744073709551615"'],
  ['at', new Date(5), 5, 'at = 1970-01-01T00:00:00.005Z'],
  ['ns', 5n, { bigint: '5' }, 'ns = 5n'],
  ['on', new Date(0), 0, 'on = 1970-01-01T00:00:00.000Z'],
  ['part', Number.NaN, { number: 'NaN' }, 'part = NaN'],
  ['part', -0, { number: '-0' }, 'part = -0'],
  ['part', -Infinity, { number: '-Infinity' }, 'part = -Infinity'],
  ['sum', '1.50', '1.50', 'sum = "1.50"'],
  ['flag', true, true, 'flag = true'],
  ['kind', 'pear', 'pear', 'kind = "pear"'],
  ['padded', 'ab', 'ab', 'padded = "ab"'],
  ['who', '00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000000', 'who = "00000000-0000-4000-8000-000000000000"'],
  ['small', -3, -3, 'small = -3'],
])('R24: %s = %o is JSON, and its text shows what was given', (column, given, value, shown) => {
  const { conditions, residual, text } = explained({ id: 'a', [column]: given })
  expect(conditions).toEqual([
    { column: 'id', operator: '=', value: 'a' },
    { column, operator: '=', value },
  ])
  expect(residual).toEqual(column === 'n' ? [] : [{ column, operator: '=', value }])
  expect(text).toContain(`where id = "a" and ${shown}\n`)
})

test('R24: each operator as data and as text', () => {
  const where = {
    id: { startsWith: 'a' },
    n: { gt: 1n },
    raw: null,
    hash: { in: [new Uint8Array([1, 2]), new Uint8Array([0, 0])] },
    at: { gte: new Date(5), lt: new Date(9) },
    sum: { lte: '2.00' },
    kind: { in: ['pear', 'apple'] },
  }
  const { conditions, text } = explained(where)
  expect(conditions).toEqual([
    { column: 'id', operator: 'range', from: { value: 'a', inclusive: true }, to: { value: 'b', inclusive: false } },
    { column: 'n', operator: 'range', from: { value: { bigint: '1' }, inclusive: false } },
    { column: 'raw', operator: 'isNull' },
    { column: 'hash', operator: 'in', values: [{ bytes: '0000' }, { bytes: '0102' }] },
    { column: 'at', operator: 'range', from: { value: 5, inclusive: true }, to: { value: 9, inclusive: false } },
    { column: 'sum', operator: 'range', to: { value: '2.00', inclusive: true } },
    { column: 'kind', operator: 'in', values: ['apple', 'pear'] },
  ])
  expect(text.split('\n')[1]).toBe(
    '├ where id >= "a" and id < "b" and n > 1n and raw is null and hash in (0x0000, 0x0102) and at >= 1970-01-01T00:00:00.005Z and ' +
      'at < 1970-01-01T00:00:00.009Z and sum <= "2.00" and kind in ("apple", "pear")',
  )
  expect(explained({ id: 'a', raw: { isNull: false } }).conditions[1]).toEqual({ column: 'raw', operator: 'isNotNull' })
})

test('R24: bounds as data, in the order of the scan', () => {
  const { bounds, text } = explained({ id: 'a' }, { after: { n: 5n }, to: { id: 'a', n: -5n, raw: null } })
  expect(bounds).toEqual([
    {
      option: 'after',
      key: [
        { column: 'id', value: 'a' },
        { column: 'n', value: { bigint: '5' } },
      ],
    },
    {
      option: 'to',
      key: [
        { column: 'id', value: 'a' },
        { column: 'n', value: { bigint: '-5' } },
        { column: 'raw', value: null },
      ],
    },
  ])
  expect(text).toContain('├ after (id "a", n 5n) to (id "a", n -5n, raw null)\n')
  const merged = explained({ id: { in: ['a', 'b'] } }, { order: { n: 'desc' }, from: { n: 5n } })
  expect(merged.bounds).toEqual([{ option: 'from', key: [{ column: 'n', value: { bigint: '5' } }] }])
})

test('R24: an explanation is JSON, and the text is made from it alone', () => {
  for (const each of [
    explained({ id: 'a', n: { gte: 2n ** 60n }, raw: new Uint8Array([7]), part: { gt: Number.NaN }, sum: '1.00' }, { order: 'reverse' }),
    explained({ id: { in: ['a', 'b', 'c', 'd', 'e'] }, n: 1n }, { maxRanges: 2 }),
    explained({}, { unbounded: true, after: { id: 'x' } }),
    explained({ id: 'a', n: { gt: 5n, lt: 3n } }),
  ]) {
    const { text, ...data } = JSON.parse(JSON.stringify(each)) as Explanation
    expect({ ...data, text }).toEqual(each)
    expect(explanationText(Things, data)).toBe(text)
  }
})
