import { expect, test } from 'vitest'
import { seeded, type Random } from '../../../test/kit/seeded.js'
import { refusing } from '../src/refusal.js'
import type { Predicate, Scan, Value } from '../src/requests.js'
import { keyBound, primaryKey } from '../src/rows/keys.js'
import { partitionKey } from '../src/rows/partition-key.js'
import { factsOf, prunedRanges, type KeyInterval } from '../src/rows/pruning.js'
import type { KuduTable, TableColumn } from '../src/table.js'
import { holdsFor, randomPredicate } from './random-predicates.js'
import { randomKey, randomTable } from './random-values.js'
import { tableOf } from './tables.js'

const prunedFor = (of: KuduTable, scan: Pick<Scan, 'where' | 'start' | 'stop' | 'after'>): readonly KeyInterval[] =>
  prunedRanges(of, factsOf(of, scan))

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const shown = (table: KuduTable, scan: Pick<Scan, 'where' | 'start' | 'stop' | 'after'>): string[] =>
  prunedFor(table, scan).map(({ from, to }) => `${hex(from)}..${hex(to)}`)

/** The comment of PartitionPruner in the client for Java: hash(0) = 0 and hash(2) = 2 there; here the buckets are those of the values. */
const comment = tableOf({
  types: ['INT32', 'INT32', 'INT32'],
  names: ['a', 'b', 'c'],
  hash: [
    { columns: [0], buckets: 2, seed: 0 },
    { columns: [1], buckets: 3, seed: 0 },
  ],
  range: [2],
})
const [bucketA, bucketB] = partitionKey(comment, [0, 2, 0]).buckets as [number, number]
const b4 = (bucket: number): string => `0000000${bucket}`
const a = { column: 'a', equals: 0 }
const b = { column: 'b', equals: 2 }
const c = { column: 'c', equals: 0 }
const [c0, c1] = ['80000000', '80000001']
const both = [0, 1]
const three = [0, 1, 2]

test.each<[string, readonly Predicate[], readonly string[]]>([
  ['a b c', [a, b, c], [`${b4(bucketA)}${b4(bucketB)}${c0}..${b4(bucketA)}${b4(bucketB)}${c1}`]],
  ['a b', [a, b], [`${b4(bucketA)}${b4(bucketB)}..${b4(bucketA)}${b4(bucketB + 1)}`]],
  ['a c', [a, c], three.map((bucket) => `${b4(bucketA)}${b4(bucket)}${c0}..${b4(bucketA)}${b4(bucket)}${c1}`)],
  ['b c', [b, c], both.map((bucket) => `${b4(bucket)}${b4(bucketB)}${c0}..${b4(bucket)}${b4(bucketB)}${c1}`)],
  ['a', [a], [`${b4(bucketA)}..${b4(bucketA + 1)}`]],
  ['b', [b], both.map((bucket) => `${b4(bucket)}${b4(bucketB)}..${b4(bucket)}${b4(bucketB + 1)}`)],
  ['c', [c], both.flatMap((first) => three.map((second) => `${b4(first)}${b4(second)}${c0}..${b4(first)}${b4(second)}${c1}`))],
  ['nothing', [], ['..']],
])('the partitions of %s', (_, where, expected) => {
  expect(shown(comment, { where })).toEqual(expected)
})

test('conditions that no row can hold', () => {
  expect(prunedFor(comment, { where: [{ column: 'a', in: [] }] })).toEqual([])
  expect(prunedFor(comment, { start: { a: 2 }, stop: { a: 2 } })).toEqual([])
  expect(prunedFor(comment, { start: { a: 2 }, stop: { a: 1 } })).toEqual([])
})

test('bounds of keys are bounds of partitions where these are ranges of keys', () => {
  const table = tableOf({ types: ['INT8', 'STRING'], range: [0, 1] })
  expect(shown(table, { start: { c0: 1 }, stop: [2, 'b'] })).toEqual(['81..8262'])
  expect(shown(table, { start: { c0: 1 }, where: [{ column: 'c0', from: 5 }] })).toEqual(['85..'])
  expect(shown(table, { after: Buffer.from('8361', 'hex'), stop: { c0: 4 } })).toEqual(['8361..84'])
  expect(shown(table, { stop: { c0: 4 }, where: [{ column: 'c0', from: 5 }] })).toEqual([])
  const otherOrder = tableOf({ types: ['INT8', 'STRING'], range: [1, 0] })
  expect(shown(otherOrder, { start: { c0: 1 }, stop: [2, 'b'] })).toEqual(['..'])
})

test('a value that cannot be counted up leaves the next one to those before it', () => {
  const table = tableOf({ types: ['INT8', 'INT8', 'STRING'], range: [0, 1, 2] })
  const equal = (...values: number[]): Predicate[] => values.map((value, index) => ({ column: `c${index}`, equals: value }))
  expect(shown(table, { where: equal(1, 127) })).toEqual(['81ff..8200'])
  expect(shown(table, { where: equal(127, 127) })).toEqual(['ffff..'])
})

test('bounds that are none are refused by their name', () => {
  const scan = (given: Pick<Scan, 'start' | 'stop'>) => () => refusing('scan', () => prunedFor(comment, given))
  expect(scan({ start: { b: 1 } })).toThrow('scan() was not sent: start.a is not set, but b is, which follows it in the key.')
  expect(scan({ stop: { a: 0.5 } })).toThrow('scan() was not sent: stop.a is 0.5. INT32 takes whole numbers')
})

test('with too many combinations of values all buckets are read', () => {
  // With one value for all, hash levels of 2 ** 20 buckets are never full.
  const table = tableOf({ types: ['INT32', 'INT32'], hash: [{ columns: [0, 1], buckets: 2 ** 20, seed: 0 }] })
  const list = Array.from({ length: 1000 }, (_, value) => value)
  const where = ['c0', 'c1'].map((column) => ({ column, in: list }))
  expect(prunedFor(table, { where })).toHaveLength(1)
  expect(prunedFor(table, { where: [where[0] as Predicate, { column: 'c1', equals: 0 }] }).length).toBeLessThanOrEqual(1000)
})

test('with more intervals than any table has tablets there is one', () => {
  const hash = [0, 1].map((column) => ({ columns: [column], buckets: 2 ** 31 - 1, seed: 0 }))
  const table = tableOf({ types: ['INT32', 'INT32', 'INT32'], hash, range: [2] })
  const [first, second] = [0, 1].map((column) => ({ column: `c${column}`, equals: 1 })) as [Predicate, Predicate]
  expect(shown(table, {})).toEqual(['..'])
  expect(shown(table, { where: [{ column: 'c2', equals: 1 }] })).toEqual(['..'])
  expect(shown(table, { where: [second] })).toEqual(['..'])
  expect(prunedFor(table, { where: [first, second, { column: 'c2', equals: 1 }] })).toHaveLength(1)
  expect(shown(table, { where: [first] })).not.toEqual(['..'])
})

/** Some ranges with hash levels of their own, with gaps between them or not. */
function withCustomRanges(random: Random, table: KuduTable): KuduTable {
  if (table.range.length === 0 || table.hash.length === 0) return table
  const rangeOf = (): Uint8Array => partitionKey({ ...table, hash: [] }, randomKey(random, table)).range
  const points = Array.from({ length: 6 }, rangeOf).sort((first, second) => Buffer.compare(first, second))
  const distinct = points.filter((point, index) => index === 0 || Buffer.compare(point, points[index - 1] as Uint8Array) !== 0)
  const open = (bound: Uint8Array): Uint8Array => (random.below(2) === 0 ? new Uint8Array() : bound)
  const customRanges = []
  for (let index = 0; index + 1 < distinct.length; index += 1 + random.below(2)) {
    const [from, to] = [distinct[index] as Uint8Array, distinct[index + 1] as Uint8Array]
    const hash = table.hash.map((level) => ({ ...level, buckets: 2 + random.below(5), seed: random.below(3) }))
    customRanges.push({ from: index === 0 ? open(from) : from, to: index + 2 === distinct.length ? open(to) : to, hash })
  }
  random.shuffle(customRanges)
  return { ...table, customRanges }
}

const isWithin = (key: Uint8Array, { from, to }: KeyInterval): boolean =>
  Buffer.compare(from, key) <= 0 && (to.length === 0 || Buffer.compare(key, to) < 0)

test('every row that holds lies in one of the intervals, which are in order', () => {
  const random = seeded()
  let [pruned, found] = [0, 0]
  for (let round = 0; round < 2000; round++) {
    const plain = randomTable(random)
    const table = random.below(2) === 0 ? plain : withCustomRanges(random, plain)
    const row = randomKey(random, table)
    const keyColumns = table.columns.slice(0, table.keyColumns)
    const where = keyColumns.flatMap((column) => (random.below(2) === 0 ? [] : [predicateFor(random, column, row)]))
    const start = random.below(4) === 0 ? randomKey(random, table) : undefined
    const stop = random.below(4) === 0 ? randomKey(random, table) : undefined
    const intervals = prunedFor(table, { where, start, stop })
    for (const [index, { from, to }] of intervals.entries()) {
      expect(to.length === 0 || Buffer.compare(from, to) < 0).toBe(true)
      if (index > 0) expect(Buffer.compare((intervals[index - 1] as KeyInterval).to, from)).toBeLessThanOrEqual(0)
    }
    const key = primaryKey(table, row)
    const holds =
      where.every((predicate) => holdsFor(predicate, row[table.columns.findIndex(({ name }) => name === predicate.column)] as Value)) &&
      (start === undefined || Buffer.compare(keyBound(table, start), key) <= 0) &&
      (stop === undefined || Buffer.compare(key, keyBound(table, stop)) < 0)
    const { bytes } = partitionKey(table, row)
    const isRead = intervals.some((interval) => isWithin(bytes, interval))
    if (holds) {
      found++
      if (!isRead) expect({ table, where, row, start, stop }).toBe('read')
    } else if (!isRead) pruned++
  }
  expect(found).toBeGreaterThan(500)
  expect(pruned).toBeGreaterThan(300)
})

/** A predicate that often holds for a row. */
function predicateFor(random: Random, column: TableColumn, row: readonly Value[]): Predicate {
  const value = row[Number(column.name.slice(1))] as Value
  const predicate = randomPredicate(random, column)
  if (random.below(2) === 0) return predicate
  if ('in' in predicate) return { ...predicate, in: [...predicate.in, value] }
  return random.below(2) === 0 ? { column: column.name, equals: value } : { column: column.name, from: value }
}
