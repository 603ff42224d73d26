import { fromHex, toHex } from '#codec'
import { show } from '#codec/internal'
import {
  bytesBoolean,
  bytesDecimal,
  bytesDouble,
  bytesFloat,
  bytesInt,
  bytesLong,
  bytesShort,
  bytesString,
  type BytesForm,
} from '#formats/hbase'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { property } from '../../../../../test/kit/property.js'

const all = { bytesBoolean, bytesDecimal, bytesDouble, bytesFloat, bytesInt, bytesLong, bytesShort, bytesString }
type Name = keyof typeof all
const form = (name: Name): BytesForm<unknown> => all[name]

describe('the ends of each form come back', () => {
  test.each<[Name, unknown, string]>([
    ['bytesBoolean', false, '00'],
    ['bytesBoolean', true, 'ff'],
    ['bytesLong', -(2n ** 63n), '8000000000000000'],
    ['bytesLong', 2n ** 63n - 1n, '7fffffffffffffff'],
    ['bytesInt', -(2 ** 31), '80000000'],
    ['bytesInt', 2 ** 31 - 1, '7fffffff'],
    ['bytesShort', -(2 ** 15), '8000'],
    ['bytesShort', 2 ** 15 - 1, '7fff'],
    ['bytesDouble', NaN, '7ff8000000000000'],
    ['bytesDouble', -0, '8000000000000000'],
    ['bytesFloat', -Infinity, 'ff800000'],
    ['bytesString', '', ''],
    ['bytesString', '\ufeff', 'efbbbf'],
    ['bytesDecimal', '0', '0000000000'],
    ['bytesDecimal', '127', '000000007f'],
    ['bytesDecimal', '128', '000000000080'],
    ['bytesDecimal', '-128', '0000000080'],
    ['bytesDecimal', '-129', '00000000ff7f'],
    ['bytesDecimal', '0.000000', '0000000600'],
    ['bytesDecimal', '0E-7', '0000000700'],
    ['bytesDecimal', '0.000001', '0000000601'],
    ['bytesDecimal', '1E-7', '0000000701'],
    ['bytesDecimal', '-1.2E-7', '00000008f4'],
    ['bytesDecimal', '0E+1', 'ffffffff00'],
    ['bytesDecimal', '1.20E+3', 'ffffffff78'],
    ['bytesDecimal', '1E+2147483648', '8000000001'],
    ['bytesDecimal', '1E-2147483647', '7fffffff01'],
  ])('%s of %s', (name, value, hex) => {
    expect(toHex(form(name).encode(value))).toBe(hex)
    expect(form(name).decode(fromHex(hex))).toBe(value)
  })
})

describe('what a form cannot hold is refused', () => {
  const cases: readonly (readonly [Name, ...unknown[]])[] = [
    ['bytesBoolean', 0, 'true', null, undefined],
    ['bytesLong', 2n ** 63n, -(2n ** 63n) - 1n, 5, '5', null],
    ['bytesInt', 2 ** 31, -(2 ** 31) - 1, 0.5, NaN, 5n, null],
    ['bytesShort', 2 ** 15, -(2 ** 15) - 1, 0.5, '5'],
    ['bytesDouble', 5n, '5', null, undefined],
    ['bytesFloat', 0.1, 2 ** 24 + 1, 1e39, 5n, null],
    ['bytesString', '\ud800', 5, null, new Uint8Array()],
    ['bytesDecimal', '', '01', '-0', '+1', '.5', '1.', '1e5', '1E5', '10E+1', '1E+0', '0.0000001', '1E+2147483649', '1E-2147483648'],
    ['bytesDecimal', ' 1', '1\n', 'NaN', 1, 1n, null],
  ]
  test.each(cases.flatMap(([name, ...values]) => values.map((value) => [name, show(value), value] as const)))(
    '%s: %s',
    (name, _, value) => {
      expect(() => form(name).encode(value)).toThrow(new RegExp(`^INVALID_VALUE: ${name} cannot encode .*\\. Give `, 's'))
    },
  )
})

describe('bytes that nobody encoded are malformed', () => {
  test.each<[Name, string]>([
    ['bytesBoolean', ''],
    ['bytesBoolean', '01'],
    ['bytesBoolean', '0000'],
    ['bytesLong', '00000000000000'],
    ['bytesLong', '000000000000000000'],
    ['bytesInt', '000000'],
    ['bytesInt', '0000000000'],
    ['bytesShort', '00'],
    ['bytesShort', '000000'],
    ['bytesDouble', '7ff80000000000'],
    ['bytesDouble', '7ff8000000000001'],
    ['bytesDouble', '7ff0000000000001'],
    ['bytesDouble', 'fff8000000000000'],
    ['bytesFloat', 'ffc00000'],
    ['bytesFloat', '7f800001'],
    ['bytesString', 'ff'],
    ['bytesString', '61c3'],
    ['bytesString', 'eda080'],
    ['bytesDecimal', ''],
    ['bytesDecimal', '000000'],
    ['bytesDecimal', '00000000'],
    ['bytesDecimal', '000000000001'],
    ['bytesDecimal', '00000000ffff'],
  ])('%s: %s', (name, hex) => expect(() => form(name).decode(fromHex(hex))).toThrow(/^MALFORMED_KEY/))

  test.each(Object.keys(all) as Name[])('%s: no bytes', (name) => {
    expect(() => form(name).decode('00' as never)).toThrow(/^MALFORMED_KEY/)
  })
})

test('bytes within a larger array are read where they stand', () => {
  const part = (hex: string): Uint8Array => fromHex(`ffff${hex}ffff`).subarray(2, 2 + hex.length / 2)
  expect(bytesLong.decode(part('0000000000000005'))).toBe(5n)
  expect(bytesDouble.decode(part('4059000000000000'))).toBe(100)
  expect(bytesDecimal.decode(part('000000047b'))).toBe('0.0123')
  expect(bytesString.decode(part('776562'))).toBe('web')
})

test('only text and booleans are ordered', () => {
  expect(Object.entries(all).flatMap(([name, { ordered }]) => (ordered ? [name] : []))).toEqual(['bytesBoolean', 'bytesString'])
  expect(Object.values(all).every(Object.isFrozen)).toBe(true)
})

const decimals = fc.tuple(
  fc.oneof(fc.bigInt({ min: -300n, max: 300n }), fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n })),
  fc.oneof(fc.integer({ min: -12, max: 50 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
)

property('decimals: the bytes are the scale and the unscaled number, and the text says both', decimals, ([unscaled, scale]) => {
  const digits = unscaled.toString(16).replace('-', '').length / 2 + 1
  const wide = new Uint8Array(Math.ceil(digits) + 1)
  const hex = BigInt.asUintN(8 * wide.length, unscaled)
    .toString(16)
    .padStart(2 * wide.length, '0')
  const minimal = hex.replace(/^(?:00(?=[0-7].)|ff(?=[89a-f].))+/, '')
  const head = new DataView(new ArrayBuffer(4))
  head.setInt32(0, scale)
  const bytes = fromHex(toHex(new Uint8Array(head.buffer)) + minimal)
  const text = bytesDecimal.decode(bytes)
  expect(toHex(bytesDecimal.encode(text))).toBe(toHex(bytes))
  expect(Number(text)).toBe(Number(`${unscaled}E${-scale}`))
})

property('any bytes: what decodes is what encode writes', fc.uint8Array({ maxLength: 9 }), (bytes) => {
  for (const name of Object.keys(all) as Name[]) {
    let value
    try {
      value = form(name).decode(bytes)
    } catch (error) {
      expect(error).toMatchObject({ code: 'MALFORMED_KEY' })
      continue
    }
    expect(toHex(form(name).encode(value))).toBe(toHex(bytes))
  }
})
