import { bucket, desc, int32, nullable, text, type Bound, type Row, type Value } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import type { ColumnSet, Predicate } from '#store'
import type { TableStore } from '#store/adapter'
import { resumePlan, runQuery } from '#store/engine'
import { describe, expect, test } from 'vitest'
import { KeyProduct } from '../../src/store/plan/key-product.js'
import { planQuery } from '../../src/store/plan/planner.js'

const Things = defineTable('things', {
  columns: { a: text(), b: desc(int32()), c: nullable(int32(), { nulls: 'last' }), n: nullable(int32()) },
  key: ['a', 'b', 'c'],
  salt: bucket({ of: 'b', count: 4 }),
})
const { layout } = Things

/** In key order: `b` descends, nulls of `c` come last. */
const points: readonly (readonly Value[])[] = [
  ['', 'a', 'b', 'ba'],
  [7, 3, -2],
  [-1, 5, null],
]
const all: readonly Row[] = points.reduce<Row[]>((keys, values) => keys.flatMap((key) => values.map((value) => [...key, value])), [[]])

describe('R9: the keys of a GET plan', () => {
  test('R9: are all combinations in key order, wherever they are entered', () => {
    const keys = new KeyProduct(Things, points)
    expect(keys.length).toBe(36)
    expect(keys.slice(0, 36)).toEqual(all)
    expect(all.toSorted(layout.compareRows)).toEqual(all)
    for (let from = 0; from <= 36; from++) expect(keys.slice(from, from + 5)).toEqual(all.slice(from, from + 5))
    expect(keys.slice(30, 1000)).toEqual(all.slice(30))
  })

  // Of every key and prefix that is among the points, beside them, before the first and behind the last.
  const near: readonly (readonly Value[])[] = [
    ['', 'A', 'a', 'aa', 'b', 'ba', 'c'],
    [9, 7, 5, 3, 0, -2, -3],
    [-2, -1, 0, 5, 6, null],
  ]
  const prefixes = near.reduce<Row[][]>(
    (levels, values) => [...levels, (levels.at(-1) ?? []).flatMap((key) => values.map((value) => [...key, value]))],
    [[[]]],
  )
  const bounds: readonly Bound[] = prefixes.flat().flatMap((prefix): Bound[] => [
    { prefix, edge: 'before' },
    { prefix, edge: 'after' },
  ])

  test.each([false, true])('R17: behind any bound are those that a comparison finds, reverse %s', (reverse) => {
    const keys = new KeyProduct(Things, points)
    expect(bounds.length).toBeGreaterThan(700)
    for (const bound of bounds) {
      const left = all.filter((key) =>
        reverse
          ? layout.compareBounds({ prefix: key, edge: 'after' }, bound) <= 0
          : layout.compareBounds({ prefix: key, edge: 'before' }, bound) >= 0,
      )
      const after = keys.after(bound, reverse)
      expect(after.slice(0, 36), JSON.stringify(bound)).toEqual(left)
      expect(after.length).toBe(left.length)
    }
  })

  test.each([false, true])('R17: what one bound has left, another only takes from, reverse %s', (reverse) => {
    const half = new KeyProduct(Things, points).after({ prefix: ['b'], edge: 'before' }, reverse)
    const outside: Bound = reverse ? { prefix: ['c'], edge: 'after' } : { prefix: [], edge: 'before' }
    expect(half.after(outside, reverse).slice(0, 36)).toEqual(half.slice(0, 36))
    expect(half.after(reverse ? { prefix: [], edge: 'before' } : { prefix: ['c'], edge: 'after' }, reverse).length).toBe(0)
  })
})

/** A list that counts how often one of its values is read. */
function counted(values: readonly Value[], read: () => void): readonly Value[] {
  return new Proxy(values, {
    get(target, property, receiver) {
      if (typeof property === 'string' && /^\d+$/.test(property)) read()
      return Reflect.get(target, property, receiver) as unknown
    },
  })
}

test.each([
  ['the first page', undefined, false],
  ['a page in the middle', { prefix: ['x0150', 150, 0], edge: 'after' }, false],
  ['the last page backwards', undefined, true],
  ['a page in the middle backwards', { prefix: ['x0150', 150, 0], edge: 'before' }, true],
] as const)('R9: %s of 90,000 keys costs its own keys', async (_, cursor, reverse) => {
  let reads = 0
  const list = (value: (i: number) => Value): ColumnSet => ({
    kind: 'points',
    values: counted(
      Array.from({ length: 300 }, (_, i) => value(i)),
      () => reads++,
    ),
  })
  const sets = new Map<number, ColumnSet>([
    [0, list((i) => `x${String(i).padStart(4, '0')}`)],
    [1, list((i) => 299 - i)],
    [2, { kind: 'points', values: [0] }],
  ])
  const predicate: Predicate = {
    sets,
    given: sets,
    bound: new Set([0, 1, 2]),
    named: new Map(),
    followed: [],
  }
  const asked: Row[] = []
  const store = { get: (keys: readonly Row[]) => (asked.push(...keys), keys.map(() => undefined)) } as unknown as TableStore
  const whole = planQuery(Things, predicate)
  const plan = cursor === undefined ? whole : resumePlan(Things, whole, cursor, { reverse, merged: 0 })
  const run = runQuery(Things, plan, () => store, {
    order: { reverse, merged: 0 },
    limit: 10,
    read: { consistency: 'strong' },
    clock: Date.now,
  })
  await run.take(10)
  expect(asked).toHaveLength(10)
  expect(reads).toBeLessThan(100)
})

test('R9: pages over many keys meet each once and in order, both ways', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany(Array.from({ length: 40 }, (_, i) => ({ a: `a${i % 5}`, b: i % 8, c: null, n: i })))
  const where = { a: { in: ['a4', 'a0', 'a2', 'a2', 'zz'] }, b: { in: [0, 7, 3, 99] }, c: null }
  for (const reverse of [false, true]) {
    const whole = await things.scan(where, { order: reverse ? 'reverse' : undefined }).toArray()
    expect(whole).toHaveLength(9)
    const paged: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await things.scan(where, { order: reverse ? 'reverse' : undefined }).page({ size: 2, cursor })
      paged.push(...page.rows)
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(paged).toEqual(whole)
  }
})
