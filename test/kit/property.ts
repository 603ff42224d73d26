import fc from 'fast-check'
import { scaled } from '@rowkey/servers/scale'
import { test } from 'vitest'

// The same values in every run; ROWKEY_SEED=… gives others, ROWKEY_SCALE=… searches longer. A failure prints seed and path.
const runs = scaled(150)
export const seed = Number(process.env['ROWKEY_SEED'] ?? 1)

/** A fast-check property as one test. */
export function property<T>(title: string, values: fc.Arbitrary<T>, holds: (value: T) => void): void {
  test(title, { timeout: 180_000 + runs * 20 }, () => {
    fc.assert(fc.property(values, holds), { numRuns: runs, seed })
  })
}
