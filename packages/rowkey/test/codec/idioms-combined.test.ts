import { bucket, desc, dictionary, hashPrefix, int64, keyLayout, paddedText, reversed, separatedText, text, uint64 } from '#codec'
import { describe, expect, test } from 'vitest'
import { ended, expectRanks, first, second, vectorsOf, written, type Vector } from './idiom-vectors.js'

const max = 2n ** 63n - 1n
const atOf = (vector: Vector): bigint => BigInt(second(vector))

describe('vendor idioms, against bytes that Java wrote: several columns', () => {
  test('KEY-1: rpad(id) + (Long.MAX_VALUE - ts): identical', () => {
    const vectors = vectorsOf('combined/rpad,max-minus-ts')
    const layout = keyLayout([
      ['id', paddedText(20, { pad: 'x' })],
      ['at', desc(int64())],
    ])
    const keys = vectors.map((vector) => written(layout, { id: first(vector), at: atOf(vector) }))
    expect(keys).toEqual(vectors.map(({ hex }) => hex))
    expectRanks(vectors, keys)
  })

  test("KEY-1: md5(id).substring(0, 4) + '_' + id + '_' + %019d of Long.MAX_VALUE - ts: identical; the number is computed by whoever writes", () => {
    const vectors = vectorsOf('combined/md5,id,max-minus-ts-decimal')
    const layout = keyLayout(
      [
        ['mark', dictionary({ _: '_' })],
        ['id', separatedText('_')],
        ['left', paddedText(19, { pad: '\0' })],
      ],
      { salt: hashPrefix({ of: 'id', digits: 4 }) },
    )
    const left = (vector: Vector): string => String(max - atOf(vector)).padStart(19, '0')
    const keys = vectors.map((vector) => written(layout, { mark: '_', id: first(vector), left: left(vector) }))
    expect(keys).toEqual(vectors.map(({ hex }) => hex))
    expectRanks(vectors, keys)
  })

  describe("ts % 16 + '_' + id + '_' + ts", () => {
    const vectors = vectorsOf('combined/bucket,id,ts')

    test('KEY-1: three columns of text are identical, then the end of the last one; whoever reads computes the bucket', () => {
      const layout = keyLayout([
        ['bucket', separatedText('_')],
        ['id', separatedText('_')],
        ['at', text()],
      ])
      const keys = vectors.map((vector) => written(layout, { bucket: String(atOf(vector) % 16n), id: first(vector), at: second(vector) }))
      expect(keys).toEqual(vectors.map(({ hex }) => `${hex}0000`))
      expectRanks(vectors, keys)
    })

    test('KEY-23: a salt has the same number in a byte, and the time takes 8', () => {
      const layout = keyLayout(
        [
          ['id', separatedText('_')],
          ['at', uint64()],
        ],
        { salt: bucket({ of: 'at', modulo: 16 }) },
      )
      for (const vector of vectors) {
        const [number = '', id = '', at = ''] = Buffer.from(vector.hex, 'hex').toString().split('_')
        const salt = Number(number).toString(16).padStart(2, '0')
        const time = BigInt(at).toString(16).padStart(16, '0')
        expect(written(layout, { id: first(vector), at: atOf(vector) })).toBe(salt + Buffer.from(`${id}_`).toString('hex') + time)
      }
    })
  })

  test('KEY-1: reverse(id) + Bytes.toBytes(ts): identical but for the end of the text, without which ids of any length run into the time', () => {
    const layout = keyLayout([
      ['id', reversed(text())],
      ['at', uint64()],
    ])
    for (const vector of vectorsOf('combined/reverse,ts')) {
      const key = written(layout, { id: first(vector), at: atOf(vector) })
      expect(key).toBe(ended(vector.hex.slice(0, -16)) + vector.hex.slice(-16))
    }
  })
})
