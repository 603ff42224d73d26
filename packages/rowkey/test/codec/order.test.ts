import {
  bool,
  bytes,
  date,
  desc,
  dictionary,
  fixedBytes,
  fixedText,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  keyLayout,
  nullable,
  paddedText,
  reversed,
  separatedText,
  text,
  timestamp,
  toHex,
  uint16,
  uint32,
  uint64,
  uint8,
  uuid,
  type ColumnType,
  type Value,
} from '#codec'
import { values } from '#codec/internal'
import { describe, expect, test } from 'vitest'
import { sign } from './reference-order.js'

const instant = (ms: number): Date => new Date(ms)
const hex = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, 'hex'))

/** Values in the order their keys must have; a list in the list holds values that are one and the same. */
const lists: Record<string, readonly [ColumnType, readonly unknown[]]> = {
  'text()': [
    text(),
    [
      '',
      '\0',
      '\0\0',
      '\0\x01',
      '\0a',
      '\x01',
      '0',
      'A',
      '_',
      'a',
      'a\0',
      'a\0\0',
      'a\0b',
      'a\x01',
      'aa',
      'ab',
      'b',
      '\x7f',
      '\x80',
      '\u07ff',
      '\u0800',
      '\ud7ff',
      '\ue000',
      '\ufeff',
      '\ufeffa',
      '\uff5e',
      '\uffff',
      '\u{10000}',
      '😀',
      '😀a',
      '\u{10ffff}',
    ],
  ],
  'text() keeps normal forms apart': [text(), ['e\u0301', 'é']],
  'text() around 32 bytes': [
    text(),
    ['a'.repeat(31), 'a'.repeat(32), 'a'.repeat(32) + '\0', 'a'.repeat(33), 'a'.repeat(32) + 'é', 'a'.repeat(31) + '😀'],
  ],
  'text() around 64 bytes': [
    text(),
    ['a'.repeat(63), 'a'.repeat(63) + '\0', 'a'.repeat(63) + '\0\0', 'a'.repeat(64), 'a'.repeat(64) + '\0tail', 'a'.repeat(65)],
  ],
  'bytes()': [bytes(), ['', '00', '0000', '0001', '00ff', '01', '0100', '0101', '01ff', '7f', '80', 'fe', 'ff', 'ff00', 'ffff'].map(hex)],
  'fixedBytes(2)': [fixedBytes(2), ['0000', '0001', '00ff', '0100', '7fff', '8000', 'ffff'].map(hex)],
  'bool()': [bool(), [false, true]],
  'int8()': [int8(), [-128, -127, -1, [0, -0], 1, 126, 127]],
  'int16()': [int16(), [-32768, -257, -256, -255, -1, 0, 1, 255, 256, 32767]],
  'int32()': [int32(), [-(2 ** 31), -65537, -65536, -1, 0, 1, 255, 256, 65535, 65536, 2 ** 31 - 1]],
  'int64()': [
    int64(),
    [
      -(2n ** 63n),
      -(2n ** 63n) + 1n,
      -(2n ** 53n) - 1n,
      -(2n ** 53n),
      -(2n ** 32n),
      -1n,
      0n,
      1n,
      2n ** 32n - 1n,
      2n ** 32n,
      2n ** 53n,
      2n ** 53n + 1n,
      2n ** 63n - 1n,
    ],
  ],
  "int64({ as: 'number' })": [int64({ as: 'number' }), [-(2 ** 53) + 1, -(2 ** 32), -1, [0, -0], 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1]],
  'uint8()': [uint8(), [[0, -0], 1, 127, 128, 255]],
  'uint16()': [uint16(), [0, 1, 255, 256, 32768, 65535]],
  'uint32()': [uint32(), [0, 1, 65536, 2 ** 31, 2 ** 32 - 1]],
  'uint64()': [uint64(), [0n, 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n]],
  'float32()': [
    float32(),
    [-Infinity, -(2 ** 127), -1.5, -1, -(2 ** -126), -(2 ** -149), [0, -0], 2 ** -149, 2 ** -126, 1, 1.5, 2 ** 127, Infinity, NaN],
  ],
  'float64()': [
    float64(),
    [
      -Infinity,
      -Number.MAX_VALUE,
      -1.5,
      -1,
      -2.3e-308,
      -5e-324,
      [0, -0],
      5e-324,
      0.1,
      0.1 + 2 ** -56,
      1,
      2 ** 53,
      2 ** 53 + 2,
      Number.MAX_VALUE,
      Infinity,
      [NaN, new Float64Array(Uint32Array.from([1, 0xfff00000]).buffer)[0]],
    ],
  ],
  'uuid()': [
    uuid(),
    [
      '00000000-0000-0000-0000-000000000000',
      '00000000-0000-0000-0000-000000000001',
      '00112233-4455-6677-8899-aabbccddeeff',
      'cc520882-9507-44fb-8fc9-b349ecdee658',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ],
  ],
  "timestamp('ms')": [
    timestamp('ms'),
    [-8.64e15, -(2 ** 32) - 1, -(2 ** 32), -1, 0, 1, 2 ** 32 - 1, 2 ** 32, 1.7e12, 8.64e15].map(instant),
  ],
  "timestamp('ms', { as: 'number' })": [timestamp('ms', { as: 'number' }), [-8.64e15, -(2 ** 32), -1, [0, -0], 1, 2 ** 32, 8.64e15]],
  "timestamp('us')": [timestamp('us'), [-(2n ** 63n), -1n, 0n, 1n, 2n ** 63n - 1n]],
  'date()': [date(), [-1e8, -719_162, -1, 0, 1, 20_454, 1e8].map((day) => new Date(day * 86_400_000))],
  "date({ as: 'number' })": [date({ as: 'number' }), [-1e8, -1, [0, -0], 1, 1e8]],
  "paddedText('\\0')": [paddedText(4, { pad: '\0' }), ['', '\0a', '\x01', 'a', 'a\0b', 'aa', 'aaaa', 'b', '\uffff', '😀', '😀😀']],
  'fixedText()': [fixedText(4), ['\0\0\0\0', '\0aaa', 'a\0\0\0', 'aaaa', 'aéa', 'éa\0', 'éé', 'ﬀa', '😀']],
  // From here on the order is that of the written text, not of the values.
  "paddedText('x')": [paddedText(4, { pad: 'x' }), ['aaaa', 'axa', 'a', 'ay', 'w', 'xa', '', 'xy', 'z']],
  "separatedText('_')": [separatedText('_'), ['A1', 'A', '', 'a1', 'aB', 'a', 'aa', '😀']],
  'dictionary()': [dictionary({ c: '1', a: '2', b: '3' }), ['c', 'a', 'b']],
  'reversed(text())': [reversed(text()), ['', 'a', 'ba', 'b', 'ab', '\u{1f600}\uff5e', '\uff5e\u{1f600}']],
  'reversed(int16())': [reversed(int16()), [0, 100, 10, 1, -1, 21, -21, 2, 9]],
}

const groups = (list: readonly unknown[]): unknown[][] => list.map((item) => (Array.isArray(item) ? item : [item]) as unknown[])

describe.each(Object.entries(lists))('%s', (_, [type, list]) => {
  const ascending = groups(list)
  check('KEY-3: ascending', type, ascending)
  check('KEY-4: descending', desc(type), ascending.toReversed())
  check('KEY-5: nulls first', nullable(type), [[null], ...ascending])
  check('KEY-5: nulls last', nullable(type, { nulls: 'last' }), [...ascending, [null]])
  check('KEY-5: descending, nulls first', nullable(desc(type)), [[null], ...ascending.toReversed()])
  check('KEY-5: descending, nulls last', desc(nullable(type, { nulls: 'last' })), [...ascending.toReversed(), [null]])
})

function check(title: string, type: ColumnType, ordered: readonly unknown[][]): void {
  test(title, () => {
    const layout = keyLayout([['c', type]])
    // Every following byte from 00 to ff, so that the end of the value is tried against it.
    const inKey = keyLayout([
      ['c', type],
      ['next', uint8()],
    ])
    const all = ordered.flatMap((same, rank) => same.map((value) => ({ value, rank, bytes: layout.encode({ c: value }) })))
    for (const a of all) {
      for (const b of all) {
        const expected = sign(a.rank - b.rank)
        const named = `${toHex(a.bytes)} and ${toHex(b.bytes)}`
        expect(sign(Buffer.compare(a.bytes, b.bytes)), named).toBe(expected)
        expect(sign(layout.rows.compareRows(layout.decodeRow(a.bytes), layout.decodeRow(b.bytes))), named).toBe(expected)
        if (expected === 0) continue
        for (const [x, y] of [
          [0, 255],
          [255, 0],
          [1, 0x80],
        ] as const) {
          const order = Buffer.compare(inKey.encode({ c: a.value, next: x }), inKey.encode({ c: b.value, next: y }))
          expect(sign(order), `${named}, followed by ${x} and ${y}`).toBe(expected)
        }
      }
    }
  })
}

test('KEY-20: `ordered` says whether byte order is value order', () => {
  for (const [name, [type, list]] of Object.entries(lists)) {
    const { compare, toValue } = values(type, name)
    const rank = groups(list).map(([value]) => toValue(value))
    const sorted = rank.every((value, i) => i === 0 || compare(rank[i - 1] as Value, value) < 0)
    expect(sorted, name).toBe(type.ordered)
  }
})
