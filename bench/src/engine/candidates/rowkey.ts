// The engine below the adapter, which no package exports.
import { Rows } from '../../../../adapters/memory/dist/rows.js'
import { ForwardScan, ReverseScan, type Walk } from '../../../../adapters/memory/dist/scan.js'
import type { Engine } from '../engine.js'

type Row = Parameters<Rows['set']>[1]

/** The memory adapter's tree, with or without its Map for single keys. */
export function rowkeyEngine(withMap: boolean): Engine<string> {
  const rows = new Rows(withMap ? undefined : 0)
  const records = { toRows: (all: Row[]) => all }
  const walk = (from: string | null, to: string | null): Walk =>
    ({ table: { rows }, records, wanted: undefined, from, to }) as unknown as Walk
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
    scan: (key, count) => new ForwardScan(walk(key, null)).next(count)?.rows ?? [],
    // Half-open: the row at `key` comes first.
    reverse: (key, count) => new ReverseScan(walk('', `${key}\0`)).next(count)?.rows ?? [],
  }
}
