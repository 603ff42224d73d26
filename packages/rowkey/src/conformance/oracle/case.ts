// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { Order } from '#store'
import type { Random } from './random.js'
import { textOf } from '../text-of.js'
import type { Row, Where } from './conditions.js'
import { compareKeys, randomFeed, randomRow, randomWhere } from './query.js'
import type { OracleIndex, OracleColumn, OracleLayout } from './layout.js'
import { hasDay, hasEntry, orderedBy } from './index-layout.js'
import { orderOption, randomBounds, randomMerged, type Bounds } from './scan-order.js'

/**
 * The instant at which the oracle reads, in 2033. It is so far ahead that a store which deletes expired rows by its own clock does not
 * delete them while the oracle runs.
 */
export const now = 2_000_000_000_000

/** A row with its expiry. One that expires at {@link now} or earlier is in the store, but never in an answer. */
export interface OracleRow {
  readonly values: Row
  readonly expires: number | null
}

export const plainWays = ['put', 'putMany'] as const
export const changes = ['update', 'upsert', 'modify', 'increment'] as const

/** A row that was there before, so that its entries are stale. One whose key no row has was deleted, the others became the row with their key. */
export interface FormerRow extends OracleRow {
  /** How it became that row. */
  readonly way: (typeof plainWays)[number] | (typeof changes)[number]
}

/** What is compared: a complete read, one with a limit, one with writes between its pages, a count and a filter, pages under a cap, or pages of a size. */
type Comparison = 'complete' | 'limit' | 'counted' | 'under writes' | 'capped' | number

/** One table with its rows and one query: everything that is needed to repeat a mismatch. */
export interface OracleCase {
  readonly layout: OracleLayout
  readonly rows: readonly OracleRow[]
  /** Of a table with indexes: what was there before the rows. */
  readonly former: readonly FormerRow[]
  /** By which it reads, if not by the key of the table. */
  readonly index: OracleIndex | undefined
  readonly where: Where
  readonly unbounded: boolean
  readonly maxRanges: number
  readonly reverse: boolean
  /** How many leading columns are merged, by the option `order`; 0 = the order of the key. */
  readonly merged: number
  readonly bounds: Bounds
  readonly comparisons: readonly Comparison[]
  /** The seed of the choices made during the comparison. */
  readonly seed: number
}

/** Options of every scan of a case. */
export interface CaseScanOptions {
  // The type says true, so that the looser overload takes any predicate; at run time it is either.
  readonly unbounded: true
  readonly maxRanges: number
  readonly maxFanOut: number
  readonly order?: Order | undefined
  readonly maxExamined?: number
  readonly index?: never
}

export function scanOptionsOf(of: OracleCase): CaseScanOptions {
  const { index, where, unbounded, maxRanges, reverse, merged, bounds } = of
  return {
    unbounded: unbounded as true,
    maxRanges,
    maxFanOut: 1_000_000,
    order: orderOption(orderedBy(of), where, merged, reverse),
    ...(index === undefined ? {} : { index: index.name as never }),
    ...bounds,
  }
}

/** Enough ranges that the conditions a walk can use do not depend on the number of buckets. */
export const unlimited = 100_000

export function randomRows(random: Random, layout: OracleLayout, max: number): readonly OracleRow[] {
  const rows = Array.from({ length: random.below(max + 1) }, (): OracleRow => ({
    values: randomRow(random, layout),
    expires: randomExpiry(random, layout),
  }))
  return withoutTwins(layout, rows)
}

export const randomExpiry = (random: Random, { expires }: OracleLayout): number | null =>
  expires ? random.pick([null, now - 1, now, now + 1, now + 1_000_000]) : null

/** The last one of the rows with one key, as in a store. */
export function withoutTwins(layout: OracleLayout, rows: readonly OracleRow[]): readonly OracleRow[] {
  return rows.filter((row, i) => !rows.some((other, j) => j > i && compareKeys(layout, row.values, other.values) === 0))
}

export function randomCase(
  random: Random,
  table: OracleLayout,
  rows: readonly OracleRow[],
  pageSizes: readonly number[],
  former: readonly FormerRow[] = [],
): OracleCase {
  const index = table.indexes.length > 0 && random.chance(0.8) ? random.pick(table.indexes) : undefined
  const layout = orderedBy({ layout: table, index })
  const isFeed = random.chance(0.25)
  const stored = rows.map(({ values }) => values).filter((values) => index === undefined || hasEntry(layout, values))
  const where = isFeed ? randomFeed(random, layout, stored) : randomWhere(random, layout)
  // Entries of rows that expire are not merged.
  const canMerge = index === undefined || !hasDay(table)
  const merged = canMerge && (isFeed || random.chance(0.5)) ? randomMerged(random, layout, where) : 0
  const reverse = random.chance(0.5)
  return {
    layout: table,
    rows,
    former,
    index,
    where,
    unbounded: random.chance(0.3),
    // Values that maxRanges makes one range of cannot be merged.
    maxRanges: merged === 0 && random.chance(0.3) ? random.pick([1, 2, 8]) : unlimited,
    reverse,
    merged,
    bounds: random.chance(0.4) ? randomBounds(random, layout, where, merged, stored) : {},
    comparisons: [
      'complete',
      'limit',
      'capped',
      ...(random.chance(0.3) ? ['under writes' as const] : []),
      ...(index === undefined ? [] : ['counted' as const]),
      ...pageSizes,
    ],
    seed: random.below(2 ** 31),
  }
}

/** A case in words; the line that begins with `where` is the last. */
export function describeCase(of: OracleCase): string {
  const { layout, rows, former, index, where, comparisons } = of
  const { maxFanOut: _, maxRanges, ...options } = scanOptionsOf(of)
  const column = ({ name, kind, desc, nulls }: OracleColumn): string =>
    `${name}: ${desc ? 'desc ' : ''}${kind.name}${nulls === undefined ? '' : ` nulls ${nulls}`}`
  const salts = layout.salts.map((salt) => JSON.stringify(salt)).join(' + ')
  const others = layout.otherSalts.map((salt) => JSON.stringify(salt)).join(' + ')
  return [
    `key (${layout.key.map(column).join(', ')}), partition ${layout.partitionLength}, values (${layout.values.map(column).join(', ')})`,
    `salt ${salts || 'none'}, of the other table ${others || 'none'}${layout.expires ? ', rows expire' : ''}${layout.versioned ? ', versioned' : ''}${layout.plain ? ', plain writes' : ''}`,
    ...layout.indexes.map(indexText),
    `rows (${rows.length})`,
    ...rows.map(rowText),
    ...former.map((row) => `  ${row.way} over${rowText(row)}`),
    ...(index === undefined ? [] : [`by index ${index.name}`]),
    `options ${textOf({ ...options, ...(maxRanges === unlimited ? {} : { maxRanges }) })}, compared: ${comparisons.join(', ')}`,
    `where ${textOf(where)}`,
  ].join('\n')
}

const rowText = ({ values, expires }: OracleRow): string =>
  `  ${textOf(values)}${expires === null ? '' : expires <= now ? ' expired' : ' expires later'}`

const indexText = ({ name, partition, key, include, salts, otherSalts }: OracleIndex): string =>
  `index ${name}: partition (${partition.join(', ')}), key (${key.join(', ')}), include (${include.join(', ')}), salt ${textOf(salts)}, of the other table ${textOf(otherSalts)}`
