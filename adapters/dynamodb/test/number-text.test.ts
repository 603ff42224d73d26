import { date, float32, float64, int32, int8, timestamp } from 'rowkey/codec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameNumber, withScale } from '../src/client/number-text.js'
import { valueCodec } from '../src/values.js'

test.each([
  ['100', '1E+2', true],
  ['100', '1e2', true],
  ['1.50', '1.5', true],
  ['-0.001', '-1E-3', true],
  ['0', '-0', true],
  ['0', '0.000', true],
  ['0', '0E-130', true],
  ['+7', '7', true],
  ['7.', '7', true],
  ['.5', '0.5', true],
  ['9007199254740993', '9007199254740992', false],
  ['1', '-1', false],
  ['10', '1', false],
  ['', '0', false],
  ['NaN', 'Infinity', false],
  ['1x', '1', false],
])('%s and %s are one number: %s', (a, b, same) => {
  expect(isSameNumber(a, b)).toBe(same)
  expect(isSameNumber(b, a)).toBe(same)
})

test.each([
  ['1.5', 2, '1.50'],
  ['1E+2', 2, '100.00'],
  ['0', 3, '0.000'],
  ['-0.05', 2, '-0.05'],
  ['-5E-2', 2, '-0.05'],
  ['123', 0, '123'],
  ['1.50', 1, '1.5'],
  ['1.55', 1, undefined],
  ['-0', 0, '0'],
  ['', 0, undefined],
  ['Infinity', 0, undefined],
  ['0x10', 0, undefined],
  ['1E+99999', 0, undefined],
])('%s with %s digits behind the point is %s', (text, scale, given) => {
  expect(withScale(text, scale)).toBe(given)
})

test.each([int8(), int32(), timestamp('ms'), date(), float32(), float64()])('zero has no sign, however it is written: $kind', (type) => {
  const { toValue } = valueCodec({ type })
  for (const N of ['0', '-0', '-0.0', '-0E+3']) expect(toValue({ N })).toBe(0)
})

test('two floats in any form are one number if they are equal', () => {
  const float = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(float, float, (a, b) => {
      expect(isSameNumber(a.toExponential(), String(a))).toBe(true)
      expect(isSameNumber(a.toExponential(), String(b))).toBe(a === b)
    }),
  )
})

test('a text that is longer than any number is none: nothing of it is read', () => {
  for (const text of [`1${'0'.repeat(40_000)}1`, '0'.repeat(40_000), `0.${'0'.repeat(300)}1`, `${'9'.repeat(40_000)}E-3`]) {
    expect(withScale(text, 0)).toBeUndefined()
    expect(isSameNumber(text, '1')).toBe(false)
  }
  expect(withScale(`0.${'0'.repeat(129)}1`, 130)).toBe(`0.${'0'.repeat(129)}1`)
  expect(withScale(`1${'0'.repeat(125)}`, 0)).toBe(`1${'0'.repeat(125)}`)
})
