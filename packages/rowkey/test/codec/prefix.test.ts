import {
  bucket,
  compareKeys,
  desc,
  fixedBytes,
  hashPrefix,
  int64,
  int8,
  keyLayout,
  reversed,
  successor,
  text,
  toHex,
  uint64,
  uint8,
} from '#codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { property } from '../../../../test/kit/property.js'
import { anyLayout, keysInOrder, prefixOf } from './random-layouts.js'

const hex = (bytes: Uint8Array | null): string | null => (bytes === null ? null : toHex(bytes))

describe('KEY-26: prefix', () => {
  const layout = keyLayout([
    ['a', text()],
    ['n', desc(uint8())],
  ])
  test.each([
    [{}, '', null],
    [{ a: '' }, '0000', '0001'],
    [{ a: 'web' }, '7765620000', '7765620001'],
    [{ a: 'web', n: 255 }, '776562000000', '776562000001'],
    [{ a: 'web', n: 0 }, '7765620000ff', '7765620001'],
  ] as const)('of %j is %s to %s', (values, from, to) => {
    const range = layout.prefix(values)
    expect([hex(range.from), hex(range.to)]).toEqual([from, to])
  })

  test('is open above where nothing is above', () => {
    const wide = keyLayout([['a', fixedBytes(2)]])
    expect(wide.prefix({ a: Uint8Array.of(255, 255) }).to).toBeNull()
    expect(hex(wide.prefix({ a: Uint8Array.of(254, 255) }).to)).toBe('ff')
  })

  test('is in one bucket: that of the values, or the one given', () => {
    const salted = keyLayout(
      [
        ['a', uint8()],
        ['b', uint8()],
      ],
      { salt: bucket({ of: 'a', count: 256 }) },
    )
    const own = salted.rows.bucketOf([7, 0])
    expect(salted.prefix({ a: 7 })).toEqual(salted.prefix({ a: 7 }, own))
    expect([hex(salted.prefix({}, 254).from), hex(salted.prefix({}, 254).to)]).toEqual(['fe', 'ff'])
    expect(salted.prefix({}, 255).to).toBeNull()
    expect(() => salted.prefix({})).toThrow(/^SALT_UNBOUND/)
    expect(() => keyLayout([['a', text()]], { salt: hashPrefix({ of: 'a' }) }).prefix({})).toThrow(/^SALT_UNBOUND/)
  })

  test.each<[string, unknown, unknown]>([
    ['a gap', { n: 1 }, undefined],
    ['a property that is no column', { a: 'x', m: 1 }, undefined],
    ['a value that does not fit', { a: 5 }, undefined],
    ['nothing', undefined, undefined],
    ['null', null, undefined],
    ['a bucket that is none', {}, 1],
    ['a bucket that is no number', {}, '0'],
  ])('refuses %s', (_, values, of) => expect(() => layout.prefix(values as never, of as never)).toThrow(/^INVALID_VALUE/))

  property('holds exactly the keys of its bucket that start with the values', fc.tuple(anyLayout, fc.nat(4)), ([given, cut]) => {
    const { layout, columns, keys } = given
    const length = Math.min(cut, columns.length)
    for (const start of keys) {
      const own = layout.rows.bucketOf(layout.decodeRow(layout.encode(start)))
      const { from, to } = layout.prefix(prefixOf(start, length), own)
      for (const key of keys) {
        const bytes = layout.encode(key)
        const inside = compareKeys(from, bytes) <= 0 && (to === null || compareKeys(bytes, to) < 0)
        const sameBucket = layout.rows.bucketOf(layout.decodeRow(bytes)) === own
        expect(inside).toBe(sameBucket && keysInOrder(given, start, key, length) === 0)
      }
      expect(hex(to)).toBe(hex(successor(from)))
    }
  })
})

describe('minBytes and maxBytes', () => {
  test('count salts, markers and terminators', () => {
    const salt = [bucket({ of: 'a', count: 300 }), hashPrefix({ of: 'a', digits: 4 })]
    const fixed = keyLayout(
      [
        ['a', uint8()],
        ['b', fixedBytes(5)],
      ],
      { salt },
    )
    expect([fixed.minBytes, fixed.maxBytes]).toEqual([12, 12])
    const open = keyLayout(
      [
        ['a', uint8()],
        ['b', text()],
      ],
      { salt },
    )
    expect([open.minBytes, open.maxBytes]).toEqual([9, Infinity])
  })

  test('of reversed integers are those of their digits', () => {
    const sizes = [int8(), uint8(), int64(), uint64()].map((type) => keyLayout([['a', reversed(type as ReturnType<typeof int8>)]]))
    expect(sizes.map(({ minBytes, maxBytes }) => [minBytes, maxBytes])).toEqual([
      [3, 6],
      [3, 5],
      [3, 22],
      [3, 22],
    ])
  })

  property('no key is shorter or longer', anyLayout, ({ layout, keys }) => {
    for (const key of keys) {
      const { length } = layout.encode(key)
      expect(length).toBeGreaterThanOrEqual(layout.minBytes)
      expect(length).toBeLessThanOrEqual(layout.maxBytes)
    }
  })
})

describe('KEY-3: compareKeys', () => {
  const bytes = fc.array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), { maxLength: 4 }).map((list) => Uint8Array.from(list))
  property('is the order of unsigned bytes', fc.tuple(bytes, bytes), ([a, b]) => {
    expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(a, b))
  })
})

test('what is no bytes has no order and no successor', () => {
  const js = [compareKeys, successor] as unknown as ((...given: unknown[]) => unknown)[]
  for (const call of js) {
    for (const given of ['ab', undefined, null, [1], new ArrayBuffer(1), new Uint16Array(1)]) {
      expect(() => call(given, new Uint8Array())).toThrow(/^INVALID_VALUE: \w+\(\) takes a Uint8Array, not /)
    }
  }
  expect(() => compareKeys(new Uint8Array(), 'ab' as never)).toThrow(/^INVALID_VALUE: compareKeys\(\)/)
})
