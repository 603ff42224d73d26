import { plural } from './display.js'
import type { Report } from './report.js'

/** What the buckets of this log say about the two salts, in two or three sentences. */
export function spreadText({ rows, pairs, buckets }: Pick<Report, 'rows' | 'pairs' | 'buckets'>): string {
  const [hash, modulo] = [spread(buckets.hash), spread(buckets.modulo)]
  const facts = `By hash the rows reach ${hash.reached} of 16 buckets and the largest has ${percent(hash.largest / rows)} of them; by modulo ${plural(modulo.reached, 'bucket')} and ${percent(modulo.largest / rows)}.`
  return `${facts} ${verdict(rows, pairs[0]?.count ?? 0, hash, modulo)}`
}

interface Spread {
  readonly reached: number
  readonly largest: number
}

function verdict(rows: number, largestPair: number, hash: Spread, modulo: Spread): string {
  if (rows < 160) return 'So few rows do not tell which is better.'
  const coarse = 'The instants of this log are coarse: whole seconds are multiples of 1,000, and their modulo takes few values.'
  if (modulo.reached < 16 && modulo.reached < hash.reached) return `${coarse} The hash spreads better.`
  const pair = `A hash keeps all rows of one host and event together, here up to ${percent(largestPair / rows)}.`
  if (modulo.largest < hash.largest)
    return `${pair} The modulo spreads this log more evenly, but a query for one host and event reads 16 buckets.`
  return modulo.reached < 16 ? `${coarse} ${pair}` : 'The hash spreads this log at least as evenly.'
}

function spread(counts: readonly number[]): Spread {
  return { reached: counts.filter((count) => count > 0).length, largest: Math.max(...counts) }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
