import { bucket, int64, keyLayout, separatedText, text, uint64 } from '#codec'
import { describe, expect, test } from 'vitest'
import { ended, expectRanks, first, vectorsOf, written, type Vector } from './idiom-vectors.js'

const atOf = (vector: Vector): bigint => BigInt(first(vector))
const ascii = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1')

describe('vendor idioms, against bytes that Java wrote: buckets', () => {
  test.each([
    ['bucket/2/byte', 2],
    ['bucket/10/byte', 10],
    ['bucket/16/byte', 16],
  ])('KEY-23: (byte) (ts %% n) + Bytes.toBytes(ts), %s: before uint64 identical, before int64 but for the sign bit', (id, modulo) => {
    const vectors = vectorsOf(id)
    const salt = bucket({ of: 'at', modulo })
    const keys = vectors.map((vector) => written(keyLayout([['at', uint64()]], { salt }), { at: atOf(vector) }))
    expect(keys).toEqual(vectors.map(({ hex }) => hex))
    expectRanks(vectors, keys)
    const signed = vectors.map((vector) => written(keyLayout([['at', int64()]], { salt }), { at: atOf(vector) }))
    expect(signed.map((key) => BigInt(`0x${key}`) ^ (1n << 63n))).toEqual(vectors.map(({ hex }) => BigInt(`0x${hex}`)))
    expectRanks(vectors, signed)
  })

  const texts: readonly (readonly [id: string, modulo: number, digits: number])[] = [
    ['bucket/2/text', 2, 1],
    ['bucket/2/text2', 2, 2],
    ['bucket/10/text', 10, 1],
    ['bucket/10/text2', 10, 2],
    ['bucket/16/text', 16, 1],
    ['bucket/16/text2', 16, 2],
  ]

  test.each(texts)(
    "KEY-17: ts %% n + '_' + ts as text, %s: two columns of text are identical, then the end of the last one; whoever reads computes the bucket",
    (id, modulo, digits) => {
      const vectors = vectorsOf(id)
      const layout = keyLayout([
        ['bucket', separatedText('_')],
        ['at', text()],
      ])
      const keys = vectors.map((vector) => {
        const number = String(atOf(vector) % BigInt(modulo)).padStart(digits, '0')
        return written(layout, { bucket: number, at: first(vector) })
      })
      expect(keys).toEqual(vectors.map(({ hex }) => `${hex}0000`))
      expectRanks(vectors, keys)
    },
  )

  test.each(texts)(
    "KEY-23: ts %% n + '_' + ts as text, %s: the salt has the same number in one byte, and numbers in their order",
    (id, modulo) => {
      const layout = keyLayout([['at', uint64()]], { salt: bucket({ of: 'at', modulo }) })
      const salted = vectorsOf(id).map((vector) => {
        const key = written(layout, { at: atOf(vector) })
        expect(Number.parseInt(key.slice(0, 2), 16)).toBe(Number(ascii(vector.hex).split('_')[0]))
        expect(key).toHaveLength(18)
        return { key, at: atOf(vector) }
      })
      const byKey = salted.toSorted((a, b) => (a.key < b.key ? -1 : 1))
      const byNumber = salted.toSorted((a, b) => Number(a.at % BigInt(modulo)) - Number(b.at % BigInt(modulo)) || (a.at < b.at ? -1 : 1))
      expect(byKey).toEqual(byNumber)
    },
  )

  describe('ts % 10 of ts < 0', () => {
    const vectors = vectorsOf('bucket/negative')

    test("KEY-23: Java's remainder is negative, ours is Math.floorMod: 10 more unless it is 0", () => {
      const { rows } = keyLayout([['at', int64()]], { salt: bucket({ of: 'at', modulo: 10 }) })
      const remainders = vectors.map(({ hex }) => Number(ascii(hex)))
      const ours = vectors.map((vector) => rows.bucketOf([atOf(vector)]))
      expect(ours).toEqual(vectors.map(({ floorMod }) => floorMod))
      expect(ours).toEqual(remainders.map((remainder) => (remainder < 0 ? remainder + 10 : remainder)))
      expect(remainders.filter((remainder) => remainder < 0)).toHaveLength(3)
    })

    test("KEY-6: Java's remainder as text is identical, then its end", () => {
      const layout = keyLayout([['bucket', text()]])
      const keys = vectors.map((vector) => written(layout, { bucket: String(atOf(vector) % 10n) }))
      expect(keys).toEqual(vectors.map(({ hex }) => ended(hex)))
    })
  })
})
