import {
  bool,
  bucket,
  bytes,
  date,
  desc,
  dictionary,
  fixedBytes,
  fixedText,
  float32,
  float64,
  followedBy,
  hashPrefix,
  int64,
  int8,
  keyLayout,
  lastBytes,
  lastText,
  nullable,
  paddedText,
  reversed,
  separatedText,
  text,
  timestamp,
  toHex,
  uint64,
  uint8,
  uuid,
  type ColumnType,
  type KeyLayout,
} from '#codec'
import { describe, expect, test } from 'vitest'

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const complement = (hex: string): string => toHex(bytesOf(hex).map((byte) => byte ^ 0xff))

const malformed: readonly (readonly [string, ColumnType, string])[] = [
  ['text: no end', text(), '61'],
  ['text: half an end', text(), '6100'],
  ['text: bad escape', text(), '6100020000'],
  ['text: the escape of other codecs', text(), '6100ff0000'],
  ['text: something behind', text(), '61000000'],
  ['text: overlong NUL', text(), 'c0800000'],
  ['text: overlong slash', text(), 'c0af0000'],
  ['text: overlong in three bytes', text(), 'e080af0000'],
  ['text: overlong in four bytes', text(), 'f08080af0000'],
  ['text: high surrogate', text(), 'eda0800000'],
  ['text: surrogate pair in CESU-8', text(), 'eda0bdedb8800000'],
  ['text: beyond U+10FFFF', text(), 'f49080800000'],
  ['text: lone continuation', text(), '800000'],
  ['text: character cut off', text(), 'e282' + '0000'],
  ['text: ff', text(), 'ff0000'],
  ['text: bad UTF-8 behind 40 good bytes', text(), '61'.repeat(40) + 'ff' + '0000'],
  ['bytes: bad escape', bytes(), '00020000'],
  ['bytes: no end', bytes(), 'ff0001'],
  ['fixedBytes: too short', fixedBytes(3), '0000'],
  ['fixedBytes: too long', fixedBytes(3), '00000000'],
  ['bool: 02', bool(), '02'],
  ['bool: ff', bool(), 'ff'],
  ['int8: empty', int8(), ''],
  ['uuid: too short', uuid(), '00'.repeat(15)],
  ['float64: -0', float64(), '7fffffffffffffff'],
  ['float64: NaN with payload', float64(), 'fff8000000000001'],
  ['float64: signalling NaN', float64(), 'fff0000000000001'],
  ['float64: negative NaN', float64(), '0007ffffffffffff'],
  ['float32: -0', float32(), '7fffffff'],
  ['float32: NaN with payload', float32(), 'ffc00001'],
  ['float32: negative NaN', float32(), '003fffff'],
  ['timestamp: 8.64e15 + 1', timestamp('ms'), toHex(keyLayout([['t', timestamp('us')]]).encode({ t: 8_640_000_000_000_001n }))],
  ['timestamp: -8.64e15 - 1', timestamp('ms'), toHex(keyLayout([['t', timestamp('us')]]).encode({ t: -8_640_000_000_000_001n }))],
  ['timestamp: int64 max', timestamp('ms'), 'ff'.repeat(8)],
  ['timestamp: int64 min', timestamp('ms', { as: 'bigint' }), '00'.repeat(8)],
  ['date: 100,000,001', date(), '85f5e101'],
  ['date: -100,000,001', date(), '7a0a1eff'],
  ['paddedText: too short', paddedText(3, { pad: 'x' }), '6162'],
  ['paddedText: too long', paddedText(3, { pad: 'x' }), '61626364'],
  ['paddedText: overshoots', paddedText(3, { pad: 'x' }), '6162f09f9880'],
  ['paddedText: bad UTF-8', paddedText(3, { pad: 'x' }), '6162ff'],
  ['paddedText: character cut off', paddedText(3, { pad: 'x' }), '6162e282'],
  ['paddedText: overlong', paddedText(1, { pad: 'x' }), 'c1bf'],
  ['separatedText: no separator', separatedText('_'), '6162'],
  ['separatedText: nothing', separatedText('_'), ''],
  ['separatedText: something behind', separatedText('_'), '615f61'],
  ['separatedText: bad UTF-8', separatedText('_'), 'c35f'],
  ['separatedText: half a separator', separatedText('é'), '61c3'],
  ['fixedText: too short', fixedText(3), '6162'],
  ['fixedText: too long', fixedText(3), '61626364'],
  ['fixedText: bad UTF-8', fixedText(3), '6162ff'],
  ['fixedText: character cut off', fixedText(3), '6162c3'],
  ['fixedText: overlong', fixedText(2), 'c1bf'],
  ['dictionary: no such code', dictionary({ taobao: 'tb', tmall: 'tm' }), '7478'],
  ['dictionary: half a code', dictionary({ taobao: 'tb', tmall: 'tm' }), '74'],
  ['dictionary: nothing', dictionary({ a: '\0' }), ''],
  ['reversed int: sign in front', reversed(int8()), '2d310000'],
  ['reversed int: leading zero', reversed(int8()), '31300000'],
  ['reversed int: -0', reversed(int8()), '302d0000'],
  ['reversed int: out of range', reversed(int8()), '3832310000'],
  ['reversed int: nothing', reversed(int8()), '0000'],
  ['reversed int: a letter', reversed(int8()), '610000'],
  ['reversed uint: negative', reversed(uint8()), '312d0000'],
  ['int64 as number: 2^53', int64({ as: 'number' }), '8020000000000000'],
  ['int64 as number: -2^53', int64({ as: 'number' }), '7fe0000000000000'],
  ['uint64 as number: 2^64 - 1', uint64({ as: 'number' }), 'ff'.repeat(8)],
  ['reversed int64 as number: 2^53', reversed(int64({ as: 'number' })), Buffer.from('2990474529917009').toString('hex') + '0000'],
]

/** Columns that have no other form. */
const inOneForm: readonly [what: string, type: ColumnType, hex: string][] = [
  ['split text: no separator', separatedText('_', { split: 'last' }), '6162'],
  ['split text: nothing', separatedText('_', { split: 'last' }), ''],
  ['split text: something behind', separatedText('_', { split: 'last' }), '615f61'],
  ['split text: bad UTF-8', separatedText('_', { split: 'last' }), 'c35f'],
  ['split text: half a separator', separatedText('é', { split: 'last' }), '61c3'],
  ['lastText: nothing', lastText(), ''],
  ['lastText: bad UTF-8', lastText(), '61ff'],
  ['lastText: half a character', lastText(), '61c3'],
  ['lastBytes: nothing', lastBytes(), ''],
  ['followedBy: other text', followedBy(uint8(), '_'), '0560'],
  ['followedBy: half of it', followedBy(uint8(), '__'), '055f'],
  ['followedBy: complemented', followedBy(desc(uint8()), '_'), 'faa0'],
]

test.each(inOneForm)('KEY-31 KEY-39 KEY-41 KEY-42: %s', (_, type, hex) => refuses(keyLayout([['c', type]]), hex))

describe.each(malformed)('KEY-31: %s', (_, type, hex) => {
  test('ascending', () => refuses(keyLayout([['c', type]]), hex))
  test('descending', () => refuses(keyLayout([['c', desc(type)]]), complement(hex)))
  test('nullable', () => refuses(keyLayout([['c', nullable(type, { nulls: 'last' })]]), '01' + hex))
})

describe('KEY-31: null markers', () => {
  test.each(['', '02', '03', 'ff', '0000', '01'])('nulls first: %s', (hex) => refuses(keyLayout([['c', nullable(uint8())]]), hex))
  test.each(['', '00', '03', 'fd', '0200', '01'])('nulls last: %s', (hex) =>
    refuses(keyLayout([['c', nullable(uint8(), { nulls: 'last' })]]), hex),
  )
  test('the marker of a descending column is not complemented', () => {
    refuses(keyLayout([['c', nullable(desc(uint8()))]]), 'fe00')
    expect(keyLayout([['c', nullable(desc(uint8()))]]).decode(bytesOf('0100'))).toEqual({ c: 255 })
  })
})

describe('KEY-31: salts', () => {
  const hashed = keyLayout([['a', text()]], { salt: bucket({ of: 'a', count: 300 }) })
  const prefixed = keyLayout([['a', text()]], { salt: hashPrefix({ of: 'a', digits: 4 }) })
  const modulo = keyLayout([['n', int8()]], { salt: bucket({ of: 'n', modulo: 3 }) })
  const key = toHex(prefixed.encode({ a: 'abc' }))

  test('another bucket', () => {
    const right = toHex(hashed.encode({ a: 'x' }))
    refuses(hashed, (right.startsWith('0001') ? '0002' : '0001') + right.slice(4), 'salt')
  })
  test('a bucket beyond the count', () => refuses(hashed, '012c' + toHex(hashed.encode({ a: 'x' })).slice(4), 'salt'))
  test('half a bucket', () => refuses(hashed, '00', 'salt'))
  test('another remainder', () => refuses(modulo, '01' + '83', 'salt'))
  test('another prefix', () => refuses(prefixed, '39303032' + key.slice(8), 'salt'))
  test('a prefix in capitals', () => refuses(prefixed, upper(prefixed), 'salt'))
  test('a prefix that is no hex', () => refuses(prefixed, '67303031' + key.slice(8), 'salt'))
  test('half a prefix', () => refuses(prefixed, '3930', 'salt'))

  function upper(layout: KeyLayout<{ a: string }>): string {
    const hasLetter = (found: Uint8Array): boolean => found.subarray(0, 4).some((byte) => byte > 0x60)
    const bytes = ['a', 'b', 'c', 'd'].map((a) => layout.encode({ a })).find(hasLetter) as Uint8Array
    return toHex(bytes.map((byte, i) => (i < 4 && byte > 0x60 ? byte - 0x20 : byte)))
  }
})

describe('KEY-31: the error says where', () => {
  const layout = keyLayout([
    ['a', text()],
    ['done', bool()],
    ['n', int64({ as: 'number' })],
  ])
  test.each([
    ['61', 'a', 1],
    ['610000', 'done', 3],
    ['61000002', 'done', 4],
    ['61000001' + '80', 'n', 4],
    ['61000001' + '8020000000000000', 'n', 4],
    ['61000001' + '8000000000000000' + '00', 'n', 12],
  ])('%s', (hex, column, offset) => {
    expect(() => layout.decode(bytesOf(hex))).toThrow(
      expect.objectContaining({ code: 'MALFORMED_KEY', details: { column, offset, reason: expect.any(String) as string } }),
    )
  })
})

test('KEY-31: rest, decode and column() are as strict', () => {
  const { column, decode } = keyLayout([['c', nullable(text())]]).rows
  for (const hex of ['', '02', '0161', '01610000ff', '01c0800000']) {
    expect(() => column(0).decode(bytesOf(hex))).toThrow(/^MALFORMED_KEY/)
    expect(() => {
      decode(bytesOf(hex), [])
    }).toThrow(/^MALFORMED_KEY/)
  }
})

test('KEY-6: a leading U+FEFF is text like any other', () => {
  const layout = keyLayout([
    ['a', text()],
    ['b', paddedText(2, { pad: 'x' })],
    ['c', separatedText('_')],
  ])
  const key = { a: '\ufeffa', b: '\ufeff', c: '\ufeff' }
  expect(layout.decode(layout.encode(key))).toEqual(key)
})

test('after bad bytes the decoder works on', () => {
  const layout = keyLayout([['a', text()]])
  const good = layout.encode({ a: '\ufeffé'.repeat(20) })
  for (let i = 0; i < 3; i++) {
    expect(() => layout.decode(bytesOf('61'.repeat(33) + 'e2' + '0000'))).toThrow(/^MALFORMED_KEY/)
    expect(layout.decode(good)).toEqual({ a: '\ufeffé'.repeat(20) })
  }
})

function refuses(layout: { decode(bytes: Uint8Array): unknown }, hex: string, column = 'c'): void {
  const bytes = bytesOf(hex)
  const details = expect.objectContaining({ column }) as unknown
  expect(() => layout.decode(bytes)).toThrow(expect.objectContaining({ code: 'MALFORMED_KEY', details }))
  expect(toHex(bytes)).toBe(hex)
}
