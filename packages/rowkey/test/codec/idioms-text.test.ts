import { int64, keyLayout, paddedText, reversed, separatedText, text, toHex } from '#codec'
import { describe, expect, test } from 'vitest'
import { ended, expectRanks, first, vectorsOf, written } from './idiom-vectors.js'

describe('vendor idioms, against bytes that Java wrote: text', () => {
  test('KEY-18: reverse(text): identical, then its end', () => {
    const vectors = vectorsOf('reverse')
    const keys = vectors.map((vector) => written(keyLayout([['user', reversed(text())]]), { user: first(vector) }))
    expect(keys).toEqual(vectors.map(({ hex }) => ended(hex)))
    expectRanks(vectors, keys)
  })

  test('KEY-18: reverse(integer): identical, then its end', () => {
    const vectors = vectorsOf('reverse-int')
    const keys = vectors.map((vector) => written(keyLayout([['id', reversed(int64())]]), { id: BigInt(first(vector)) }))
    expect(keys).toEqual(vectors.map(({ hex }) => ended(hex)))
    expectRanks(vectors, keys)
  })

  describe("rpad(host, 20, 'x')", () => {
    const vectors = vectorsOf('rpad/20')
    const layout = keyLayout([['host', paddedText(20, { pad: 'x' })]])
    const tooLong = vectors.filter((vector) => first(vector).length > 20)
    const padded = vectors.filter((vector) => !tooLong.includes(vector) && first(vector).endsWith('x'))
    const fine = vectors.filter((vector) => !tooLong.includes(vector) && !padded.includes(vector))

    test('KEY-16: identical for values that pad to bytes of their own', () => {
      const keys = fine.map((vector) => written(layout, { host: first(vector) }))
      expect(keys).toEqual(fine.map(({ hex }) => hex))
      expectRanks(fine, keys)
      expect([fine.length, padded.length, tooLong.length]).toEqual([18, 2, 1])
    })

    test('KEY-16: a value that ends in the padding is refused: its bytes are those of the value without', () => {
      for (const vector of padded) {
        expect(() => layout.encode({ host: first(vector) })).toThrow(/^INVALID_VALUE/)
        expect(vector.hex).toBe(toHex(layout.encode({ host: first(vector).replace(/x+$/, '') })))
      }
    })

    test('KEY-16: a longer value is refused: its bytes begin with those of another value', () => {
      for (const vector of tooLong) {
        expect(() => layout.encode({ host: first(vector) })).toThrow(/^INVALID_VALUE/)
        expect(vector.hex.startsWith(written(layout, { host: first(vector).slice(0, 20) }))).toBe(true)
      }
    })
  })

  test("KEY-17: host + '_' + event + '_': identical; a value with '_' in it is refused", () => {
    const layout = keyLayout([
      ['host', separatedText('_')],
      ['event', separatedText('_')],
    ])
    expect(Buffer.from(layout.encode({ host: 'web-1', event: 'login' })).toString()).toBe('web-1_login_')
    expect(() => layout.encode({ host: 'web_1', event: 'login' })).toThrow(/^INVALID_VALUE/)
  })
})
