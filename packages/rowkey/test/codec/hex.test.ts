import { fromHex, isRowkeyError, toHex } from '#codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { property } from '../../../../test/kit/property.js'

describe('fromHex', () => {
  test.each([
    ['', []],
    ['00', [0]],
    ['00ff', [0, 255]],
    ['00FF', [0, 255]],
    ['aBcDeF', [0xab, 0xcd, 0xef]],
    ['0123456789', [0x01, 0x23, 0x45, 0x67, 0x89]],
  ])('of %j', (hex, bytes) => expect([...fromHex(hex)]).toEqual(bytes))

  test.each([
    ['0', 'the digit at offset 0 is half a byte'],
    ['00f', 'the digit at offset 2 is half a byte'],
    ['0g', '"g" at offset 1 is not a hex digit'],
    ['0x00', '"x" at offset 1 is not a hex digit'],
    ['00 ff', '" " at offset 2 is not a hex digit'],
    ['00\n', String.raw`"\n" at offset 2 is not a hex digit`],
    ['-1', '"-" at offset 0 is not a hex digit'],
    ['1e-1', '"-" at offset 2 is not a hex digit'],
    ['a\u0660', '"\u0660" at offset 1 is not a hex digit'],
    ['00\uff21\uff21', '"\uff21" at offset 2 is not a hex digit'],
    ['00😀', '"😀" at offset 2 is not a hex digit'],
    ['00\ud83d', String.raw`"\ud83d" at offset 2 is not a hex digit`],
  ])('refuses %j and says where', (hex, reason) => {
    expect(() => fromHex(hex)).toThrow(
      expect.objectContaining({
        message: `INVALID_VALUE: fromHex() cannot read ${JSON.stringify(hex)}: ${reason}. Give two hex digits per byte.`,
        details: { column: '', value: JSON.stringify(hex) },
      }),
    )
  })

  test('refuses what is no text', () => {
    for (const given of [undefined, null, 10, ['00'], new Uint8Array(2), new String('00')]) {
      expect(() => fromHex(given as never)).toThrow(/^INVALID_VALUE: fromHex\(\) cannot read .*: it is not text\./)
    }
  })

  property('is the inverse of toHex, in both cases', fc.uint8Array({ maxLength: 40 }), (bytes) => {
    expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
    expect(fromHex(toHex(bytes))).toEqual(bytes)
    expect(fromHex(toHex(bytes).toUpperCase())).toEqual(bytes)
  })

  const almostHex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFgGx \n\u0661\u{1d7d8}'), maxLength: 12 })
  property('gives exactly the bytes of a text, or INVALID_VALUE', almostHex, (text) => {
    try {
      expect(toHex(fromHex(text))).toBe(text.toLowerCase())
    } catch (error) {
      if (!isRowkeyError(error, 'INVALID_VALUE')) throw error
      expect(text).not.toMatch(/^([0-9a-f]{2})*$/i)
    }
  })
})
