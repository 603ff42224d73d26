import type { Random } from './random.js'
import { textOf } from '../text-of.js'
import { compareKeys, randomRow, randomWhere, type Row, type Where } from './query.js'
import type { OracleColumn, OracleLayout } from './layout.js'

/**
 * The moment at which the oracle reads, in 2033: a store that deletes expired rows by a clock of its own does not get to it while the
 * oracle's stands still.
 */
export const now = 2_000_000_000_000

/** A row with its expiry; one that expires at {@link now} or earlier is in the store and in no answer. */
export interface OracleRow {
  readonly values: Row
  readonly expires: number | null
}

/** What is compared: a complete read, one with a limit, one with writes between its pages, pages under a cap, or pages of a size. */
type Comparison = 'complete' | 'limit' | 'under writes' | 'capped' | number

/** One table with its rows and one query: all that a mismatch needs to be repeated. */
export interface OracleCase {
  readonly layout: OracleLayout
  readonly rows: readonly OracleRow[]
  readonly where: Where
  readonly allowFullScan: boolean
  readonly maxRanges: number
  readonly reverse: boolean
  readonly comparisons: readonly Comparison[]
  /** Of the choices made while it is compared. */
  readonly seed: number
}

/** Options of every scan of a case. */
export interface CaseScanOptions {
  // The type says true, so that the looser overload takes any predicate; at run time it is either.
  readonly allowFullScan: true
  readonly maxRanges: number
  readonly maxFanOut: number
  readonly reverse: boolean
  readonly maxExamined?: number
}

/** So many ranges that what a walk may use does not depend on the number of buckets. */
export const unlimited = 100_000

export function randomRows(random: Random, layout: OracleLayout, most: number): readonly OracleRow[] {
  const rows = Array.from({ length: random.below(most + 1) }, (): OracleRow => ({
    values: randomRow(random, layout),
    expires: layout.expires ? random.pick([null, now - 1, now, now + 1, now + 1_000_000]) : null,
  }))
  return withoutTwins(layout, rows)
}

/** Of rows with one key the last, as in a store. */
export function withoutTwins(layout: OracleLayout, rows: readonly OracleRow[]): readonly OracleRow[] {
  return rows.filter((row, i) => !rows.some((other, j) => j > i && compareKeys(layout, row.values, other.values) === 0))
}

export function randomCase(random: Random, layout: OracleLayout, rows: readonly OracleRow[], pageSizes: readonly number[]): OracleCase {
  return {
    layout,
    rows,
    where: randomWhere(random, layout),
    allowFullScan: random.chance(0.3),
    maxRanges: random.chance(0.3) ? random.pick([1, 2, 8]) : unlimited,
    reverse: random.chance(0.5),
    comparisons: ['complete', 'limit', 'capped', ...(random.chance(0.3) ? ['under writes' as const] : []), ...pageSizes],
    seed: random.below(2 ** 31),
  }
}

/** A case in words; the line that begins with `where` is the last. */
export function describeCase({ layout, rows, where, allowFullScan, maxRanges, reverse, comparisons }: OracleCase): string {
  const column = ({ name, kind, desc, nulls }: OracleColumn): string =>
    `${name}: ${desc ? 'desc ' : ''}${kind.name}${nulls === undefined ? '' : ` nulls ${nulls}`}`
  const salts = layout.salts.map((salt) => JSON.stringify(salt)).join(' + ')
  const others = layout.otherSalts.map((salt) => JSON.stringify(salt)).join(' + ')
  return [
    `key (${layout.key.map(column).join(', ')}), partition ${layout.partitionLength}, values (${layout.values.map(column).join(', ')})`,
    `salt ${salts || 'none'}, of the other table ${others || 'none'}${layout.expires ? ', rows expire' : ''}${layout.versioned ? ', versioned' : ''}${layout.plain ? ', plain writes' : ''}`,
    `rows (${rows.length})`,
    ...rows.map(({ values, expires }) => `  ${textOf(values)}${expires === null ? '' : expires <= now ? ' expired' : ' expires later'}`),
    `options ${textOf({ allowFullScan, reverse, ...(maxRanges === unlimited ? {} : { maxRanges }) })}, compared: ${comparisons.join(', ')}`,
    `where ${textOf(where)}`,
  ].join('\n')
}
