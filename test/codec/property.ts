import fc from 'fast-check'
import { test } from 'vitest'

// A failure prints seed and path; ROWKEY_SEED=… replays it, ROWKEY_RUNS=… searches longer.
const runs = Number(process.env['ROWKEY_RUNS'] ?? 300)
const seed = process.env['ROWKEY_SEED']

/** A fast-check property as one test. */
export function property<T>(title: string, values: fc.Arbitrary<T>, holds: (value: T) => void): void {
  test(title, { timeout: 60_000 + runs * 20 }, () => {
    const replay = seed === undefined ? {} : { seed: Number(seed) }
    fc.assert(fc.property(values, holds), { numRuns: runs, ...replay })
  })
}
