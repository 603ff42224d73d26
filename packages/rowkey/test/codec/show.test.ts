import { dictionary, RowkeyError } from '#codec'
import { printable, reworded, said, show, showName, showNames, showWhole, typeText, visible } from '#codec/internal'
import { describe, expect, test } from 'vitest'

/** One or more of each class of characters that a terminal, a log or an editor obeys or hides. */
const unseen = [
  ...Array.from({ length: 0x20 }, (_, unit) => String.fromCharCode(unit)),
  ...Array.from({ length: 0x21 }, (_, i) => String.fromCharCode(0x7f + i)), // DEL and C1, with NEL and CSI
  ...'\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2063\u2066\u2067\u2068\u2069\u206f\ufeff\ufff9\uffff',
  ...['\u034f', '\u3164', '\ud800', '\udfff', '\u{e0001}', '\u{e0041}', '\u{e0080}', '\u{1d173}', '\u{10ffff}'],
]
const ordinary = ['orders', 'größe', '名前', 'a b', "it's", '"', '\\', 'é', '😀', '❤️', 'שלום', 'العربية', 'ก็', '\u00a0', '’']

test.each(unseen.map((character) => [character.codePointAt(0)?.toString(16), character]))('U+%s is escaped everywhere', (_, character) => {
  const name = `a${character}b`
  for (const text of [
    show(name),
    showWhole(name),
    showName(name),
    showNames([name]),
    said(new Error(name)),
    show(Symbol(name)),
    visible(name),
  ]) {
    expect(text).not.toContain(character)
    expect(text).toMatch(/a\\[bfnrtu]/)
  }
  expect(JSON.parse(showWhole(name))).toBe(name)
  if (name.isWellFormed()) expect(typeText(dictionary({ [`x${character}`]: 'y' }, {}))).not.toContain(character)
})

test.each(ordinary)('%j is shown as it is', (name) => {
  expect(showName(name)).toBe(name)
  expect(show(name)).toBe(JSON.stringify(name))
  expect(visible(name)).toBe(name)
})

test('what was escaped stays as it is', () => {
  expect(visible(visible('a\u202eb\n'))).toBe(String.raw`a\u202eb\n`)
  expect(showName(showName('x\u0000'.repeat(9)))).toBe(showName('x\u0000'.repeat(9)))
})

describe('what is long is cut', () => {
  test('a value at 47 characters, a name at 255, never within an escape or a character', () => {
    expect(show('x'.repeat(47))).toBe(`"${'x'.repeat(47)}"`)
    expect(show('x'.repeat(48))).toBe(`"${'x'.repeat(47)}… (48 characters)`)
    expect(show('\u0000'.repeat(100))).toBe(`"${String.raw`\u0000`.repeat(7)}… (100 characters)`)
    expect(show('😀'.repeat(100))).toBe(`"${'😀'.repeat(23)}… (200 characters)`)
    expect(showName('x'.repeat(255))).toBe('x'.repeat(255))
    expect(showName('x'.repeat(256))).toBe(`${'x'.repeat(255)}… (256 characters)`)
    expect(printable('ab😀', 3)).toBe('ab… (4 characters)')
  })

  test('a symbol, and the text of somebody else', () => {
    expect(show(Symbol('x'.repeat(5e6))).length).toBeLessThan(80)
    expect(said(new Error('y'.repeat(5e6))).length).toBeLessThan(530)
    expect(said('z'.repeat(5e6)).length).toBeLessThan(530)
    expect(said({ message: 5n })).toBe('5n')
    expect(said(Object.create(null))).toBe('an object')
  })

  test('a list of names at 600 characters, with the number of those that are left out', () => {
    expect(showNames([])).toBe('')
    expect(showNames(['a', 'b'])).toBe('a, b')
    expect(showNames(['a', 'b'], "'")).toBe("'a', 'b'")
    const names = Array.from({ length: 300 }, (_, i) => `column_${i}`)
    expect(showNames(names)).toMatch(/^column_0, .*, column_\d+ and \d+ more$/)
    expect(showNames(names).length).toBeLessThan(620)
    expect(showNames(['x'.repeat(5e6), 'y'])).toMatch(/^x{255}… \(5000000 characters\), y$/)
  })
})

describe('RowkeyError lets nothing through', () => {
  const hostile = '\u001b[2J\nERROR root logged in\u202e\u2028'

  test('message and stack have the lines that were given, and no more', () => {
    const error = new RowkeyError('X', [`a ${hostile}`, `b ${hostile}`], {})
    expect(error.message.split('\n')).toHaveLength(2)
    for (const text of [error.message, error.stack?.split('\n    at ')[0]]) {
      for (const raw of ['\u001b', '\u202e', '\u2028']) expect(text).not.toContain(raw)
      expect(text).not.toMatch(/^ERROR/m)
    }
  })

  test('a message has at most 4,000 characters and says how much is left out', () => {
    expect(new RowkeyError('X', 'y'.repeat(5e6), {}).message).toMatch(/^X: y+… \(5000003 characters\)$/)
    const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}, ${'y'.repeat(100)}`)
    const { message } = new RowkeyError('X', lines, {})
    expect(message.length).toBeLessThan(4050)
    expect(message).toMatch(/\n… and \d+ more lines$/)
  })

  test('texts in details are cut and escaped, at any place; what programs pass on is exact', () => {
    const cause = new Error(hostile)
    const key = { id: hostile }
    const given = {
      column: hostile,
      list: [hostile, { path: [hostile], n: 1 }],
      long: 'x'.repeat(5e6),
      key,
      cursor: 'c'.repeat(9000),
      cause,
    }
    const { details } = new RowkeyError('X', 'y', given)
    expect(details.column).toBe(String.raw`\u001b[2J\nERROR root logged in\u202e\u2028`)
    expect(JSON.stringify(details.list)).not.toMatch(/\u202e/)
    expect(details.list[1]).toMatchObject({ n: 1 })
    expect(details.long).toMatch(/^x{4000}… \(5000000 characters\)$/)
    expect(details.key).toBe(key)
    expect(details.cursor).toBe(given.cursor)
    expect(details.cause).toBe(cause)
  })

  test('ordinary details are the same object', () => {
    const details = Object.freeze({ table: 'orders', issues: [{ path: ['a', 1], message: 'é' }], at: new Date(0) })
    expect(new RowkeyError('X', 'y', details).details).toBe(details)
  })

  test('the same error with more words keeps its lines, its details and its cause', () => {
    const cause = new Error('why')
    const error = reworded(new RowkeyError('X', ['one', 'two'], { a: 1 }, { cause }), { before: '> ', after: ' <', details: { b: 2 } })
    expect(error).toMatchObject({ message: 'X: > one\ntwo <', details: { a: 1, b: 2 }, cause })
  })
})
