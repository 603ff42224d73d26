import { dictionary, fixedBytes, fromHex, hashPrefix, keyLayout, separatedText, text } from '#codec'
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ended, expectRanks, first, groups, second, vectorsOf, written } from './idiom-vectors.js'

test('every group of vendor idioms has a test', () => {
  const here = new URL('./', import.meta.url)
  const files = readdirSync(here).filter((name) => /^idioms.*\.test\.ts$/.test(name))
  const sources = files.map((name) => readFileSync(new URL(name, here), 'utf8')).join('\n')
  expect(groups.filter(({ id }) => !sources.includes(`'${id}'`)).map(({ id }) => id)).toEqual([])
  expect(groups).toHaveLength(24)
  expect(groups.reduce((sum, { vectors }) => sum + vectors.length, 0)).toBe(297)
})

describe('vendor idioms, against bytes that Java wrote: MD5 prefixes', () => {
  test('KEY-24: md5(userid).substring(0, 4) + userid: the prefix is identical, the text is ended', () => {
    const vectors = vectorsOf('md5-prefix/4')
    const layout = keyLayout([['user', text()]], { salt: hashPrefix({ of: 'user', digits: 4 }) })
    const keys = vectors.map((vector) => written(layout, { user: first(vector) }))
    expect(keys).toEqual(vectors.map(({ hex }) => hex.slice(0, 8) + ended(hex.slice(8))))
    expectRanks(vectors, keys)
  })

  test("KEY-24: md5(id).substring(0, 4) + '_' + id + '_' + n: identical, then the end of the last text", () => {
    const vectors = vectorsOf('md5-prefix-separated')
    const layout = keyLayout(
      [
        ['mark', dictionary({ _: '_' })], // a column of one value is a constant
        ['id', separatedText('_')],
        ['n', text()],
      ],
      { salt: hashPrefix({ of: 'id', digits: 4 }) },
    )
    const keys = vectors.map((vector) => written(layout, { mark: '_', id: first(vector), n: second(vector) }))
    expect(keys).toEqual(vectors.map(({ hex }) => `${hex}0000`))
    expectRanks(vectors, keys)
  })

  describe('md5(id)[0..2) + id, raw bytes of the digest', () => {
    const vectors = vectorsOf('md5-raw-prefix/2')

    test('KEY-24: is no salt: hashPrefix() has no such option', () => {
      expect(() => hashPrefix({ of: 'user', raw: true } as never)).toThrow(/^INVALID_LAYOUT: hashPrefix\(\) has no option 'raw'/)
    })

    test('KEY-24: hashPrefix() spells the same bytes out, in the same order, two bytes longer', () => {
      const layout = keyLayout([['user', text()]], { salt: hashPrefix({ of: 'user', digits: 4 }) })
      const keys = vectors.map((vector) => written(layout, { user: first(vector) }))
      const spelled = (raw: string): string => Buffer.from(raw).toString('hex')
      expect(keys).toEqual(vectors.map(({ hex }) => spelled(hex.slice(0, 4)) + ended(hex.slice(4))))
      expectRanks(vectors, keys)
    })

    test('KEY-8: a column for the digest is identical, the text is ended; whoever reads computes it', () => {
      const layout = keyLayout([
        ['digest', fixedBytes(2)],
        ['user', text()],
      ])
      const keys = vectors.map((vector) => written(layout, { digest: fromHex(vector.hex.slice(0, 4)), user: first(vector) }))
      expect(keys).toEqual(vectors.map(({ hex }) => hex.slice(0, 4) + ended(hex.slice(4))))
      expectRanks(vectors, keys)
    })
  })
})
