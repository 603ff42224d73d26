import type { KeyLayout, Row } from 'rowkey/codec'
import type { Candidate, Codec } from './candidate.js'
import { cellsOfKey, cellsOfRow, keyMaker, layoutOf, rowOf } from '../layout-of.js'
import type { Column } from '../workloads.js'
import { otherLayouts } from './other-layouts.js'

const everything = (): boolean => true

type Key = Record<string, unknown>

/** Objects, as applications use it. */
export const rowkey: Candidate = {
  name: 'rowkey',
  descends: true,
  takesPart: everything,
  codec: async ({ columns, salt }) => objectsOf(layoutOf({ columns, ...(salt === undefined ? {} : { salt }) }), columns),
}

/** Rows of values by position, as the store above it does. */
export const rowkeyRows: Candidate = {
  name: 'rowkey, rows',
  descends: true,
  takesPart: everything,
  async codec({ columns, salt }): Promise<Codec<Row, Uint8Array>> {
    const layout = layoutOf({ columns, ...(salt === undefined ? {} : { salt }) })
    const scratch = Buffer.allocUnsafeSlow(8192)
    return {
      toKey: (cells) => rowOf(columns, cells),
      encode: (row) => layout.encodeRow(row),
      scratch,
      encodeInto: (row) => layout.encodeRowInto(scratch, 0, row),
      decode: (bytes) => layout.decodeRow(bytes),
      toCells: (row) => cellsOfRow(columns, row as Row),
    }
  },
}

/** Objects, in a process that uses 300 other layouts too. */
export const rowkeyAmongOthers: Candidate = {
  name: 'rowkey, 300 other layouts',
  descends: true,
  takesPart: everything,
  async codec({ columns, salt }) {
    const others = otherLayouts(300)
    others.heatUp()
    const codec = objectsOf(layoutOf({ columns, ...(salt === undefined ? {} : { salt }) }), columns)
    return { ...codec, meanwhile: () => others.use() }
  },
}

function objectsOf(layout: KeyLayout, columns: readonly Column[]): Codec<Key, Uint8Array> {
  const scratch = Buffer.allocUnsafeSlow(8192)
  return {
    toKey: keyMaker(columns),
    encode: (key) => layout.encode(key),
    scratch,
    encodeInto: (key) => layout.encodeInto(scratch, 0, key),
    decode: (bytes) => layout.decode(bytes),
    toCells: (key) => cellsOfKey(columns, key as Key),
  }
}
