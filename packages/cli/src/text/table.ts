import stringWidth from 'string-width'
import { padded, wrap } from './wrap.js'

/** One row of a table: its cells. */
export type Cells = readonly string[]

/**
 * Lines of a table whose columns are two spaces apart. The last column takes what is left of the width, and is wrapped.
 *
 * @param paint colours one padded cell
 */
export function table(
  rows: readonly Cells[],
  columns: number,
  paint: (cell: string, row: number, column: number) => string,
): readonly string[] {
  const last = Math.max(0, ...rows.map(({ length }) => length)) - 1
  const widths = Array.from({ length: last }, (_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))))
  const used = widths.reduce((sum, each) => sum + each + 2, 0)
  return rows.flatMap((row, number) => {
    const cells = widths.map((each, column) => paint(padded(row[column] ?? '', each), number, column))
    const [first = '', ...more] = wrap(row[last] ?? '', Math.max(columns - used, 12), '')
    const head = `${cells.join('  ')}${last > 0 ? '  ' : ''}${paint(first, number, last)}`
    return [head.trimEnd(), ...more.map((line) => ' '.repeat(used) + paint(line, number, last))]
  })
}
