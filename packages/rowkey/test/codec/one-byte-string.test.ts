import { describe, expect, test } from 'vitest'
import { inBlocks, latin1String } from '../../src/codec/latin1-string.js'

describe.each([
  ['with Buffer', latin1String],
  ['without Buffer', inBlocks],
])('one-byte string %s', (_, convert) => {
  test('has one character per byte, all 256 of them', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    expect([...convert(bytes)].map((character) => character.charCodeAt(0))).toEqual([...bytes])
  })

  test.each([0, 1, 1023, 1024, 1025, 5000])('takes %i bytes, also out of a longer buffer', (length) => {
    const bytes = Uint8Array.from({ length: length + 7 }, (_, i) => (i * 37) & 255).subarray(3, 3 + length)
    const text = convert(bytes)
    expect(text.length).toBe(length)
    expect(Uint8Array.from(text, (character) => character.charCodeAt(0))).toEqual(bytes.slice())
  })
})
