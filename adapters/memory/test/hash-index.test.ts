import { expect, test } from 'vitest'
import { HashIndex, indexCapacity } from '../src/tree/hash-index.js'
import { KeyedTree } from '../src/tree/keyed-tree.js'
import { seeded } from '../../../test/kit/seeded.js'

test('it holds what a Map holds, as it grows, shrinks and reuses the slots of deleted keys', () => {
  const random = seeded()
  const index = new HashIndex()
  const expected = new Map<string, readonly number[]>()
  for (const deletes of [10, 50, 90, 45, 100]) {
    for (let n = 0; n < 8000; n++) {
      const key = `key-${random.below(4000)}`
      if (random.below(100) < deletes) expect(index.delete(key)).toBe(expected.delete(key))
      else {
        index.set(key, [n])
        expected.set(key, [n])
      }
      expect(index.size).toBe(expected.size)
    }
    for (let n = 0; n < 4000; n++) expect(index.get(`key-${n}`)).toEqual(expected.get(`key-${n}`))
  }
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
