import { oracle } from '#conformance'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { randomLayout, schemasOf } from '../../src/conformance/oracle/layout.js'
import { randomRow, randomWhere } from '../../src/conformance/oracle/query.js'
import { Random } from '../../src/conformance/oracle/random.js'
import { textOf } from '../../src/conformance/text-of.js'
import { restless } from '../../../../test/kit/restless.js'
import { Watch } from '../../../../test/kit/watched.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20_261_121)

// The oracle counts rows examined against what was wanted, so here pages are never larger than that.
test(`SCAN-1 SCAN-4 R7: the oracle holds for an adapter that answers late and in pieces, seed ${seed}`, { timeout: 300_000 }, async () => {
  const watch = new Watch()
  for (let i = 0; i < scaled(250); i++) {
    const random = new Random(seed + i)
    const filters = random.chance(0.5)
    await oracle({ createAdapter: () => restless(memory(), random, watch, { blocks: false, filters }), seed: seed + i, layouts: 1 })
    expect(watch.violations, `seed ${seed + i}`).toEqual([])
    expect(watch.left, `sources left open, seed ${seed + i}`).toBe(0)
  }
  expect(watch.opened).toBeGreaterThan(scaled(10_000))
})

test(
  `SCAN-1: blocks larger than wanted, applied filters and empty pages give what memory gives, seed ${seed}`,
  { timeout: 300_000 },
  async () => {
    let compared = 0
    for (let i = 0; i < scaled(300); i++) {
      const random = new Random(seed + 10_000 + i)
      const table = randomLayout(random)
      const [schema] = schemasOf(table)
      const store = memory()
      const watch = new Watch()
      const [plain, odd] = [createMapper(store), createMapper(restless(store, random, watch, { blocks: true, filters: true }))]
      await plain.ensureTables([schema])
      const rows = Array.from({ length: random.below(60) }, () => randomRow(random, table))
      await plain.repository(schema).putMany(rows)
      for (let n = 0; n < 3; n++) {
        const where = randomWhere(random, table)
        const options = { unbounded: true, order: random.chance(0.5) ? 'reverse' : undefined, maxFanOut: 1_000_000 } as const
        let expected: string[]
        try {
          expected = (await plain.repository(schema).scan(where, options).toArray()).map(textOf)
        } catch {
          continue // refusals are the oracle's
        }
        const about = `seed ${seed + 10_000 + i}, query ${n}`
        const scan = odd.repository(schema).scan(where, options)
        expect((await scan.toArray()).map(textOf), about).toEqual(expected)
        const ahead = odd.repository(schema).scan(where, { ...options, prefetch: true })
        expect((await ahead.toArray()).map(textOf), about).toEqual(expected)
        expect(await scan.count(), about).toBe(expected.length)
        const got: string[] = []
        let cursor: string | undefined
        do {
          const page = await odd
            .repository(schema)
            .scan(where, { ...options, ...(random.chance(0.5) ? { maxExamined: 1 + random.below(9) } : {}) })
            .page({ size: 1 + random.below(9), cursor })
          got.push(...page.rows.map(textOf))
          cursor = page.cursor
        } while (cursor !== undefined)
        expect(got, about).toEqual(expected)
        compared++
      }
      expect(watch.violations).toEqual([])
      expect(watch.left).toBe(0)
    }
    expect(compared).toBeGreaterThan(scaled(500))
  },
)
