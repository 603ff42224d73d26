import { oracle, type CreateAdapter } from 'rowkey/conformance'
import { scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'

const seed = Number(process.env.ORACLE_SEED ?? 20_261_121)
/** Per table. */
const queries = 3

/** A share of the layouts in a file of its own, so that files run in parallel. `layouts`: of all parts, before they are scaled. */
export function oracleSuite(store: string, createAdapter: CreateAdapter, { part = 1, parts = 1, layouts = 1500 }): void {
  test(
    `R1 R2 R3 R4 R5 R6 R7 R9 R10 R11 R14 R15 R17 R18 R20 R23 R24: random layouts on ${store} against the definition, seed ${seed}, part ${part}`,
    { timeout: 7_200_000 },
    async () => {
      const all = scaled(layouts)
      const first = Math.floor((all * (part - 1)) / parts)
      const own = Math.floor((all * part) / parts) - first
      const { pages, queries: asked, byIndex } = await oracle({ createAdapter, seed: seed + first, layouts: own, queries })
      expect(pages).toBeGreaterThan(own) // most queries are answered, not refused
      expect(byIndex).toBeGreaterThan(own / 5)
      console.log(
        `oracle on ${store}, part ${part}: ${own} layouts, ${asked} queries, ${byIndex} of them by an index, ${pages} pages, seed ${seed + first}`,
      )
    },
  )
}
