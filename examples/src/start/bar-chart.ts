/** Two columns of bars side by side, one line per bucket. */
export function barCharts(left: { title: string; counts: readonly number[] }, right: { title: string; counts: readonly number[] }): string {
  const width = 24
  const lines = left.counts.map(
    (count, i) => `${String(i).padStart(4)}  ${bar(count, left.counts, width)}  ${bar(right.counts[i] ?? 0, right.counts, width)}`,
  )
  return [`${' '.repeat(6)}${left.title.padEnd(width + 9)}  ${right.title}`, ...lines].join('\n')
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

function bar(count: number, all: readonly number[], width: number): string {
  const units = Math.round((count / Math.max(1, ...all)) * width * 8)
  const blocks = '█'.repeat(units >> 3) + (eighths[units & 7] ?? '')
  return `${String(count).padStart(8)} ${blocks.padEnd(width)}`
}
