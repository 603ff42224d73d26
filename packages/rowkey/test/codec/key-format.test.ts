import { bytes, keyLayout, text, toHex, type ColumnType, type KeyLayout, type Salt } from '#codec'
import { typeFacts } from '#codec/internal'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { blocks, headers, rowsOf, valueOf } from './spec/page.js'

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

const [forms, example, encodings, types, salts, keys, bounds, laws] = [
  '| form | null | 5 | order |',
  '| part | offset | bytes | what |',
  '| type | fields | bytes | ordered | why bytes sort like values, or do not |',
  '| type | value | hex |',
  '| salt | kind | fields | bytes | count |',
  '| layout | key | hex |',
  '| layout | prefix | edge | bucket | hex |',
  '| law | rules | test | title |',
].map(rowsOf) as [string[][], string[][], string[][], string[][], string[][], string[][], string[][], string[][]]

const keyKinds = [
  ...[
    'text',
    'bytes',
    'fixedBytes',
    'fixedText',
    'lastText',
    'lastBytes',
    'bool',
    'uuid',
    'ulid',
    'decimal',
    'timestamp',
    'date',
    'float32',
    'float64',
  ],
  ...['paddedText', 'separatedText', 'reversed', 'dictionary', 'digits'],
  ...['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'],
].sort()

test('every table of the page is read here', () => expect(headers).toHaveLength(8))

describe('KEY-39 KEY-40 KEY-41 KEY-42 KEY-6 KEY-7 KEY-8 KEY-9 KEY-10 KEY-11 KEY-12 KEY-13 KEY-14 KEY-15 KEY-16 KEY-17 KEY-18 KEY-19: the vectors of one column', () => {
  test.each(types)('%s of %s is %s', (type, value, hex) => {
    const layout = keyLayout([['c', valueOf(type) as ColumnType]])
    const given = valueOf(value)
    expect(toHex(layout.encode({ c: given }))).toBe(hex)
    expect(layout.decode(bytesOf(hex))).toEqual({ c: Object.is(given, -0) ? 0 : given })
  })

  test('show every key type, in both directions', () => {
    const shown = types.map(([type]) => valueOf(type as string) as ColumnType)
    expect([...new Set(shown.map(({ kind }) => kind))].sort()).toEqual(keyKinds)
    expect(new Set(shown.filter((type) => type.desc).map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(15)
  })
})

describe('KEY-4 KEY-5: the six forms of a column', () => {
  test.each(forms)('%s: null is %s, 5 is %s, the order is %s', (type, nil, five, order) => {
    const { encode } = keyLayout([['c', valueOf(type) as ColumnType]])
    expect(toHex(encode({ c: 5 }))).toBe(five)
    if (nil === '—') expect(() => encode({ c: null })).toThrow(/^INVALID_VALUE/)
    else expect(toHex(encode({ c: null }))).toBe(nil)
    const given = order.split(' ').map((value) => valueOf(value) as number | null)
    expect(given.map((c) => toHex(encode({ c })))).toEqual(given.map((c) => toHex(encode({ c }))).sort())
    expect(given.toSorted()).toEqual(nil === '—' ? [0, 255, 5] : [0, 255, 5, null])
  })
})

describe('KEY-1: the key that is shown byte by byte', () => {
  const [layout, key] = exampleOf(blocks[0] as string)
  const parts = layout.inspect(layout.encode(key)).parts

  test('is what encode gives', () => expect(example.map(([, , hex]) => hex).join('')).toBe(toHex(layout.encode(key))))

  test('has its parts where the table says', () => {
    let at = 0
    for (const [part, offset, hex] of example as [string, string, string][]) {
      expect(Number(offset)).toBe(at)
      const holder = parts.find((each) => each.offset <= at && at < each.offset + each.length)
      expect(holder?.name).toBe(part)
      at += hex.length / 2
      expect(at).toBeLessThanOrEqual((holder?.offset ?? 0) + (holder?.length ?? 0))
    }
  })
})

/** `keyLayout(…).encode({ … })`: the layout and the key. */
function exampleOf(block: string): [layout: KeyLayout, key: Record<string, unknown>] {
  const cut = block.indexOf('.encode(')
  return [valueOf(block.slice(0, cut)) as KeyLayout, valueOf(block.slice(cut + '.encode'.length)) as Record<string, unknown>]
}

describe('KEY-20 KEY-36 KEY-37: the table of encodings', () => {
  test.each(encodings)('%s has fields %s, %s bytes, is ordered: %s', (expression, fields, length, ordered) => {
    const type = valueOf(expression) as ColumnType
    expect(expression.startsWith(`${type.kind}(`)).toBe(true)
    expect(own(type, ['kind', 'desc', 'nullable', 'ordered'])).toEqual(sorted(fields))
    expect(type.ordered).toBe({ yes: true, no: false }[ordered])
    const { minBytes, maxBytes } = keyLayout([['c', type]])
    expect(lengthOf(minBytes, maxBytes)).toBe(length)
  })

  test('has all of them, and no other column types exist', () => {
    expect([...new Set(encodings.map(([type]) => (valueOf(type as string) as ColumnType).kind))].sort()).toEqual(keyKinds)
  })

  test('a column that may be null takes one byte to one more, a layout the sum', () => {
    // Those without an end of their own cannot be null, nor can several be in one layout.
    const all = encodings.map(([type]) => valueOf(type as string) as ColumnType).filter((type) => !typeFacts(type).openEnded)
    for (const type of all) {
      const { minBytes, maxBytes } = keyLayout([['c', nullableOf(type)]])
      expect([minBytes, maxBytes]).toEqual([1, keyLayout([['c', type]]).maxBytes + 1])
    }
    const sum = (lengths: readonly number[]): number => lengths.reduce((a, b) => a + b, 0)
    const whole = keyLayout(all.map((type, i) => [`c${i}`, type] as const))
    expect(whole.minBytes).toBe(sum(all.map((type) => keyLayout([['c', type]]).minBytes)))
    const bounded = all.filter((type) => keyLayout([['c', type]]).maxBytes < Infinity)
    expect(keyLayout(bounded.map((type, i) => [`c${i}`, type] as const)).maxBytes).toBe(
      sum(bounded.map((type) => keyLayout([['c', type]]).maxBytes)),
    )
  })
})

const sorted = (fields: string): string[] => fields.split(/, |^$/).filter(Boolean).sort()
const own = (data: object, common: readonly string[]): string[] =>
  Object.entries(data)
    .flatMap(([name, value]) => (common.includes(name) || value === undefined ? [] : [name]))
    .sort()
const lengthOf = (min: number, max: number): string => (max === Infinity ? `${min} and up` : min === max ? `${min}` : `${min} to ${max}`)
const nullableOf = (type: ColumnType): ColumnType => (valueOf('nullable') as (type: ColumnType) => ColumnType)(type)

describe('KEY-21 KEY-36 KEY-37 KEY-38: the table of salts', () => {
  test.each(salts)('%s is a %s with fields %s, %s bytes, %s buckets', (expression, kind, fields, length, count) => {
    const salt = valueOf(expression) as Salt<'n'>
    expect(salt.kind).toBe(kind)
    expect(own(salt, ['kind', 'of', 'count'])).toEqual(sorted(fields))
    expect(salt.count).toBe(Number(count))
    const columns = [['n', valueOf('int8()') as ColumnType]] as const
    expect(keyLayout(columns, { salt }).minBytes - keyLayout(columns).minBytes).toBe(Number(length))
  })

  test('has all of them', () =>
    expect(new Set(salts.map(([, kind]) => kind))).toEqual(new Set(['hash', 'modulo', 'hashPrefix', 'hashPartition'])))
})

describe('KEY-1 KEY-38 KEY-21 KEY-22 KEY-23 KEY-24 KEY-25 KEY-35: the vectors of whole keys', () => {
  test.each(keys)('%s of %s', (expression, key, hex) => {
    const layout = valueOf(expression) as KeyLayout
    expect(toHex(layout.encode(valueOf(key) as Record<string, unknown>))).toBe(hex)
    expect(layout.decode(bytesOf(hex))).toEqual(valueOf(key))
  })
})

describe('KEY-26 KEY-27 KEY-43: the vectors of bounds', () => {
  test.each(bounds)('%s: %s %s, bucket %s', (expression, prefix, edge, bucket, hex) => {
    const layout = valueOf(expression) as KeyLayout
    const bytes = layout.bound(valueOf(prefix) as Record<string, unknown>, edge as 'before', bucket === 'own' ? undefined : Number(bucket))
    expect(bytes === null ? 'null' : toHex(bytes)).toBe(hex === 'empty' ? '' : hex)
  })
})

test('KEY-32: text has no limit of its own', () => {
  const layout = keyLayout([
    ['a', text()],
    ['b', bytes()],
  ])
  const key = { a: '\0é'.repeat(50_000), b: new Uint8Array(100_000) }
  expect(layout.decode(layout.encode(key))).toEqual(key)
})

describe('the laws', () => {
  test.each(laws)('%s %s is proved by %s', (_, rules, file, title) => {
    const source = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')
    expect(source).toMatch(new RegExp(`(?:property|test|check)\\(\\s*'${title.replaceAll(/[()+]/g, '\\$&')}'`))
    expect(rules).toMatch(/^KEY-\d+(?: KEY-\d+)*$/)
  })
})
