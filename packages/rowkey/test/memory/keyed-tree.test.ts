import { expect, test } from 'vitest'
import { KeyedTree } from '../../src/memory/tree/keyed-tree.js'
import { seeded } from '../../../../test/kit/seeded.js'
import { expectSound } from './tree-invariants.js'

test('beyond the capacity of the hash index, single keys are found in the tree', () => {
  const rows = new KeyedTree(10)
  for (let n = 0; n < 25; n++) {
    rows.set(`k${n}`, [n])
    rows.set('k0', [n])
    for (let seen = 1; seen <= n; seen++) expect(rows.get(`k${seen}`)).toEqual([seen])
    expect(rows.get('k0')).toEqual([n])
  }
  for (let n = 0; n < 25; n++) {
    rows.delete(`k${n}`)
    expect(rows.get(`k${n}`)).toBeUndefined()
    expect(rows.tree.size).toBe(24 - n)
  }
  rows.delete('k1')
  expect(rows.tree.size).toBe(0)
})

/** The index that a table still has. */
const indexOf = (rows: KeyedTree): unknown => (rows as unknown as { readonly byKey: unknown }).byKey

// 26,215 entries begin to replace 32,768 slots; 819 writes later these are replaced.
test.each([
  ['between two replacements of its slots', 20_000],
  ['while its slots are being replaced', 26_500],
])('a table that passes the capacity %s, back and forth, holds what a Map holds', (_, capacity) => {
  const random = seeded()
  const rows = new KeyedTree(capacity)
  const expected = new Map<string, readonly number[]>()
  const write = (n: number): void => {
    const row = [n]
    rows.set(`key-${n}`, row)
    expected.set(`key-${n}`, row)
  }
  const remove = (n: number): void => {
    rows.delete(`key-${n}`)
    expected.delete(`key-${n}`)
  }
  const compare = (): void => {
    expect(rows.tree.size).toBe(expected.size)
    for (let n = 0; n < 40_000; n++) if (rows.get(`key-${n}`) !== expected.get(`key-${n}`)) throw new Error(`key-${n} is not as expected`)
  }
  for (let n = 0; n < capacity; n++) write(n)
  for (let n = 0; n < 100; n++) {
    // Full: rows are replaced, and others come for those that go.
    write(random.below(capacity - 100))
    remove(capacity - 1 - n)
    write(39_999 - n)
  }
  expect(expected.size).toBe(capacity)
  expect(indexOf(rows)).toBeDefined()
  compare()
  write(30_000)
  expect(indexOf(rows)).toBeUndefined()
  compare()
  for (let n = 0; n < 30_000; n++) {
    if (random.below(100) < 70) remove(random.below(40_000))
    else write(random.below(40_000))
  }
  compare()
  expectSound(rows.tree)
})
