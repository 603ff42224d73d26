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
  int16,
  int32,
  int64,
  int8,
  isRowkeyError,
  json,
  lastText,
  keyLayout,
  nullable,
  paddedText,
  random,
  reversed,
  separatedText,
  text,
  timestamp,
  uint16,
  uint32,
  uint64,
  uint8,
  uuid,
  type ColumnType,
} from '#codec'
import { values } from '#codec/internal'
import { describe, expect, test } from 'vitest'
import { runInNewContext } from 'node:vm'

const refused: Record<string, readonly [ColumnType, readonly unknown[]]> = {
  text: [text(), [null, undefined, 1, true, '\ud800', 'a\udc00b', '\udc00\ud800', 'end\ud83d', new String('a'), ['a']]],
  bytes: [bytes(), [null, undefined, '00', [0], new Uint16Array(1), new ArrayBuffer(1), new DataView(new ArrayBuffer(1)), { length: 0 }]],
  fixedBytes: [fixedBytes(2), [undefined, new Uint8Array(1), new Uint8Array(3), new Uint8ClampedArray(2), '00']],
  bool: [bool(), [null, undefined, 0, 1, 'true']],
  int8: [int8(), [null, undefined, 0.5, -129, 128, NaN, Infinity, 1n, '1']],
  int16: [int16(), [undefined, -32769, 32768, 1.5]],
  int32: [int32(), [undefined, -(2 ** 31) - 1, 2 ** 31, 1e-9]],
  int64: [int64(), [null, undefined, 1, 2n ** 63n, -(2n ** 63n) - 1n, '1']],
  'int64 as number': [int64({ as: 'number' }), [undefined, 1n, 2 ** 53, -(2 ** 53), 0.5, NaN, Infinity]],
  'int64 as text': [
    int64({ as: 'text' }),
    [
      null,
      undefined,
      1,
      1n,
      '',
      '-',
      '+1',
      '01',
      '-0',
      ' 1',
      '1\n',
      '1.0',
      '1e3',
      '0x1',
      '٣',
      `${2n ** 63n}`,
      `${-(2n ** 63n) - 1n}`,
      '9'.repeat(1e6),
    ],
  ],
  uint8: [uint8(), [undefined, -1, 256, 0.1]],
  uint16: [uint16(), [undefined, -1, 65536]],
  uint32: [uint32(), [undefined, -1, 2 ** 32]],
  uint64: [uint64(), [undefined, -1n, 2n ** 64n, 1]],
  'uint64 as text': [uint64({ as: 'text' }), [undefined, 1n, '-1', `${2n ** 64n}`]],
  'uint64 as number': [uint64({ as: 'number' }), [undefined, -1, 2 ** 53, 1n]],
  float32: [float32(), [null, undefined, 0.1, 16777217, 1e39, 1n, '1']],
  float64: [float64(), [null, undefined, 1n, '1', new Number(1)]],
  uuid: [
    uuid(),
    [
      undefined,
      '',
      '00112233-4455-6677-8899-AABBCCDDEEFF',
      '00112233445566778899aabbccddeeff',
      '{00112233-4455-6677-8899-aabbccddeeff}',
      '00112233-4455-6677-8899-aabbccddeeff\n',
      '0011223-34455-6677-8899-aabbccddeeff',
      'g0112233-4455-6677-8899-aabbccddeeff',
    ],
  ],
  'timestamp ms': [timestamp('ms'), [null, undefined, new Date(NaN), 0, 0n, '2026-01-01', { getTime: () => 0 }]],
  'timestamp ms as number': [timestamp('ms', { as: 'number' }), [undefined, 0.5, 8.64e15 + 1, -8.64e15 - 1, NaN, new Date(0), 0n]],
  'timestamp ms as bigint': [timestamp('ms', { as: 'bigint' }), [undefined, 0, 8_640_000_000_000_001n, 2n ** 64n, -(2n ** 1100n)]],
  'timestamp us': [timestamp('us'), [undefined, 0, 2n ** 63n, new Date(0)]],
  'timestamp us as text': [timestamp('us', { as: 'text' }), [undefined, 0n, 0, '01', new Date(0), `${2n ** 63n}`]],
  'timestamp ns': [timestamp('ns'), [undefined, 0, -(2n ** 63n) - 1n]],
  date: [date(), [null, undefined, new Date(1), new Date('2026-01-01T00:00:00.001Z'), new Date(NaN), 0, '2026-01-01']],
  'date as number': [date({ as: 'number' }), [undefined, 0.5, 1e8 + 1, -1e8 - 1, new Date(0)]],
  paddedText: [paddedText(4, { pad: 'x' }), [undefined, 'abcde', 'ax', 'x', '😀😀a', '\ud800']],
  separatedText: [separatedText('_'), [undefined, '_', 'a_b', '\udfff']],
  'split text': [separatedText('_', { split: 'last' }), [undefined, 1, '\udfff']],
  fixedText: [fixedText(3), [undefined, null, '', 'ab', 'abcd', 'éé', '\ud800', 1]],
  'nullable fixedText': [nullable(fixedText(3)), [undefined, 'ab']],
  dictionary: [dictionary({ taobao: 'tb', tmall: 'tm' }), [undefined, '', 'tb', 'Taobao', 'toString', '__proto__']],
  'reversed text': [reversed(text()), [undefined, 1, '\ud800']],
  'reversed int8': [reversed(int8()), [undefined, 128, 1.5, '1']],
  'nullable text': [nullable(text()), [undefined, 1]],
}

describe.each(Object.entries(refused))('KEY-29: %s refuses', (_, [type, list]) => {
  test.each(list.map((value, i) => [i, value] as const))('value %i', (_, value) => {
    const layout = keyLayout([
      ['first', uint8()],
      ['it', type],
    ])
    const error = errorOf(() => layout.encode({ first: 1, it: value }))
    expect(error).toMatchObject({ code: 'INVALID_VALUE', details: { column: 'it' } })
    expect(error.message).toMatch(/^INVALID_VALUE: column 'it' cannot hold .+\. Give .+\.$/s)
    expect(error.message.isWellFormed()).toBe(true)
    expect(errorOf(() => layout.bound({ first: 1, it: value }, 'after'))).toMatchObject({ code: 'INVALID_VALUE' })
    expect(errorOf(() => layout.encodeInto(new Uint8Array(99), 0, { first: 1, it: value }))).toMatchObject({ code: 'INVALID_VALUE' })
  })
})

test('KEY-29: positional rows hold canonical values and nothing else', () => {
  const cases: readonly (readonly [ColumnType, readonly unknown[]])[] = [
    [timestamp('ms'), [1.5, '5', true, new Date(0), 0n]],
    [date(), [1e-9, '5', true, new Date(0)]],
    [int64({ as: 'number' }), ['5', 5, true]],
    [reversed(int64({ as: 'number' })), [5]],
    [timestamp('ms', { as: 'bigint' }), [5n, 1.5]],
    [int64(), [5]],
    [int64({ as: 'text' }), ['5', 5]],
    [timestamp('ns', { as: 'text' }), ['5']],
    [reversed(int64({ as: 'text' })), ['5']],
    [text(), [null]],
  ]
  for (const [type, list] of cases) {
    const layout = keyLayout([['it', type]])
    for (const value of list) expect(() => layout.encodeRow([value as never])).toThrow(/^INVALID_VALUE/)
    expect(() => layout.encodeRow([])).toThrow(/^INVALID_VALUE/)
  }
  const beyond = keyLayout([['it', int64({ as: 'number' })]])
  expect(beyond.decodeRow(beyond.encodeRow([2n ** 60n]))).toEqual([2n ** 60n])
})

test('KEY-30: -0 becomes 0 and every NaN the same; nothing else changes', () => {
  const layout = keyLayout([
    ['x', float64()],
    ['y', float32()],
    ['n', int8()],
  ])
  expect(layout.decode(layout.encode({ x: -0, y: -0, n: -0 }))).toEqual({ x: 0, y: 0, n: 0 })
  const [payload] = new Float64Array(Uint32Array.from([1, 0xfff00000]).buffer)
  const rows = layout.rows
  expect(rows.sortKey([payload as number, NaN, 0])).toEqual(rows.sortKey([NaN, NaN, 0]))
  expect(rows.sortKey([-0, -0, 0])).toEqual(rows.sortKey([0, 0, 0]))
})

test('objects of another realm are taken', () => {
  const foreign = (code: string): unknown => runInNewContext(code)
  const layout = keyLayout([
    ['b', bytes()],
    ['at', timestamp('ms')],
  ])
  const key = layout.encode({ b: foreign('new Uint8Array([1, 2])') as Uint8Array, at: foreign('new Date(5)') as Date })
  expect(layout.decode(key)).toEqual({ b: Uint8Array.of(1, 2), at: new Date(5) })
  expect(values(json(), 'j').toValue(foreign('({ a: [1, { b: null }] })'))).toBe('{"a":[1,{"b":null}]}')
})

test('json takes plain data only', () => {
  const { toValue } = values(json(), 'j')
  const cycle: unknown[] = []
  cycle.push(cycle)
  const listWithName = Object.assign([1], { name: 'lost' })
  const hidden = Object.defineProperty({}, 'lost', { value: 1, enumerable: false })
  const bad = [
    undefined,
    NaN,
    Infinity,
    1n,
    () => 1,
    Symbol('x'),
    new Date(0),
    new Map(),
    new Uint8Array(1),
    '\ud800',
    { '\ud800': 1 },
    [undefined],
    [, 1],
    { a: undefined },
    { toJSON: () => 1 },
    Object.assign([1], { toJSON: () => 1 }),
    { [Symbol('x')]: 1 },
    cycle,
    listWithName,
    hidden,
  ]
  for (const value of bad) expect(() => toValue(value)).toThrow(/^INVALID_VALUE/)
  expect(() => toValue(null)).toThrow(/cannot hold null\. Give .* and objects of these and null, at most/)
  class Point {
    x = 1
    y = undefined
  }
  expect(toValue(new Point())).toBe('{"x":1}')
  const shared = { a: 1 }
  expect(toValue([shared, shared, true, 'é', Object.create(null)])).toBe('[{"a":1},{"a":1},true,"é",{}]')
})

describe('INVALID_COLUMN_TYPE', () => {
  const js = <T = never>(value: unknown): T => value as T
  test.each<readonly [string, () => unknown]>([
    ['fixedBytes(0)', () => fixedBytes(0)],
    ['fixedBytes(1001)', () => fixedBytes(1001)],
    ['fixedBytes(1.5)', () => fixedBytes(1.5)],
    ['paddedText width 0', () => paddedText(0, { pad: 'x' })],
    ['paddedText width 1001', () => paddedText(1001, { pad: 'x' })],
    ['paddedText with two units', () => paddedText(5, { pad: 'xy' })],
    ['paddedText with nothing', () => paddedText(5, { pad: '' })],
    ['paddedText with half a character', () => paddedText(5, { pad: '\ud83d' })],
    ['paddedText with an astral character', () => paddedText(5, { pad: '😀' })],
    ['paddedText without options', () => js<(width: number) => unknown>(paddedText)(5)],
    ['separatedText of two units', () => separatedText('__')],
    ['separatedText of nothing', () => separatedText('')],
    ['separatedText of half a character', () => separatedText('\udc00')],
    ['separatedText without separator', () => js<() => unknown>(separatedText)()],
    ['separatedText split elsewhere', () => separatedText('_', { split: js<'last'>('middle') })],
    ['fixedText(0)', () => fixedText(0)],
    ['fixedText(1001)', () => fixedText(1001)],
    ['fixedText without a width', () => js<() => unknown>(fixedText)()],
    ['fixedText with a default of another width', () => fixedText(2, { default: 'abc' })],
    ['lastText with an empty default', () => lastText({ default: '' })],
    ['followedBy nothing', () => followedBy(text(), '')],
    ['followedBy nine units', () => followedBy(text(), '123456789')],
    ['followedBy half a character', () => followedBy(text(), '\ud800')],
    ['followedBy without text', () => js<(type: ColumnType) => unknown>(followedBy)(text())],
    ['followedBy of no type', () => followedBy(js<ColumnType>('text'), '_')],
    ['followedBy twice', () => followedBy(followedBy(text(), '_'), '_')],
    ['followedBy of a nullable column', () => followedBy(nullable(text()), '_')],
    ['a nullable column that is followed by text', () => nullable(followedBy(text(), '_'))],
    ['reversed text that is followed by text inside', () => reversed(followedBy(text(), '_'))],
    ['dictionary without codes', () => dictionary({})],
    ['dictionary with an empty code', () => dictionary({ a: '' })],
    ['dictionary with equal codes', () => dictionary({ a: 'x', b: 'x' })],
    ['dictionary where one code begins another', () => dictionary({ a: 'x', b: 'xy' })],
    ['dictionary with a code that is no text', () => dictionary({ a: js<string>(1), b: 'x' })],
    ['dictionary with an ill-formed code', () => dictionary({ a: '\ud800' })],
    ['desc(desc())', () => desc(desc(text()))],
    ['nullable(nullable())', () => nullable(nullable(text()))],
    ['nullable with unknown nulls', () => nullable(text(), { nulls: js('middle') })],
    ['reversed(uuid())', () => reversed(uuid())],
    ['reversed(float64())', () => reversed(float64())],
    ['reversed(desc())', () => reversed(desc(text()))],
    ['reversed(nullable())', () => reversed(nullable(text()))],
    ['reversed(reversed())', () => reversed(reversed(text()))],
    ['timestamp with unknown unit', () => timestamp(js('s'))],
    ['timestamp without unit', () => js<() => unknown>(timestamp)()],
    ['timestamp us as Date', () => timestamp('us', { as: js('Date') })],
    ['timestamp ms as string', () => timestamp('ms', { as: js('string') })],
    ['date as bigint', () => date({ as: js('bigint') })],
    ['int64 as Date', () => int64({ as: js('Date') })],
    ['random(0)', () => random(0)],
    ['random(1.5)', () => random(1.5)],
    ['random(2^32 + 1)', () => random(2 ** 32 + 1)],
    ['random beyond the column', () => uint8({ default: random(257) })],
    ['random for text', () => text({ default: random(5) as never })],
    ['a forged random', () => uint8({ default: { random: 1.5 } })],
    ['a default that does not fit', () => uint8({ default: 256 })],
    ['a padded default that does not fit', () => paddedText(2, { pad: 'x', default: 'ax' })],
    ['a separated default that does not fit', () => separatedText('_', { default: 'a_' })],
    ['a dictionary default without code', () => dictionary({ a: 'x' }, { default: 'b' as never })],
    ['a json default that is no JSON', () => json({ default: NaN as never })],
  ])('%s', (_, make) => {
    const error = errorOf(make)
    expect(error.code).toBe('INVALID_COLUMN_TYPE')
    expect(error.message).toMatch(/\.$/)
  })
})

describe('INVALID_LAYOUT', () => {
  const columns = [
    ['a', text()],
    ['n', uint8()],
    ['maybe', nullable(text())],
  ] as const
  test.each<readonly [string, () => unknown]>([
    ['no columns', () => keyLayout([])],
    [
      'a name twice',
      () =>
        keyLayout([
          ['a', text()],
          ['a', uint8()],
        ]),
    ],
    ['json', () => keyLayout([['a', json()]])],
    ['KEY-21: a salt of no column', () => keyLayout(columns, { salt: bucket({ of: 'b' as 'a', count: 2 }) })],
    ['KEY-21: a salt of a nullable column', () => keyLayout(columns, { salt: bucket({ of: 'maybe', count: 2 }) })],
    ['KEY-21: a salt of nothing', () => bucket({ of: [], count: 2 })],
    ['KEY-21: a salt without of', () => bucket({ count: 2 } as never)],
    ['KEY-21: a salt of a column twice', () => bucket({ of: ['a', 'a'], count: 2 })],
    ['KEY-22: one bucket', () => bucket({ of: 'a', count: 1 })],
    ['KEY-22: too many buckets', () => bucket({ of: 'a', count: 65_537 })],
    ['KEY-22: a fraction of buckets', () => bucket({ of: 'a', count: 2.5 })],
    ['KEY-22: no count', () => bucket({ of: 'a' } as never)],
    ['KEY-22: a negative seed', () => bucket({ of: 'a', count: 2, seed: -1 })],
    ['KEY-22: a seed beyond 32 bits', () => bucket({ of: 'a', count: 2, seed: 2 ** 32 })],
    ['KEY-23: a modulo of text', () => keyLayout(columns, { salt: bucket({ of: 'a', modulo: 2 }) })],
    ['KEY-23: a modulo of two columns', () => bucket({ of: ['a', 'n'] as never, modulo: 2 })],
    ['KEY-24: no digits', () => hashPrefix({ of: 'a', digits: 0 })],
    ['KEY-24: nine digits', () => hashPrefix({ of: 'a', digits: 9 })],
    ['KEY-25: more than 2^53 buckets', () => keyLayout(columns, { salt: [0, 1].map(() => hashPrefix({ of: 'a', digits: 8 })) })],
  ])('%s', (_, make) => {
    const error = errorOf(make)
    expect(error.code).toBe('INVALID_LAYOUT')
    expect(error.message).toMatch(/\.$/)
  })
})

describe('arguments that are no keys, bounds or bytes', () => {
  const layout = keyLayout(
    [
      ['a', text()],
      ['n', uint8()],
    ],
    { salt: bucket({ of: ['a', 'n'], count: 16 }) },
  )
  test.each<readonly [string, string, () => unknown]>([
    ['encode(undefined)', 'INVALID_VALUE', () => layout.encode(undefined as never)],
    ['encode(null)', 'INVALID_VALUE', () => layout.encode(null as never)],
    ['encode without a column', 'INVALID_VALUE', () => layout.encode({ a: 'x' } as never)],
    ['a bound with a gap', 'INVALID_VALUE', () => layout.bound({ n: 1 }, 'after', 0)],
    ['a bound of unknown columns', 'INVALID_VALUE', () => layout.bound({ a: 'x', n: 1, z: 1 } as never, 'after')],
    ['a bound with undefined', 'INVALID_VALUE', () => layout.bound({ a: undefined } as never, 'after', 0)],
    ['a bound of an unknown edge', 'INVALID_VALUE', () => layout.bound({ a: 'x' }, 'below' as never, 0)],
    ['a bucket too many', 'INVALID_VALUE', () => layout.bound({ a: 'x' }, 'after', 16)],
    ['a negative bucket', 'INVALID_VALUE', () => layout.bound({ a: 'x' }, 'after', -1)],
    ['half a bucket', 'INVALID_VALUE', () => layout.bound({ a: 'x' }, 'after', 0.5)],
    ['a bound without the salt', 'SALT_UNBOUND', () => layout.bound({ a: 'x' }, 'after')],
    ['decode of text', 'MALFORMED_KEY', () => layout.decode('abc' as never)],
    ['decode of undefined', 'MALFORMED_KEY', () => layout.decode(undefined as never)],
    ['decode of an ArrayBuffer', 'MALFORMED_KEY', () => layout.decode(new ArrayBuffer(4) as never)],
  ])('%s is %s', (_, code, call) => expect(errorOf(call).code).toBe(code))

  test('SALT_UNBOUND names what is missing', () => {
    expect(errorOf(() => layout.bound({ a: 'x' }, 'after')).details).toEqual({ salt: 'a, n', missing: ['n'] })
  })

  test.each([-1, 0.5, NaN, 100])('encodeInto at %d is a RangeError', (offset) => {
    expect(() => layout.encodeInto(new Uint8Array(50), offset, { a: 'x', n: 1 })).toThrow(RangeError)
  })
})

test('isRowkeyError tells codes apart and takes anything', () => {
  for (const other of [undefined, null, 'x', 1, {}, new Error('INVALID_VALUE: x')]) expect(isRowkeyError(other)).toBe(false)
  const error = errorOf(() => fixedBytes(0))
  expect(isRowkeyError(error)).toBe(true)
  expect(isRowkeyError(error, 'INVALID_COLUMN_TYPE')).toBe(true)
  expect(isRowkeyError(error, 'INVALID_VALUE')).toBe(false)
})

function errorOf(call: () => unknown): Error & { code?: string; details?: unknown } {
  try {
    call()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}
