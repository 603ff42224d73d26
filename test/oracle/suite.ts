import { oracle, type CreateAdapter } from '@rowkey/conformance'
import { expect, test } from 'vitest'

const layouts = Number(process.env.ORACLE_LAYOUTS ?? 5000)
const seed = Number(process.env.ORACLE_SEED ?? 20_261_121)

/** The oracle in several files, so that they run in parallel. ORACLE_LAYOUTS and ORACLE_SEED change size and seed. */
export function oracleSuite(store: string, createAdapter: CreateAdapter, part: number, parts: number, share = 1): void {
  test(
    `R1 R2 R3 R4 R5 R6 R7 R9 R10 R11 R14 R15 R17 R18 R20 R23 R24: random layouts on ${store} against the definition, seed ${seed}, part ${part}`,
    { timeout: 3_600_000 },
    async () => {
      const most = Math.ceil(layouts * share)
      const first = Math.floor((most * (part - 1)) / parts)
      const own = Math.floor((most * part) / parts) - first
      const { queries, pages } = await oracle({ createAdapter, seed: seed + first, layouts: own })
      expect(pages).toBeGreaterThan(own) // most queries are answered, not refused
      console.log(`oracle on ${store}, part ${part}: ${own} layouts, ${queries} queries, ${pages} pages, seed ${seed + first}`)
    },
  )
}
