/** The middle of some numbers and the range that holds the middle half of them. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export function spreadOf(numbers: readonly number[]): Spread {
  return { median: quantile(numbers, 0.5), low: quantile(numbers, 0.25), high: quantile(numbers, 0.75) }
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

/** Interpolates between neighbours. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}
