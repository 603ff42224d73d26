import { OrderedMap } from 'js-sdsl'
import type { Engine } from '../engine.js'

export function jsSdsl(): Engine<string> {
  const map = new OrderedMap<string, readonly unknown[]>([], (a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return {
    writes: true,
    keyOf: (rowkey) => rowkey,
    set: (key, row) => map.setElement(key, row),
    get: (key) => map.getElementByKey(key),
    delete: (key) => map.eraseElementByKey(key),
    scan: (key, count) => {
      const rows = []
      for (let at = map.lowerBound(key); rows.length < count && at.isAccessible(); at.next()) rows.push(at.pointer[1])
      return rows
    },
    reverse: (key, count) => {
      const rows = []
      const first = map.begin()
      const at = map.reverseLowerBound(key)
      while (rows.push(at.pointer[1]) < count && !at.equals(first)) at.pre()
      return rows
    },
  }
}
