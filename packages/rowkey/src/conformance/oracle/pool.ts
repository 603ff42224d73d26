// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { freshPrefix, openAdapter, type CreateAdapter } from '../open-adapter.js'
import { randomCase, randomRows, type OracleCase } from './case.js'
import { checkCase } from './check-case.js'
import type { OracleLayout } from './layout.js'
import { randomFormer } from './former-rows.js'
import { heldBy, withIndexes } from './index-layout.js'
import { mismatch } from './mismatch.js'
import { allPairs, pairwiseLayouts } from './pairs.js'
import { Random } from './random.js'
import { makeTables, type OracleTables } from './tables.js'

/** What {@link oraclePool} is to check. */
export interface OraclePoolOptions {
  /** Called once. The tables are dropped at the end. */
  readonly createAdapter: CreateAdapter
  /** The same seed makes the same pool, rows and queries. */
  readonly seed: number
  /** For all tables together. */
  readonly queries: number
  /** Random tables, chosen so that as many pairs of column traits as possible occur. Default 60. */
  readonly layouts?: number
  /** Queries on one set of rows. Default 20. */
  readonly queriesPerSet?: number
  /** Maximum number of rows of a set. Default 40. */
  readonly rows?: number
  /** Tables that are tested concurrently, for asynchronous stores. Default 1. */
  readonly concurrency?: number
  /** Whether the rows that an adapter examines are counted. Default true; false for stores that read whole blocks. */
  readonly countWork?: boolean
  /** Begins the names of tables. Default: a new one. */
  readonly prefix?: string
  /** Milliseconds after which a failing case is reported as small as it is by then. Default: none. */
  readonly shrinkMs?: number
}

/** What a pool has checked. */
export interface OraclePoolReport {
  readonly layouts: number
  /** Pairs of traits that occur in the layouts: type × direction × nulls × salt × position in the key. */
  readonly pairs: number
  /** How many there are. */
  readonly allPairs: number
  readonly sets: number
  readonly queries: number
  /** Of these by an index. */
  readonly byIndex: number
  readonly pages: number
}

/** Each query is read whole, and in one other way. */
const otherWays = ['limit', 'counted', 'capped', 'under writes', 'pages', 'pages', 'pages', 1000] as const

/**
 * The oracle for stores where a table costs more than a query: few tables, whose rows are replaced again and again, and many queries on
 * each set of rows.
 *
 * Cost: two tables per layout; about ten native calls per query, four writes per row of a set.
 *
 * @throws OracleMismatch with the smallest case that still fails
 * @example
 * ```ts
 * await oraclePool({ createAdapter, seed: 1, queries: 5000, concurrency: 4 })
 * ```
 */
export async function oraclePool(options: OraclePoolOptions): Promise<OraclePoolReport> {
  const { createAdapter, seed, queries, layouts: count = 60, queriesPerSet = 20, concurrency = 1 } = options
  const { prefix = freshPrefix(), shrinkMs, countWork = true } = options
  const { adapter, end } = await openAdapter(createAdapter)
  const { layouts, pairs } = pairwiseLayouts(new Random(seed), count)
  const perLayout = Math.ceil(queries / layouts.length)
  const sets = Math.ceil(perLayout / queriesPerSet)
  const waiting = layouts.map((layout, i) => ({
    layout: heldBy(adapter.capabilities, withIndexes(new Random(seed + count + i), layout, indexed)),
    i,
  }))
  let [byIndex, pages] = [0, 0]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { layout, i } = next
      const own = `${prefix}${i}_`
      const tables = await makeTables(adapter, own, layout)
      const random = new Random(seed + 1 + i)
      for (let asked = 0; asked < perLayout; asked += queriesPerSet) {
        const max = Math.min(queriesPerSet, perLayout - asked)
        const { failed, ...read } = await checkSet(layout, tables, random, max, options)
        pages += read.pages
        byIndex += read.byIndex
        if (failed === undefined) continue
        waiting.length = 0
        await tables.drop().catch(() => undefined) // the earlier failure is the one to report
        const repeat = `oraclePool({ createAdapter, seed: ${seed}, queries: ${queries} })`
        throw await mismatch({ adapter, prefix: own, seed, repeat, countWork, shrinkMs }, failed.of, failed.cause)
      }
      await tables.drop()
    }
  }
  // The others finish and drop their tables before a failure is reported.
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, work))
  await end()
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return {
    layouts: layouts.length,
    pairs,
    allPairs: allPairs(),
    sets: sets * layouts.length,
    queries: perLayout * layouts.length,
    byIndex,
    pages,
  }
}

/** The share of tables with indexes. */
const indexed = 0.4

/** Fills the tables, runs the queries, and empties the tables. */
async function checkSet(
  layout: OracleLayout,
  tables: OracleTables,
  random: Random,
  queries: number,
  { rows: maxRows = 40, countWork = true }: OraclePoolOptions,
): Promise<{ readonly byIndex: number; readonly pages: number; readonly failed?: { readonly of: OracleCase; readonly cause: unknown } }> {
  const rows = randomRows(random, layout, maxRows)
  const former = randomFormer(random, layout, rows)
  await tables.put(rows, former)
  let [byIndex, pages] = [0, 0]
  for (let n = 0; n < queries; n++) {
    const drawn = randomCase(random, layout, rows, [], former)
    const whole = { ...drawn, reverse: drawn.reverse && tables.readsBack }
    const way = whole.merged > 0 && random.chance(0.7) ? 'pages' : random.pick(otherWays)
    const size = 1 + random.below(7)
    const of: OracleCase = { ...whole, comparisons: ['complete', way === 'pages' ? size : way] }
    if (of.index !== undefined) byIndex++
    try {
      pages += 1 + (await checkCase(of, tables, countWork))
    } catch (cause) {
      return { byIndex, pages, failed: { of, cause } }
    }
  }
  await tables.remove(rows)
  return { byIndex, pages }
}
