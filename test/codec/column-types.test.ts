import {
  date,
  desc,
  dictionary,
  int64,
  int8,
  json,
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
  uuid,
  type ColumnType,
  type Default,
  type TraitsOf,
  type ValueOf,
} from '@rowkey/codec'
import { typeFacts, values } from '@rowkey/codec/internal'
import { describe, expect, expectTypeOf, test } from 'vitest'

describe('options common to all types', () => {
  const id = '00112233-4455-6677-8899-aabbccddeeff'
  test.each<[string, ColumnType, Default]>([
    ['text', text({ name: 'physical', default: 'now' }), { kind: 'constant', value: 'now' }],
    ['uuid', uuid({ name: 'physical', default: id }), { kind: 'constant', value: id }],
    ['paddedText', paddedText(5, { pad: 'x', name: 'physical', default: 'a' }), { kind: 'constant', value: 'a' }],
    ['separatedText', separatedText('_', { name: 'physical', default: 'a' }), { kind: 'constant', value: 'a' }],
    ['dictionary', dictionary({ a: '1', b: '2' }, { name: 'physical', default: 'a' }), { kind: 'constant', value: 'a' }],
    ['json', json({ name: 'physical', default: { random: 5 } }), { kind: 'constant', value: '{"random":5}' }],
    ['uint8', uint8({ name: 'physical', default: random(256) }), { kind: 'random', below: 256 }],
    ['int64', int64({ name: 'physical', default: random(2 ** 32) }), { kind: 'random', below: 2 ** 32 }],
    ['int64 as number', int64({ as: 'number', name: 'physical', default: 5 }), { kind: 'constant', value: 5n }],
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

  test('accepts what a column can hold, in the form in which rows hold it', () => {
    expect([0, 1.5].map(typeFacts(timestamp('ms')).accepts)).toEqual([true, false])
    expect([5n, -1n].map(typeFacts(uint64({ as: 'number' })).accepts)).toEqual([true, false])
    expect(['a', 'b'].map(typeFacts(reversed(text())).accepts)).toEqual([true, true])
  })
})
