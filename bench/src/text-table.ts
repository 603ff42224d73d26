/** Lines with columns side by side; all but the first are aligned right. */
export function textTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows]
  const widths = heads.map((_, at) => Math.max(...lines.map((cells) => (cells[at] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')
  return [line(heads), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].map((each) => each.trimEnd()).join('\n')
}
