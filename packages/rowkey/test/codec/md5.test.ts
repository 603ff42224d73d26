import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { md5OfText, md5Word } from '../../src/codec/salts/md5.js'
import { property } from '../../../../test/kit/property.js'

const expected = (bytes: Uint8Array): number => Number.parseInt(createHash('md5').update(bytes).digest('hex').slice(0, 8), 16)

// Padding adds a block from 56 bytes of the last one on.
const lengths = [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 121, 127, 128, 129, 1000]
test.each(lengths)('KEY-24: md5 of %i bytes equals that of node:crypto', (length) => {
  for (const fill of [0, 0x61, 0x80, 0xff]) {
    const bytes = new Uint8Array(length).fill(fill)
    expect(md5Word(bytes, length)).toBe(expected(bytes))
  }
})

test.each(lengths)('KEY-24: md5 of text of %i units equals that of node:crypto', (length) => {
  for (const fill of ['\0', 'a', '\x7f', '\x80', 'é', '漢']) {
    const text = fill.repeat(length)
    expect(md5OfText(text)).toBe(expected(new TextEncoder().encode(text)))
    expect(md5OfText(`a${text}`)).toBe(expected(new TextEncoder().encode(`a${text}`)))
  }
})

// RFC 1321, appendix A.5
test.each([
  ['', 0xd41d8cd9],
  ['a', 0x0cc175b9],
  ['abc', 0x90015098],
  ['message digest', 0xf96b697d],
  ['abcdefghijklmnopqrstuvwxyz', 0xc3fcd3d7],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 0xd174ab98],
  ['12345678901234567890123456789012345678901234567890123456789012345678901234567890', 0x57edf4a2],
])('KEY-24: md5 of %j is that of RFC 1321', (text, word) => expect(md5Word(new TextEncoder().encode(text), text.length)).toBe(word))

property('KEY-24: md5 equals that of node:crypto', fc.uint8Array({ maxLength: 300 }), (bytes) => {
  expect(md5Word(bytes, bytes.length)).toBe(expected(bytes))
})

property('KEY-24: md5 reads `length` bytes and no more', fc.tuple(fc.uint8Array({ maxLength: 150 }), fc.nat(150)), ([bytes, cut]) => {
  const length = Math.min(cut, bytes.length)
  expect(md5Word(bytes, length)).toBe(expected(bytes.subarray(0, length)))
})
