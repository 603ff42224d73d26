import {
  bucket,
  fromEscapedText,
  fromHex,
  hashPrefix,
  int64,
  int8,
  json,
  keyLayout,
  nullable,
  text,
  timestamp,
  toEscapedText,
  date,
  uint32,
  type ColumnType,
} from 'rowkey/codec'
import { defineTable } from 'rowkey'
import type { Provocation, Remedies } from './provocation.js'
import { gives, namesIn, withEach, within } from './remedies.js'

// Layouts of keys and their salts, bounds, rowkeys and their texts.

const events = keyLayout(
  [
    ['host', text()],
    ['at', timestamp('ms')],
  ],
  { salt: bucket({ of: 'host', count: 4 }) },
)
const decode = (hex: string) => () => events.decode(Uint8Array.from(Buffer.from(hex, 'hex')))
const key = { host: 'web', at: new Date(0) }

/** A layout of one column that is salted. */
const salted = (salt: unknown, type: ColumnType = text()) => keyLayout([['a', type]], { salt } as never).encode({ a: 'x' })
/** What was written with this layout can be read. */
const ownKey: Remedies = { 'Check that it was written with this layout': gives(() => events.decode(events.encode(key)), key) }

export const layoutErrors: readonly Provocation[] = [
  ['a layout without columns', () => keyLayout([]), { 'Give at least one': gives(() => keyLayout([['a', text()]]).encode({ a: '' })) }],
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
