// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { isRowkeyError } from '#codec'
import type { Repository } from '#mapper'
import type { TableSchema } from '#model'
import { changes, now, plainWays, randomExpiry, type FormerRow, type OracleRow } from './case.js'
import type { Row } from './conditions.js'
import { isExact } from './index-layout.js'
import type { OracleColumn, OracleLayout } from './layout.js'
import { compareKeys, randomRow } from './query.js'
import type { Random } from './random.js'

/** Former states of some rows, and some rows that are deleted; none for a table without indexes. */
export function randomFormer(random: Random, layout: OracleLayout, rows: readonly OracleRow[], max = 8): readonly FormerRow[] {
  if (layout.indexes.length === 0) return []
  const changed = random.shuffled(rows).slice(0, random.below(max + 1)).map((row) => formerOf(random, layout, row)) // prettier-ignore
  // An exact delete finds no row that has expired, and leaves it to the store.
  const expiry = (): number | null => (isExact(layout) ? null : randomExpiry(random, layout))
  const deleted = Array.from({ length: random.below(max / 2 + 1) }, (): FormerRow => ({
    ...{ values: randomRow(random, layout), expires: expiry(), way: 'put' },
  }))
  const isNew = (row: Row, others: readonly OracleRow[]): boolean => !others.some(({ values }) => compareKeys(layout, values, row) === 0)
  return [...changed, ...deleted.filter(({ values }, i) => isNew(values, [...rows, ...deleted.slice(0, i)]))]
}

function formerOf(random: Random, layout: OracleLayout, { values: row, expires }: OracleRow): FormerRow {
  const isLive = expires === null || expires > now
  const way = layout.plain || !isLive || layout.values.length === 0 || random.chance(0.4) ? random.pick(plainWays) : random.pick(changes)
  const numbers = layout.values.filter(({ name, kind }) => kind.isInteger === true && row[name] !== null)
  const columns = way === 'increment' ? random.shuffled(numbers).slice(0, 1) : layout.values.filter(() => random.chance(0.7))
  const other = ({ name, kind, nulls }: OracleColumn): readonly [string, unknown] => [
    name,
    way !== 'increment' && nulls !== undefined && random.chance(0.25) ? null : random.pick(kind.pool),
  ]
  const values = { ...row, ...Object.fromEntries(columns.map(other)) }
  // A change keeps the expiry, and finds no row that has expired.
  return { values, expires: plainWays.some((each) => each === way) ? randomExpiry(random, layout) : expires, way }
}

/**
 * Makes a row of a former one.
 *
 * @returns whether the way is one that the store and the columns have; otherwise the row has to be put
 */
export async function becomes(
  table: Repository<TableSchema>,
  layout: OracleLayout,
  { values: former, way }: FormerRow,
  { values: row, expires }: OracleRow,
): Promise<boolean> {
  const key = Object.fromEntries(layout.key.map(({ name }) => [name, row[name]]))
  const differs = layout.values.map(({ name }) => name).filter((name) => row[name] !== former[name])
  const patch = Object.fromEntries(differs.map((name) => [name, row[name]]))
  try {
    if (way === 'putMany') await table.putMany([row], layout.expires ? { expires: expires === null ? null : new Date(expires) } : {})
    else if (way === 'update') await table.update(key, patch)
    else if (way === 'upsert') await table.upsert(row)
    else if (way === 'modify') await table.modify(key, () => patch)
    else if (way === 'increment' && differs.length > 0) await table.increment(key, amounts(former, patch))
    else return false
    return true
  } catch (error) {
    // Not every store has conditions, and instants are no numbers to add to.
    if (isRowkeyError(error) && ['NOT_SUPPORTED', 'INDEX_NEEDS_ROW', 'INVALID_VALUE', 'OUT_OF_RANGE'].includes(error.code)) return false
    throw error
  }
}

const amounts = (former: Row, patch: Row): Row =>
  Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, (value as number) - (former[name] as number)]))
