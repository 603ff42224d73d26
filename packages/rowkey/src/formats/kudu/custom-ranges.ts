import { compareKeys, type Row } from '#codec'
import { checkOptions, show } from '#codec/internal'
import { hashLevels, type HashLevel } from './hash-levels.js'
import { encodeAll, encodingsOf, refused, rowOf } from './key-columns.js'
import type { KuduColumn } from './kudu-column.js'

/**
 * A range of the table with hash levels of its own, as many as the table has. `from` is inclusive, `to` exclusive; each has a value for
 * every range column, and without one the range is open at that end.
 */
export interface CustomRange<Key extends object = Record<string, unknown>> {
  readonly from?: Partial<Key>
  readonly to?: Partial<Key>
  readonly hash: readonly HashLevel<keyof Key & string>[]
}

type Levels = readonly ((row: Row) => number)[]

/** The hash levels at some range columns, by their bytes. @throws RowkeyError `INVALID_LAYOUT` */
export function customRanges(
  given: unknown,
  columns: readonly KuduColumn[],
  rangeColumns: readonly KuduColumn[],
  tableLevels: Levels,
): (range: Uint8Array) => Levels {
  if (!Array.isArray(given)) throw refused(`customRanges cannot be ${show(given)}. Give a list of { from, to, hash }.`)
  if (given.length === 0) return () => tableLevels
  if (rangeColumns.length === 0) throw refused("customRanges need range columns. Name them in 'range'.")
  const encodings = encodingsOf(rangeColumns)
  const toRow = rowOf(rangeColumns)
  const boundOf = (bound: unknown): Uint8Array | undefined =>
    bound === undefined ? undefined : encodeAll(encodings, toRow(bound as Record<string, unknown>))

  const ranges = given.map((range: unknown) => {
    checkOptions('a custom range', range, ['from', 'to', 'hash'], refused)
    const { from, to, hash } = range as Partial<CustomRange>
    const levels = hashLevels(hash, columns)
    if (levels.length === tableLevels.length) return { from: boundOf(from) ?? new Uint8Array(), to: boundOf(to), levels }
    throw refused(`a custom range has ${levels.length} hash levels and the table has ${tableLevels.length}. Kudu requires the same number.`)
  })
  ranges.sort((a, b) => compareKeys(a.from, b.from))
  ranges.forEach(({ from, to }, i) => {
    if (to !== undefined && compareKeys(from, to) >= 0) throw refused("a custom range is empty. Its 'from' must be below its 'to'.")
    const next = ranges[i + 1]
    if (next !== undefined && (to === undefined || compareKeys(to, next.from) > 0)) {
      throw refused('two custom ranges overlap. A row can be in only one of them.')
    }
  })
  return (range) => {
    const found = ranges.findLast(({ from }) => compareKeys(from, range) <= 0)
    return found === undefined || (found.to !== undefined && compareKeys(range, found.to) >= 0) ? tableLevels : found.levels
  }
}
