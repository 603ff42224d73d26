import { textTable } from '../text-table.js'
import { batchSize, type Cell, type CellFigures } from './cell.js'
import type { NoFigures } from './run-cell.js'

/** A cell and what was found out about it. */
export interface CellResult {
  readonly id: string
  readonly cell: Cell
  readonly found: CellFigures | NoFigures
  /** Runnable processes while it was measured. */
  readonly load: number
}

/** The table of a run. */
export function growthReport(results: readonly CellResult[]): string {
  const rows = results.flatMap(({ id, found, load }) =>
    'failure' in found
      ? []
      : [
          [
            id,
            count(found.rows),
            count(found.load),
            `${found.longestBatch.toFixed(0)} ms`,
            count(found.get),
            count(found.scan),
            found.rowBytes.toFixed(0),
            load.toFixed(1),
          ],
        ],
  )
  const notes = results.flatMap(({ id, cell, found }) => {
    if ('failure' in found) return [`${id} ${found.failure}.`]
    return found.rows < cell.rows ? [`${id} stopped at its time limit, before it had ${count(cell.rows)} rows.`] : []
  })
  const heads = ['', 'rows', 'load', `longest ${batchSize}`, 'get', 'scan', 'B/row', 'machine']
  return [legend, textTable(heads, rows), ...notes].join('\n\n')
}

const legend = `Per second, by way of a repository: rows loaded in batches of ${batchSize}, gets one after the other, rows scanned in pages of 100.
longest: the slowest batch. B/row: memory per row, or the file of LMDB. machine: its load at the time.`

const count = (number: number): string => Math.round(number).toLocaleString('en')
