import { KeyedTree, LeafScan, type Walk } from 'rowkey/internal'
import type { Engine } from '../engine.js'

type Row = Parameters<KeyedTree['set']>[1]

/** The memory adapter's tree, with or without its hash index for single keys. */
export function rowkeyEngine(withIndex: boolean): Engine<string> {
  const rows = new KeyedTree(withIndex ? undefined : 0)
  const mapping = { toRows: (all: Row[]) => all }
  const walk = (from: string | null, to: string | null, reverse: boolean): Walk =>
    ({ stored: { records: rows }, rows: mapping, wanted: undefined, from, to, reverse }) as unknown as Walk
  return {
    writes: true,
    keyOf: (rowkey) => rowkey,
    set: (key, row) => {
      rows.set(key, row as Row)
    },
    get: (key) => rows.get(key),
    delete: (key) => {
      rows.delete(key)
    },
    scan: (key, count) => new LeafScan(walk(key, null, false)).next(count)?.rows ?? [],
    // Half-open: the row at `key` comes first.
    reverse: (key, count) => new LeafScan(walk('', `${key}\0`, true)).next(count)?.rows ?? [],
  }
}
