import { Random } from '../measure/random.js'
import { layoutOf, rowOf } from './layout-of.js'
import type { Codec } from './candidates/candidate.js'
import type { Cells, Workload } from './workloads.js'

/** Values of some columns and of none. */
const oddCells: readonly unknown[] = [
  ...[undefined, null, 7n, {}, new Uint8Array(15), Buffer.alloc(16, 255)],
  ...['', 'a\0b', '\ufeff\u{1f600}', 'a\ud800', '\udc00b', 'x'.repeat(5000)],
  ...[-0, -1, 1.5, Number.NaN, -Infinity, 5e-324, 8.64e15, 8.64e15 + 2, 2 ** 60],
]

/**
 * A codec written for the same layout is a fair measure only if it does the same: same bytes, and the same keys and values refused.
 *
 * @throws Error at the first difference
 */
export function sameAsRowkey(workload: Workload, codec: Codec, cells: readonly Cells[]): void {
  const layout = layoutOf(workload)
  const random = new Random(7)
  for (const each of cells) {
    const encode = outcome(() => codec.encode(codec.toKey(each)))
    agree(
      outcome(() => layout.encodeRow(rowOf(workload.columns, each))),
      encode,
      `encode ${String(each)}`,
    )
    for (const spoilt of spoiltKeys(layout.encodeRow(rowOf(workload.columns, each)), random)) {
      agree(
        outcome(() => layout.decodeRow(spoilt)),
        outcome(() => decoded(codec, spoilt)),
        `decode ${Buffer.from(spoilt).toString('hex')}`,
      )
    }
  }
  for (const [i] of workload.columns.entries()) {
    for (const odd of oddCells) {
      const spoilt: readonly unknown[] = (cells[0] as Cells).map((cell, at) => (at === i ? odd : cell))
      agree(
        outcome(() => layout.encodeRow(spoilt as never)),
        outcome(() => codec.encode(codec.toKey(spoilt as Cells))),
        `encode ${String(odd)}`,
      )
    }
  }
}

function decoded(codec: Codec, key: Uint8Array): unknown {
  const found = codec.decode?.(key)
  return codec.toCells === undefined ? found : codec.toCells(found)
}

/** -0, forms of NaN, the least and the greatest: what a last column of eight bytes may and may not end in. */
const tails = ['7fffffffffffffff', 'fff8000000000000', 'fff8000000000001', '0007ffffffffffff', '0000000000000000', 'ffffffffffffffff']

/** The key itself, cut short, with something after it, with another byte in it, and with another end. */
function spoiltKeys(key: Uint8Array, random: Random): readonly Uint8Array[] {
  const at = random.integer(key.length)
  const changes = [0, 1, 0xff, random.integer(256)].map((byte) => Uint8Array.from(key).fill(byte, at, at + 1))
  const ends = tails.map((tail) => Uint8Array.from([...key.slice(0, -8), ...Buffer.from(tail, 'hex')]))
  return [key, key.slice(0, at), Uint8Array.from([...key, at]), ...changes, ...ends]
}

/** Errors are alike whatever they say. */
function outcome(work: () => unknown): string {
  try {
    return shown(work())
  } catch {
    return 'refused'
  }
}

function shown(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(shown).join(' ')
  return Object.is(value, -0) ? '-0' : String(value)
}

function agree(rowkey: string, other: string, what: string): void {
  if (rowkey !== other) throw new Error(`not the same as rowkey: ${what} is ${other} instead of ${rowkey}`)
}
