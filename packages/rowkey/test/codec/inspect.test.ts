import {
  bool,
  bucket,
  desc,
  fromEscapedText,
  hashPrefix,
  int64,
  isRowkeyError,
  keyLayout,
  nullable,
  text,
  timestamp,
  uint8,
  type KeyInspection,
  type KeyLayout,
} from '#codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { property } from '../../../../test/kit/property.js'
import { anyLayout, nameOf } from './random-layouts.js'

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const joined = ({ parts }: KeyInspection): string => parts.map(({ hex }) => hex).join('')

describe('inspect', () => {
  const events = keyLayout(
    [
      ['host', text()],
      ['at', desc(timestamp('ms'))],
      ['n', nullable(uint8())],
    ],
    { salt: [bucket({ of: 'host', count: 300 }), hashPrefix({ of: 'host', digits: 2 })] },
  )

  test('gives each salt and column with its bytes', () => {
    const key = { host: 'w\\\0', at: new Date(1700000000000), n: null }
    expect(events.inspect(events.encode(key))).toEqual({
      parts: [
        { name: 'salt', kind: 'hash', offset: 0, length: 2, hex: '00bc', text: '\\x00\\xBC', value: 188 },
        { name: 'salt', kind: 'hashPrefix', offset: 2, length: 2, hex: '6361', text: 'ca', value: 0xca },
        { name: 'host', kind: 'text', offset: 4, length: 6, hex: '775c00010000', text: 'w\\x5C\\x00\\x01\\x00\\x00', value: 'w\\\0' },
        {
          name: 'at',
          kind: 'timestamp',
          offset: 10,
          length: 8,
          hex: '7ffffe74301a97ff',
          text: '\\x7F\\xFF\\xFEt0\\x1A\\x97\\xFF',
          value: key.at,
        },
        { name: 'n', kind: 'uint8', offset: 18, length: 1, hex: '00', text: '\\x00', value: null },
      ],
    })
  })

  test('gives frozen parts that share nothing with the key', () => {
    const bytes = events.encode({ host: 'web', at: new Date(0), n: 1 })
    const before = events.inspect(bytes)
    const copy = structuredClone(before)
    bytes.fill(0)
    expect(before).toEqual(copy)
    for (const frozen of [before, before.parts, ...before.parts]) expect(Object.isFrozen(frozen)).toBe(true)
  })

  test('takes bytes only', () => {
    for (const given of ['00', undefined, [0], new ArrayBuffer(2)]) {
      expect(() => events.inspect(given as never)).toThrow(/^MALFORMED_KEY: .* is not a Uint8Array/)
    }
  })

  property(
    'its parts are the key, its values are those of decode, its numbers those of the salts',
    anyLayout,
    ({ layout, salts, keys }) => {
      for (const key of keys) {
        const bytes = layout.encode(key)
        const inspection = layout.inspect(bytes)
        expect(inspection).not.toHaveProperty('problem')
        expect(joined(inspection)).toBe(Buffer.from(bytes).toString('hex'))
        expect(Buffer.concat(inspection.parts.map((part) => fromEscapedText(part.text))).equals(bytes)).toBe(true)
        expectContiguous(inspection, bytes)
        const columns = inspection.parts.slice(salts.length)
        expect(Object.fromEntries(columns.map(({ name, value }) => [name, value]))).toEqual(layout.decode(bytes))
        expect(columns.map(({ name }) => name)).toEqual(Object.keys(key).map((_, i) => nameOf(i)))
        const levels = inspection.parts.slice(0, salts.length)
        expect(levels.map(({ name, kind }) => [name, kind])).toEqual(salts.map(({ kind }) => ['salt', kind]))
        const number = levels.reduce((sum, { value }, i) => sum * (salts[i]?.count ?? 0) + (value as number), 0)
        expect(number).toBe(layout.rows.bucketOf(layout.decodeRow(bytes)))
      }
    },
  )
})

function expectContiguous({ parts }: KeyInspection, bytes: Uint8Array): void {
  let end = 0
  for (const { offset, length, hex } of parts) {
    expect(offset).toBe(end)
    expect(hex).toHaveLength(2 * length)
    end += length
  }
  expect(end).toBe(bytes.length)
}

describe('a broken key', () => {
  const layout = keyLayout(
    [
      ['a', text()],
      ['done', bool()],
      ['n', int64({ as: 'number' })],
    ],
    { salt: bucket({ of: 'done', count: 4 }) },
  )
  const salt = layout.rows.bucketOf(['x', true, 1n])
  const own = salt.toString(16).padStart(2, '0')
  const wrong = ((salt + 1) % 4).toString(16).padStart(2, '0')

  test.each<[string, string, readonly (readonly [name: string, hex: string, value: unknown])[], string, number]>([
    ['empty', '', [['salt', '', undefined]], 'salt', 0],
    [
      'only a salt',
      own,
      [
        ['salt', own, salt],
        ['a', '', undefined],
      ],
      'a',
      1,
    ],
    [
      'cut in the first column',
      `${own}7800`,
      [
        ['salt', own, salt],
        ['a', '7800', undefined],
      ],
      'a',
      3,
    ],
    [
      'cut behind it',
      `${own}780000`,
      [
        ['salt', own, salt],
        ['a', '780000', 'x'],
        ['done', '', undefined],
      ],
      'done',
      4,
    ],
    [
      'no bool',
      `${own}78000002ab`,
      [
        ['salt', own, salt],
        ['a', '780000', 'x'],
        ['done', '02ab', undefined],
      ],
      'done',
      5,
    ],
    [
      'an integer that no number holds',
      `${own}780000018020000000000000`,
      [
        ['salt', own, salt],
        ['a', '780000', 'x'],
        ['done', '01', true],
        ['n', '8020000000000000', undefined],
      ],
      'n',
      5,
    ],
    [
      'bytes behind it',
      `${own}780000018000000000000001abcd`,
      [
        ['salt', own, salt],
        ['a', '780000', 'x'],
        ['done', '01', true],
        ['n', '8000000000000001', 1],
        ['', 'abcd', undefined],
      ],
      'n',
      13,
    ],
    [
      'another salt',
      `${wrong}780000018000000000000001`,
      [
        ['salt', wrong, (salt + 1) % 4],
        ['a', '780000', 'x'],
        ['done', '01', true],
        ['n', '8000000000000001', 1],
      ],
      'salt',
      0,
    ],
    [
      'a salt beyond the count',
      '09780000018000000000000001',
      [
        ['salt', '09', undefined],
        ['a', '780000', 'x'],
        ['done', '01', true],
        ['n', '8000000000000001', 1],
      ],
      'salt',
      1,
    ],
    [
      'a salt beyond the count, then no UTF-8',
      '09ff0000',
      [
        ['salt', '09', undefined],
        ['a', 'ff0000', undefined],
      ],
      'salt',
      1,
    ],
  ])('%s', (_, hex, parts, column, offset) => {
    const found = layout.inspect(bytesOf(hex))
    expect(found.parts.map((part) => [part.name, part.hex, part.value])).toEqual(parts)
    expect(found.problem).toMatchObject({ code: 'MALFORMED_KEY', details: { column, offset } })
  })

  test('half a salt hides the columns', () => {
    const wide = keyLayout([['a', text()]], { salt: [bucket({ of: 'a', count: 2 }), bucket({ of: 'a', count: 300 })] })
    const { parts } = wide.inspect(bytesOf('0100'))
    expect(parts.map(({ hex, value }) => [hex, value])).toEqual([
      ['01', 1],
      ['00', undefined],
    ])
  })

  test('bytes behind the last column are told apart from a column', () => {
    const { parts } = layout.inspect(bytesOf(`${own}780000018000000000000001ff`))
    expect(parts.at(-1)).toEqual({ name: '', kind: 'excess', offset: 13, length: 1, hex: 'ff', text: '\\xFF', value: undefined })
  })

  const damage = fc.record({ at: fc.nat(60), byte: fc.constantFrom(0, 1, 2, 0x5f, 0x7f, 0x80, 0xc0, 0xff), kind: fc.nat(3) })
  property(
    'has the problem that decode throws, and parts that are the key',
    fc.tuple(anyLayout, fc.array(damage, { minLength: 1, maxLength: 3 })),
    ([given, damages]) => {
      for (const key of given.keys) {
        let bytes = [...given.layout.encode(key)]
        for (const { at, byte, kind } of damages) {
          const where = at % (bytes.length + 1)
          if (kind === 0) bytes[where] = byte
          else if (kind === 1) bytes = bytes.slice(0, where)
          else bytes.splice(where, kind - 2, byte)
        }
        expectAgreement(given.layout, Uint8Array.from(bytes))
      }
    },
  )
  property('so have random bytes', fc.tuple(anyLayout, fc.uint8Array({ maxLength: 40 })), ([{ layout: any }, bytes]) => {
    expectAgreement(any, bytes)
  })
})

function expectAgreement(layout: KeyLayout, bytes: Uint8Array): void {
  const inspection = layout.inspect(bytes)
  expect(joined(inspection)).toBe(Buffer.from(bytes).toString('hex'))
  expectContiguous(inspection, bytes)
  let problem: unknown
  try {
    layout.decode(bytes)
  } catch (error) {
    problem = error
  }
  if (problem === undefined) {
    expect(inspection).not.toHaveProperty('problem')
    return
  }
  expect(isRowkeyError(problem, 'MALFORMED_KEY')).toBe(true)
  expect(inspection.problem).toMatchObject({ message: (problem as Error).message, details: (problem as { details: object }).details })
}
