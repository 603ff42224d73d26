import { compareKeys, toHex } from '#codec'
import { partitionSchema, primaryKey, type HashLevel } from '#formats/kudu'
import { describe, expect, test } from 'vitest'
import { columnsOf, keyOf } from './columns.js'
import { groups, type Group, type HashData, type Vector } from './vectors.js'

const isCut = ({ id }: Group): boolean => id.endsWith('/truncated')
const isRefused = ({ vectors }: Group): boolean => vectors.every(({ error }) => error !== undefined)
const primary = groups('primary/')
const partition = groups('partition/')

test('the vectors are all there', () => {
  expect([primary.length, partition.length]).toEqual([22, 9])
  expect(primary.filter(isCut).map(({ id }) => id)).toEqual(['primary/VARCHAR(3)/truncated'])
  expect(primary.filter(isRefused).map(({ id }) => id)).toEqual(['primary/unset-reject', 'primary/DECIMAL(9,2)/reject'])
})

describe.each(primary.filter((group) => !isCut(group) && !isRefused(group)))('$id', ({ types, vectors }) => {
  const key = primaryKey(columnsOf(types))

  test('the bytes, both ways', () => {
    for (const vector of vectors) {
      const given = keyOf(vector, types)
      const bytes = key.encode(given)
      expect(toHex(bytes)).toBe(vector.hex)
      expect(key.decode(bytes)).toEqual(given)
    }
  })

  test('the order', () => expectOrder(vectors, (vector) => key.encode(keyOf(vector, types))))
})

describe.each(primary.filter(isRefused))('$id', ({ types, vectors }) => {
  test.each(vectors)('$values', (vector) => {
    expect(() => primaryKey(columnsOf(types)).encode(keyOf(vector, types))).toThrow(/^INVALID_VALUE/)
  })
})

test('primary/VARCHAR(3)/truncated: refused here, cut there', () => {
  const { types, vectors } = primary.find(isCut) as Group
  const key = primaryKey(columnsOf(types))
  const refused = vectors.filter((vector) => {
    const given = keyOf(vector, types) as { c0: string }
    if (given.c0.length <= 3) expect(toHex(key.encode(given))).toBe(vector.hex)
    else expect(() => key.encode(given)).toThrow("because Kudu's clients truncate longer text")
    return given.c0.length > 3
  })
  expect(refused.map(({ values }) => values[0]?.v)).toEqual(['abcd', 'ab\u{1f600}c', 'éééé'])
})

describe.each(partition)('$id', ({ types, options, vectors }) => {
  const { hash = [], range = [], customRange } = options
  const named = (levels: readonly HashData[]): HashLevel[] =>
    levels.map(({ columns, buckets, seed }) => ({ columns: columns.map((at) => `c${at}`), buckets, seed: Number(seed) }))
  const schema = partitionSchema(columnsOf(types), {
    hash: named(hash),
    range: range.map((at) => `c${at}`),
    ...(customRange && {
      customRanges: [{ from: { c0: Number(customRange.lower) }, to: { c0: Number(customRange.upper) }, hash: named(customRange.hash) }],
    }),
  })

  test('the bytes and the buckets', () => {
    for (const vector of vectors) {
      const given = keyOf(vector, types)
      expect(toHex(schema.encode(given))).toBe(vector.hex)
      const buckets = Array.from({ length: hash.length }, (_, i) => Number.parseInt((vector.hex ?? '').slice(8 * i, 8 * i + 8), 16))
      expect(schema.buckets(given)).toEqual(buckets)
      if (vector.buckets !== undefined) expect(buckets).toEqual(vector.buckets)
    }
  })

  test('the order', () => expectOrder(vectors, (vector) => schema.encode(keyOf(vector, types))))
})

function expectOrder(vectors: readonly Vector[], encode: (vector: Vector) => Uint8Array): void {
  const encoded = vectors.map((vector) => ({ rank: vector.rank as number, bytes: encode(vector) }))
  for (const a of encoded) {
    for (const b of encoded) expect(Math.sign(compareKeys(a.bytes, b.bytes))).toBe(Math.sign(a.rank - b.rank))
  }
}
