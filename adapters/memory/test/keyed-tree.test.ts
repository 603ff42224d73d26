import { expect, test } from 'vitest'
import { KeyedTree } from '../src/tree/keyed-tree.js'

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
