import type { KeyLayout } from 'rowkey/codec'
import { Random } from '../../measure/random.js'
import { keyMaker, layoutOf } from '../layout-of.js'
import type { Cell, Column, Kind } from '../workloads.js'

const kinds: readonly Kind[] = ['text', 'integer', 'int32', 'uint32', 'instant', 'float', 'flag', 'id']
const callsToHeatUp = 1200

interface User {
  readonly layout: KeyLayout
  readonly keys: readonly Record<string, unknown>[]
}

/** Layouts of two to five random columns that are really used, so that shared code sees more than the layout in question. */
export function otherLayouts(count: number): { heatUp(): void; use(): void } {
  const random = new Random(300)
  const target = Buffer.allocUnsafeSlow(8192)
  const users = Array.from({ length: count }, () => user(random))
  const useAll = (times: number): void => {
    for (const { layout, keys } of users) {
      for (let i = 0; i < times; i++) {
        const key = keys[i & 7] as Record<string, unknown>
        layout.decode(layout.encode(key))
        layout.encodeInto(target, 0, key)
      }
    }
  }
  return { heatUp: () => useAll(callsToHeatUp), use: () => useAll(4) }
}

function user(random: Random): User {
  const columns = Array.from({ length: 2 + random.integer(4) }, (_, i): Column => {
    return { name: `column${i}`, kind: random.pick(kinds), desc: random.fraction() < 0.5 }
  })
  const keyOf = keyMaker(columns)
  const keys = Array.from({ length: 8 }, () => keyOf(columns.map(({ kind }) => cell(kind, random))))
  return { layout: layoutOf({ columns }), keys }
}

function cell(kind: Kind, random: Random): Cell {
  switch (kind) {
    case 'text':
      return random.word(4 + random.integer(16))
    case 'integer':
    case 'instant':
      return random.integer(2 ** 42)
    case 'int32':
      return random.integer(2 ** 32) - 2 ** 31
    case 'uint32':
      return random.integer(2 ** 32)
    case 'flag':
      return random.fraction() < 0.5
    case 'id':
      return random.bytes(16)
    default:
      return (random.fraction() - 0.5) * 1e9
  }
}
