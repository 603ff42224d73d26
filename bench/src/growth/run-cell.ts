import { temporaryFolder } from '@rowkey/servers'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { freemem } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Cell, CellFigures, CellLimits } from './cell.js'

/** About what a row takes in memory, and a process besides its rows. */
const rowBytes = 350
const processBytes = 5e8

/** Milliseconds to start, to open and close the store, and to collect the garbage of ten million rows on a busy machine. */
const besides = 180_000

/** Why a cell has no figures; ends the sentence that begins with its name. */
export interface NoFigures {
  readonly failure: string
}

/**
 * Measures a cell in a process of its own, which has no more memory than it should need and is ended if it takes too long. A cell for which
 * the machine has no memory is left out.
 *
 * @param free bytes of memory that nobody uses
 */
export async function runCell(worker: URL, cell: Cell, limits: CellLimits, free: number = freemem()): Promise<CellFigures | NoFigures> {
  const needed = processBytes + (cell.store === 'memory' ? cell.rows * rowBytes : 0)
  if (needed > free) return { failure: `takes no part: it needs ${gigabytes(needed)} of memory, and ${gigabytes(free)} are free` }
  const folder = temporaryFolder('rowkey-growth')
  const { load, rounds, milliseconds } = limits
  const patience = load + 4 * (rounds + 1) * milliseconds + besides
  const args = [cell.store, cell.rows, folder.path, load, rounds, milliseconds].map(String)
  const child = fork(worker, args, { execArgv: ['--expose-gc', `--max-old-space-size=${Math.ceil(needed / 2 ** 20)}`] })
  const over = new AbortController()
  const { signal } = over
  const answer = once(child, 'message', { signal }).then(([figures]) => figures as CellFigures)
  const ended = once(child, 'exit', { signal }).then(([code, by]) => ({
    failure: `broke off: its process ended with ${String(code ?? by)}`,
  }))
  const late = setTimeout(patience, { failure: `did not finish in ${patience / 1000} s` }, { signal })
  try {
    return await Promise.race([answer, ended, late])
  } finally {
    for (const other of [answer, ended, late]) other.catch(() => undefined)
    over.abort()
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    folder.remove()
  }
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
