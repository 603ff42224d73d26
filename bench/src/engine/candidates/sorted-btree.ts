import BTreeModule from 'sorted-btree'
import type { Engine } from '../engine.js'

const BTree = BTreeModule.default // a CommonJS module

/** sorted-btree with any kind of key. */
function engineOf<K>(keyOf: (rowkey: string) => K, compare: ((a: K, b: K) => number) | undefined): Engine<K> {
  const tree = new BTree<K, readonly unknown[]>(undefined, compare)
  const take = (entries: IterableIterator<[K, readonly unknown[]]>, count: number): readonly unknown[] => {
    const rows = []
    for (const entry of entries) if (rows.push(entry[1]) === count) break
    return rows
  }
  return {
    writes: true,
    keyOf,
    set: (key, row) => tree.set(key, row),
    get: (key) => tree.get(key),
    delete: (key) => tree.delete(key),
    scan: (key, count) => {
      const rows: unknown[] = []
      tree.forRange(key, tree.maxKey() as K, true, (_, row) => (rows.push(row) === count ? { break: true } : undefined))
      return rows
    },
    reverse: (key, count) => take(tree.entriesReversed(key), count),
  }
}

export const sortedBtree = (): Engine<string> =>
  engineOf(
    (rowkey) => rowkey,
    (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  )

/** What is written today: rowkeys as buffers. */
export const sortedBtreeBuffers = (): Engine<Buffer> =>
  engineOf(
    (rowkey) => Buffer.from(rowkey, 'latin1'),
    (a, b) => Buffer.compare(a, b),
  )
