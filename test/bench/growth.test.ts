import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { measureCell, type CellLimits } from '../../bench/src/growth/cell.js'
import { growthReport, type CellResult } from '../../bench/src/growth/report.js'
import { runCell } from '../../bench/src/growth/run-cell.js'
import { runGrowth } from '../../bench/src/growth/run.js'
import { readOptions } from '../../bench/src/options.js'
import { temporaryFolder } from '../servers/src/temporary.js'

const limits: CellLimits = { load: 100_000, rounds: 3, milliseconds: 5 }
const worker = new URL('cells.mjs', import.meta.url)

test.each(['memory', 'lmdb'] as const)('%s: all rows are loaded, found and scanned', async (store) => {
  const folder = temporaryFolder('rowkey-growth-test')
  try {
    const { rows, ...rates } = await measureCell({ store, rows: 7100 }, folder.path, limits)
    expect(rows).toBe(7100)
    for (const [name, rate] of Object.entries(rates)) if (name !== 'rowBytes' || store === 'lmdb') expect(rate, name).toBeGreaterThan(0)
  } finally {
    folder.remove()
  }
})

test('a load stops at its limit, and what it has loaded is measured', async () => {
  const { rows } = await measureCell({ store: 'memory', rows: 1e9 }, '', { ...limits, load: 0 })
  expect(rows).toBe(1000)
})

test('a cell that ends, or for which there is no memory, has no figures and leaves no folder', async () => {
  const found = await runCell(worker, { store: 'memory', rows: 1 }, limits)
  expect(found).toEqual({ failure: 'broke off: its process ended with 3' })
  const answered = (await runCell(worker, { store: 'lmdb', rows: 1 }, limits)) as unknown as { readonly folder: string }
  expect(answered).toMatchObject({ args: ['lmdb', '1', answered.folder, '100000', '3', '5'] })
  expect(existsSync(answered.folder)).toBe(false)
  expect(await runCell(worker, { store: 'memory', rows: 1e7 }, limits, 3e9)).toEqual({
    failure: 'takes no part: it needs 4.0 GB of memory, and 3.0 GB are free',
  })
})

test('the table tells what was measured, and why something was not', () => {
  const figures = { rows: 100_000, load: 250_000.4, longestBatch: 7.6, get: 400_000, scan: 1e6, rowBytes: 271.5 }
  const results: CellResult[] = [
    { id: 'memory-100k', cell: { store: 'memory', rows: 100_000 }, found: figures, load: 1 },
    { id: 'lmdb-1M', cell: { store: 'lmdb', rows: 1e6 }, found: figures, load: 1 },
    { id: 'lmdb-10M', cell: { store: 'lmdb', rows: 1e7 }, found: { failure: 'did not finish in 9 s' }, load: 1 },
  ]
  const lines = growthReport(results).split('\n')
  const line = ['100,000', '250,000', '8', 'ms', '400,000', '1,000,000', '272', '1.0']
  const cellsOf = (id: string): readonly string[] | undefined => lines.find((each) => each.startsWith(`${id} `))?.split(/ +/)
  expect(cellsOf('memory-100k')).toEqual(['memory-100k', ...line])
  expect(cellsOf('lmdb-1M')).toEqual(['lmdb-1M', ...line])
  expect(lines.slice(-3)).toEqual([
    'lmdb-1M stopped at its time limit, before it had 1,000,000 rows.',
    '',
    'lmdb-10M did not finish in 9 s.',
  ])
})

test('the command takes cells by their ids', async () => {
  const options = readOptions(['growth', '--only', 'memory-2M'])
  if (options === 'help') throw new Error('these options ask for no help')
  await expect(runGrowth(options, () => undefined)).rejects.toThrow(
    "there is no cell 'memory-2M'. There are memory-100k, memory-1M, memory-10M, lmdb-100k, lmdb-1M, lmdb-10M.",
  )
})
