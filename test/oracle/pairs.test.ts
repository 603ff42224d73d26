import { oraclePool } from 'rowkey/conformance'
import { memory } from 'rowkey'
import { expect, test } from 'vitest'

test('R14: the layouts of a pool hold nearly all pairs of type, direction, nulls, salt and place in the key', async () => {
  const { layouts, pairs, allPairs, queries } = await oraclePool({ createAdapter: () => memory(), seed: 20_261_122, queries: 60 })
  expect([layouts, queries]).toEqual([60, 60])
  // A hundred layouts would hold all.
  expect(allPairs).toBe(643)
  expect(pairs).toBeGreaterThanOrEqual(595)
})
