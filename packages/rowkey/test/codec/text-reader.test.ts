import { expect, test } from 'vitest'
import { textReader, type TextReader } from '../../src/codec/compile/text-reader.js'

// What the generated code does not read it leaves to the general way, which gives the same and takes longer: so it is asked by itself.
const reader = textReader() as TextReader

/** The text as a key has it, in order or in descending order, with other bytes before and behind. */
function escaped(text: string, flip: number): Uint8Array {
  const plain = [...new TextEncoder().encode(text)].flatMap((byte) => (byte === 0 ? [0, 1] : [byte]))
  return Uint8Array.from([0x41, ...[...plain, 0, 0].map((byte) => byte ^ flip), 0x42])
}

const lengths = [0, 1, 2, 23, 24, 25, 30, 92, 93, 94, 95, 96, 97, 200, 5000]
const characters = ['a', 'é', '漢', '\u{1f600}', '\0', '\u{10ffff}', '\u0080']

test.each([0, 0xff])('every text is read by the generated code itself, its escapes too (flip %i)', (flip) => {
  for (const length of lengths) {
    for (const character of characters) {
      for (const text of [character.repeat(length), `${character}${'a'.repeat(length)}`, `${'a'.repeat(length)}${character}`]) {
        const bytes = escaped(text, flip)
        expect(reader.other(bytes, 1, flip)).toBe(text)
        expect(reader.end).toBe(bytes.length - 1)
      }
    }
  }
})

test('ASCII is read whatever its length, from its place only', () => {
  for (const length of lengths) {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(33 + (i % 90))).join('')
    expect(reader.ascii(escaped(text, 0), 1, 1 + length)).toBe(text)
  }
})

test.each([0, 0xff])('what is no escape, or has no end, is not read (flip %i)', (flip) => {
  for (const length of [0, 30, 200]) {
    const bytes = escaped(`${'é'.repeat(length)}\0x`, flip)
    const other = bytes.slice()
    other[1 + 2 * length + 1] = 2 ^ flip
    expect(reader.other(other, 1, flip)).toBeUndefined()
    expect(reader.other(bytes.subarray(0, -2), 1, flip)).toBeUndefined()
    expect(reader.other(bytes.subarray(0, -3), 1, flip)).toBeUndefined()
  }
})
