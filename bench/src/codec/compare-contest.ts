import type { Row } from 'rowkey/codec'
import type { Contest, Contestant } from '../duel/contestant.js'
import { inputCount } from '../measure/loop.js'
import { Random } from '../measure/random.js'
import { keyMaker, layoutOf, rowOf } from './layout-of.js'
import { workloads, type Cells, type Column, type Workload } from './workloads.js'

type Pair<T> = readonly [T, T]

const { columns } = workloads[0] as Workload // host, event, descending instant

/**
 * Which of two keys comes first, asked of neighbours among few hosts and events, as a merge asks it: most share the first
 * columns.
 */
export const compareContest: Contest = {
  id: 'compare',
  title: 'order of two neighbouring keys of W1',
  base: 'rowkey, encode rows, compareBytes',
  operations: ['compare'],
  allocation: true,
  parties: new Map<string, () => Contestant | Promise<Contestant>>([
    ['rowkey, compareRows', () => party(rowOfCells, layout().rows.compareRows)],
    ['rowkey, encode rows, compareBytes', () => party(rowOfCells, comparedAs(layout().encodeRow, compareBytes))],
    [
      'rowkey, encode rows, Buffer.compare',
      () =>
        party(
          rowOfCells,
          comparedAs(layout().encodeRow, (a, b) => Buffer.compare(a, b)),
        ),
    ],
    ['rowkey, encode keys, compareBytes', () => party(keyMaker(columns), comparedAs(layout().encode, compareBytes))],
    [
      'ordered-binary, Buffer.compare',
      async () => {
        const { toBufferKey } = await import('ordered-binary')
        return party(
          turned,
          comparedAs(toBufferKey as unknown as (cells: Cells) => Uint8Array, (a, b) => Buffer.compare(a, b)),
        )
      },
    ],
    [
      'ordered-binary, compareKeys',
      async () => {
        const { compareKeys } = await import('ordered-binary')
        return party(turned, (a, b) => compareKeys(a as never, b as never))
      },
    ],
  ]),
}

const layout = (): ReturnType<typeof layoutOf> => layoutOf({ columns })
const rowOfCells = (cells: Cells): Row => rowOf(columns, cells)
/** A codec without descending columns is given the instant negated. */
const turned = (cells: Cells): Cells => cells.map((cell, i) => ((columns[i] as Column).desc === true ? -(cell as number) : cell))

function comparedAs<T>(encode: (given: T) => Uint8Array, compare: (a: Uint8Array, b: Uint8Array) => number): (a: T, b: T) => number {
  return (a, b) => compare(encode(a), encode(b))
}

function party<T>(prepare: (cells: Cells) => T, compare: (a: T, b: T) => number): Contestant {
  const pairs = neighbours()
  const inputs = pairs.map(([[a, b]]): Pair<T> => [prepare(a), prepare(b)])
  const wrong = inputs.filter(([a, b], i) => Math.sign(compare(a, b)) !== (pairs[i] as (typeof pairs)[number])[1]).length
  return {
    operations: wrong === 0 ? { compare: { inputs, run: ([a, b]: Pair<T>) => compare(a, b) } } : {},
    facts: wrong === 0 ? {} : { wrong: { compare: `wrong ${wrong}/${inputs.length}` } },
  }
}

/** Pairs in random order, each either way round, with the answer. */
function neighbours(): readonly (readonly [Pair<Cells>, number])[] {
  const random = new Random(11)
  const hosts = Array.from({ length: 12 }, () => `host-${random.word(7)}`).sort()
  const rows = Array.from({ length: inputCount + 1 }, (_, i): Cells => {
    const event = `ev-${'abcd'[Math.floor(i / 22) % 4] as string}`
    return [hosts[Math.floor(i / 88)] as string, event, 1.8e12 - i * 1000 - random.integer(1000)]
  })
  const pairs = rows.slice(1).map((row, i): readonly [Pair<Cells>, number] => {
    const before = rows[i] as Cells
    return random.fraction() < 0.5 ? [[before, row], -1] : [[row, before], 1]
  })
  return pairs
    .map((pair) => ({ pair, at: random.fraction() }))
    .sort((a, b) => a.at - b.at)
    .map(({ pair }) => pair)
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
