// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { Adapter } from '#store/adapter'
import { freshPrefix, openAdapter, type CreateAdapter } from '../open-adapter.js'
import { randomCase, randomRows } from './case.js'
import { checkCase } from './check-case.js'
import { randomFormer } from './former-rows.js'
import { heldBy, withIndexes } from './index-layout.js'
import { randomLayout } from './layout.js'
import { mismatch } from './mismatch.js'
import { Random } from './random.js'
import { makeTables } from './tables.js'

/** What {@link oracle} is to check. */
export interface OracleOptions {
  /** Called once. Each layout has its own tables, which are dropped afterwards. */
  readonly createAdapter: CreateAdapter
  /** Layout i has the seed `seed + i`. */
  readonly seed: number
  /** Random tables. Default 100. */
  readonly layouts?: number
  /** Queries per table. Default 3. */
  readonly queries?: number
  /** Maximum number of rows per table. Default 40. */
  readonly rows?: number
  /** Each query is read in pages of each of these sizes. Default 1, one of 2 to 6, 7, 1000. */
  readonly pageSizes?: readonly number[]
  /** Whether the rows that an adapter examines are counted. Default true; false for stores that read whole blocks. */
  readonly countWork?: boolean
}

/** What an oracle has checked. */
export interface OracleReport {
  readonly layouts: number
  readonly queries: number
  /** Of these by an index. */
  readonly byIndex: number
  readonly pages: number
}

/**
 * Runs random queries on random tables with random rows and compares rows, order, refusals and work with their definition, which knows
 * neither plans nor bytes. Pages switch to a table with other buckets and back.
 *
 * Cost: about 8 ms per layout in memory; two tables and a few hundred reads per layout on other stores.
 *
 * @throws OracleMismatch with the smallest case that still fails
 * @example
 * ```ts
 * await oracle({ createAdapter: () => memory(), seed: 1, layouts: 500 })
 * ```
 */
export async function oracle(options: OracleOptions): Promise<OracleReport> {
  const { createAdapter, seed, layouts = 100 } = options
  const { adapter, end } = await openAdapter(createAdapter)
  const prefix = freshPrefix()
  let [queries, byIndex, pages] = [0, 0, 0]
  try {
    for (let i = 0; i < layouts; i++) {
      const checked = await checkLayout(adapter, prefix, seed + i, options)
      queries += checked.queries
      byIndex += checked.byIndex
      pages += checked.pages
    }
  } finally {
    await end()
  }
  return { layouts, queries, byIndex, pages }
}

/** The share of tables with indexes. */
const indexed = 0.5

async function checkLayout(
  adapter: Adapter,
  prefix: string,
  seed: number,
  { queries = 3, rows: maxRows = 40, pageSizes, countWork = true }: OracleOptions,
): Promise<Omit<OracleReport, 'layouts'>> {
  const random = new Random(seed)
  const layout = heldBy(adapter.capabilities, withIndexes(random, randomLayout(random), indexed))
  const rows = randomRows(random, layout, maxRows)
  const former = randomFormer(random, layout, rows)
  const tables = await makeTables(adapter, prefix, layout)
  await tables.put(rows, former)
  let [byIndex, pages] = [0, 0]
  for (let n = 0; n < queries; n++) {
    const given = randomCase(random, layout, rows, pageSizes ?? [1, 2 + random.below(5), 7, 1000], former)
    if (given.index !== undefined) byIndex++
    try {
      pages += await checkCase(given, tables, countWork)
    } catch (error) {
      await tables.drop().catch(() => undefined) // the earlier failure is the one to report
      const repeat = `oracle({ createAdapter, seed: ${seed}, layouts: 1 })`
      throw await mismatch({ adapter, prefix, seed, repeat, countWork }, given, error)
    }
  }
  await tables.drop()
  return { queries, byIndex, pages }
}
