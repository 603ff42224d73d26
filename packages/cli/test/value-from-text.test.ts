import { bool, bytes, date, decimal, float64, int64, int8, nullable, text, timestamp, uuid, type ColumnType } from 'rowkey/codec'
import { typeFacts, values } from 'rowkey/internal'
import { expect, test } from 'vitest'
import { property } from '../../../test/kit/property.js'
import { anyLayout } from '../../rowkey/test/codec/random-layouts.js'
import { dayOf, instantOf, instantText } from '../src/values/instants.js'
import { exampleKey } from '../src/values/example.js'
import { textsOf } from '../src/values/text-of-value.js'
import { valueFromText } from '../src/values/value-from-text.js'
import { tableOf } from './tables.js'

const canonicalFromText = (type: ColumnType, text: string): unknown => values(type, 'c').toValue(valueFromText({ name: 'c', type }, text))

const column = (type: ColumnType): { readonly name: string; readonly type: ColumnType } => ({ name: 'c', type })

test.each<[string, ColumnType, string, unknown]>([
  ['text', text(), 'web-1', 'web-1'],
  ['text in JSON quotes', text(), '"a \\u00e9\\n"', 'a é\n'],
  ['the text null of a column that is never null', text(), 'null', 'null'],
  ['null', nullable(text()), 'null', null],
  ['the text null of a column that can be null', nullable(text()), '"null"', 'null'],
  ['a boolean', bool(), 'true', true],
  ['an integer', int8(), '-7', -7],
  ['a bigint', int64(), '9007199254740993', 9007199254740993n],
  ['a bigint as code has it', int64(), '5n', 5n],
  ['a bigint as text', int64({ as: 'text' }), '5', '5'],
  ['a bigint as a number', int64({ as: 'number' }), '5', 5],
  ['a float', float64(), '-1.5e3', -1500],
  ['no number', float64(), 'NaN', NaN],
  ['a decimal with fewer digits', decimal(9, 2), '1.5', '1.50'],
  ['a decimal with zeros', decimal(9, 2), '-001', '-1.00'],
  ['a decimal zero', decimal(9, 2), '-0', '0.00'],
  ['bytes', bytes(), '0x00fF', Uint8Array.of(0, 255)],
  ['a UUID in upper case', uuid(), '018F3A5E-7D21-7C4A-9B12-3C4D5E6F7081', '018f3a5e-7d21-7c4a-9b12-3c4d5e6f7081'],
  ['a day', timestamp('ms'), '2026-01-01', new Date('2026-01-01')],
  ['an instant', timestamp('ms'), '2026-01-01T10:20:30.5Z', new Date('2026-01-01T10:20:30.5Z')],
  ['an instant without a zone', timestamp('ms'), '2026-01-01 10:20', new Date('2026-01-01T10:20:00Z')],
  ['an instant with another zone', timestamp('ms'), '2026-01-01T10:20+02:00', new Date('2026-01-01T08:20:00Z')],
  ['epoch milliseconds', timestamp('ms'), '1767225600000', new Date('2026-01-01')],
  ['an instant as a number', timestamp('ms', { as: 'number' }), '2026-01-01', 1767225600000],
  ['microseconds', timestamp('us'), '2026-01-01T00:00:00.000001Z', 1767225600000001n],
  ['nanoseconds before 1970', timestamp('ns'), '1969-12-31T23:59:59.999999999Z', -1n],
  ['a date', date(), '2026-01-01', new Date('2026-01-01')],
  ['a date as a number', date({ as: 'number' }), '2026-01-01', 20454],
])('%s is read', (_, type, given, value) => {
  expect(valueFromText(column(type), given)).toEqual(value)
})

test.each<[string, ColumnType, string, RegExp]>([
  ['an integer out of range', int8(), '300', /from -128 to 127/],
  ['a fraction', int8(), '1.5', /Give an integer/],
  ['empty text for a number', int8(), '', /Give an integer/],
  ['a bigint out of range', int64(), '9223372036854775808', /from -9223372036854775808/],
  ['more digits than a decimal has', decimal(9, 2), '1.555', /at most 2 digits after the point/],
  ['more digits before the point', decimal(3, 2), '12', /decimal/],
  ['half a byte', bytes(), 'abc', /hexadecimal digits/],
  ['a day that does not exist', timestamp('ms'), '2026-02-30', /Give an instant/],
  ['a month that does not exist', timestamp('ms'), '2026-13-01', /Give an instant/],
  ['more digits than milliseconds', timestamp('ms'), '2026-01-01T00:00:00.0001Z', /Give an instant/],
  ['an hour for a date', date(), '2026-01-01T01:00:00Z', /Give a day/],
  ['another word for a boolean', bool(), 'yes', /true or false/],
  ['an unclosed JSON string', text(), '"a', /is not a JSON string/],
  ['null for a column that is never null', int8(), 'null', /Give an integer/],
  ['no UUID', uuid(), 'x', /UUID/],
])('%s is refused, with what to give', (_, type, given, message) => {
  expect(() => valueFromText(column(type), given)).toThrow(message)
})

test('an instant and its text are inverse, on both sides of 1970 and beyond what a Date holds', () => {
  for (const unit of ['ms', 'us', 'ns'] as const) {
    for (const units of [0n, -1n, 1n, 1767225600000n, -1000n, -1001n, 1767225600123456789n, -(2n ** 63n), 2n ** 63n - 1n]) {
      if (unit === 'ms' && units > 8_640_000_000_000_000n) continue
      expect(instantOf(instantText(units, unit), unit)).toBe(units)
    }
  }
  expect(dayOf('2026-01-01')).toBe(20454)
})

property(
  'every value of every type is written as text that is read as the same value, in lines and in JSON',
  anyLayout,
  ({ columns, keys }) => {
    for (const [at, { type }] of columns.entries()) {
      const { line, json } = textsOf(type)
      for (const key of keys) {
        const value = values(type, 'c').toValue(key[`c${at}`])
        expect(canonicalFromText(type, line(value))).toEqual(value)
        expect(line(value)).not.toMatch(/\s(?=[^"]*$)|\p{Cc}/u)
        const parsed: unknown = JSON.parse(json(value))
        // Text of JSON is a string there, so it needs quotes to be read as one again.
        const isText = typeFacts(type).storage.class === 'text' && parsed !== null
        expect(canonicalFromText(type, isText ? JSON.stringify(parsed) : String(parsed))).toEqual(value)
      }
    }
  },
)

property('every key has examples, the same in each run', anyLayout, (random) => {
  const schema = tableOf(random)
  if (schema === undefined) return
  expect(exampleKey(schema)).toEqual(exampleKey(schema))
  for (const variant of [0, 1, 7, 63]) expect(schema.layout.rowkey(exampleKey(schema, variant)).length).toBeGreaterThan(0)
})
