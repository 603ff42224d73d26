import type { Effort } from '../duel/duel.js'
import { machine, machineText } from '../machine.js'
import type { Options } from '../options.js'
import type { Cell, CellLimits } from './cell.js'
import { growthReport, type CellResult } from './report.js'
import { runCell } from './run-cell.js'

const sizes: readonly (readonly [name: string, rows: number])[] = [
  ['100k', 1e5],
  ['1M', 1e6],
  ['10M', 1e7],
]

const cells: ReadonlyMap<string, Cell> = new Map(
  (['memory', 'lmdb'] as const).flatMap((store) => sizes.map(([name, rows]) => [`${store}-${name}`, { store, rows }])),
)

const worker = new URL('worker.js', import.meta.url)

/** Measures one cell after the other. */
export async function runGrowth(
  { effort, only }: Options,
  progress: (line: string) => void,
): Promise<{ readonly text: string; readonly data: object }> {
  const here = { ...machine(), clock: 'wall time' }
  const limits = limitsOf(effort)
  const results: CellResult[] = []
  const chosen = only ?? [...cells.keys()]
  for (const [id, cell] of chosen.map((id) => [id, cellOf(id)] as const)) {
    const began = Date.now()
    const found = await runCell(worker, cell, limits)
    results.push({ id, cell, found, load: machine().load })
    progress(`${id} (${results.length} of ${chosen.length}): ${Math.round((Date.now() - began) / 1000)} s`)
  }
  return { text: `${machineText(here)}\n\n${growthReport(results)}`, data: { machine: here, limits, results } }
}

/** A load may take four times as long as a contestant's answer: 12 minutes, four with --quick. */
const limitsOf = ({ patience, rounds, milliseconds }: Effort): CellLimits => ({
  load: 4 * patience,
  rounds,
  milliseconds: 100 * milliseconds,
})

function cellOf(id: string): Cell {
  const cell = cells.get(id)
  if (cell === undefined) throw new Error(`there is no cell '${id}'. There are ${[...cells.keys()].join(', ')}.`)
  return cell
}
