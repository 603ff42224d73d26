import { isLong } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { HashIndex, indexCapacity } from '../../src/memory/tree/hash-index.js'
import { KeyedTree } from '../../src/memory/tree/keyed-tree.js'
import { seeded } from '../../../../test/kit/seeded.js'

test('it holds what a Map holds, as it grows, shrinks and reuses the slots of deleted keys', () => {
  const random = seeded()
  const index = new HashIndex()
  const expected = new Map<string, readonly number[]>()
  for (const deletes of [10, 50, 90, 45, 100]) {
    for (let n = 0; n < 8000; n++) {
      const key = `key-${random.below(4000)}`
      if (random.below(100) < deletes) expect(index.delete(key)).toBe(expected.delete(key))
      else {
        const row = [n]
        index.set(key, row)
        expected.set(key, row)
      }
      expect(index.size).toBe(expected.size)
      const other = `key-${random.below(4000)}`
      if (index.get(other) !== expected.get(other)) throw new Error(`${other} is not as expected`)
    }
    for (let n = 0; n < 4000; n++) expect(index.get(`key-${n}`)).toEqual(expected.get(`key-${n}`))
  }
})

/** It counts the keys that it hashes: one for each entry that it finds, moves or renumbers. */
class CountedIndex extends HashIndex {
  hashed = 0

  protected override hashOf(key: string): number {
    this.hashed++
    return super.hashOf(key)
  }

  /** The keys that one operation hashes. */
  workOf(operation: () => unknown): number {
    this.hashed = 0
    operation()
    return this.hashed
  }
}

const rowsInAll = isLong ? 10_000_000 : 200_000

test(`no write moves more than a few entries, on the way to ${rowsInAll} rows and back`, { timeout: isLong ? 1_800_000 : 60_000 }, () => {
  const random = seeded()
  const index = new CountedIndex()
  const keyOf = (n: number): string => `${n * 7919}-of-a-host`
  let [setting, getting, deleting, moves] = [0, 0, 0, 0]
  for (let n = 0; n < rowsInAll; n++) {
    const work = index.workOf(() => index.set(keyOf(n), [n]))
    setting = Math.max(setting, work)
    moves += work - 1
    const seen = random.below(n + 1)
    getting = Math.max(
      getting,
      index.workOf(() => {
        if (index.get(keyOf(seen))?.[0] !== seen) throw new Error(`row ${seen} of ${n} is not found`)
      }),
    )
  }
  // It has grown, by doubling, and every entry was moved about once.
  expect(moves).toBeGreaterThan(rowsInAll * 0.7)
  expect(moves).toBeLessThan(rowsInAll * 2)
  const order = [...Array(rowsInAll).keys()]
  if (rowsInAll < 1e6) random.shuffle(order)
  for (const [at, n] of order.entries()) {
    const work = index.workOf(() => index.delete(keyOf(n)))
    deleting = Math.max(deleting, work)
    const left = order[at + 1 + random.below(rowsInAll - at)]
    if (left !== undefined && index.get(keyOf(left))?.[0] !== left) throw new Error(`row ${left} is gone with row ${n}`)
    if (index.get(keyOf(n)) !== undefined) throw new Error(`row ${n} is still there`)
  }
  expect(index.size).toBe(0)
  expect(getting).toBe(1)
  expect(setting).toBe(1 + 32)
  // It has shrunk. It finds the key twice while entries are moved, and renumbers the last entry.
  expect(deleting).toBeGreaterThan(32)
  expect(deleting).toBeLessThanOrEqual(3 + 32)
})

test('rows that come and go replace the slots without growing them', () => {
  const index = new CountedIndex()
  const [rows, kept] = [50_000, 1000]
  let [most, all] = [0, 0]
  for (let n = 0; n < rows; n++) {
    const set = index.workOf(() => index.set(`k${n}`, [n]))
    const deleted = n < kept ? 0 : index.workOf(() => index.delete(`k${n - kept}`))
    most = Math.max(most, set, deleted)
    all += set + deleted
    for (const seen of [n, Math.max(0, n - kept + 1)]) if (index.get(`k${seen}`)?.[0] !== seen) throw new Error(`k${seen} is not found`)
    if (index.get(`k${n - kept}`) !== undefined) throw new Error(`k${n - kept} is still there`)
  }
  expect(most).toBeGreaterThan(32)
  expect(most).toBeLessThanOrEqual(3 + 32)
  // Most deletes leave no mark, so fewer than one entry is moved for each of them. Set and delete hash three keys themselves.
  expect(all / rows).toBeLessThan(3.7)
  expect((index as unknown as { readonly slots: Int32Array }).slots).toHaveLength(2048)
})

test('the number of every entry it can hold fits into a slot beside the bits of the hash', () => {
  expect(indexCapacity + 1).toBeLessThan(2 ** 24)
})

test('keys that collide under every seed make it give up, and rows are found without it', () => {
  // The two halves have the same hash whatever the seed is, so all their sequences of one length have.
  const halves = ['\x01\x02\x03\x04\x05\x06\x07\x08', '\x01\x02\x03\x84\x05\x06\x06\x88']
  const chosen = Array.from({ length: 2 ** 10 }, (_, n) => Array.from({ length: 10 }, (_, bit) => halves[(n >> bit) & 1]).join(''))
  const index = new HashIndex()
  const held = chosen.findIndex((key, n) => !index.set(key, [n]))
  expect(held).toBeGreaterThan(10)
  expect(held).toBeLessThan(100)

  const rows = new KeyedTree()
  chosen.forEach((key, n) => {
    rows.set(key, [n])
  })
  rows.delete(chosen[7] as string)
  expect(chosen.map((key) => rows.get(key)?.[0])).toEqual(chosen.map((_, n) => (n === 7 ? undefined : n)))
})
