import { memory } from '@rowkey/memory'
import { expect, test } from 'vitest'
import { checkLayout } from './check-layout.js'

const layouts = Number(process.env.ORACLE_LAYOUTS ?? 5000)
const seed = Number(process.env.ORACLE_SEED ?? 20_261_121)

/** The oracle in several files, so that they run in parallel. ORACLE_LAYOUTS and ORACLE_SEED change size and seed. */
export function oracleSuite(part: number, parts: number): void {
  test(
    `R1 R2 R3 R4 R5 R6 R7 R9 R10 R11 R14 R15 R17 R18 R20 R23 R24: random layouts against the definition, seed ${seed}, part ${part}`,
    { timeout: 1_800_000 },
    async () => {
      let pages = 0
      let checked = 0
      for (let i = part - 1; i < layouts; i += parts) {
        pages += await checkLayout(seed + i, memory)
        checked++
      }
      expect(checked).toBeGreaterThanOrEqual(Math.floor(layouts / parts))
      expect(pages).toBeGreaterThan(checked) // most queries are answered, not refused
      console.log(`oracle part ${part}: ${checked} layouts, ${pages} pages, seed ${seed}`)
    },
  )
}
