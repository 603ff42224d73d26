import {
  bool,
  date,
  decimal,
  desc,
  dictionary,
  fixedBytes,
  fixedText,
  float32,
  float64,
  int64,
  int8,
  json,
  lastBytes,
  lastText,
  keyLayout,
  nullable,
  paddedText,
  random,
  reversed,
  separatedText,
  text,
  timestamp,
  uint64,
  uint8,
  ulid,
  uuid,
  type ColumnType,
  type Default,
  type TraitsOf,
  type Value,
  type ValueOf,
} from '#codec'
import { makeType, registeredType, typeFacts, values, type TypeImpl } from '#codec/internal'
import { describe, expect, expectTypeOf, test, vi } from 'vitest'

describe('options common to all types', () => {
  const id = '00112233-4455-6677-8899-aabbccddeeff'
  test.each<[string, ColumnType, Default]>([
    ['text', text({ name: 'physical', default: 'now' }), { kind: 'constant', value: 'now' }],
    ['uuid', uuid({ name: 'physical', default: id }), { kind: 'constant', value: id }],
    ['paddedText', paddedText(5, { pad: 'x', name: 'physical', default: 'a' }), { kind: 'constant', value: 'a' }],
    ['separatedText', separatedText('_', { name: 'physical', default: 'a' }), { kind: 'constant', value: 'a' }],
    ['split text', separatedText('_', { split: 'last', name: 'physical', default: 'a_b' }), { kind: 'constant', value: 'a_b' }],
    ['fixedText', fixedText(2, { name: 'physical', default: 'ab' }), { kind: 'constant', value: 'ab' }],
    ['lastText', lastText({ name: 'physical', default: 'ab' }), { kind: 'constant', value: 'ab' }],
    ['dictionary', dictionary({ a: '1', b: '2' }, { name: 'physical', default: 'a' }), { kind: 'constant', value: 'a' }],
    ['json', json({ name: 'physical', default: { random: 5 } }), { kind: 'constant', value: '{"random":5}' }],
    ['uint8', uint8({ name: 'physical', default: random(256) }), { kind: 'random', below: 256 }],
    ['int64', int64({ name: 'physical', default: random(2 ** 32) }), { kind: 'random', below: 2 ** 32 }],
    ['int64 as number', int64({ as: 'number', name: 'physical', default: 5 }), { kind: 'constant', value: 5n }],
    ['int64 as text', int64({ as: 'text', name: 'physical', default: '5' }), { kind: 'constant', value: 5n }],
    ['timestamp', timestamp('ns', { name: 'physical', default: 'now' }), { kind: 'now' }],
    ['timestamp, constant', timestamp('ms', { name: 'physical', default: new Date(5) }), { kind: 'constant', value: 5 }],
    ['date', date({ name: 'physical', default: 'now' }), { kind: 'now' }],
    ['reversed', reversed(int8({ name: 'physical', default: random(10) })), { kind: 'random', below: 10 }],
    ['wrapped', nullable(desc(text({ name: 'physical', default: '' })), { nulls: 'last' }), { kind: 'constant', value: '' }],
  ])('%s has a name and a default', (_, type, expected) => expect(type).toMatchObject({ name: 'physical', default: expected }))

  test('what is not given is not there', () => {
    expect({ ...text({}) }).toStrictEqual({ kind: 'text', desc: false, nullable: false, ordered: true })
  })
})

test("the default 'now' is refused for a type whose storage has no unit of time", () => {
  const clock: TypeImpl = { ...(registeredType('int64') as TypeImpl), defaults: ['now'] }
  expect(() => makeType({ kind: 'int64' }, clock, { default: 'now' })).toThrow(
    "INVALID_COLUMN_TYPE: int64 cannot have the default 'now', because its storage has no unit of time. Set 'counts' in it.",
  )
})

describe('types', () => {
  test('a default makes a column one that may be left out', () => {
    expectTypeOf<TraitsOf<ReturnType<typeof withDefaults.padded>>>().toEqualTypeOf<'range' | 'default'>()
    expectTypeOf<TraitsOf<ReturnType<typeof withDefaults.separated>>>().toEqualTypeOf<'default'>()
    expectTypeOf<TraitsOf<ReturnType<typeof withDefaults.dictionary>>>().toEqualTypeOf<'default'>()
    expectTypeOf<ValueOf<ReturnType<typeof withDefaults.dictionary>>>().toEqualTypeOf<'a' | 'b'>()
    expectTypeOf<TraitsOf<ReturnType<typeof withDefaults.json>>>().toEqualTypeOf<'default'>()
    expectTypeOf<ValueOf<ReturnType<typeof withDefaults.json>>>().toEqualTypeOf<string[]>()
    // @ts-expect-error a default that is not in the dictionary
    expect(() => dictionary({ a: '1' }, { default: 'c' })).toThrow()
  })

  test('keys infer from the list of columns', () => {
    const layout = keyLayout([
      ['host', text()],
      ['at', desc(timestamp('ms'))],
      ['n', nullable(int64())],
    ])
    expectTypeOf(layout.decode).returns.toEqualTypeOf<{ host: string; at: Date; n: bigint | null }>()
    // @ts-expect-error seq is missing, at is no Date
    expect(() => layout.encode({ host: 'x', at: 5 })).toThrow()
  })
})

const withDefaults = {
  padded: () => paddedText(5, { pad: '\0', default: 'a' }),
  separated: () => separatedText('_', { default: 'a' }),
  dictionary: () => dictionary({ a: '1', b: '2' }, { default: 'a' }),
  json: () => json<string[]>({ default: [] }),
}

describe('values()', () => {
  test('compares nulls lowest, whatever the key does', () => {
    const { compare } = values(desc(nullable(int8(), { nulls: 'last' })), 'n')
    expect([3, null, -1].toSorted(compare)).toEqual([null, -1, 3])
  })

  test('refuses to show an integer that no number holds, naming the column', () => {
    const { fromValue } = values(int64({ as: 'number', name: 'physical' }), 'total')
    expect(fromValue(2n ** 53n - 1n)).toBe(2 ** 53 - 1)
    expect(() => fromValue(2n ** 53n)).toThrow(
      "INVALID_VALUE: column 'total' holds the int64 9007199254740992, which no number holds exactly.",
    )
  })
})

describe('typeFacts()', () => {
  test('tells as what a store may hold the values, inside reversed too', () => {
    expect(typeFacts(int8()).storage).toEqual({ class: 'int', min: -128, max: 127 })
    expect(typeFacts(reversed(uint8())).storage).toEqual({ class: 'int', min: 0, max: 255 })
    expect(typeFacts(desc(timestamp('us'))).storage).toEqual({ class: 'bigint', min: -(2n ** 63n), max: 2n ** 63n - 1n, counts: 'us' })
    expect(typeFacts(nullable(text())).storage).toEqual({ class: 'text', restricted: false })
  })

  test('tells whose bytes follow another system, and who has none', () => {
    expect([text(), reversed(text()), paddedText(4, { pad: '\0' }), json()].map((type) => typeFacts(type).keyBytes)).toEqual([
      'value',
      'idiom',
      'idiom',
      'none',
    ])
  })

  test.each<[string, ColumnType, accepted: readonly Value[], refused: readonly Value[]]>([
    ['int8', int8(), [-128, 127], [128, 1.5]],
    ['timestamp in ms', timestamp('ms'), [0, -1], [1.5, 8.64e15 + 1]],
    ['timestamp in us', timestamp('us'), [0n, -1n], [2n ** 63n]],
    ['date', date(), [-1, 20_000], [0.5]],
    ['uint64 as number', uint64({ as: 'number' }), [5n, 2n ** 64n - 1n], [-1n, 2n ** 64n]],
    ['float64', float64(), [1.5, -0, NaN, -Infinity], []],
    ['float32', float32(), [1.5, -0, NaN, -Infinity], [0.1]],
    ['decimal', decimal(4, 2), ['1.50', '-12.34'], ['1.5', '123.45', '01.50', 'x']],
    ['text', text(), ['', 'a\0b'], ['\ud800']],
    ['uuid', uuid(), ['00112233-4455-6677-8899-aabbccddeeff'], ['00112233-4455-6677-8899-AABBCCDDEEFF', 'x']],
    ['ulid', ulid(), ['01ARZ3NDEKTSV4RRFFQ69G5FAV'], ['01arz3ndektsv4rrffq69g5fav', 'x']],
    ['dictionary', dictionary({ taobao: 'tb' }), ['taobao'], ['tb']],
    ['paddedText', paddedText(3, { pad: 'x' }), ['', 'abc'], ['abcd', 'abx']],
    ['separatedText', separatedText('_'), ['a'], ['a_b']],
    ['split text', separatedText('_', { split: 'last' }), ['a', 'a_b', ''], [5]],
    ['fixedText', fixedText(2), ['ab', 'é'], ['', 'a', 'éé']],
    ['lastText', lastText(), ['a', '\0'], ['']],
    ['lastBytes', lastBytes(), [Uint8Array.of(0)], [new Uint8Array()]],
    ['reversed', reversed(int8()), [120], [200]],
    ['bool', bool(), [true, false], []],
    ['fixedBytes', fixedBytes(2), [Uint8Array.of(0, 1)], [Uint8Array.of(0)]],
    ['json', json(), ['{"a":[1]}', '"text"', 'null', ' { "a" : 1.0 } '], ['', '{', 'text', 5]],
    ['nullable and descending', nullable(desc(int8())), [5], [128]],
  ])('%s accepts what a column can hold, in the form in which rows hold it', (_, type, accepted, refused) => {
    const { accepts } = typeFacts(type)
    expect(accepted.filter((value) => !accepts(value))).toEqual([])
    expect(refused.filter((value) => accepts(value))).toEqual([])
  })

  test('tells whose values have the order of what a store holds for them', () => {
    const own = { ...(registeredType('text') as TypeImpl), conversion: () => ({ parse: () => '', compare: () => 0, expected: 'nothing' }) }
    const types: readonly ColumnType[] = [
      text(),
      int8(),
      int64(),
      timestamp('us'),
      date(),
      float32(),
      decimal(9, 2),
      fixedBytes(2),
      uuid(),
      ulid(),
      reversed(uint8()),
    ]
    expect(types.map((type) => typeFacts(desc(nullable(type))).storedOrder)).toEqual(types.map(() => true))
    expect(
      [bool(), uuid({ order: 'time' }), makeType({ kind: 'text' }, own, undefined)].map((type) => typeFacts(type).storedOrder),
    ).toEqual([false, false, false])
  })

  test('makes a conversion only when asked what is accepted', () => {
    const conversion = vi.fn(() => ({ parse: () => undefined, compare: () => 0, expected: 'nothing' }))
    const type = makeType({ kind: 'text' }, { ...(registeredType('text') as TypeImpl), conversion }, undefined)
    const { accepts, storage } = typeFacts(type)
    expect([storage.class, conversion.mock.calls.length]).toEqual(['text', 0])
    expect([accepts('a'), accepts('b'), conversion.mock.calls.length]).toEqual([false, false, 1])
  })
})
