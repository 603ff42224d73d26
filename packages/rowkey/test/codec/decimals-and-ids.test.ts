import { decimal, desc, isRowkeyError, keyLayout, random, timestamp, toHex, ulid, uuid, type ColumnType } from '#codec'
import { describe, expect, test } from 'vitest'

const layoutOf = (type: ColumnType) => keyLayout([['c', type]])
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const refuses = (code: string): unknown => expect.toSatisfy((error: unknown) => isRowkeyError(error, code))
function caught(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

describe('KEY-33: decimals', () => {
  test.each([
    [4, 0, ['12345', '012345', '1.5', '.5', '1e3', '', '-', '+', '.', '-.', '--1', '+-1', ' 1', '1\n', '0x1', 'Infinity', 1, 1n, null]],
    [9, 2, ['1.505', '1.501', '10000000.00', '10000000', '1,50', '1.5a', '1.5.0', '١.٥٠', '1e2', '1_000']],
    [3, 3, ['1.500', '1', '0.5001', '-1']],
  ] as const)('decimal(%i, %i) refuses what is not a number or loses digits', (precision, scale, values) => {
    for (const value of values)
      expect(
        caught(() => layoutOf(decimal(precision, scale)).encode({ c: value })),
        String(value),
      ).toEqual(refuses('INVALID_VALUE'))
  })

  test.each([
    [4, 0, { '01': '1', '-0': '0', '+1': '1', '1.': '1', '1.0': '1', '-12.000': '-12', '0000000': '0' }],
    [9, 2, { '1240': '1240.00', '650.5': '650.50', '1.500': '1.50', '01.50': '1.50', '-0.00': '0.00', '.5': '0.50', '-.50': '-0.50' }],
    [3, 3, { '0.5': '0.500', '.500': '0.500', '-0.000': '0.000', '+0.5000': '0.500' }],
  ] as const)('decimal(%i, %i) takes every text that it holds exactly, and returns the canonical one', (precision, scale, texts) => {
    const layout = layoutOf(decimal(precision, scale))
    for (const [given, canonical] of Object.entries(texts)) {
      expect(layout.decode(layout.encode({ c: given })), given).toEqual({ c: canonical })
      expect(layout.encode({ c: given }), given).toEqual(layout.encode({ c: canonical }))
    }
  })

  test('decimal: a text of many zeros costs what its length does', () => {
    const layout = layoutOf(decimal(9, 2))
    const zeros = '0'.repeat(1_000_000)
    expect(layout.decode(layout.encode({ c: `-${zeros}7.${zeros}` }))).toEqual({ c: '-7.00' })
    expect(caught(() => layout.encode({ c: `${zeros}x` }))).toEqual(refuses('INVALID_VALUE'))
  })

  test.each([
    [9, 2, '999999999', '1000000000'],
    [18, 4, '999999999999999999', '1000000000000000000'],
    [38, 10, '9'.repeat(38), `1${'0'.repeat(38)}`],
    [1, 1, '9', '10'],
    [1, 0, '9', '10'],
  ])('decimal(%i, %i) reads its largest number and nothing beyond', (precision, scale, largest, beyond) => {
    const size = precision <= 9 ? 4n : precision <= 18 ? 8n : 16n
    const encoded = (digits: string): Uint8Array =>
      bytesOf((BigInt(digits) + (1n << (size * 8n - 1n))).toString(16).padStart(Number(size) * 2, '0'))
    const layout = layoutOf(decimal(precision, scale))
    for (const sign of ['', '-']) {
      const { c } = layout.decode(encoded(sign + largest))
      expect(
        String(c)
          .replace('.', '')
          .replace(/^(-?)0+/, '$1'),
      ).toBe(sign + largest)
      expect(caught(() => layout.decode(encoded(sign + beyond)))).toEqual(refuses('MALFORMED_KEY'))
    }
  })

  test('numbers of one sign and many lengths are in order, both ways', () => {
    const ascending = [
      '-99999.99',
      '-10000.00',
      '-9999.99',
      '-1.00',
      '-0.99',
      '-0.10',
      '-0.09',
      '0.00',
      '0.01',
      '0.10',
      '1.00',
      '9.99',
      '10.00',
      '99999.99',
    ]
    const keys = ascending.map((c) => toHex(layoutOf(decimal(7, 2)).encode({ c })))
    expect(keys).toEqual([...keys].sort())
    const falling = ascending.map((c) => toHex(layoutOf(desc(decimal(7, 2))).encode({ c })))
    expect(falling).toEqual([...falling].sort().reverse())
  })

  test.each([
    [0, 0],
    [39, 0],
    [5, 6],
    [5, -1],
    [5.5, 1],
    ['5', 1],
  ])('decimal(%s, %s) is refused', (precision, scale) => {
    expect(caught(() => decimal(precision as number, scale))).toEqual(refuses('INVALID_COLUMN_TYPE'))
  })
})

describe('KEY-34: ulids', () => {
  test('the example of the specification, byte for byte', () => {
    expect(toHex(layoutOf(ulid()).encode({ c: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }))).toBe('01563e3ab5d3d6764c61efb99302bd5b')
  })

  test.each([
    '8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    '01arz3ndektsv4rrffq69g5fav',
    '01ARZ3NDEKTSV4RRFFQ69G5FA',
    '01ARZ3NDEKTSV4RRFFQ69G5FAU',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV\n',
  ])('refuses %j', (value) => {
    expect(caught(() => layoutOf(ulid()).encode({ c: value }))).toEqual(refuses('INVALID_VALUE'))
  })

  test("'ulid' is a default of ulid columns only", () => {
    expect(ulid({ default: 'ulid' }).default).toEqual({ kind: 'ulid' })
    expect(caught(() => uuid({ default: 'ulid' }))).toEqual(refuses('INVALID_COLUMN_TYPE'))
    expect(caught(() => ulid({ default: 'now' }))).toEqual(refuses('INVALID_COLUMN_TYPE'))
    expect(caught(() => ulid({ default: random(3) as never }))).toEqual(refuses('INVALID_COLUMN_TYPE'))
    expect(caught(() => timestamp('ms', { default: 'ulid' as 'now' }))).toEqual(refuses('INVALID_COLUMN_TYPE'))
  })
})

// Values, bytes and ranks of Apache Cassandra 5.0.9, AbstractType.asComparableBytes of `uuid`.
const cassandra = [
  ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000000000'],
  ['00000000-0000-1000-8000-000000000000', '10000000000000008000000000000000'],
  ['00000000-0000-1000-bfff-ffffffffffff', '1000000000000000bfffffffffffffff'],
  ['090f015a-b811-109c-8bd0-f060e65a8dc2', '109cb811090f015a8bd0f060e65a8dc2'],
  ['2f803851-d9ce-14b0-8170-af3b87d234c2', '14b0d9ce2f8038518170af3b87d234c2'],
  ['9137bcb0-a6af-17e0-bc86-e5d85e3c3156', '17e0a6af9137bcb0bc86e5d85e3c3156'],
  ['e72c974f-632e-1ea9-a089-504222ecb7b9', '1ea9632ee72c974fa089504222ecb7b9'],
  ['ffffffff-ffff-1fff-8000-000000000000', '1fffffffffffffff8000000000000000'],
  ['9d1bc8f5-e642-316b-8696-79f4d6f04067', '39d1bc8f5e64216b869679f4d6f04067'],
  ['85c94d10-3736-4afb-9f3d-39152c392ef4', '485c94d103736afb9f3d39152c392ef4'],
  ['91f87245-45b3-43e5-a406-8446662e4973', '491f8724545b33e5a4068446662e4973'],
  ['c4616218-a9ae-4a70-8855-72da5c6d0c62', '4c4616218a9aea70885572da5c6d0c62'],
  ['cc520882-9507-44fb-8fc9-b349ecdee658', '4cc52088295074fb8fc9b349ecdee658'],
  ['b1b2ad04-ec74-5548-8821-03f7bbbc3d8e', '5b1b2ad04ec74548882103f7bbbc3d8e'],
] as const

describe("KEY-13: uuid({ order: 'time' }) writes what Cassandra compares", () => {
  test.each(cassandra)('%s', (value, hex) => {
    const layout = layoutOf(uuid({ order: 'time' }))
    expect(toHex(layout.encode({ c: value }))).toBe(hex)
    expect(layout.decode(bytesOf(hex))).toEqual({ c: value })
  })

  test('another order is refused', () => {
    expect(caught(() => uuid({ order: 'text' as 'time' }))).toEqual(refuses('INVALID_COLUMN_TYPE'))
  })
})
