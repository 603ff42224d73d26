// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { CaseScanOptions, OracleCase, OracleRow } from './case.js'
import type { OracleTables } from './tables.js'
import type { Random } from './random.js'
import { check } from '../check.js'
import type { Row } from './conditions.js'
import { hasEntry, orderedBy } from './index-layout.js'
import { compareKeys, matches, randomRow } from './query.js'
import { isBetween, scanCompare } from './scan-order.js'

/**
 * Deletes and inserts between pages: rows that exist throughout come exactly once and in order, and nothing comes that does not match.
 * Restores the tables.
 */
export async function checkUnderWrites(
  of: OracleCase,
  tables: OracleTables,
  expected: readonly Row[],
  options: CaseScanOptions,
  random: Random,
): Promise<void> {
  if (expected.length < 2) return
  const { layout, where, rows: stored, reverse, merged, bounds } = of
  const order = orderedBy(of)
  const { rows } = tables
  const compare = scanCompare(order, merged, reverse)
  const isInside = isBetween(order, where, merged, reverse, bounds)
  const keyOf = (row: Row): Row => Object.fromEntries(layout.key.map(({ name }) => [name, row[name]]))
  const touched: OracleRow[] = []
  const inserted: Row[] = []
  const got: Row[] = []
  const isSame = (a: Row, b: Row): boolean => compareKeys(layout, a, b) === 0
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await rows.scan(where, options).page({ size: 2, cursor })
    got.push(...(page.rows as Row[]))
    cursor = page.cursor
    check(++pages <= 1000, 'paging under writes ends')
    const gone = random.pick([...expected, ...got])
    await rows.delete(keyOf(gone))
    touched.push(...stored.filter(({ values }) => isSame(values, gone)))
    const fresh = randomRow(random, layout)
    if (stored.some(({ values }) => isSame(values, fresh))) continue
    await tables.putFresh(fresh)
    inserted.push(fresh)
  } while (cursor !== undefined)
  for (const row of inserted) await rows.delete(keyOf(row))
  await tables.put(touched)

  got.forEach((row, i) => {
    check(
      matches(layout, row, where) && isInside(row) && (of.index === undefined || hasEntry(order, row)),
      'under writes: a row that does not match',
    )
    check(i === 0 || compare(got[i - 1] as Row, row) < 0, 'under writes: rows out of order, or one twice')
  })
  for (const row of expected) {
    const isTouched = touched.some(({ values }) => isSame(values, row))
    check(isTouched || got.some((other) => isSame(other, row)), 'under writes: a row that was there throughout is missing')
  }
}
