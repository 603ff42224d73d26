import { measureCell, type Cell, type CellLimits } from './cell.js'

/** The process of one cell. It ends with its parent. */
process.on('disconnect', () => process.exit())
const [store, rows, folder = '', load, rounds, milliseconds] = process.argv.slice(2)
const cell = { store, rows: Number(rows) } as Cell
const limits: CellLimits = { load: Number(load), rounds: Number(rounds), milliseconds: Number(milliseconds) }
process.send?.(await measureCell(cell, folder, limits))
