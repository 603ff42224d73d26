import { wrap } from './display.js'

const widest = 24 // characters of a bar

interface Counts {
  readonly name: string
  readonly salt: string
  readonly counts: readonly number[]
}

/** Two columns of bars side by side, one line per bucket. */
export function barCharts(left: Counts, right: Counts, width: number): string {
  const bars = Math.max(4, Math.min(widest, Math.floor((width - 28) / 2)))
  const lines = left.counts.map(
    (count, i) => `${String(i).padStart(4)}  ${bar(count, left.counts, bars)}  ${bar(right.counts[i] ?? 0, right.counts, bars)}`,
  )
  const legend = [left, right].map(({ name, salt }) => wrap(`${name.padEnd(8)}${salt}`, width, ' '.repeat(8)))
  const heading = `${' '.repeat(6)}${left.name.padStart(8).padEnd(bars + 9)}  ${right.name.padStart(8)}`
  return [...legend, heading, ...lines.map((line) => line.trimEnd())].join('\n')
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

function bar(count: number, all: readonly number[], width: number): string {
  const units = Math.round((count / Math.max(1, ...all)) * width * 8)
  const blocks = '█'.repeat(units >> 3) + (eighths[units & 7] ?? '')
  return `${String(count).padStart(8)} ${blocks.padEnd(width)}`
}
