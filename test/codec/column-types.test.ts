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
  uint8,
  uuid,
  values,
  type ColumnType,
  type Default,
  type TraitsOf,
  type ValueOf,
} from '@rowkey/codec'
import { describe, expect, expectTypeOf, test } from 'vitest'

describe('options common to all types', () => {
  const id = '00112233-4455-6677-8899-aabbccddeeff'
  test.each<[string, ColumnType, Default]>([
    ['text', text({ name: 'physical', default: 'now' }), { kind: 'constant', value: 'now' }],
    ['uuid', uuid({ name: 'physical', default: id }), { kind: 'constant', value: id }],
    ['paddedText', paddedText(5, { with: 'x', name: 'physical', default: 'a' }), { kind: 'constant', value: 'a' }],
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
  padded: () => paddedText(5, { with: '\0', default: 'a' }),
  separated: () => separatedText('_', { default: 'a' }),
  dictionary: () => dictionary({ a: '1', b: '2' }, { default: 'a' }),
  json: () => json<string[]>({ default: [] }),
}

describe('values()', () => {
  test('has the range of integers, inside reversed too', () => {
    expect(values(int8(), 'n').range).toEqual({ min: -128n, max: 127n })
    expect(values(reversed(uint8()), 'n').range).toEqual({ min: 0n, max: 255n })
    expect(values(text(), 'n').range).toBeUndefined()
  })

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
