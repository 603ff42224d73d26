// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { OracleTables } from './tables.js'
import { isRowkeyError } from '#codec'
import { check } from '../check.js'
import { textOf } from '../text-of.js'
import { scanOptionsOf, unlimited, type CaseScanOptions, type OracleCase } from './case.js'
import { checkCount, checkCursor, checkEntries, mayFetch } from './check-index.js'
import { entriesLayout, hasDay, hasEntry, orderedBy } from './index-layout.js'
import { checkPagesBack, type PageSeen } from './check-pages-back.js'
import { expectationOf, type Expectation } from './expectation.js'
import { checkUnderWrites } from './check-under-writes.js'
import { versionColumn, type OracleIndex } from './layout.js'
import type { Row } from './conditions.js'
import { Random } from './random.js'

/** Compares the answers to a query with their definition. Returns the number of pages read. @throws RuleBroken */
export async function checkCase(of: OracleCase, tables: OracleTables, countWork: boolean): Promise<number> {
  const expected = expectationOf(of, of.index === undefined ? [] : tables.entries.list(of.index))
  const options = scanOptionsOf(of)
  if (expected.refusal !== undefined) {
    await checkRefusal(of, tables, expected, options)
    return 0
  }
  const texts = rowTexts(of, expected.rows)
  let pages = 0
  for (const comparison of of.comparisons) {
    const random = new Random(of.seed) // the same choices, whatever was compared before
    if (comparison === 'complete') await checkComplete(of, tables, expected, texts, options, countWork)
    else if (comparison === 'limit') await checkLimit(of, tables, texts, options, countWork ? random : undefined, 1 + random.below(6))
    else if (comparison === 'under writes') await checkUnderWrites(of, tables, expected.rows, options, random)
    else if (comparison === 'counted') {
      await checkCursor(tables, of, options, codeOf)
      await checkCount(tables, of, options, expected.rows, (row) => rowTexts(of, [row])[0] ?? '')
    } else if (comparison === 'capped') await checkPages(of, tables, texts, { ...options, maxExamined: 1 + random.below(6) }, random, 3)
    else pages += await checkPages(of, tables, texts, options, random, comparison)
  }
  return pages
}

/** Rows as text: in keys −0 is 0, and versions are left out because they cannot be predicted. */
function rowTexts(of: OracleCase, rows: readonly object[]): readonly string[] {
  const { key } = orderedBy(of)
  const isKey = (column: string): boolean => key.some(({ name }) => name === column)
  return rows.map((row) => {
    const entries = Object.entries(row as Row).filter(([name]) => name !== versionColumn)
    return textOf(Object.fromEntries(entries.map(([name, value]) => [name, value === 0 && isKey(name) ? 0 : value])))
  })
}

async function checkRefusal(of: OracleCase, { rows }: OracleTables, expected: Expectation, options: CaseScanOptions): Promise<void> {
  // The planner may detect contradicting conditions that the definition does not detect.
  const mayBeEmpty = expected.refusal === 'TOO_MANY_RANGES' && expected.rows.length === 0
  const refusal = await codeOf(() => rows.scan(of.where, options).toArray())
  if (mayBeEmpty && refusal === 'nothing' && rows.scan(of.where, { ...options, maxRanges: unlimited }).explain().kind === 'EMPTY') return
  check(refusal === expected.refusal, `refused with ${refusal}, not with ${expected.refusal}`)
}

/** A complete read: rows, order, and work. */
async function checkComplete(
  of: OracleCase,
  tables: OracleTables,
  expected: Expectation,
  texts: readonly string[],
  options: CaseScanOptions,
  countWork: boolean,
): Promise<void> {
  const { rows, work } = tables
  const scan = rows.scan(of.where, options)
  const plan = scan.explain()
  const before = { ...work }
  sameRows(rowTexts(of, await scan.toArray()), texts, 'rows of toArray()')
  const scans = work.scans - before.scans
  const examined = work.examined - before.examined
  check(scans === plan.ranges, `${scans} native range requests, explain() says ${plan.ranges}`)
  const fetched = work.keys - before.keys - plan.keys
  const most = of.index === undefined || plan.kind === 'EMPTY' ? 0 : mayFetch(of, tables)
  check(fetched >= 0 && fetched <= most, `${fetched} keys asked for besides those of explain(), at most ${most}`)
  if (of.index !== undefined && plan.kind !== 'EMPTY') await checkEntries(of, tables, options, most)
  const { isGet, walked, maxBuckets, maxRanges } = expected
  // Beyond the cap of a plan, lists become ranges with a filter.
  if (options.maxRanges === unlimited && plan.kind !== 'EMPTY' && maxRanges <= unlimited) {
    // The day at whose end an entry expires is the end of its key, and no query says it.
    const endsInDay = of.index !== undefined && hasDay(of.layout)
    check(plan.kind.endsWith('GET') === (isGet && !endsInDay), `the plan is ${plan.kind}`)
    // Fewer if conditions after the walk prune buckets.
    check(!countWork || isGet || examined <= walked, `${examined} rows examined, the walk may use ${walked}`)
    check(plan.buckets.read <= maxBuckets, `${plan.buckets.read} buckets read, at most ${maxBuckets} needed`)
    check(plan.ranges <= maxRanges, `${plan.ranges} ranges read, at most ${maxRanges} needed`)
    if (isExact(of)) check(isGet || plan.ranges === maxRanges, `${plan.ranges} ranges read, ${maxRanges} needed`)
  }
  if (plan.buckets.read > 1) {
    const code = await codeOf(() => rows.scan(of.where, { ...options, maxFanOut: plan.buckets.read - 1 }).page())
    check(code === 'FAN_OUT_EXCEEDED', `one bucket more than maxFanOut gives ${code}`)
  }
}

/** Whether a query by an index returns a row for each entry. */
function readsNoMore({ layout, rows, where }: OracleCase, index: OracleIndex, { entries }: OracleTables): boolean {
  const order = entriesLayout(layout, index)
  const { key } = order
  return (
    entries.list(index).length <= rows.filter(({ values }) => hasEntry(order, values)).length &&
    Object.keys(where).every((column) => key.some(({ name }) => name === column))
  )
}

/** Whether the number of ranges follows from the query alone: one for each period that it names. */
function isExact(of: OracleCase): boolean {
  const { salts, key } = orderedBy(of)
  return salts.length === 0 && key.some(({ period }) => period !== undefined) && Object.keys(of.bounds).length === 0
}

/** `countWork`: the coin flips. */
async function checkLimit(
  of: OracleCase,
  tables: OracleTables,
  texts: readonly string[],
  options: CaseScanOptions,
  countWork: Random | undefined,
  limit: number,
): Promise<void> {
  const { rows, work } = tables
  const scan = rows.scan(of.where, { ...options, limit })
  const plan = scan.explain()
  const before = work.examined
  const got = rowTexts(of, await scan.toArray())
  sameRows(got, texts.slice(0, limit), `rows of toArray() with limit ${limit}`)
  // Without a filter, a limit must not read many more rows than it returns: two rows per stream ahead, and what one refill fetches.
  if (countWork === undefined || plan.residual.length > 0 || !plan.kind.endsWith('SCAN') || of.layout.expires) return
  // Rows of stale entries, and those that other columns exclude, are left out after they were read.
  if (of.index !== undefined && !readsNoMore(of, of.index, tables)) return
  const max = 2 * limit + 2 * (plan.kind === 'MERGED SCAN' ? plan.ranges : plan.buckets.read)
  check(work.examined - before <= max, `${work.examined - before} rows examined for a limit of ${limit}, at most ${max}`)
}

/** Pages of one size, perhaps under a cap, which switch to the other bucket count and back at random between pages; then back again. */
async function checkPages(
  of: OracleCase,
  { rows, rebucketed, readsBack }: OracleTables,
  texts: readonly string[],
  options: CaseScanOptions,
  random: Random,
  limit: number,
): Promise<number> {
  const got: string[] = []
  const seen: PageSeen[] = []
  let cursor: string | undefined
  let pages = 0
  const keysOnly = rows.scan(of.where, options).explain().kind.endsWith('GET')
  do {
    const table = random.chance(0.5) ? rows : rebucketed
    const page = await table.scan(of.where, options).page({ size: limit, cursor })
    const own = rowTexts(of, page.rows)
    got.push(...own)
    seen.push({ rows: own, previous: page.previous })
    check(
      !readsBack || (page.previous === undefined) === (cursor === undefined),
      'every page but the first has a cursor to the page before it',
    )
    check(page.rows.length <= limit, `${page.rows.length} rows in a page of ${limit}`)
    check((page.cursor === undefined) === (page.stop === 'exhausted'), 'a page has a cursor unless it is the last one')
    check(page.stop !== 'size' || page.rows.length === limit || keysOnly, 'a page that ends at its limit is full')
    cursor = page.cursor
    check(++pages <= 2_000, 'paging ends') // a page of keys may have no row
  } while (cursor !== undefined)
  sameRows(got, texts, `rows in pages of ${limit}`)
  if (!readsBack) return pages
  const isAligned = !keysOnly && options.maxExamined === undefined
  return (
    pages +
    (await checkPagesBack(seen, isAligned, limit, async (previous) => {
      const table = random.chance(0.5) ? rows : rebucketed
      const page = await table.scan(of.where, options).page({ size: limit, cursor: previous })
      return { ...page, rows: rowTexts(of, page.rows) }
    }))
  )
}

function sameRows(got: readonly string[], wanted: readonly string[], what: string): void {
  const holds = got.length === wanted.length && got.every((row, i) => row === wanted[i])
  const list = (rows: readonly string[]): string => rows.slice(0, 20).join('\n    ') || 'none'
  check(holds, `${what}\n  expected\n    ${list(wanted)}\n  got\n    ${list(got)}`)
}

async function codeOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run()
    return 'nothing'
  } catch (error) {
    if (isRowkeyError(error)) return error.code
    throw error
  }
}
