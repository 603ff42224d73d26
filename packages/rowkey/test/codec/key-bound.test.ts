import { successor, bucket, desc, fixedBytes, hashPrefix, int8, keyLayout, nullable, rowLayout, text, toHex, uint16, uint8 } from '#codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { property } from '../../../../test/kit/property.js'

const hex = (bytes: Uint8Array | null): string | null => (bytes === null ? null : toHex(bytes))

describe('KEY-27: successor', () => {
  test.each([
    ['', null],
    ['00', '01'],
    ['61', '62'],
    ['61ff', '62'],
    ['61ffff', '62'],
    ['ff', null],
    ['ffff', null],
    ['00ff', '01'],
    ['feff', 'ff'],
    ['ff00', 'ff01'],
  ])('of %s is %s', (bytes, after) => {
    expect(hex(successor(Uint8Array.from(Buffer.from(bytes, 'hex'))))).toBe(after)
  })

  test('leaves what it is given alone, a Buffer too', () => {
    for (const given of [Uint8Array.of(1, 2, 255), Buffer.from([1, 2, 255])]) {
      const after = successor(given) as Uint8Array
      expect([...given]).toEqual([1, 2, 255])
      after.fill(9)
      expect([...given]).toEqual([1, 2, 255])
    }
  })

  const byte = fc.constantFrom(0, 1, 0xfe, 0xff)
  const bytes = fc.array(byte, { maxLength: 5 }).map((list) => Uint8Array.from(list))
  property('is above all that start with it and not above anything else that is above those', fc.tuple(bytes, bytes), ([prefix, other]) => {
    const after = successor(prefix)
    const starts = toHex(other).startsWith(toHex(prefix))
    const above = !starts && Buffer.compare(other, prefix) > 0
    expect(after !== null && Buffer.compare(other, after) >= 0).toBe(above)
  })
})

describe('KEY-26: structural bounds', () => {
  const layout = keyLayout([
    ['a', text()],
    ['n', desc(uint8())],
    ['m', nullable(int8(), { nulls: 'last' })],
  ])
  test.each([
    [{}, 'before', ''],
    [{}, 'after', null],
    [{ a: 'x' }, 'before', '780000'],
    [{ a: 'x' }, 'after', '780001'],
    [{ a: 'x', n: 0 }, 'before', '780000ff'],
    [{ a: 'x', n: 0 }, 'after', '780001'],
    [{ a: 'x', n: 255 }, 'after', '78000001'],
    [{ a: 'x', n: 1, m: null }, 'before', '780000fe02'],
    [{ a: 'x', n: 1, m: null }, 'after', '780000fe03'],
    [{ a: 'x', n: 1, m: 127 }, 'after', '780000fe02'],
  ] as const)('%j %s is %s', (prefix, edge, expected) => expect(hex(layout.bound(prefix, edge))).toBe(expected))

  test('a prefix of text does not reach into longer text', () => {
    const host1 = layout.bound({ a: 'host1' }, 'after') as Uint8Array
    expect(Buffer.compare(host1, layout.encode({ a: 'host12', n: 255, m: 0 }))).toBeLessThan(0)
  })

  test('KEY-27: an all-ff prefix is bounded by nothing', () => {
    const wide = keyLayout([
      ['a', uint8()],
      ['b', fixedBytes(2)],
    ])
    expect(wide.bound({ a: 255 }, 'after')).toBeNull()
    expect(wide.bound({ a: 255, b: Uint8Array.of(255, 255) }, 'after')).toBeNull()
    expect(hex(wide.bound({ a: 254, b: Uint8Array.of(255, 255) }, 'after'))).toBe('ff')
  })
})

describe('bounds of salted layouts', () => {
  const layout = keyLayout(
    [
      ['a', uint8()],
      ['b', uint16()],
    ],
    { salt: bucket({ of: 'a', count: 256 }) },
  )

  test('KEY-26: the bucket comes from the prefix or from the caller', () => {
    const own = layout.rows.bucketOf([7, 0])
    expect(hex(layout.bound({ a: 7 }, 'before'))).toBe(own.toString(16).padStart(2, '0') + '07')
    expect(hex(layout.bound({ a: 7 }, 'before', 3))).toBe('0307')
    expect(hex(layout.bound({}, 'before', 255))).toBe('ff')
    expect(hex(layout.bound({}, 'after', 254))).toBe('ff')
    expect(layout.bound({}, 'after', 255)).toBeNull()
  })

  test('KEY-26: only the inputs of the salt are needed, wherever they stand', () => {
    const last = keyLayout(
      [
        ['a', uint8()],
        ['b', uint8()],
      ],
      { salt: hashPrefix({ of: 'b' }) },
    )
    expect(() => last.bound({ a: 1 }, 'before')).toThrow(/^SALT_UNBOUND: the salt of \(b\) needs 'b'\./)
    expect(last.bound({ a: 1, b: 1 }, 'before')).toEqual(last.encode({ a: 1, b: 1 }))
  })

  test('KEY-27: K of a bound ends with its P, not with the next one', () => {
    const rows = rowLayout(
      [
        { name: 'p', type: uint8() },
        { name: 'k', type: uint8() },
      ],
      1,
      [],
    )
    expect(rows.sortKeyBound({ prefix: [5, 255], edge: 'after' })).toBeNull()
    expect(hex(rows.rowkeyBound(0, { prefix: [5, 255], edge: 'after' }))).toBe('06')
    expect(rows.sortKeyBound({ prefix: [5], edge: 'after' })).toBeNull()
    expect(hex(rows.sortKeyBound({ prefix: [5], edge: 'before' }))).toBe('')
  })
})

test('KEY-28: a bound of fewer columns encloses those of more', () => {
  const { compareBounds } = keyLayout([
    ['a', uint8()],
    ['b', desc(uint8())],
  ]).rows
  const ascending = [
    { prefix: [], edge: 'before' },
    { prefix: [1], edge: 'before' },
    { prefix: [1, 9], edge: 'before' },
    { prefix: [1, 9], edge: 'after' },
    { prefix: [1, 8], edge: 'before' },
    { prefix: [1, 8], edge: 'after' },
    { prefix: [1], edge: 'after' },
    { prefix: [2, 0], edge: 'before' },
    { prefix: [], edge: 'after' },
  ] as const
  ascending.forEach((a, i) => ascending.forEach((b, j) => expect(Math.sign(compareBounds(a, b))).toBe(Math.sign(i - j))))
})
