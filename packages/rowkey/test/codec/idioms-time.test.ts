import { compareKeys, compareText, desc, fromHex, int64, keyLayout, paddedText, timestamp, uint64 } from '#codec'
import { describe, expect, test } from 'vitest'
import { expectRanks, first, vectorsOf, written } from './idiom-vectors.js'

const max = 2n ** 63n - 1n
const newestFirst = keyLayout([['at', desc(int64())]])
const atOf = (vector: Parameters<typeof first>[0]): bigint => BigInt(first(vector))

describe('vendor idioms, against bytes that Java wrote: time', () => {
  test('KEY-10: Long.MAX_VALUE - ts as long: desc(int64) is identical', () => {
    const vectors = vectorsOf('max-minus-ts/binary')
    const keys = vectors.map((vector) => written(newestFirst, { at: atOf(vector) }))
    expect(keys).toEqual(vectors.map(({ hex }) => hex))
    expectRanks(vectors, keys)
  })

  test('KEY-14: Long.MAX_VALUE - ts as long: desc(timestamp) is identical, within what a Date can hold', () => {
    const instants = keyLayout([['at', desc(timestamp('ms', { as: 'bigint' }))]])
    let refused = 0
    for (const vector of vectorsOf('max-minus-ts/binary')) {
      const at = atOf(vector)
      if (at <= 8_640_000_000_000_000n) expect(written(instants, { at })).toBe(vector.hex)
      else {
        expect(() => instants.encode({ at })).toThrow(/^INVALID_VALUE/)
        refused++
      }
    }
    expect(refused).toBe(2) // 2^53 and Long.MAX_VALUE
  })

  test('KEY-10: Long.MAX_VALUE - ts of ts < 0: identical and in order; what wraps is only the number that Java sees', () => {
    const vectors = vectorsOf('max-minus-ts/negative')
    const newer = vectorsOf('max-minus-ts/binary').map((vector) => written(newestFirst, { at: atOf(vector) }))
    for (const vector of vectors) {
      const at = atOf(vector)
      const key = written(newestFirst, { at })
      expect(key).toBe(vector.hex)
      for (const other of newer) expect(compareKeys(fromHex(key), fromHex(other))).toBeGreaterThan(0) // older comes after
      // Signed, as Java compares longs, it is below all others, and as text its '-' is too: there it would be the newest of all.
      const wrapped = BigInt.asIntN(64, max - at)
      expect(wrapped).toBeLessThan(0n)
      expect(compareText(String(wrapped), '0'.repeat(19))).toBeLessThan(0)
    }
    const oldestLast = vectors.toSorted((a, b) => (atOf(a) > atOf(b) ? -1 : 1)).map(({ hex }) => hex)
    expect(oldestLast.toSorted()).toEqual(oldestLast)
  })

  describe('String.format("%019d", Long.MAX_VALUE - ts)', () => {
    const vectors = vectorsOf('max-minus-ts/decimal19')

    test('KEY-16: as text of 19 characters it is identical; the number is computed by whoever writes', () => {
      const layout = keyLayout([['left', paddedText(19, { pad: '\0' })]])
      const keys = vectors.map((vector) => written(layout, { left: String(max - atOf(vector)).padStart(19, '0') }))
      expect(keys).toEqual(vectors.map(({ hex }) => hex))
      expectRanks(vectors, keys)
    })

    test('KEY-10: desc(int64) differs, 8 bytes instead of 19, and has the same order', () => {
      const keys = vectors.map((vector) => written(newestFirst, { at: atOf(vector) }))
      expect(keys.every((key) => key.length === 16)).toBe(true)
      expectRanks(vectors, keys)
    })
  })

  describe('Bytes.toBytes(long) of ts >= 0', () => {
    const vectors = vectorsOf('ts/binary')

    test('KEY-11: uint64 is identical', () => {
      const keys = vectors.map((vector) => written(keyLayout([['at', uint64()]]), { at: atOf(vector) }))
      expect(keys).toEqual(vectors.map(({ hex }) => hex))
      expectRanks(vectors, keys)
    })

    test('KEY-10: int64 differs in the sign bit, and has the same order', () => {
      const keys = vectors.map((vector) => written(keyLayout([['at', int64()]]), { at: atOf(vector) }))
      expect(keys.map((key) => BigInt(`0x${key}`) ^ (1n << 63n))).toEqual(vectors.map(({ hex }) => BigInt(`0x${hex}`)))
      expectRanks(vectors, keys)
    })
  })
})
