import {
  bucket,
  dictionary,
  fixedBytes,
  float32,
  fromEscapedText,
  fromHex,
  hashPrefix,
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
  toEscapedText,
  date,
  uint32,
  uuid,
  type ColumnType,
} from '@rowkey/codec'
import { values } from '@rowkey/codec/internal'
import { defineTable } from '@rowkey/model'
import { expect } from 'vitest'
import type { Provocation, Remedies, Remedy } from './provocation.js'
import { gives, namesIn, withEach, within } from './remedies.js'

const events = keyLayout(
  [
    ['host', text()],
    ['at', timestamp('ms')],
  ],
  { salt: bucket({ of: 'host', count: 4 }) },
)
const encode = (type: ColumnType, value: unknown) => () => keyLayout([['column', type]]).encode({ column: value })
const decode = (hex: string) => () => events.decode(Uint8Array.from(Buffer.from(hex, 'hex')))
const key = { host: 'web', at: new Date(0) }

/** The type holds these values. */
const holds = (type: ColumnType, ...given: readonly unknown[]): Remedy =>
  gives(() => {
    const layout = keyLayout([['column', type]])
    return given.map((column) => (layout.decode(layout.encode({ column })) as { column: unknown }).column)
  }, given)
/** A layout of one column that is salted. */
const salted = (salt: unknown, type: ColumnType = text()) => keyLayout([['a', type]], { salt } as never).encode({ a: 'x' } as never)
/** What was written with this layout can be read. */
const ownKey: Remedies = { 'Check that it was written with this layout': gives(() => events.decode(events.encode(key)), key) }
const column = values(json(), 'column')

export const codecErrors: readonly Provocation[] = [
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
    { 'Give one character below U+10000': gives(() => ['a', ' ', '\uffff'].map((separator) => separatedText(separator))) },
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
    { 'Use it on text or integers': gives(() => [reversed(text()), reversed(int8()), reversed(int64())]) },
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
  ['a layout without columns', () => keyLayout([]), { 'Give at least one': holds(text(), 'a') }],
  [
    'a layout with a column twice',
    () =>
      keyLayout([
        ['a', text()],
        ['a', text()],
      ] as never),
    { 'Use each name once': gives(() => keyLayout([['a', text()], ['b', text()]])) }, // prettier-ignore
  ],
  [
    'a layout with JSON',
    () => keyLayout([['a', json()]]),
    { 'Use it as a value column': gives(() => defineTable('t', { columns: { id: text(), a: json() }, key: ['id'] })) },
  ],
  [
    'a salt of one bucket',
    () => bucket({ of: 'a', count: 1 }),
    { 'Give an integer from 2 to 65,536': within((count: number) => salted(bucket({ of: 'a', count }))) },
  ],
  [
    'a modulo of several columns',
    () => bucket({ of: ['a', 'b'] as never, modulo: 4 }),
    {
      'takes one integer or timestamp column': gives(() =>
        [uint32(), timestamp('ms')].map((type) => keyLayout([['a', type]], { salt: bucket({ of: 'a', modulo: 4 }) })),
      ),
      'For several, use { count }': gives(() => bucket({ of: ['a', 'b'], count: 4 })),
    },
  ],
  [
    'a seed below 0',
    () => bucket({ of: 'a', count: 4, seed: -1 }),
    { 'Give an integer from 0 to 2^32 - 1': within((seed: number) => salted(bucket({ of: 'a', count: 4, seed }))) },
  ],
  [
    'a salt of no columns',
    () => bucket({ of: [], count: 4 }),
    { 'Name at least one key column, each only once': gives(() => salted(bucket({ of: ['a'], count: 4 }))) },
  ],
  [
    'a prefix without digits',
    () => hashPrefix({ of: 'a', digits: 0 }),
    { 'Give 1 to 8': within((digits: number) => salted(hashPrefix({ of: 'a', digits }))) },
  ],
  [
    'a salt of an unknown column',
    () => keyLayout([['n', nullable(text())], ['a', text()]], { salt: bucket({ of: 'b' as 'a', count: 4 }) }), // prettier-ignore
    { "Use one of 'a'": withEach((of) => keyLayout([['n', nullable(text())], ['a', text()]], { salt: bucket({ of: of as 'a', count: 4 }) })) }, // prettier-ignore
  ],
  [
    'a salt of an unknown column, where no column can be used',
    () => keyLayout([['a', nullable(text())]], { salt: bucket({ of: 'b' as 'a', count: 4 }) }),
    { 'Add a key column that is never null': gives(() => keyLayout([['a', nullable(text())], ['b', text()]], { salt: bucket({ of: 'b', count: 4 }) })) }, // prettier-ignore
  ],
  [
    'a salt of a nullable column',
    () => keyLayout([['a', nullable(text())]], { salt: bucket({ of: 'a', count: 4 }) }),
    { 'Use columns that are never null': gives(() => salted(bucket({ of: 'a', count: 4 }))) },
  ],
  [
    'a modulo of text',
    () => keyLayout([['a', text()]], { salt: bucket({ of: 'a', modulo: 4 }) }),
    {
      'Use an integer, timestamp or date column': gives(() =>
        [int8(), int64(), timestamp('us'), date()].map((type) => keyLayout([['a', type]], { salt: bucket({ of: 'a', modulo: 4 }) })),
      ),
      '{ count }': gives(() => salted(bucket({ of: 'a', count: 4 }))),
    },
  ],
  [
    'a key that is not an object',
    () => events.encode(undefined as never),
    { 'a key is an object with a value for each column, not undefined': gives(() => events.encode(key)) },
  ],
  [
    'a key of a layout with a column missing',
    () => events.encode({ host: 'web' } as never),
    { 'Give a valid Date': gives(() => events.encode(key)) },
  ],
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
      'Give plain JSON data: booleans, finite numbers, well-formed strings, and lists and plain objects of these and null, at most 16777216 characters and at most 1000 levels deep':
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
  [
    'a bound with a gap',
    () => events.bound({ at: new Date(0) }, 'before'),
    { 'a bound takes leading columns without a gap, but "at" leaves out \'host\'': gives(() => events.bound(key, 'before')) },
  ],
  [
    'a bound with too many columns',
    () => events.bound({ ...key, x: 1 } as never, 'before'),
    {
      'Its columns are host, at': gives(
        (said) => events.bound(Object.fromEntries(Object.entries(key).filter(([name]) => namesIn(said).includes(name))), 'before'),
        events.bound(key, 'before'),
      ),
    },
  ],
  [
    'a bound that is neither before nor after',
    () => events.bound(key, 'at' as 'before'),
    { "a bound is 'before' or 'after' its prefix, not \"at\"": gives(() => [events.bound(key, 'before'), events.bound(key, 'after')]) },
  ],
  [
    'a bucket that the layout does not have',
    () => events.bound({}, 'before', 4),
    { 'Give an integer from 0 to 3': within((n: number) => events.bound({}, 'before', n)) },
  ],
  [
    'a bound without the bucket',
    () => events.bound({}, 'before'),
    {
      'Bind these columns': gives(() => events.bound({ host: 'web' }, 'before')),
      'pass the bucket': gives(() => events.bound({}, 'before', 3)),
    },
  ],
  [
    'hex with something else',
    () => fromHex('00 ff'),
    { 'Give two hex digits per byte': gives(() => fromHex('00ff'), Uint8Array.of(0, 255)) },
  ],
  ['half a byte of hex', () => fromHex('00f'), { 'Give two hex digits per byte': gives(() => fromHex('000f'), Uint8Array.of(0, 15)) }],
  [
    'text with a character that is not printable ASCII',
    () => fromEscapedText('h\u00f6st'),
    {
      'Give printable ASCII, and write the backslash and all other bytes as \\xHH': gives(
        () => fromEscapedText(String.raw`h\xC3\xB6st`),
        new TextEncoder().encode('h\u00f6st'),
      ),
    },
  ],
  [
    'text with a backslash that does not start an escape',
    () => fromEscapedText(String.raw`web\n`),
    {
      'Give printable ASCII, and write the backslash and all other bytes as \\xHH': gives(
        () => fromEscapedText(String.raw`web\x5Cn`),
        new TextEncoder().encode('web\\n'),
      ),
    },
  ],
  [
    'text for a rowkey',
    () => toEscapedText('web' as never),
    { 'toEscapedText() takes a Uint8Array, not "web"': gives(() => toEscapedText(new TextEncoder().encode('web')), 'web') },
  ],
  [
    'a rowkey that is not bytes',
    () => events.decode('00' as never),
    {
      'is not a Uint8Array (fromHex() converts hex)': gives(
        () => events.decode(fromHex(Buffer.from(events.encode(key)).toString('hex'))),
        key,
      ),
      ...ownKey,
    },
  ],
  ['an empty rowkey', decode(''), ownKey],
  ['a truncated rowkey', decode('0077'), ownKey],
  ['a rowkey with bytes after it', decode(`${Buffer.from(events.encode(key)).toString('hex')}00`), ownKey],
  [
    'a rowkey in another bucket',
    decode(Buffer.from(events.encode(key).with(0, ((events.encode(key)[0] as number) + 1) % 4)).toString('hex')),
    ownKey,
  ],
  ['a rowkey with an unknown bucket', decode('09776562000080000000000000'), ownKey],
  ['a rowkey that is not UTF-8', decode('00ff00008000000000000000'), ownKey],
]
