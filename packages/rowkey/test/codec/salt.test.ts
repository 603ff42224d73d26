import {
  bucket,
  bytes,
  date,
  desc,
  kuduHash,
  hashPrefix,
  int16,
  int32,
  int64,
  keyLayout,
  paddedText,
  reversed,
  rowLayout,
  separatedText,
  text,
  timestamp,
  toHex,
  uint32,
  uint8,
  uuid,
  type ColumnType,
  type Salt,
} from '#codec'
import { makeType, registeredType, type TypeImpl } from '#codec/internal'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { murmur2Modulo } from '../../src/codec/salts/murmur2.js'
import { murmur3 } from '../../src/codec/salts/murmur3.js'

const encoded = (type: ColumnType, value: unknown): Uint8Array => keyLayout([['c', type]]).encode({ c: value })
const md5 = (input: Uint8Array | string): string => createHash('md5').update(input).digest('hex')
const saltOf = (type: ColumnType, value: unknown, salt: Salt<'c'>): string => {
  const key = toHex(keyLayout([['c', type]], { salt }).encode({ c: value }))
  return key.slice(0, key.length - toHex(encoded(type, value)).length)
}

describe('bucket({ of, count })', () => {
  test.each<[ColumnType, unknown]>([
    [text(), 'a\0b'],
    [bytes(), Uint8Array.of(0, 255)],
    [int32(), -5],
    [uint32(), 2 ** 32 - 1],
    [int64(), -(2n ** 63n)],
    [uuid(), '00112233-4455-6677-8899-aabbccddeeff'],
    [date({ as: 'number' }), 1],
    [reversed(text()), 'abc'],
    [paddedText(5, { pad: 'x' }), 'abc'],
    [separatedText('_'), 'abc'],
  ])('KEY-22: is the hash of the column as it is encoded in the key: %#', (type, value) => {
    const input = encoded(type, value)
    for (const [count, seed] of [
      [2, 0],
      [16, 1],
      [256, 2 ** 32 - 1],
      [257, 0],
      [65_536, 7],
    ] as const) {
      const expected = (murmur3(input, input.length, seed) % count).toString(16).padStart(count <= 256 ? 2 : 4, '0')
      expect(saltOf(type, value, bucket({ of: 'c', count, seed }))).toBe(expected)
      expect(saltOf(desc(type), value, bucket({ of: 'c', count, seed })), 'DESC changes nothing').toBe(expected)
    }
  })

  test('KEY-21: columns are hashed in key order, whatever order they are named in', () => {
    const columns = [
      ['a', text()],
      ['n', desc(int32())],
      ['b', text()],
    ] as const
    const input = Buffer.concat([encoded(text(), 'x'), encoded(int32(), 7), encoded(text(), 'y')])
    for (const of of [
      ['a', 'n', 'b'],
      ['b', 'a', 'n'],
    ] as const) {
      const layout = keyLayout(columns, { salt: bucket({ of, count: 65_536 }) })
      expect(layout.rows.bucketOf(['x', 7, 'y'])).toBe(murmur3(input, input.length, 0) % 65_536)
      expect(layout.rows.salts[0]?.columns).toEqual([0, 1, 2])
    }
  })

  test('KEY-22: one byte up to 256 buckets, two beyond', () => {
    expect(saltOf(text(), 'x', bucket({ of: 'c', count: 256 })).length).toBe(2)
    expect(saltOf(text(), 'x', bucket({ of: 'c', count: 257 })).length).toBe(4)
  })
})

describe('bucket({ of, modulo })', () => {
  test.each<[ColumnType, unknown, number, string]>([
    [int16(), 7, 10, '07'],
    [int16(), -1, 10, '09'],
    [int16(), -10, 10, '00'],
    [int16(), -11, 10, '09'],
    [int64(), -(2n ** 63n), 10, '02'],
    [int64(), 2n ** 63n - 1n, 10, '07'],
    [timestamp('ms'), new Date(-1), 16, '0f'],
    [timestamp('ms'), new Date(1700000000001), 1000, '0001'],
    [timestamp('ns'), -1n, 300, '012b'],
    [date(), new Date(-86_400_000), 7, '06'],
    [int64({ as: 'number' }), -3, 4, '01'],
    [reversed(int32()), -12, 5, '03'],
  ])('KEY-23: is the floor modulo of the value: %#', (type, value, modulo, expected) => {
    expect(saltOf(type, value, bucket({ of: 'c', modulo }))).toBe(expected)
    expect(saltOf(desc(type), value, bucket({ of: 'c', modulo }))).toBe(expected)
  })
})

describe('hashPrefix', () => {
  const ascii = (digits: string): string => toHex(new TextEncoder().encode(digits))

  test.each<[ColumnType, unknown, string]>([
    [text(), 'u75946', 'u75946'],
    [text(), '', ''],
    [text(), 'é\0😀', 'é\0😀'],
    [int32(), -12, '-12'],
    [int64(), 12_345_678_901n, '12345678901'],
    [int64({ as: 'number' }), 5, '5'],
    [paddedText(20, { pad: 'x' }), 'host1', 'host1'],
    [separatedText('_'), 'host1', 'host1'],
    [reversed(text()), 'abc', 'abc'],
    [reversed(int32()), 120, '120'],
  ])('KEY-24: of one text or integer column it is the md5 of its text: %#', (type, value, input) => {
    for (const digits of [1, 4, 8]) expect(saltOf(type, value, hashPrefix({ of: 'c', digits }))).toBe(ascii(md5(input).slice(0, digits)))
    expect(saltOf(desc(type), value, hashPrefix({ of: 'c' }))).toBe(ascii(md5(input).slice(0, 4)))
  })

  test.each<[ColumnType, unknown]>([
    [uuid(), '00112233-4455-6677-8899-aabbccddeeff'],
    [bytes(), Uint8Array.of(1)],
    [timestamp('ms'), new Date(5)],
  ])('KEY-24: of any other column it is the md5 of its encoding: %#', (type, value) => {
    expect(saltOf(desc(type), value, hashPrefix({ of: 'c' }))).toBe(ascii(md5(encoded(type, value)).slice(0, 4)))
  })

  test('KEY-24: compiled code hashes the canonical value, whatever a key object contains', () => {
    const inside = registeredType('int32') as TypeImpl
    // Key objects contain tens; rows, and so the salt, contain ones.
    const tens: TypeImpl = {
      ...inside,
      conversion: () => ({ parse: (n) => Number(n) * 10, format: (n) => Number(n) / 10, compare: () => 0, expected: 'a number' }),
      compile(type, emit, shape) {
        const code = (inside.compile as NonNullable<TypeImpl['compile']>)(type, emit, shape)
        if (shape === 'row' || code === undefined) return code
        return { ...code, write: (v, by) => code.write(`(${v}*10)`, by), format: (v) => `${v}/10`, canonical: (v) => `(${v}*10)` }
      },
    }
    const columns = [['n', makeType({ kind: 'int32' }, tens, undefined)]] as const
    const salt = hashPrefix({ of: 'n' })
    const compiled = keyLayout(columns, { salt })
    for (let i = 0; i < 1100; i++) compiled.encode({ n: 7 })
    const interpreted = keyLayout(columns, { salt, codegen: 'never' })
    for (const n of [0, 7, -12, 1000]) {
      expect(toHex(compiled.encode({ n }))).toBe(toHex(interpreted.encode({ n })))
      expect(compiled.decode(interpreted.encode({ n }))).toEqual({ n })
    }
    expect(toHex(compiled.encode({ n: 7 }))).toBe(ascii(md5('70').slice(0, 4)) + '80000046')
  })

  test('KEY-24: of several columns it is the md5 of their encodings', () => {
    const layout = keyLayout(
      [
        ['a', text()],
        ['n', desc(int32())],
      ],
      { salt: hashPrefix({ of: ['n', 'a'], digits: 6 }) },
    )
    const expected = md5(Buffer.concat([encoded(text(), 'x'), encoded(int32(), 1)])).slice(0, 6)
    expect(
      Buffer.from(layout.encode({ a: 'x', n: 1 }))
        .subarray(0, 6)
        .toString('latin1'),
    ).toBe(expected)
  })
})

describe('several levels', () => {
  const salts = [bucket({ of: 'a', count: 300 }), hashPrefix({ of: 'n', digits: 2 }), bucket({ of: 'n', modulo: 3 })]
  const rows = rowLayout(
    [
      { name: 'a', type: text() },
      { name: 'n', type: int16() },
    ],
    1,
    salts,
  )
  const row = ['x', 77]

  test('KEY-25: stand side by side and count as one mixed-radix number', () => {
    const [first, second, third] = rows.salts.map((level) => level.of(row)) as [number, number, number]
    expect(rows.salts.map(({ columns, count }) => ({ columns, count }))).toEqual([
      { columns: [0], count: 300 },
      { columns: [1], count: 256 },
      { columns: [1], count: 3 },
    ])
    expect(second).toBe(Number.parseInt(md5('77').slice(0, 2), 16))
    expect(rows.bucketOf(row)).toBe((first * 256 + second) * 3 + third)
    const hex = first.toString(16).padStart(4, '0') + toHex(new TextEncoder().encode(md5('77').slice(0, 2))) + '0' + String(third)
    expect(toHex(rows.partition(rows.bucketOf(row), row))).toBe(hex + '780000')
  })

  test('KEY-25: every number of the mixed radix is a salt of its own, in order', () => {
    const all = Array.from({ length: 300 * 256 * 3 }, (_, i) => i).filter((i) => i < 2000 || i % 97 === 0 || i > 228_000)
    const bounds = all.map((number) => rows.rowkeyBound(number, { prefix: [], edge: 'before' }) as Uint8Array)
    expect(bounds.every((bytes, i) => i === 0 || Buffer.compare(bounds[i - 1] as Uint8Array, bytes) < 0)).toBe(true)
  })
})

test.each(['user', ''])("KEY-35: two levels of kuduHash() cannot use the same column, here '%s'", (name) => {
  const level = kuduHash({ of: name, count: 4 })
  expect(() => keyLayout([[name, text()]], { salt: [level, level] })).toThrow(
    `INVALID_LAYOUT: two levels of kuduHash() use '${name}'. Kudu allows a column in one level only.`,
  )
})

test('the buckets of a hash are evenly filled', () => {
  const { rows } = keyLayout([['user', text()]], { salt: bucket({ of: 'user', count: 16 }) })
  const filled = new Array<number>(16).fill(0)
  for (let i = 0; i < 16_000; i++) {
    const bucket = rows.bucketOf([`user-${i}`])
    filled[bucket] = (filled[bucket] as number) + 1
  }
  expect(Math.min(...filled)).toBeGreaterThan(850)
  expect(Math.max(...filled)).toBeLessThan(1150)
})

describe('inputs longer than all before', () => {
  test.each([256, 257, 300, 511, 512, 513, 600, 1200, 5000])('KEY-22 KEY-24 KEY-35: %i bytes', (length) => {
    const long = 'x'.repeat(length - 2)
    const bytes = new Uint8Array(length).fill(0x78)
    bytes.fill(0, length - 2)
    const row = [long, 1]
    const of = (salt: Salt): number =>
      rowLayout(
        [
          { name: 'a', type: text() },
          { name: 'n', type: uint8() },
        ],
        0,
        [salt],
      ).bucketOf(row)
    expect(of(bucket({ of: 'a', count: 65_536 }))).toBe(murmur3(bytes, length, 0) % 65_536)
    expect(of(hashPrefix({ of: ['a', 'n'], digits: 8 }))).toBe(Number.parseInt(md5(Uint8Array.from([...bytes, 1])).slice(0, 8), 16))
    expect(of(kuduHash({ of: 'a', count: 65_536, seed: 7 }))).toBe(murmur2Modulo(bytes, 0, length - 2, 7, 65_536))
  })
})
