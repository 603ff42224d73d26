import {
  dictionary,
  digits,
  fixedBytes,
  float32,
  int64,
  int8,
  json,
  keyLayout,
  desc,
  nullable,
  paddedText,
  random,
  reversed,
  separatedText,
  text,
  timestamp,
  date,
  uint32,
  uuid,
  type ColumnType,
} from 'rowkey/codec'
import { values } from 'rowkey/internal'
import { expect } from 'vitest'
import type { Provocation, Remedy } from './provocation.js'
import { gives, withEach, within } from './remedies.js'

// Column types, and the values that they hold.

const encode = (type: ColumnType, value: unknown) => () => keyLayout([['column', type]]).encode({ column: value })

/** The type holds these values. */
const holds = (type: ColumnType, ...given: readonly unknown[]): Remedy =>
  gives(() => {
    const layout = keyLayout([['column', type]])
    return given.map((column) => layout.decode(layout.encode({ column })).column)
  }, given)
const column = values(json(), 'column')

export const typeErrors: readonly Provocation[] = [
  ['a column type of no length', () => fixedBytes(0), { 'a length from 1 to 1000': within(fixedBytes) }],
  [
    'padding that is not one character',
    () => paddedText(4, { pad: 'ab' }),
    {
      "Give { pad }, one character below U+10000, such as { pad: ' ' }": gives(() =>
        ['a', ' ', '\uffff'].map((pad) => paddedText(4, { pad })),
      ),
    },
  ],
  [
    'an empty separator',
    () => separatedText(''),
    {
      'Give one character below U+10000': gives(() => ['a', ' ', '\uffff'].map((separator) => separatedText(separator))),
      "or '' with { split: 'last' }": gives(() => separatedText('', { split: 'last' })),
    },
  ],
  ['a dictionary without entries', () => dictionary({}), { 'Give at least one': holds(dictionary({ a: 'x' }), 'a') }],
  [
    'a code that starts with another one',
    () => dictionary({ a: 'x', b: 'xy' }),
    { 'Give all codes the same width': holds(dictionary({ a: 'xx', b: 'xy' }), 'a', 'b') },
  ],
  ['twice desc()', () => desc(desc(text())), { 'Leave one desc() out': holds(desc(text()), 'a') }],
  ['twice nullable()', () => nullable(nullable(text())), { 'Leave one nullable() out': holds(nullable(text()), 'a', null) }],
  [
    'nulls in the middle',
    () => nullable(text(), { nulls: 'middle' as 'first' }),
    { "Use 'first' or 'last'": withEach((nulls) => nullable(text(), { nulls: nulls as 'first' })) },
  ],
  [
    'reversed() of a type without digits',
    () => reversed(timestamp('ms')),
    { 'Use it on text, integers or digits()': gives(() => [reversed(text()), reversed(int8()), reversed(digits(int64(), { width: 19 }))]) }, // prettier-ignore
  ],
  [
    'reversed() around desc()',
    () => reversed(desc(text())),
    { 'Put desc() and nullable() around reversed(), not inside': holds(desc(nullable(reversed(text()))), 'ab', null) },
  ],
  [
    'a default that does not fit',
    () => int8({ default: 300 }),
    { 'Give a value that the column can hold': gives(() => int8({ default: 127 })) },
  ],
  [
    'a random default on text',
    () => text({ default: random(5) as never }),
    { 'Use it on an integer column that can hold 4': gives(() => int8({ default: random(5) })) },
  ],
  [
    'a random default beyond the type',
    () => int8({ default: random(1000) }),
    { 'Use it on an integer column that can hold 999': gives(() => uint32({ default: random(1000) })) },
  ],
  ['random() of nothing', () => random(0), { 'needs an integer from 1 to 2^32': within(random) }],
  [
    'null in a column that is not nullable',
    encode(text(), null),
    { 'Give well-formed text (no lone surrogate)': holds(text(), 'a'), 'declare the column nullable': holds(nullable(text()), null) },
  ],
  [
    'text with half a surrogate pair',
    encode(text(), '\ud800'),
    { 'Give well-formed text (no lone surrogate)': holds(text(), '\ud800\udc00') },
  ],
  ['an integer out of range', encode(int8(), 300), { 'Give an integer from -128 to 127': within((n: number) => encode(int8(), n)()) }],
  [
    'a number for 64 bits',
    encode(int64(), 5),
    {
      'Give a bigint, such as 5n, from -9223372036854775808 to 9223372036854775807': within((n: number | bigint) =>
        encode(int64(), BigInt(n))(),
      ),
    },
  ],
  [
    'an unsafe number',
    encode(int64({ as: 'number' }), 2 ** 53),
    {
      'Give a number that is a safe integer': holds(int64({ as: 'number' }), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
      "To store larger ones, leave out { as: 'number' } and give a bigint": holds(int64(), 2n ** 53n),
    },
  ],
  ['a fraction', encode(uint32(), 1.5), { 'Give an integer from 0 to 4294967295': within((n: number) => encode(uint32(), n)()) }],
  [
    'a float that 32 bits do not hold',
    encode(float32(), 0.1),
    { 'Give a number that 32-bit floats hold exactly (Math.fround)': holds(float32(), Math.fround(0.1)) },
  ],
  ['an invalid Date', encode(timestamp('ms'), new Date(NaN)), { 'Give a valid Date': holds(timestamp('ms'), new Date(1)) }],
  ['a date that is not midnight', encode(date(), new Date(1)), { 'Give a Date at midnight UTC': holds(date(), new Date(0)) }],
  [
    'a UUID in upper case',
    encode(uuid(), '7E57D004-2B97-0E7A-B45F-5387367791CD'),
    { 'Give a UUID in lower case, 8-4-4-4-12': holds(uuid(), '7e57d004-2b97-0e7a-b45f-5387367791cd') },
  ],
  [
    'bytes of another length',
    encode(fixedBytes(4), new Uint8Array(3)),
    { 'Give a Uint8Array of 4 bytes': holds(fixedBytes(4), new Uint8Array(4)) },
  ],
  [
    'text that ends in its padding',
    encode(paddedText(4, { pad: ' ' }), 'a '),
    {
      'Give text of at most 4 UTF-16 units that does not end in " ", the padding': async () => {
        await holds(paddedText(4, { pad: ' ' }), 'a', 'a bc')('', undefined as never)
        expect(encode(paddedText(4, { pad: ' ' }), 'abcde')).toThrow('INVALID_VALUE')
      },
    },
  ],
  [
    'text with its separator',
    encode(separatedText('#'), 'a#b'),
    { 'Give text without "#", the separator': holds(separatedText('#'), 'ab') },
  ],
  [
    'a word that is not in the dictionary',
    encode(dictionary({ taobao: 'tb', tmall: 'tm' }), 'jd'),
    { 'Give one of "taobao", "tmall"': withEach((word) => encode(dictionary({ taobao: 'tb', tmall: 'tm' }), word)()) },
  ],
  [
    'null or text in a nullable column',
    encode(nullable(int8()), 'x'),
    { 'Give an integer from -128 to 127': within((n: number) => encode(nullable(int8()), n)()), null: holds(nullable(int8()), null) },
  ],
  [
    'what JSON would lose',
    () => column.toValue({ at: new Date(0) }),
    {
      'Give plain JSON data: booleans, finite numbers, well-formed strings, and lists and objects of these and null, at most 16777216 characters and at most 1000 levels deep':
        (said) => {
          const [characters = 0, levels = 0] = [...said.matchAll(/at most (\d+)/g)].map(([, most]) => Number(most))
          const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
          for (const given of [[true, 1.5, 'a', null, { b: [] }], 'x'.repeat(characters), nested(levels)])
            expect(column.fromValue(column.toValue(given))).toEqual(given)
          for (const given of ['x'.repeat(characters + 1), nested(levels + 1)]) expect(() => column.toValue(given)).toThrow('INVALID_VALUE')
        },
    },
  ],
  [
    'a stored integer that no number holds',
    () => values(int64({ as: 'number' }), 'column').fromValue(2n ** 60n),
    { "Declare it without { as: 'number' } to read it as bigint": gives(() => values(int64(), 'column').fromValue(2n ** 60n), 2n ** 60n) },
  ],
]
