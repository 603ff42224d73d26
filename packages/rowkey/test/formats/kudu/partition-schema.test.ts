import { compareKeys, fromHex, kuduHash, int32, keyLayout, text, toHex } from '#codec'
import { INT32, INT64, STRING, partitionSchema, primaryKey, type PartitionOptions } from '#formats/kudu'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { murmur2Modulo } from '../../../src/codec/salts/murmur2.js'
import { property } from '../../../../../test/kit/property.js'

const columns = [
  ['a', STRING],
  ['b', INT32],
  ['c', STRING],
] as const
type Key = Record<'a' | 'c', string> & { b: number }
const key = { a: 'x', b: 7, c: 'y' }

const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ unit: fc.constantFrom('\0', '\x01', 'a'), maxLength: 5 }))
const keys = fc.record({ a: texts, b: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), c: texts })
const counts = fc.integer({ min: 2, max: 2 ** 31 - 1 })
const seeds = fc.nat(2 ** 32 - 1)

property('a bucket is the hash of the columns as a key of their own', fc.tuple(keys, counts, seeds), ([row, buckets, seed]) => {
  const hashed = primaryKey([
    ['a', STRING],
    ['c', STRING],
  ]).encode({ a: row.a, c: row.c })
  const expected = murmur2Modulo(hashed, 0, hashed.length, seed, buckets)
  // The order in which a level lists its columns means nothing.
  for (const names of [['a', 'c'] as const, ['c', 'a'] as const]) {
    expect(partitionSchema(columns, { hash: [{ columns: names, buckets, seed }] }).buckets(row)).toEqual([expected])
  }
})

property('a partition key is the buckets and the range columns', fc.tuple(keys, counts, counts), ([row, first, second]) => {
  const schema = partitionSchema(columns, {
    hash: [
      { columns: ['c'], buckets: first },
      { columns: ['b', 'a'], buckets: second, seed: 5 },
    ],
    range: ['c', 'b'],
  })
  const buckets = schema.buckets(row).map((bucket) => bucket.toString(16).padStart(8, '0'))
  const range = primaryKey([
    ['c', STRING],
    ['b', INT32],
  ]).encode({ c: row.c, b: row.b })
  expect(toHex(schema.encode(row))).toBe(buckets.join('') + toHex(range))
})

property('the salt kuduHash() gives the same buckets', fc.tuple(keys, fc.integer({ min: 2, max: 65_536 }), seeds), ([row, count, seed]) => {
  const salt = kuduHash({ of: ['c', 'b'], count: count, seed })
  const { rows } = keyLayout(
    [
      ['a', text()],
      ['b', int32()],
      ['c', text()],
    ],
    { salt },
  )
  const { buckets } = partitionSchema(columns, { hash: [{ columns: ['c', 'b'], buckets: count, seed }] })
  expect([rows.bucketOf([row.a, row.b, row.c])]).toEqual(buckets(row))
})

property('keys of one bucket sort by their range columns', fc.tuple(keys, keys), ([one, other]) => {
  const { encode } = partitionSchema(columns, { range: ['b', 'c'] })
  const byText = Buffer.compare(Buffer.from(one.c), Buffer.from(other.c))
  expect(Math.sign(compareKeys(encode(one), encode(other)))).toBe(Math.sign(one.b - other.b) || byText)
})

test('the seed is 0 without one, and counts', () => {
  const bucketOf = (seed?: number): readonly number[] =>
    partitionSchema(columns, { hash: [{ columns: ['a'], buckets: 2 ** 31 - 1, ...(seed !== undefined && { seed }) }] }).buckets(key)
  expect(bucketOf()).toEqual(bucketOf(0))
  expect(bucketOf()).not.toEqual(bucketOf(1))
})

test('a table of one tablet has one partition key, without bytes', () => {
  const { encode, buckets } = partitionSchema(columns, { range: [] })
  expect([toHex(encode(key)), buckets(key)]).toEqual(['', []])
})

describe('ranges with hash levels of their own', () => {
  const table = [{ columns: ['c'], buckets: 1000 }] as const
  const own = (seed: number) => [{ columns: ['c'], buckets: 1000, seed }] as const
  const bucket = (seed: number): number => {
    const [only = -1] = partitionSchema(columns, { hash: own(seed) }).buckets(key)
    return only
  }
  const schema = partitionSchema(columns, {
    hash: table,
    range: ['b'],
    customRanges: [
      { from: { b: 30 }, hash: own(3) },
      { to: { b: 0 }, hash: own(1) },
      { from: { b: 10 }, to: { b: 20 }, hash: own(2) },
    ],
  })

  test('the seeds can be told apart', () => expect(new Set([0, 1, 2, 3].map(bucket)).size).toBe(4))

  test.each([
    [-(2 ** 31), 1],
    [-1, 1],
    [0, 0],
    [9, 0],
    [10, 2],
    [19, 2],
    [20, 0],
    [29, 0],
    [30, 3],
    [2 ** 31 - 1, 3],
  ])('b = %i is hashed with seed %i', (b, seed) => {
    expect(schema.buckets({ ...key, b })).toEqual([bucket(seed)])
    expect(toHex(schema.encode({ ...key, b })).slice(0, 8)).toBe(bucket(seed).toString(16).padStart(8, '0'))
  })

  test('ranges may touch', () => {
    const touching = [
      { from: { b: 5 }, to: { b: 9 }, hash: own(1) },
      { from: { b: 9 }, to: { b: 12 }, hash: own(2) },
    ]
    const { buckets } = partitionSchema(columns, { hash: table, range: ['b'], customRanges: touching })
    expect([8, 9].map((b) => buckets({ ...key, b }))).toEqual([[bucket(1)], [bucket(2)]])
  })

  test('over several columns they are ranges of the columns together', () => {
    const ranges = [{ from: { a: 'm', b: 5 }, to: { a: 'n', b: -5 }, hash: own(1) }]
    const { buckets } = partitionSchema(columns, { hash: table, range: ['a', 'b'], customRanges: ranges })
    const inside = [
      ['m', 4, 0],
      ['m', 5, 1],
      ['m\0', -100, 1],
      ['n', -6, 1],
      ['n', -5, 0],
      ['n\0', -100, 0],
    ] as const
    for (const [a, b, seed] of inside) expect(buckets({ a, b, c: key.c })).toEqual([bucket(seed)])
  })
})

describe('what no table of Kudu is', () => {
  const level = { columns: ['a'], buckets: 4 } as const
  const refuse = (options: unknown, message: string): void => {
    expect(() => partitionSchema(columns, options as PartitionOptions<Key>)).toThrow(
      expect.objectContaining({ code: 'INVALID_LAYOUT', message: expect.stringContaining(message) as unknown }),
    )
  }
  test.each<[title: string, options: unknown, message: string]>([
    ['no options', undefined, 'options of partitionSchema() cannot be undefined'],
    ['neither hash nor range', {}, 'neither hash nor range. Give one of them'],
    ['an unknown option', { hash: [level], ranges: [] }, "no option 'ranges'"],
    ['a level that is no object', { hash: ['a'] }, 'a hash level'],
    ['levels that are no list', { hash: level }, 'Give a list of { columns, buckets, seed }'],
    ['an unknown option of a level', { hash: [{ ...level, count: 4 }] }, "no option 'count'"],
    ['one bucket', { hash: [{ ...level, buckets: 1 }] }, 'buckets 1'],
    ['no count', { hash: [{ columns: ['a'] }] }, 'buckets undefined'],
    ['2^31 buckets', { hash: [{ ...level, buckets: 2 ** 31 }] }, 'buckets 2147483648'],
    ['a seed below 0', { hash: [{ ...level, seed: -1 }] }, 'seed -1'],
    ['a seed of 33 bits', { hash: [{ ...level, seed: 2 ** 32 }] }, 'seed 4294967296'],
    ['a level of nothing', { hash: [{ ...level, columns: [] }] }, 'no columns'],
    ['a level of text', { hash: [{ ...level, columns: 'a' }] }, 'Give a list of names'],
    ['a level of an unknown column', { hash: [{ ...level, columns: ['d'] }] }, 'names "d"'],
    ['a column twice in a level', { hash: [{ ...level, columns: ['a', 'a'] }] }, "column 'a' is in a hash level twice"],
    ['a column in two levels', { hash: [level, { ...level, columns: ['b', 'a'] }] }, "column 'a' is in two hash levels"],
    ['a range of an unknown column', { range: ['d'] }, 'names "d"'],
    ['a column twice in the range', { range: ['b', 'b'] }, "column 'b' is in a range twice"],
    ['custom ranges without range columns', { hash: [level], customRanges: [{ hash: [level] }] }, "Name them in 'range'"],
    ['custom ranges that are no list', { range: ['b'], customRanges: {} }, 'customRanges cannot be'],
    ['an unknown option of a range', { range: ['b'], customRanges: [{ lower: 1, hash: [] }] }, "no option 'lower'"],
    ['a range without hash', { range: ['b'], customRanges: [{}] }, 'the hash levels cannot be undefined'],
    ['another number of levels', { hash: [level], range: ['b'], customRanges: [{ hash: [] }] }, '0 hash levels and the table has 1'],
    [
      'an empty range',
      { hash: [level], range: ['b'], customRanges: [{ from: { b: 1 }, to: { b: 1 }, hash: [level] }] },
      'a custom range is empty',
    ],
    [
      'ranges that overlap',
      {
        hash: [level],
        range: ['b'],
        customRanges: [
          { from: { b: 4 }, to: { b: 9 }, hash: [level] },
          { from: { b: 1 }, to: { b: 5 }, hash: [level] },
        ],
      },
      'overlap',
    ],
    ['two open ranges', { hash: [level], range: ['b'], customRanges: [{ hash: [level] }, { from: { b: 1 }, hash: [level] }] }, 'overlap'],
  ])('%s', (_, options, message) => refuse(options, message))

  test.each<[title: string, from: unknown]>([
    ['without a range column', {}],
    ['with a column that is none', { b: 1, a: 'x' }],
    ['with a value that does not fit', { b: 2 ** 31 }],
    ['null', null],
  ])('a bound %s', (_, from) => {
    const options = { hash: [level], range: ['b'], customRanges: [{ from, hash: [level] }] }
    expect(() => partitionSchema(columns, options as PartitionOptions<Key>)).toThrow(/^INVALID_VALUE/)
  })
})

test('a row has all columns of the key, also those that partition nothing', () => {
  const { encode, buckets } = partitionSchema(columns, { range: ['b'] })
  for (const call of [encode, buckets]) {
    expect(() => call({ a: 'x', b: 1 } as never)).toThrow("INVALID_VALUE: column 'c'")
    expect(() => call({ ...key, d: 1 } as never)).toThrow(/^INVALID_VALUE/)
  }
})

test('published: HASH(a, b) 32, HASH(c) 32 seed 42, RANGE(a, b, c)', () => {
  const schema = partitionSchema(
    [
      ['a', INT32],
      ['b', STRING],
      ['c', STRING],
    ],
    {
      hash: [
        { columns: ['a', 'b'], buckets: 32 },
        { columns: ['c'], buckets: 32, seed: 42 },
      ],
      range: ['a', 'b', 'c'],
    },
  )
  expect(schema.encode({ a: 0, b: '', c: '' })).toEqual(fromHex('00000000' + '00000014' + '80000000' + '0000'))
  expect(schema.encode({ a: 1, b: 'b', c: 'c' })).toEqual(fromHex('00000000' + '0000001d' + '80000001' + '620000' + '63'))
})

test('types: keys and names are those of the columns', () => {
  const typed = primaryKey([
    ['n', INT64],
    ['s', STRING],
  ])
  const bytes = typed.encode({ n: 1n, s: 'x' })
  const back: { n: bigint; s: string } = typed.decode(bytes)
  expect(back).toEqual({ n: 1n, s: 'x' })
  // @ts-expect-error a number is no INT64
  expect(() => typed.encode({ n: 1, s: 'x' })).toThrow(/^INVALID_VALUE/)
  // @ts-expect-error there is no such column
  expect(() => partitionSchema(columns, { range: ['d'] })).toThrow(/^INVALID_LAYOUT/)
})
