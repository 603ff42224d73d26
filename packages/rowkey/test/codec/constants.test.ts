import {
  bucket,
  desc,
  fixedText,
  followedBy,
  fromHex,
  kuduHash,
  hashPrefix,
  int64,
  keyLayout,
  lastBytes,
  lastText,
  nullable,
  separatedText,
  text,
  toHex,
  uint8,
  type ColumnType,
  type KeyLayout,
  type Salt,
} from '#codec'
import { registeredSalt } from '#codec/internal'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'

const md5 = (input: string): string => createHash('md5').update(input).digest('hex')
const layoutOf = (salt: Salt<'user'> | readonly Salt<'user'>[]): KeyLayout => keyLayout([['user', text()]], { salt })
const refusalOf = (make: () => unknown): string => {
  try {
    make()
  } catch (error) {
    return (error as Error).message
  }
  return 'nothing was refused'
}

describe('KEY-38: the separator of a salt', () => {
  test.each<[Salt<'user'>, string]>([
    [hashPrefix({ of: 'user', separator: '_' }), toHex(Buffer.from(`${md5('bob').slice(0, 4)}_`))],
    [hashPrefix({ of: 'user', digits: 1, separator: 'é||' }), toHex(Buffer.from(`${md5('bob').slice(0, 1)}é||`))],
    [
      bucket({ of: 'user', count: 16, separator: '_' }),
      `${toHex(layoutOf(bucket({ of: 'user', count: 16 })).encode({ user: 'bob' })).slice(0, 2)}5f`,
    ],
    [
      bucket({ of: 'user', count: 300, separator: '\0' }),
      `${toHex(layoutOf(bucket({ of: 'user', count: 300 })).encode({ user: 'bob' })).slice(0, 4)}00`,
    ],
  ])('follows it, and is checked: %o', (salt, start) => {
    const layout = layoutOf(salt)
    const key = layout.encode({ user: 'bob' })
    expect(toHex(key)).toBe(`${start}626f620000`)
    const { parts, problem } = layout.inspect(key)
    expect([problem, parts[0]?.name, parts[0]?.hex, parts[1]?.offset]).toEqual([undefined, 'salt', start, start.length / 2])
    expect(toHex(layout.bound({ user: 'bob' }, 'before'))).toBe(toHex(key))
    for (const bucket of [0, 1]) expect(layout.bound({}, 'before', bucket)).toHaveLength(start.length / 2)
    const damaged = Uint8Array.from(key)
    damaged[start.length / 2 - 1] = 0x60
    for (let i = 0; i < 1001; i++) layout.encode({ user: 'bob' }) // compiled
    expect(() => layout.decode(damaged)).toThrow(/column 'salt'/)
    expect(layout.inspect(damaged).parts.map(({ name }) => name)).toEqual(['salt', 'user'])
  })

  test('levels have separators of their own', () => {
    const salts = [hashPrefix({ of: 'user', digits: 1, separator: '-' }), bucket({ of: 'user', count: 2, separator: '_' })]
    const hex = toHex(layoutOf(salts).encode({ user: 'bob' }))
    expect(hex).toMatch(/^..2d0[01]5f626f620000$/)
    expect(layoutOf(salts).rows.buckets).toBe(32)
  })

  test('a salt without one is the same as before, and kuduHash() has none', () => {
    expect(JSON.stringify(hashPrefix({ of: 'user' }))).toBe('{"kind":"hashPrefix","of":["user"],"count":65536,"digits":4}')
    expect(JSON.stringify(hashPrefix({ of: 'user', separator: '_' }))).toBe(
      '{"kind":"hashPrefix","of":["user"],"count":65536,"digits":4,"separator":"_"}',
    )
    expect(refusalOf(() => kuduHash({ of: 'user', count: 4, separator: '_' } as never))).toContain("no option 'separator'")
    const forged = { ...kuduHash({ of: 'user', count: 4 }), separator: '_' }
    expect(registeredSalt('hashPartition')?.fromJSON(forged as never).separator).toBeUndefined() // a schema then refuses its JSON
  })

  test.each(['', '123456789', '\ud800', 5, null])('refuses %o', (separator) => {
    for (const make of [
      () => hashPrefix({ of: 'user', separator: separator as string }),
      () => bucket({ of: 'user', count: 4, separator: separator as string }),
      () => bucket({ of: 'user', modulo: 4, separator: separator as string }),
    ])
      expect(refusalOf(make)).toMatch(/^INVALID_LAYOUT: .*separator.* Give well-formed text of 1 to 8 UTF-16 units\.$/)
  })
})

describe('KEY-39: text that follows a column', () => {
  test.each<[ColumnType, unknown, string]>([
    [followedBy(fixedText(2), '_'), '31', '33315f'],
    [followedBy(separatedText('|'), '|'), 'a', '617c7c'],
    [followedBy(text(), '\0é'), '', '000000c3a9'],
    // Long.MAX_VALUE - ts, then '_': the number is complemented, the text is not.
    [followedBy(desc(int64()), '_'), 1700000000000n, '7ffffe74301a97ff5f'],
    [desc(followedBy(int64(), '_')), 1700000000000n, '7ffffe74301a97ff5f'],
  ])('%o of %o is %s', (type, value, hex) => {
    for (const codegen of ['auto', 'never'] as const) {
      const layout = keyLayout([['c', type]], { codegen })
      for (let i = 0; i < 1001; i++) layout.encode({ c: value })
      expect(toHex(layout.encode({ c: value }))).toBe(hex)
      expect(layout.decode(fromHex(hex))).toEqual({ c: value })
      expect(() => layout.decode(fromHex(`${hex.slice(0, -2)}7f`))).toThrow(/^MALFORMED_KEY/)
    }
  })

  test('salts do not hash it', () => {
    for (const of of [['c'], ['c', 'n']] as const) {
      const salts = [bucket({ of, count: 65_536 }), hashPrefix({ of, digits: 8 })]
      for (const salt of salts) {
        const columns = (type: ColumnType) => [['c', type] as const, ['n', uint8()] as const] as const
        const [plain, followed] = [keyLayout(columns(text()), { salt }), keyLayout(columns(followedBy(text(), '_')), { salt })]
        for (let i = 0; i < 1001; i++) [plain, followed].forEach((layout) => layout.encode({ c: 'a', n: i % 256 }))
        for (const n of [0, 1, 2])
          expect(followed.rows.bucketOf(followed.decodeRow(followed.encode({ c: 'a', n })))).toBe(plain.rows.bucketOf(['a', n]))
        expect(toHex(followed.encode({ c: 'a', n: 7 })).slice(0, 4)).toBe(toHex(plain.encode({ c: 'a', n: 7 })).slice(0, 4))
      }
    }
    expect(refusalOf(() => keyLayout([['c', followedBy(text(), '_')]], { salt: kuduHash({ of: 'c', count: 4 }) }))).toMatch(
      /^INVALID_LAYOUT: kuduHash\(\) cannot use 'c'/,
    )
  })
})

describe('KEY-41 KEY-42: the place of a column without an end of its own', () => {
  const misplaced: readonly (readonly [string, readonly (readonly [string, ColumnType])[], string])[] = [
    ['lastText before another column', [['a', lastText()], ['b', uint8()]], "column 'a' is lastText, which ends with the key, so 'b' cannot follow it. Put it last, or use text()."], // prettier-ignore
    ['lastBytes before another column', [['a', lastBytes()], ['b', uint8()]], "column 'a' is lastBytes, which ends with the key, so 'b' cannot follow it. Put it last, or use bytes()."], // prettier-ignore
    ['two of them', [['a', lastText()], ['b', lastText()]], "column 'a' is lastText, which ends with the key, so 'b' cannot follow it. Put it last, or use text()."], // prettier-ignore
    ['descending', [['a', desc(lastText())]], "column 'a' is lastText, which has no end of its own, so it cannot be descending in a key. Use text()."], // prettier-ignore
    ['nullable', [['a', nullable(lastBytes())]], "column 'a' is lastBytes, which has no end of its own, so it cannot be nullable in a key. Use bytes()."], // prettier-ignore
    ['followed by text', [['a', followedBy(lastText(), '_')]], "column 'a' is lastText, which has no end of its own, so it cannot be followed by text in a key. Use text()."], // prettier-ignore
    [
      'split text before text',
      [['a', separatedText('_', { split: 'last' })], ['b', uint8()], ['c', text()]],
      "column 'a' is separatedText with { split: 'last' }, so the columns after it must have a fixed number of bytes, and 'c' (text) has not. Use fixedText() or a number there, or separatedText() without { split }.",
    ], // prettier-ignore
    [
      'split text before a nullable number',
      [
        ['a', separatedText('_', { split: 'last' })],
        ['b', nullable(uint8())],
      ],
      "column 'a' is separatedText with { split: 'last' }, so the columns after it must have a fixed number of bytes, and 'b' (uint8) has not. Use fixedText() or a number there, or separatedText() without { split }.",
    ],
    [
      'descending split text',
      [['a', desc(separatedText('_', { split: 'last' }))]],
      "column 'a' is separatedText with { split: 'last' }, which has no end of its own, so it cannot be descending in a key. Use separatedText() without { split }.",
    ],
  ]

  test.each(misplaced)('%s', (_, columns, message) => {
    expect(refusalOf(() => keyLayout(columns))).toBe(`INVALID_LAYOUT: ${message}`)
  })
})

test('KEY-43: after a whole key is the first key that begins with it', () => {
  const layout = keyLayout([
    ['host', text()],
    ['path', lastText()],
  ])
  const hex = (bytes: Uint8Array | null): string => (bytes === null ? 'none' : toHex(bytes))
  expect(hex(layout.bound({ host: 'h', path: 'a' }, 'after'))).toBe('680000' + '6100')
  expect(hex(layout.bound({ host: 'h' }, 'after'))).toBe('680001')
  expect(toHex(layout.encode({ host: 'h', path: 'a\0' }))).toBe('680000' + '6100')
  const orders = keyLayout([
    ['user', separatedText('_', { split: 'last' })],
    ['day', fixedText(2)],
  ])
  expect(hex(orders.bound({ user: 'bob' }, 'before'))).toBe('626f625f')
  expect(hex(orders.bound({ user: 'bob' }, 'after'))).toBe('626f6260')
  expect(hex(orders.bound({ user: 'bob', day: '7_' }, 'after'))).toBe('626f625f375f00')
  expect(toHex(orders.encode({ user: 'bob_7', day: '\0a' }))).toBe('626f625f375f0061')
})

test('KEY-42: inspect shows where the last separator is', () => {
  const layout = keyLayout(
    [
      ['user', separatedText('_', { split: 'last' })],
      ['order', fixedText(4)],
    ],
    { salt: hashPrefix({ of: 'user', digits: 4, separator: '_' }) },
  )
  const { parts, problem } = layout.inspect(layout.encode({ user: 'bob_7', order: '0042' }))
  expect(problem).toBeUndefined()
  expect(parts.map(({ name, text, value }) => [name, text, value])).toEqual([
    ['salt', `${md5('bob_7').slice(0, 4)}_`, Number.parseInt(md5('bob_7').slice(0, 4), 16)],
    ['user', 'bob_7_', 'bob_7'],
    ['order', '0042', '0042'],
  ])
})
