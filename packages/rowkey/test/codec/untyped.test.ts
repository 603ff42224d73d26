import * as codec from '#codec'
import { bucket, desc, isRowkeyError, json, keyLayout, nullable, text, toHex, uint8 } from '#codec'
import { isPlainObject, values } from '#codec/internal'
import { describe, expect, test } from 'vitest'
import { runInNewContext } from 'node:vm'

// As JavaScript calls the package: what the compiler would refuse.
type Untyped = (...args: unknown[]) => unknown
const js = codec as unknown as Record<string, Untyped>
const messageOf = (call: () => unknown): string => {
  try {
    call()
  } catch (error) {
    if (isRowkeyError(error)) return error.message
    throw error
  }
  return 'nothing was refused'
}

describe('options that are none are refused, with the known ones', () => {
  const id = '00112233-4455-6677-8899-aabbccddeeff'
  const types: readonly (readonly [string, readonly unknown[], string])[] = [
    ...[
      'text',
      'bytes',
      'bool',
      'ulid',
      'json',
      'int8',
      'int16',
      'int32',
      'uint8',
      'uint16',
      'uint32',
      'float32',
      'float64',
      'lastText',
      'lastBytes',
    ].map((name) => [name, [], 'name, default'] as const),
    ['int64', [], 'as, name, default'],
    ['uint64', [], 'as, name, default'],
    ['date', [], 'as, name, default'],
    ['timestamp', ['ms'], 'as, name, default'],
    ['fixedBytes', [2], 'name, default'],
    ['uuid', [], 'order, name, default'],
    ['decimal', [9, 2], 'name, default'],
    ['fixedText', [2], 'name, default'],
    ['separatedText', ['_'], 'split, name, default'],
    ['dictionary', [{ a: '1' }], 'name, default'],
    ['nullable', [text()], 'nulls'],
    ['keyLayout', [[['a', text()]]], 'salt, codegen'],
  ]
  test.each(types)('%s', (name, args, known) => {
    const layout = name === 'keyLayout' ? 'INVALID_LAYOUT' : 'INVALID_COLUMN_TYPE'
    expect(messageOf(() => js[name]?.(...args, { nmae: id }))).toBe(`${layout}: ${name}() has no option 'nmae'. Its options are ${known}.`)
    for (const [given, shown] of [
      ['name', '"name"'],
      [null, 'null'],
      [[], 'a list of 0'],
    ] as const) {
      const message = `${layout}: the options of ${name}() cannot be ${shown}. Give an object: { ${known} }.`
      expect(messageOf(() => js[name]?.(...args, given))).toBe(message)
    }
    expect(messageOf(() => js[name]?.(...args, undefined))).toBe('nothing was refused')
  })

  test.each<[string, unknown, string]>([
    [
      'bucket',
      { of: 'a', cuont: 4 },
      "bucket() has no option 'cuont'. Its options are of, count, seed, modulo, bytes, decimalDigits, separator.",
    ],
    ['bucket', { of: 'a', count: 4, modulo: 4 }, 'bucket() takes { of, count, seed } or { of, modulo }, not both. Leave one out.'],
    ['bucket', { of: 'a', modulo: 4, seed: 0 }, 'bucket() takes { of, count, seed } or { of, modulo }, not both. Leave one out.'],
    ['bucket', { of: 'a' }, 'bucket() has no count. Give { of, count } or { of, modulo }, from 2 to 65,536.'],
    ['bucket', { of: 'a', modulo: '4' }, 'bucket() cannot have modulo "4". Give an integer from 2 to 65,536.'],
    ['bucket', { count: 4 }, 'bucket({ of }) is missing. Name at least one key column, each only once.'],
    [
      'bucket',
      undefined,
      'the options of bucket() cannot be undefined. Give an object: { of, count, seed, modulo, bytes, decimalDigits, separator }.',
    ],
    ['hashPrefix', { of: 'a', digit: 3 }, "hashPrefix() has no option 'digit'. Its options are of, digits, separator."],
    ['hashPrefix', 'a', 'the options of hashPrefix() cannot be "a". Give an object: { of, digits, separator }.'],
  ])('%s(%o)', (name, options, message) => expect(messageOf(() => js[name]?.(options))).toBe(`INVALID_LAYOUT: ${message}`))

  test('paddedText has pad, too', () => {
    expect(messageOf(() => js['paddedText']?.(4, { pad: ' ', fill: 'x' }))).toContain(
      "no option 'fill'. Its options are pad, name, default.",
    )
  })

  test('an undefined option is one that is left out', () => {
    expect(bucket({ of: 'a', modulo: 4, count: undefined } as never)).toEqual(bucket({ of: 'a', modulo: 4 }))
    expect(text({ name: undefined } as never)).toEqual(text())
  })

  test('a name that is no text', () => {
    for (const name of [5, Symbol('x'), null]) expect(messageOf(() => js['text']?.({ name }))).toContain('text() cannot be called')
  })
})

describe('what is no column type, salt or list of columns', () => {
  const type = 'Give a column type such as text() or int64().'
  const columns = [['a', text()]]
  test.each<[string, () => unknown, string]>([
    ['desc(undefined)', () => js['desc']?.(undefined), `INVALID_COLUMN_TYPE: desc() cannot wrap undefined. ${type}`],
    ['reversed(desc())', () => js['reversed']?.(desc()), `INVALID_COLUMN_TYPE: reversed() cannot wrap desc() without a type. ${type}`],
    ['desc(text)', () => js['desc']?.(text), `INVALID_COLUMN_TYPE: desc() cannot wrap a function. ${type}`],
    ['nullable(null)', () => js['nullable']?.(null), `INVALID_COLUMN_TYPE: nullable() cannot wrap null. ${type}`],
    ['reversed({})', () => js['reversed']?.({}), `INVALID_COLUMN_TYPE: reversed() cannot wrap an object. ${type}`],
    [
      'dictionary()',
      () => js['dictionary']?.(),
      'INVALID_COLUMN_TYPE: the codes of dictionary() cannot be undefined. Give { value: code }.',
    ],
    ['keyLayout()', () => js['keyLayout']?.(), 'INVALID_LAYOUT: the columns of a layout cannot be undefined. Give a list of [name, type].'],
    ['a name alone', () => js['keyLayout']?.(['a']), 'INVALID_LAYOUT: column 1 of the layout is "a". Give [name, type].'],
    ['a type alone', () => js['keyLayout']?.([[text()]]), 'INVALID_LAYOUT: column 1 of the layout is a list of 1. Give [name, type].'],
    ['null as type', () => js['keyLayout']?.([['a', null]]), `INVALID_LAYOUT: the type of column 'a' is null. ${type}`],
    [
      'salt as text',
      () => js['keyLayout']?.(columns, { salt: 'a' }),
      'INVALID_LAYOUT: salt level 1 is "a". Make it with bucket(), hashPrefix() or kuduHash().',
    ],
    [
      'salt as its options',
      () => js['keyLayout']?.(columns, { salt: [bucket({ of: 'a', count: 4 }), { of: 'a', count: 4 }] }),
      'INVALID_LAYOUT: salt level 2 is an object. Make it with bucket(), hashPrefix() or kuduHash().',
    ],
  ])('%s', (_, call, message) => expect(messageOf(call)).toBe(message))

  test('codes that are alike are named with their values', () => {
    expect(messageOf(() => codec.dictionary({ a: 'x', b: 'xy' }))).toContain('the code "xy" of "b" starts with "x", the code of "a".')
    expect(messageOf(() => codec.dictionary({ a: 'x', b: 'x' }))).toContain('gives both "a" and "b" the code "x".')
  })
})

describe('KEY-29: a property that is no column', () => {
  const layout = keyLayout([
    ['host', text()],
    ['n', desc(nullable(uint8()))],
  ])
  const message = "INVALID_VALUE: the key has no column 'nn'. Its columns are host, n."
  const key = { host: 'web', n: 1, nn: 1 }
  test('is refused by encode, encodeInto and bound', () => {
    expect(messageOf(() => layout.encode(key))).toBe(message)
    expect(messageOf(() => layout.encodeInto(new Uint8Array(99), 0, key))).toBe(message)
    expect(messageOf(() => layout.bound(key, 'before'))).toBe(message)
    expect(messageOf(() => layout.bound({ nn: 1 } as never, 'before'))).toBe(message)
    expect(messageOf(() => layout.bound(null as never, 'before'))).toContain('a key is an object')
  })
  test('own properties only: a class may hold columns as accessors', () => {
    class Key {
      get host(): string {
        return 'web'
      }
      get n(): number {
        return 1
      }
    }
    expect(layout.encode(new Key())).toEqual(layout.encode({ host: 'web', n: 1 }))
    expect(messageOf(() => layout.encode(Object.assign(new Key(), { nn: 1 })))).toBe(message)
  })
})

test('toHex takes bytes only', () => {
  for (const given of ['abc', [1], undefined, new ArrayBuffer(1), new Uint16Array(1)]) {
    expect(messageOf(() => toHex(given as never))).toMatch(/^INVALID_VALUE: toHex\(\) takes a Uint8Array, not /)
  }
  expect(toHex(Buffer.from([1, 255]))).toBe('01ff')
})

describe('json', () => {
  const nested = (levels: number): unknown => {
    let data: unknown = 1
    for (let i = 0; i < levels; i++) data = i % 2 === 0 ? [data] : { data }
    return data
  }
  const { toValue, fromValue } = values(json(), 'tree')
  test('is at most 1,000 levels deep', () => {
    expect(fromValue(toValue(nested(1000)))).toEqual(nested(1000))
    expect(messageOf(() => toValue(nested(1001)))).toMatch(/^INVALID_VALUE: column 'tree' cannot hold .* at most 1000 levels deep\.$/)
    expect(messageOf(() => toValue(nested(20_000)))).toMatch(/^INVALID_VALUE/)
    expect(messageOf(() => json({ default: nested(20_000) as never }))).toMatch(/^INVALID_COLUMN_TYPE/)
  })
  test('lists that hold each other are looked at once, and refused before their text is written', () => {
    const doubled = (levels: number, leaf: unknown = 1): unknown => {
      let data = leaf
      for (let i = 0; i < levels; i++) data = [data, data]
      return data
    }
    expect(fromValue(toValue(doubled(12)))).toEqual(doubled(12))
    let looks = 0
    // prettier-ignore
    toValue(doubled(10, { get leaf() { return looks++ } }))
    expect(looks).toBe(1 + 1024) // once before it is written
    expect(messageOf(() => toValue(doubled(40)))).toMatch(/^INVALID_VALUE: .* at most 16777216 characters and at most 1000 levels deep\.$/)
    expect(messageOf(() => toValue(doubled(900)))).toMatch(/^INVALID_VALUE/)
    const long = 'x'.repeat(100_000)
    expect(messageOf(() => toValue(Array.from({ length: 100_000 }, () => long)))).toMatch(/^INVALID_VALUE/)
    expect(messageOf(() => toValue('x'.repeat(16_777_217)))).toMatch(/^INVALID_VALUE/)
  })
  test('a part that is shared is as deep as where it is deepest', () => {
    const part = nested(600)
    const below = (levels: number): unknown => {
      let data: unknown = part
      for (let i = 0; i < levels; i++) data = [data]
      return [part, data]
    }
    expect(toValue(below(399))).toBe(JSON.stringify(below(399)))
    expect(messageOf(() => toValue(below(400)))).toMatch(/^INVALID_VALUE/)
    expect(messageOf(() => toValue([below(399)]))).toMatch(/^INVALID_VALUE/)
  })
  test('breadth is no depth', () => {
    const wide = Array.from({ length: 5000 }, () => [{}])
    expect(fromValue(toValue(wide))).toEqual(wide)
  })
})

test('a plain object is one of any realm, and has no hidden prototype', () => {
  for (const plain of [{}, Object.create(null), runInNewContext('({ a: 1 })')]) expect(isPlainObject(plain)).toBe(true)
  const bare = Object.create(Object.create(null) as object) as unknown
  for (const other of [null, 'x', [], new Map(), { __proto__: { a: 1 } }, bare, runInNewContext('new Date()')]) {
    expect(isPlainObject(other)).toBe(false)
  }
})
