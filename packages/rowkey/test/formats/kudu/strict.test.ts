import { bool, desc, float64, nullable, text, toHex, type RowkeyError } from '#codec'
import { show } from '#codec/internal'
import {
  BINARY,
  DATE,
  DECIMAL,
  INT16,
  INT32,
  INT64,
  INT8,
  type KuduType,
  primaryKey,
  STRING,
  UNIXTIME_MICROS,
  VARCHAR,
} from '#formats/kudu'
import { describe, expect, test } from 'vitest'

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

describe('what a column cannot hold is refused, with its name', () => {
  const cases: readonly (readonly [type: KuduType, ...values: unknown[]])[] = [
    [INT8, 128, -129, 1.5, NaN, '1', 1n, null, undefined, true],
    [INT16, 32_768, -32_769],
    [INT32, 2 ** 31, -(2 ** 31) - 1],
    [INT64, 2n ** 63n, -(2n ** 63n) - 1n, 5],
    [UNIXTIME_MICROS, 2n ** 63n, 5, new Date(0)],
    [DATE, new Date('0000-12-31'), new Date('+010000-01-01'), new Date(1), new Date(NaN), 0, '2026-01-01'],
    [DECIMAL(3, 1), '100.0', '100', '1.05', '1e1', '1.0 ', 1.5, 15n],
    [DECIMAL(2, 2), '1.00', '0.555', '-1'],
    [STRING, '\ud800', 'a\udc00', 5, null, undefined, new Uint8Array()],
    [VARCHAR(2), 'abc', '\u{1f600}a', '\ud800', 5],
    [BINARY, 'a', [0], new ArrayBuffer(1), null],
  ]
  test.each(cases.flatMap(([type, ...values]) => values.map((value) => [type.kind, show(value), value, type] as const)))(
    '%s %s',
    (_, _shown, value, type) => {
      const details: unknown = expect.objectContaining({ column: 'c' })
      for (const columns of [
        [['c', type]],
        [
          ['c', type],
          ['d', INT8],
        ],
      ] as const) {
        const given = { c: value, d: 0 } as never
        expect(() => primaryKey(columns).encode(columns.length === 1 ? ({ c: value } as never) : given)).toThrow(
          expect.objectContaining({ code: 'INVALID_VALUE', details }),
        )
      }
    },
  )
})

test('the ends of every range are accepted and come back', () => {
  const ends: readonly (readonly [KuduType, unknown, string])[] = [
    [INT8, -128, '00'],
    [INT8, 127, 'ff'],
    [INT16, -32_768, '0000'],
    [INT32, 2 ** 31 - 1, 'ffffffff'],
    [INT64, -(2n ** 63n), '0000000000000000'],
    [UNIXTIME_MICROS, 2n ** 63n - 1n, 'ffffffffffffffff'],
    [DATE, new Date('0001-01-01'), '7ff506c6'],
    [DATE, new Date('9999-12-31'), '802cc0a0'],
    [DECIMAL(1, 0), '-9', '7ffffff7'],
    [DECIMAL(9, 9), '-0.999999999', '44653601'],
    [DECIMAL(10, 0), '9999999999', '80000002540be3ff'],
    [DECIMAL(19, 0), '-9999999999999999999', '7fffffffffffffff7538dcfb76180001'],
    [DECIMAL(38, 38), `0.${'9'.repeat(38)}`, 'cb3b4ca85a86c47a098a223fffffffff'],
    [VARCHAR(2), '\u{1f600}', 'f09f9880'],
    [VARCHAR(65_535), '', ''],
    [BINARY, new Uint8Array(), ''],
  ]
  for (const [type, value, hex] of ends) {
    const key = primaryKey([['c', type]])
    expect(toHex(key.encode({ c: value }))).toBe(hex)
    expect(key.decode(bytesOf(hex))).toEqual({ c: value })
  }
})

describe('keys that nobody encoded are malformed', () => {
  const two = (first: KuduType, second: KuduType): readonly (readonly [string, KuduType])[] => [
    ['a', first],
    ['b', second],
  ]
  test.each<[title: string, columns: readonly (readonly [string, KuduType])[], hex: string, column: string, offset: number]>([
    ['nothing', [['a', INT8]], '', 'a', 0],
    ['half an integer', [['a', INT16]], '80', 'a', 0],
    ['a byte too many', [['a', INT8]], '8000', 'a', 1],
    ['a decimal cut', [['a', DECIMAL(18, 0)]], '80000000', 'a', 0],
    ['a decimal of too many digits', [['a', DECIMAL(3, 1)]], '800003e8', 'a', 4],
    ['a negative one', [['a', DECIMAL(3, 1)]], '7ffffc18', 'a', 4],
    ['a day before year 1', [['a', DATE]], '7ff506c5', 'a', 4],
    ['a day after 9999', [['a', DATE]], '802cc0a1', 'a', 4],
    ['no end of text', two(STRING, INT8), '6162', 'a', 2],
    ['half an end of text', two(STRING, INT8), '616200', 'a', 3],
    ['an unknown escape', two(STRING, INT8), '61000280', 'a', 3],
    ['text that is no UTF-8', two(STRING, INT8), 'ff000080', 'a', 3],
    ['an overlong NUL', two(STRING, INT8), 'c080000080', 'a', 4],
    ['nothing behind the text', two(STRING, INT8), '610000', 'b', 3],
    ['a byte behind the last column', two(STRING, INT8), '6100008080', 'b', 4],
    ['raw text that is no UTF-8', two(INT8, STRING), '80c3', 'b', 2],
    ['a surrogate', two(INT8, STRING), '80eda080', 'b', 4],
    ['raw VARCHAR that is too long', two(INT8, VARCHAR(2)), '80616263', 'b', 4],
    ['ended VARCHAR that is too long', two(VARCHAR(2), INT8), '616263000080', 'a', 5],
  ])('%s', (_, columns, hex, column, offset) => {
    const bytes = bytesOf(hex)
    expect(() => primaryKey(columns).decode(bytes)).toThrow(
      expect.objectContaining({ code: 'MALFORMED_KEY', details: { column, offset, reason: expect.any(String) as string } }),
    )
    expect(toHex(bytes)).toBe(hex)
  })

  test('and so is what is no bytes', () => {
    expect(() => primaryKey([['a', INT8]]).decode('80' as never)).toThrow(/^MALFORMED_KEY/)
  })
})

describe('columns that Kudu cannot have in a key', () => {
  const typed = (type: unknown) => () => primaryKey([['c', type as KuduType]])
  test.each([
    ['BOOL', typed(bool()), 'bool'],
    ['DOUBLE', typed(float64()), 'float64'],
    ['descending', typed(desc(text())), 'text'],
    ['nullable', typed(nullable(text())), 'text'],
    ['a name', typed('STRING'), '"STRING"'],
    ['a thawed copy', typed({ ...STRING }), 'an object'],
    ['a constructor', typed(VARCHAR), 'a function'],
    ['nothing', typed(undefined), 'undefined'],
  ])('%s', (_, define, shown) => {
    const error = caught(define)
    expect(error).toMatchObject({ code: 'INVALID_LAYOUT', details: { column: 'c' } })
    expect(error.message).toContain(`the type of column 'c' is ${shown}`)
    expect(error.message).toContain('BOOL, FLOAT or DOUBLE')
  })

  test.each([
    ['none', []],
    ['no list', 'host'],
    ['no pair', ['host']],
    ['no name', [[1, STRING]]],
    [
      'twice',
      [
        ['a', STRING],
        ['a', INT8],
      ],
    ],
  ])('%s', (_, columns) => expect(() => primaryKey(columns as never)).toThrow(/^INVALID_LAYOUT/))
})

test('types that Kudu does not have', () => {
  for (const [precision, scale] of [
    [0, 0],
    [39, 0],
    [9, 10],
    [9, -1],
    [9.5, 0],
    [9, undefined],
    ['9', 2],
  ]) {
    expect(() => DECIMAL(precision as number, scale as number)).toThrow(/^INVALID_COLUMN_TYPE/)
  }
  for (const length of [0, 65_536, 1.5, '3', undefined]) expect(() => VARCHAR(length as number)).toThrow(/^INVALID_COLUMN_TYPE/)
})

test('keys with a column missing or one too many', () => {
  const key = primaryKey([
    ['a', STRING],
    ['b', INT8],
  ])
  expect(() => key.encode({ a: 'x' } as never)).toThrow("INVALID_VALUE: column 'b' cannot hold undefined")
  expect(() => key.encode({ a: 'x', b: 1, c: 2 } as never)).toThrow("INVALID_VALUE: the key has no column 'c'")
  expect(() => key.encode(undefined as never)).toThrow(/^INVALID_VALUE/)
})

test('nothing given is kept: bytes of the caller and of the key are apart', () => {
  const key = primaryKey([
    ['a', BINARY],
    ['b', BINARY],
  ])
  const given = { a: Uint8Array.of(1), b: Uint8Array.of(2) }
  const encoded = Buffer.from(key.encode(given))
  const decoded = key.decode(encoded)
  encoded.fill(9)
  expect(decoded).toEqual(given)
})

function caught(run: () => unknown): RowkeyError {
  try {
    run()
  } catch (error) {
    return error as RowkeyError
  }
  throw new Error('nothing was thrown')
}
