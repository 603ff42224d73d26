// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { check } from '../check.js'
import { now, type CaseScanOptions, type OracleCase, type OracleRow } from './case.js'
import type { Row } from './conditions.js'
import { hasEntry, isCovered, isExact, orderedBy } from './index-layout.js'
import { matches } from './query.js'
import { isBetween } from './scan-order.js'
import type { OracleTables } from './tables.js'

/** How many rows a complete read by an index fetches at most: one for each entry between its bounds that meets the conditions on its columns. */
export function mayFetch(of: OracleCase, { entries }: OracleTables): number {
  return of.index === undefined ? 0 : ofEntries(of, entries.list(of.index)).filter(isLive).length
}

const isLive = ({ expires }: OracleRow): boolean => expires === null || expires > now

/** Those with an entry that the query reads, whatever it says of other columns. */
function ofEntries(of: OracleCase, rows: readonly OracleRow[]): readonly OracleRow[] {
  const { where, merged, reverse, bounds } = of
  const order = orderedBy(of)
  const isInside = isBetween(order, where, merged, reverse, bounds)
  return rows.filter(({ values }) => hasEntry(order, values) && matches({ ...order, values: [] }, values, where) && isInside(values))
}

/** What a page says of the entries. @param most entries that may be read */
export async function checkEntries(of: OracleCase, { rows }: OracleTables, options: CaseScanOptions, most: number): Promise<void> {
  const { stop, stats } = await rows.scan(of.where, options).page({ size: 1000 })
  if (stop !== 'exhausted') return // a page of keys counts those without an entry
  const { entries, fetched, stale } = stats.index ?? { entries: 0, fetched: 0, stale: 0 }
  const live = ofEntries(of, of.rows.filter(isLive)).length
  // An entry whose expiry is not certain may have outlived its row.
  const stored = ofEntries(of, of.rows).length
  check(entries <= most, `stats say ${entries} entries, at most ${most} are there`)
  if (isExact(of.layout)) check(stale === 0, `stats say ${stale} stale entries, and they are written with their rows`)
  if (of.index !== undefined && isCovered(of.layout, of.index))
    check(fetched === 0, `${fetched} rows were fetched, and entries have all columns`)
  check(fetched <= entries, `stats say that ${fetched} rows were fetched for ${entries} entries`)
  check(
    entries - stale >= live && entries - stale <= stored,
    `stats say ${stale} of ${entries} entries are stale, and rows have ${live}${live === stored ? '' : ` to ${stored}`}`,
  )
}

/** Counts the rows, all and those that pass a filter in code. */
export async function checkCount(
  { rows }: OracleTables,
  { where }: OracleCase,
  options: CaseScanOptions,
  expected: readonly Row[],
  textOf: (row: Row) => string,
): Promise<void> {
  const counted = await rows.scan(where, options).count()
  check(counted === expected.length, `count() is ${counted}, not ${expected.length}`)
  const filter = (row: object): boolean => textOf(row as Row).length % 2 === 0
  const filtered = await rows.scan(where, { ...options, filter }).count()
  const wanted = expected.filter(filter).length
  check(filtered === wanted, `count() with a filter is ${filtered}, not ${wanted}`)
}

/** A cursor is of no use for other conditions, not even those on columns that the index does not have. */
export async function checkCursor(
  { rows }: OracleTables,
  of: OracleCase,
  options: CaseScanOptions,
  codeOf: (run: () => Promise<unknown>) => Promise<string>,
): Promise<void> {
  const { key } = orderedBy(of)
  const less = Object.fromEntries(Object.entries(of.where).filter(([column]) => key.some(({ name }) => name === column)))
  if (of.index === undefined || Object.keys(less).length === Object.keys(of.where).length) return
  const { cursor } = await rows.scan(of.where, options).page({ size: 1 })
  if (cursor === undefined) return
  const code = await codeOf(() => rows.scan(less, options).page({ cursor }))
  check(code === 'CURSOR_MISMATCH', `a cursor without the conditions on other columns gives ${code}`)
}
