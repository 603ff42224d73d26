import { oraclePool, type OraclePoolOptions } from 'rowkey/conformance'
import { isShort, scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'

const seed = Number(process.env.ORACLE_SEED ?? 20_261_122)

/** Random queries of a pool of tables on a store where making a table costs more than a query. */
export function oraclePoolSuite(store: string, options: Omit<OraclePoolOptions, 'seed'>): void {
  test(
    `R1 R2 R3 R4 R5 R6 R7 R9 R10 R11 R14 R15 R17 R18 R20 R23 R24: random queries of a pool of tables on ${store}, seed ${seed}`,
    { timeout: 7_200_000 },
    async () => {
      const queries = isShort ? Math.max(72, Math.round(options.queries / 10)) : scaled(options.queries)
      // Tables cost more than queries, and those of indexes come on top.
      const report = await oraclePool({ ...options, seed, queries, ...(isShort ? { layouts: 36 } : {}) })
      expect(report.queries).toBeGreaterThanOrEqual(queries)
      expect(report.pages).toBeGreaterThan(report.queries)
      expect(report.byIndex).toBeGreaterThan(report.queries / 8)
      console.log(`oracle on ${store}: ${JSON.stringify(report)}, seed ${seed}`)
    },
  )
}
