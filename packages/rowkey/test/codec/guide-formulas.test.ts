import {
  bucket,
  desc,
  dictionary,
  digits,
  fixedText,
  followedBy,
  fromHex,
  hashPrefix,
  int32,
  keyLayout,
  lastText,
  paddedText,
  reversed,
  separatedText,
  timestamp,
  toHex,
  uint32,
  uint64,
  uint8,
  type ColumnType,
  type KeyLayout,
  type Salt,
} from '#codec'
import { typeText } from '#codec/internal'
import { scaled } from '@rowkey/servers/scale'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { seed } from '../../../../test/kit/property.js'

// Keys that a Java program wrote by the guides' formulas: every one decodes to its values, and encodes to the same bytes.

const { formulas } = JSON.parse(readFileSync(new URL('vectors/guide-formulas.json', import.meta.url), 'utf8')) as {
  readonly formulas: Readonly<Record<string, readonly (readonly [hex: string, ...values: (string | number)[]])[]>>
}

const name = (): ColumnType => separatedText('_')
const named = (): ColumnType => separatedText('_', { split: 'last' })
const bare = (): ColumnType => separatedText('', { split: 'last' })
const event = { host: name(), event: name() }
const maxLong = 2n ** 63n - 1n

/** A declaration for each formula; its columns are in the order of the values. */
const declared: Readonly<Record<string, readonly [columns: Readonly<Record<string, ColumnType>>, salt?: Salt]>> = {
  'md5(userid).subStr(0,4)+userid+orderid, orderid of 16': [{ user: bare(), order: fixedText(16) }, hashPrefix({ of: 'user' })],
  'md5(userid).subStr(0,4)+userid+long(orderid)': [{ user: bare(), order: uint64() }, hashPrefix({ of: 'user' })],
  'md5(user).substring(0,4)_user_orderid': [{ user: name(), order: lastText() }, hashPrefix({ of: 'user', separator: '_' })],
  'md5(user).substring(0,4)_user_orderid, users with _': [
    { user: named(), order: fixedText(16) },
    hashPrefix({ of: 'user', separator: '_' }),
  ],
  'pk1=hash(pk).substring(0,4)+pk, md5': [{ pk: lastText() }, hashPrefix({ of: 'pk' })],
  'md5 of a long as its decimal text, substring(0,4)_long': [{ id: uint64() }, hashPrefix({ of: 'id', separator: '_' })],
  'reverse(userid)_orderid': [{ user: reversed(separatedText('_')), order: lastText() }],
  'reverse(userid)+orderid, userid of 8 digits': [{ user: reversed(fixedText(8)), order: lastText() }],
  'reverse(userid), the whole key': [{ user: reversed(lastText()) }],
  'reverse(long)_orderid': [{ user: reversed(digits(uint64(), { separator: '_' })), order: lastText() }],
  'bucket as byte + long(ts) + host_event': [{ ts: uint64(), host: name(), event: lastText() }, bucket({ of: 'ts', modulo: 16 })],
  'long bucket = ts % 16 as Bytes.toBytes(long)': [
    { ts: uint64(), host: name(), event: lastText() },
    bucket({ of: 'ts', modulo: 16, bytes: 8 }),
  ],
  'bucket as text: (ts % 16)_ts_host_event': [
    { ts: digits(uint64(), { separator: '_' }), host: name(), event: lastText() },
    bucket({ of: 'ts', modulo: 16, decimalDigits: 1, separator: '_' }),
  ],
  'bucket as %02d text: _ts_host_event': [
    { ts: digits(uint64(), { separator: '_' }), host: name(), event: lastText() },
    bucket({ of: 'ts', modulo: 16, decimalDigits: 2, separator: '_' }),
  ],
  'bucket as int + _ + long(ts)': [{ ts: uint64() }, bucket({ of: 'ts', modulo: 16, bytes: 4, separator: '_' })],
  'userid_orderid_random(100) as text %02d': [{ user: name(), order: name(), random: digits(uint8(), { width: 2 }) }],
  'userid_orderid_random(100) as text': [{ user: name(), order: name(), random: digits(uint8()) }],
  'userid_long(orderid)+byte random(100)': [{ user: name(), order: uint64(), random: uint8() }],
  'host 00 Bytes(MAX-ts)': [{ host: separatedText('\0'), ts: desc(timestamp('ms')) }],
  'host_event_Bytes(MAX-ts)': [{ ...event, ts: desc(timestamp('ms')) }],
  'host_event_(MAX-ts) as text': [{ ...event, ts: desc(digits(timestamp('ms'), { max: maxLong })) }],
  'host_event_ts as text of 13': [{ ...event, ts: digits(timestamp('ms'), { width: 13 }) }],
  'host_event_ts as text, any length': [{ ...event, ts: digits(timestamp('ms')) }],
  'host_event_Bytes(ts)': [{ ...event, ts: uint64() }],
  'host_event_(Integer.MAX - seconds) as int': [{ ...event, s: desc(int32()) }],
  "rpad(host,'x',20)+event": [{ host: paddedText(20, { pad: 'x' }), event: lastText() }],
  "rpad(host,'0',20)+long(ts)": [{ host: paddedText(20, { pad: '0' }), ts: uint64() }],
  'Long(2015122410)': [{ id: uint64() }],
  'code + long': [{ shop: dictionary({ taobao: 'tb' }), id: uint64() }],
  'seller_long(ts)_order': [{ seller: name(), ts: followedBy(uint64(), '_'), order: lastText() }],
  'long seller + long ts + text order': [{ seller: uint64(), ts: uint64(), order: lastText() }],
  order_number: [{ order: lastText() }],
  yyyyMMdd_host: [{ day: followedBy(fixedText(8), '_'), host: lastText() }],
  'uuid without dashes, 32 hex digits + _ + order': [{ id: followedBy(fixedText(32), '_'), order: lastText() }],
  // A dictionary of one is constant text, which leaves room for keys of other types in the table.
  'constant type first: O_user_order': [{ type: dictionary({ order: 'O_' }), user: name(), order: lastText() }],
}

test('every formula of the vectors has a declaration', () => expect(Object.keys(declared)).toEqual(Object.keys(formulas)))

/** A value as its column takes it. */
function given(type: ColumnType, value: string | number): unknown {
  const { kind, unit } = type.inner?.inner ?? type.inner ?? type
  if (unit === 'ms') return new Date(Number(value))
  return kind === 'uint64' ? BigInt(value) : kind.includes('int') ? Number(value) : value
}

describe.each(['auto', 'never'] as const)('KEY-44 KEY-45 KEY-46: codegen %s', (codegen) => {
  test.each(Object.keys(formulas))('%s', (formula) => {
    const [columns, salt] = declared[formula] as (typeof declared)[string]
    const layout: KeyLayout = keyLayout(Object.entries(columns), {
      codegen,
      ...(salt === undefined ? {} : { salt }),
    })
    const cases = (formulas[formula] ?? []).map(([hex, ...values]) => {
      const all = columns['type'] === undefined ? values : ['order', ...values]
      return { hex, key: Object.fromEntries(Object.entries(columns).map(([column, type], i) => [column, given(type, all[i] as string)])) }
    })
    expect(cases).toHaveLength(30)
    // Often enough that the layout is compiled.
    for (let round = 0; round < 20; round++) {
      expect(cases.map(({ key }) => toHex(layout.encode(key)))).toEqual(cases.map(({ hex }) => hex))
      expect(cases.map(({ hex }) => layout.decode(fromHex(hex)))).toEqual(cases.map(({ key }) => key))
    }
  })
})

/** Instants of a few digits, of few differences, and any. */
const instants = fc.oneof(
  fc.integer({ min: 0, max: 2000 }),
  fc.integer({ min: 1_699_999_999_000, max: 1_700_000_001_000 }),
  fc.integer({ min: 0, max: 8.64e15 }),
)
const pairs = scaled(10_000) // 10^5 from ROWKEY_SCALE=10 on
const digitOrders: readonly (readonly [ColumnType, (ms: number) => number, direction: 1 | -1])[] = [
  [digits(timestamp('ms'), { width: 16 }), (ms) => ms, 1],
  [desc(digits(timestamp('ms'), { width: 16 })), (ms) => ms, -1],
  [desc(digits(timestamp('ms'), { max: maxLong })), (ms) => ms, -1],
  [digits(timestamp('ms'), { format: 'yyyyMMddHHmmss' }), (ms) => Math.floor((ms % 253_402_300_800_000) / 1000) * 1000, 1],
  [desc(digits(timestamp('ms'), { format: 'yyyyMMdd' })), (ms) => Math.floor((ms % 253_402_300_800_000) / 86_400_000) * 86_400_000, -1],
]

test.each(digitOrders.map(([type, ...rest]) => [typeText(type), type, ...rest] as const))(
  'KEY-44: keys of %s are in the order of Long.compare, on pairs of instants',
  { timeout: 60_000 + pairs },
  (_, type, whole, direction) => {
    const { encode } = keyLayout([['at', type]])
    const holds = (one: number, other: number): void => {
      const [a, b] = [whole(one), whole(other)]
      const order = Buffer.compare(encode({ at: new Date(a) }), encode({ at: new Date(b) }))
      expect(order).toBe(direction * Math.sign(a - b) + 0)
    }
    fc.assert(fc.property(instants, instants, holds), { numRuns: pairs, seed })
  },
)

describe('KEY-44: what does not fit is refused, with what fits', () => {
  const at = (column: ColumnType) => keyLayout([['at', column]])
  test.each<[ColumnType, unknown, string]>([
    [digits(uint32(), { width: 3 }), 1000, "column 'at' cannot hold 1000. Give an integer from 0 to 4294967295, and as a number from 0 to 999."],
    [digits(timestamp('ms'), { width: 13 }), new Date(-1), "column 'at' cannot hold 1969-12-31T23:59:59.999Z. Give a valid Date, and as a number from 0 to 9999999999999."],
    [digits(timestamp('ms'), { format: 'yyyyMMdd' }), new Date(1), "column 'at' cannot hold 1970-01-01T00:00:00.001Z. Give a valid Date in the years 1 to 9999 (UTC) of which 'yyyyMMdd' keeps everything."],
  ])('$2', (type, value, message) => expect(() => at(type).encode({ at: value })).toThrow(`INVALID_VALUE: ${message}`)) // prettier-ignore

  const unreadable: readonly (readonly [ColumnType, string])[] = [
    [digits(uint8(), { width: 3 }), '256'],
    [digits(uint8(), { width: 3 }), '25'],
    [digits(uint8(), { width: 3 }), ' 25'],
    [desc(digits(uint64(), { max: maxLong })), '9223372036854775808'],
    [digits(timestamp('ms'), { format: 'yyyyMMdd' }), '20250229'],
    [digits(uint8()), '07'],
    [digits(uint8()), '-0'],
    [digits(uint8()), ''],
    [reversed(digits(uint8(), { separator: '_' })), '10_'],
  ]
  test.each(unreadable.map(([type, written]) => [typeText(type), written, type] as const))('%s does not read %j', (_, written, type) => {
    expect(() => at(type).decode(new TextEncoder().encode(written))).toThrow('MALFORMED_KEY')
  })
})

test.each<[string, () => unknown]>([
  ['digits() cannot wrap this lastText column. Use it on integers, timestamps and dates.', () => digits(lastText())],
  ['digits() takes one of { width }, { max }, { format } and { separator }. Leave the others out.', () => digits(uint8(), { width: 3, max: 9n })],
  ['digits() cannot have the width 0. Give 1 to 20.', () => digits(uint8(), { width: 0 })],
  ["digits() needs timestamp('ms') or date() for the format 'yyyyMMdd'. For others use { width }.", () => digits(uint8(), { format: 'yyyyMMdd' })],
  ["digits() cannot use the separator \"7\". Give one character below U+10000 that is no digit and not '-'.", () => digits(uint8(), { separator: '7' })],
  ["digits(uint8, { width: 1 }) cannot have this default, because it does not write all of its values. Leave it out.", () => digits(uint8({ default: 10 }), { width: 1 })],
  ['bucket() cannot write 257 buckets with bytes 1. Give 2, 4 or 8.', () => bucket({ of: 'a', count: 257, bytes: 1 })],
  ["bucket() writes these numbers with 1 to 2 digits, so they need a separator that does not begin with a digit. Give { separator: '_' }, or decimalDigits 2.", () => bucket({ of: 'a', count: 16, decimalDigits: 1 })],
])('KEY-44 KEY-46: %s', (message, make) => expect(make).toThrow(message)) // prettier-ignore

test('KEY-46: the usual number of bytes is not an option of its own', () => {
  expect(bucket({ of: 'a', count: 16, bytes: 1 })).toEqual(bucket({ of: 'a', count: 16 }))
})
