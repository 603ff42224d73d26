import { describe, expect, test } from 'vitest'
import { seeded } from '../../../test/kit/seeded.js'
import { refusing } from '../src/refusal.js'
import type { Row, Value } from '../src/requests.js'
import { cellOf, greatest, keyBound, nextOf, orderedOf, orderOf, primaryKey, smallest } from '../src/rows/keys.js'
import { layoutOf, type CellColumn } from '../src/rows/layout.js'
import { bucketOf } from '../src/rows/murmur2.js'
import { partitionKey } from '../src/rows/partition-key.js'
import { viewOf } from '../src/rows/sink.js'
import type { TableColumn, TableHashLevel } from '../src/table.js'
import { allTypes, compareValues, randomKey, randomTable, randomValue } from './random-values.js'
import { tableOf } from './tables.js'
import { groups, valueOf, type Cell, type Group } from './vectors.js'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const tableOfGroup = ({ types, options }: Group) => {
  const levels = (given: NonNullable<Group['options']['hash']>): TableHashLevel[] =>
    given.map(({ columns, buckets, seed }) => ({ columns, buckets, seed: Number(seed) }))
  const { hash = [], range = [], customRange } = options
  const bound = (value: string): Uint8Array => primaryKey(tableOf({ types: ['INT32'] }), [Number(value)])
  const customRanges =
    customRange === undefined ? [] : [{ from: bound(customRange.lower), to: bound(customRange.upper), hash: levels(customRange.hash) }]
  return tableOf({ types, hash: levels(hash), range, customRanges })
}

describe('what the client for Java encodes', () => {
  test.each(groups.filter(({ options }) => options.key !== undefined).map((group) => [group.id, group] as const))('%s', (_, group) => {
    const table = tableOfGroup(group)
    for (const { values, hex: expected, buckets } of group.vectors) {
      const row = (): (ReturnType<typeof valueOf> | undefined)[] =>
        values.map((cell, index) => (cell === null ? undefined : valueOf(cell, group.types[index] as string)))
      // That client cuts a text that is too long for its VARCHAR, and here it is refused.
      if (expected === undefined || values.some((cell, index) => isTooLong(cell, group.types[index] as string))) {
        expect(() => primaryKey(table, row())).toThrow()
      } else if (group.options.key === 'primary') expect(hex(primaryKey(table, row()))).toBe(expected)
      else {
        const key = partitionKey(table, row())
        expect(hex(key.bytes)).toBe(expected)
        if (buckets !== undefined) expect(key.buckets).toEqual(buckets)
      }
    }
  })
})

const isTooLong = (cell: Cell | null, type: string): boolean =>
  cell?.t === 'string' && [...cell.v].length > Number(/^VARCHAR\((\d+)\)$/.exec(type)?.[1] ?? Infinity)

test('the hash of bytes, by a whole number of buckets', () => {
  for (const { options, vectors } of groups.filter(({ id }) => id.startsWith('murmur2/'))) {
    for (const { values, hex: expected } of vectors) {
      const bytes = Buffer.from((values[0] as Cell).v, 'hex')
      const padded = viewOf(Buffer.concat([bytes, Buffer.from('xy')]))
      for (const buckets of [2, 3, 7, 16, 1000, 65_537, 2 ** 31 - 1]) {
        const remainder = Number(BigInt(`0x${expected}`) % BigInt(buckets))
        expect(bucketOf(padded, bytes.length, Number(options.seed), buckets)).toBe(remainder)
      }
    }
  }
})

describe('order', () => {
  test('keys compare as their values do', () => {
    const random = seeded()
    for (let round = 0; round < 300; round++) {
      const table = randomTable(random)
      const keys = Array.from({ length: 30 }, () => randomKey(random, table))
      const inOrder = keys.sort((a, b) => compareKeys(a, b)).map((key) => primaryKey(table, key))
      for (const [index, key] of inOrder.entries()) {
        if (index === 0) continue
        const compared = Math.sign(Buffer.compare(inOrder[index - 1] as Uint8Array, key))
        expect(compared).toBe(Math.sign(compareKeys(keys[index - 1] as Value[], keys[index] as Value[])))
      }
    }
  })

  test.each(allTypes)('%s: values in order, the next one, and the cell', (type) => {
    const random = seeded()
    const [column] = layoutOf(tableOf({ types: [type] }).columns).columns as [CellColumn]
    for (let round = 0; round < 500; round++) {
      const a = randomValue(random, tableOf({ types: [type] }).columns[0] as TableColumn)
      const b = randomValue(random, tableOf({ types: [type] }).columns[0] as TableColumn)
      const [first, second] = [orderedOf(column, a), orderedOf(column, b)]
      expect(Math.sign(Buffer.compare(first, second))).toBe(Math.sign(compareValues(a, b)))
      expect(orderOf(column, cellOf(column, first))).toEqual(first)
      const next = nextOf(column, first)
      if (next === undefined) expect(greatest(column)).toEqual(first)
      else expect(Buffer.compare(first, next)).toBe(-1)
      expect(Buffer.compare(smallest(column), first)).not.toBe(1)
    }
  })
})

const compareKeys = (a: readonly Value[], b: readonly Value[]): number => {
  for (const [index, value] of a.entries()) {
    const compared = compareValues(value, b[index] as Value)
    if (compared !== 0) return compared
  }
  return 0
}

describe('bounds of a scan', () => {
  const table = tableOf({ types: ['STRING', 'INT32', 'DATE', 'DECIMAL(3,1)', 'STRING', 'INT8'], keyColumns: 5 })

  test('what is left out at the end is the smallest', () => {
    const date = hex(orderedOf(layoutOf(table.columns).columns[2] as CellColumn, -719_162))
    expect(hex(keyBound(table, { c0: 'h\0' }))).toBe(`680001000000000000${date}7ffffc19`)
    expect(hex(keyBound(table, ['h\0']))).toBe(`680001000000000000${date}7ffffc19`)
    expect(hex(keyBound(table, { c0: 'h', c1: 1 }))).toBe(`68000080000001${date}7ffffc19`)
    const whole = ['h', 1, 2, 3n, 'z']
    expect(keyBound(table, whole)).toEqual(primaryKey(table, whole))
    const key = Buffer.from('any')
    expect(keyBound(table, key)).toBe(key)
  })

  test.each<[string, unknown]>([
    ['c1 is not set, but c2 is, which follows it in the key', { c0: 'h', c2: 1 }],
    ['c0 is not set, but c1 is, which follows it in the key', [undefined, 1]],
    ['c5 is no column of the key', { c0: 'h', c5: 1 }],
    ["c9 is no column. There are 'c0', 'c1', 'c2', 'c3', 'c4', 'c5'", { c0: 'h', c9: 1 }],
    ['has no column of the key', {}],
    ['is a string. Give a row or an encoded key', 'h'],
    ['c0 is null. STRING takes text', { c0: null }],
    ['c1 is 0.5. INT32 takes whole numbers from -2147483648 to 2147483647', { c0: 'h', c1: 0.5 }],
    ['has a key with 16397 bytes. Kudu takes at most 16384', { c0: 'h'.repeat(16_383) }],
  ])('%s', (expected, bound) => {
    const bounded = (): unknown => refusing('scan', () => keyBound(table, bound as Row))
    expect(bounded).toThrow(expected)
  })
})

test('a key needs all its columns, each of its type', () => {
  const table = tableOf({ types: ['STRING', 'INT8'], hash: [{ columns: [1], buckets: 3, seed: 0 }], range: [0] })
  for (const keyOf of [primaryKey, partitionKey]) {
    expect(() => keyOf(table, { c0: 'a' })).toThrow('is not set. It is a column of the key')
    expect(() => keyOf(table, ['a', '1'])).toThrow('is a string. INT8 takes a number')
    expect(() => keyOf(table, ['a', null])).toThrow('is null. INT8 takes a number')
  }
})

test('a partition key knows its parts', () => {
  const table = tableOf({ types: ['STRING', 'INT8'], hash: [{ columns: [1], buckets: 3, seed: 0 }], range: [0] })
  const key = partitionKey(table, ['ab', 1])
  expect(key.buckets).toHaveLength(1)
  expect(hex(key.bytes)).toBe(`0000000${key.buckets[0]}6162`)
  expect(Buffer.from(key.range).toString()).toBe('ab')
})
