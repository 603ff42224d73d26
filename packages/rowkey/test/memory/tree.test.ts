import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nodeWidth, type Leaf } from '../../src/memory/tree/node.js'
import { Tree } from '../../src/memory/tree/tree.js'
import { seed, seeded } from '../../../../test/kit/seeded.js'
import { expectSound } from './tree-invariants.js'

/** Two characters, ordered as the number: 0 to 65535. */
const keyOf = (n: number): string => String.fromCharCode(n >> 8, n & 255)

interface Stamp {
  readonly stamp: number
}

function leavesOf<V extends object>(tree: Tree<V>): Leaf<V>[] {
  const leaves = [tree.first]
  for (let leaf = tree.first.next; leaf !== null; leaf = leaf.next) leaves.push(leaf)
  return leaves
}

/** The tree beside a Map of the same content. */
class Pair {
  readonly tree = new Tree<Stamp>()
  readonly model = new Map<string, Stamp>()
  private stamps = 0

  set(n: number): void {
    const key = keyOf(n)
    const value = { stamp: this.stamps++ }
    assert.equal(this.tree.set(key, value), this.model.get(key))
    this.model.set(key, value)
  }

  delete(n: number): void {
    const key = keyOf(n)
    assert.equal(this.tree.delete(key), this.model.get(key))
    this.model.delete(key)
  }

  check(): void {
    expectSound(this.tree)
    const entries = [...this.model].sort(([a], [b]) => (a < b ? -1 : 1))
    const keys: string[] = []
    const stamps: number[] = []
    for (const leaf of leavesOf(this.tree)) {
      keys.push(...leaf.keys)
      stamps.push(...leaf.values.map(({ stamp }) => stamp))
    }
    assert.deepEqual(
      keys,
      entries.map(([key]) => key),
    )
    assert.deepEqual(
      stamps,
      entries.map(([, { stamp }]) => stamp),
    )
    for (const [key, value] of entries) assert.equal(this.tree.get(key), value)
  }
}

const order = fc.constantFrom('up', 'down', 'shuffled')

/** A stretch of keys to set or delete: long ones make the tree deep, and they shrink well. */
const stretch = fc.record({
  kind: fc.constantFrom('set', 'delete'),
  start: fc.nat(4000),
  step: fc.integer({ min: 1, max: 7 }),
  count: fc.integer({ min: 1, max: 900 }),
  order,
})

function numbers({ start, step, count, order }: { start: number; step: number; count: number; order: string }): number[] {
  const list = Array.from({ length: count }, (_, i) => start + i * step)
  if (order === 'down') return list.reverse()
  if (order === 'shuffled') seeded(count).shuffle(list)
  return list
}

describe('tree', () => {
  test('equals a sorted list after any stretches of sets and deletes', () => {
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 12 }), (stretches) => {
        const pair = new Pair()
        for (const each of stretches) {
          for (const n of numbers(each)) pair[each.kind](n)
          pair.check()
        }
      }),
      { numRuns: 60, seed },
    )
  })

  test.each([
    ['mostly sets', 0.7],
    ['half and half', 0.5],
    ['mostly deletes', 0.3],
  ])('equals a sorted list over a long random run of %s', (_, sets) => {
    const random = seeded()
    const pair = new Pair()
    for (let n = 0; n < 3000; n++) pair.set(random.below(6000))
    for (let step = 0; step < 30_000; step++) {
      if (random.next() < sets) pair.set(random.below(6000))
      else pair.delete(random.below(6000))
      if (step % 1000 === 0) pair.check()
    }
    pair.check()
  })

  test('grows to two levels of branches and back to one empty leaf', () => {
    const tree = new Tree<object>()
    const random = seeded()
    const keys = Array.from({ length: 90_000 }, (_, i) => String.fromCharCode(i >> 16, (i >> 8) & 255, i & 255))
    const value = {}
    random.shuffle(keys)
    for (const key of keys) tree.set(key, value)
    expect(tree.height).toBeGreaterThanOrEqual(2)
    expectSound(tree)
    random.shuffle(keys)
    keys.forEach((key, i) => {
      assert.equal(tree.delete(key), value)
      if (i % 9000 === 0) expectSound(tree)
    })
    expectSound(tree)
    expect(tree.root).toBe(tree.first)
    expect(tree.root).toBe(tree.last)
    expect(tree.first.keys).toEqual([])
    expect(tree.size).toBe(0)
  }, 30_000)

  test.each(['up', 'down', 'shuffled'])(
    'a tree whose keys were deleted %s, down to one leaf, takes keys between those that are left',
    (order) => {
      for (const leaves of [2, 3, 70]) {
        const pair = new Pair()
        const count = nodeWidth * leaves
        for (const n of numbers({ start: 0, step: 60, count, order: 'up' })) pair.set(n)
        for (const n of numbers({ start: 600, step: 60, count: count - 10, order })) pair.delete(n)
        expect(pair.tree.height).toBe(0)
        for (const n of numbers({ start: 1, step: 3, count: 190, order: 'shuffled' })) pair.set(n)
        pair.check()
      }
    },
  )

  test.each(['up', 'down'])('rows written in key order, %s, fill every leaf', (order) => {
    const pair = new Pair()
    for (const n of numbers({ start: 0, step: 1, count: nodeWidth * 100, order })) pair.set(n)
    pair.check()
    expect(leavesOf(pair.tree).length).toBe(100)
  })

  test('rows written in random order fill the leaves to four fifths', () => {
    const pair = new Pair()
    const order = numbers({ start: 0, step: 1, count: 20_000, order: 'shuffled' })
    for (const n of order) pair.set(n)
    pair.check()
    expect(leavesOf(pair.tree).length).toBeLessThan(20_000 / nodeWidth / 0.78)
  })

  test.each(['up', 'down'])('rows written in key order, %s, in each of many partitions, fill the leaves as well', (order) => {
    const pair = new Pair()
    for (const n of numbers({ start: 0, step: 1, count: 500, order }))
      for (let partition = 0; partition < 40; partition++) pair.set(partition * 500 + n)
    pair.check()
    expect(leavesOf(pair.tree).length).toBeLessThan(20_000 / nodeWidth / 0.78)
  })

  test('a queue keeps few leaves: append at the end, delete at the front', () => {
    const pair = new Pair()
    for (let n = 0; n < 20_000; n++) {
      pair.set(n)
      if (n >= 100) pair.delete(n - 100)
      if (n % 501 === 0) pair.check()
    }
    expect(leavesOf(pair.tree).length).toBeLessThanOrEqual(5)
  })

  test('after deleting 99 of 100 rows the leaves are joined', () => {
    const pair = new Pair()
    for (let n = 0; n < 20_000; n++) pair.set(n)
    for (let n = 0; n < 20_000; n++) if (n % 100 !== 0) pair.delete(n)
    pair.check()
    expect(leavesOf(pair.tree).length).toBeLessThanOrEqual(14)
  })

  test('edits counts keys that come and go, not replaced values', () => {
    const tree = new Tree<object>()
    tree.set('a', {})
    const { edits } = tree
    tree.set('a', {})
    tree.delete('b')
    expect(tree.edits).toBe(edits)
    tree.delete('a')
    expect(tree.edits).not.toBe(edits)
  })
})
