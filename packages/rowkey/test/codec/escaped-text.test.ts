import { fromEscapedText, isRowkeyError, toEscapedText, toHex } from '#codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { property } from '../../../../test/kit/property.js'

const raw = String.raw
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

describe('toEscapedText', () => {
  // What HBase's Bytes.toStringBinary leaves: the letters, the digits and " `~!@#$%^&*()-_=+[]{}|;:'\",.<>/?".
  test('escapes what the HBase shell escapes: all but printable ASCII, and the backslash', () => {
    const punctuation = ' `~!@#$%^&*()-_=+[]{}|;:\'",.<>/?'
    for (let byte = 0; byte < 256; byte++) {
      const char = String.fromCharCode(byte)
      const plain = /[0-9A-Za-z]/.test(char) || punctuation.includes(char)
      const escape = raw`\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
      expect(toEscapedText(Uint8Array.of(byte))).toBe(plain ? char : escape)
    }
  })

  test.each([
    ['', ''],
    ['776562', 'web'],
    ['7765620000', raw`web\x00\x00`],
    ['5c', raw`\x5C`],
    ['5c783030', raw`\x5Cx00`],
    ['7f80ff0a', raw`\x7F\x80\xFF\x0A`],
    ['c3a9', raw`\xC3\xA9`],
  ])('of %s is %s', (hex, text) => {
    expect(toEscapedText(bytesOf(hex))).toBe(text)
    expect(toHex(fromEscapedText(text))).toBe(hex)
  })

  test('takes bytes only', () => {
    for (const given of ['abc', [1], undefined, new ArrayBuffer(1), new Uint16Array(1)]) {
      expect(() => toEscapedText(given as never)).toThrow(/^INVALID_VALUE: toEscapedText\(\) takes a Uint8Array, not /)
    }
    expect(toEscapedText(Buffer.from('a\0'))).toBe(raw`a\x00`)
  })
})

describe('fromEscapedText', () => {
  test.each([
    [raw`\x41\x7e`, '417e'],
    [raw`\xfF\xFf`, 'ffff'],
    [raw`\x5Cx41`, '5c783431'],
    [raw`\x414`, '4134'],
  ])('reads %s, which the shell takes but does not print', (text, hex) => expect(toHex(fromEscapedText(text))).toBe(hex))

  test.each([
    [raw`\ `.trim(), 'the backslash at offset 0 is not the start of an escape \\xHH'],
    [raw`a\x`, 'the backslash at offset 1 is not the start of an escape \\xHH'],
    [raw`ab\x0`, 'the backslash at offset 2 is not the start of an escape \\xHH'],
    [raw`\x0g`, 'the backslash at offset 0 is not the start of an escape \\xHH'],
    [raw`\x 1`, 'the backslash at offset 0 is not the start of an escape \\xHH'],
    [raw`\X00`, 'the backslash at offset 0 is not the start of an escape \\xHH'],
    [raw`\n`, 'the backslash at offset 0 is not the start of an escape \\xHH'],
    [raw`\u0041`, 'the backslash at offset 0 is not the start of an escape \\xHH'],
    [raw`\x00\\x00`, 'the backslash at offset 4 is not the start of an escape \\xHH'],
    ['a\n', String.raw`"\n" at offset 1 is not printable ASCII`],
    ['\x7f', String.raw`"\u007f" at offset 0 is not printable ASCII`],
    ['é', '"é" at offset 0 is not printable ASCII'],
    ['ab😀', '"😀" at offset 2 is not printable ASCII'],
  ])('refuses %j and says where', (text, reason) => {
    const value = JSON.stringify(text).replace('\x7f', String.raw`\u007f`)
    expect(() => fromEscapedText(text)).toThrow(
      expect.objectContaining({
        message: `INVALID_VALUE: fromEscapedText() cannot read ${value}: ${reason}. Give printable ASCII, and write the backslash and all other bytes as \\xHH.`,
        details: { column: '', value },
      }),
    )
  })

  test('refuses what is no text', () => {
    for (const given of [undefined, null, 10, ['00'], new Uint8Array(2)]) {
      expect(() => fromEscapedText(given as never)).toThrow(/^INVALID_VALUE: fromEscapedText\(\) cannot read .*: it is not text\./)
    }
  })

  property('is the inverse of toEscapedText, which no reader can mistake', fc.uint8Array({ maxLength: 40 }), (bytes) => {
    const text = toEscapedText(bytes)
    expect(text).toMatch(/^([ -[\]-~]|\\x[0-9A-F]{2})*$/)
    expect(fromEscapedText(text)).toEqual(bytes)
  })

  const almost = fc.array(fc.constantFrom('\\', '\\x', 'x', '0', 'F', 'f', 'g', ' ', '~', '\x7f', '\0', 'é', '😀'), { maxLength: 10 })
  property('gives bytes that are written the same way, or INVALID_VALUE', almost, (chars) => {
    const text = chars.join('')
    try {
      const upper = text.replace(/\\x../g, (escape) => raw`\x${escape.slice(2).toUpperCase()}`)
      const needless = upper.replace(/\\x(?!5C)([2-6][0-9A-F]|7[0-9A-E])/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      expect(toEscapedText(fromEscapedText(text))).toBe(needless)
    } catch (error) {
      if (!isRowkeyError(error, 'INVALID_VALUE')) throw error
      expect(text).not.toMatch(/^([ -[\]-~]|\\x[0-9A-Fa-f]{2})*$/)
    }
  })
})
