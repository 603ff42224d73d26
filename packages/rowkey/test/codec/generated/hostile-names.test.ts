import { bucket, int32, keyLayout, nullable, text, toHex } from '#codec'
import { visible } from '#codec/internal'
import { describe, expect, test } from 'vitest'

// Names of columns are the only part of generated code that comes from outside.
const names = [
  '"]; process.exit()//',
  "'); throw 1//",
  '`${process.exit()}`',
  '${1}',
  '\u2028\u2029',
  'back\\slash',
  'trailing\\',
  '\r\n',
  '\0',
  '*/',
  '</script>',
  '__proto__',
  'constructor',
  'toString',
  'b',
  'p',
  'v0',
  'arguments',
  'é😀',
  '\ud800',
  '',
]
const keyOf = (...entries: [string, unknown][]): Record<string, unknown> => Object.fromEntries(entries)

describe.each(names)('a column named %j', (name) => {
  const columns = [
    [name, text()],
    ['n', nullable(int32())],
  ] as const
  const options = { salt: bucket({ of: name, count: 16 }) }
  const plain = keyLayout([['c', text()], columns[1]], { salt: bucket({ of: 'c', count: 16 }), codegen: 'never' })
  const layout = keyLayout(columns, options)

  test('has the bytes of any other name, and comes back', () => {
    for (const n of [7, null]) {
      const bytes = layout.encode(keyOf([name, 'web'], ['n', n]) as never)
      expect(toHex(bytes)).toBe(toHex(plain.encode({ c: 'web', n })))
      expect(layout.encodeRow(['web', n])).toEqual(bytes)
      const back = layout.decode(bytes)
      expect(Object.entries(back)).toEqual([
        [name, 'web'],
        ['n', n],
      ])
      expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
      expect(layout.decodeRow(bytes)).toEqual(['web', n])
    }
  })

  test('is told, escaped, when its value is wrong, missing, or beside one that is no column', () => {
    expect(() => layout.encode(keyOf([name, 5], ['n', 7]) as never)).toThrow(`column '${visible(name)}' cannot hold 5`)
    expect(() => layout.encode(keyOf(['n', 7]) as never)).toThrow(`column '${visible(name)}'`)
    expect(() => layout.encode(keyOf([name, 'web'], ['n', 7], [`${name}x`, 1]) as never)).toThrow(visible(`${name}x`))
  })
})

test('one layout of all these names, more than are compared one by one', () => {
  const layout = keyLayout(names.map((name) => [name, text()] as const))
  const key = keyOf(...names.map((name, i): [string, unknown] => [name, String(i)]))
  expect(Object.entries(layout.decode(layout.encode(key as never)))).toEqual(Object.entries(key))
  expect(() => layout.encode({ ...key, other: '' })).toThrow("'other'")
})
