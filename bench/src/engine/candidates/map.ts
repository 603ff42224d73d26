import type { Engine } from '../engine.js'

/** The floor for single keys: no order. */
export function plainMap(): Engine<string> {
  const map = new Map<string, readonly unknown[]>()
  return {
    writes: true,
    keyOf: (rowkey) => rowkey,
    set: (key, row) => map.set(key, row),
    get: (key) => map.get(key),
    delete: (key) => map.delete(key),
  }
}
