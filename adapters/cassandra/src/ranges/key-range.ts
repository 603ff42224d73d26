// Tested by read-ranges.test.ts.
import { cutSlice, type Row, type Slice, type TableSchema } from 'rowkey/adapter'
import type { KeyColumn } from '../keys.js'
import type { NativeEnd } from '../client/between.js'

/** Rows of a partition whose first clustering columns have these values, and whose next one lies between two ends, in key order. */
export interface KeyRange {
  readonly fixed: readonly Buffer[]
  readonly from: NativeEnd | undefined
  readonly to: NativeEnd | undefined
}

/** All rows of a partition. */
export const wholePartition: KeyRange = { fixed: [], from: undefined, to: undefined }

/** A slice as such ranges, in the order of the scan. */
export function rangesOf(schema: TableSchema, keys: readonly KeyColumn[], slice: Slice): readonly KeyRange[] {
  return cutSlice(schema, slice).map(({ prefix, from, to }) => {
    const column = keys[prefix.length]
    const end = (given: typeof from): NativeEnd | undefined =>
      given === undefined || column === undefined ? undefined : { bytes: column.write(given.value), inclusive: given.inclusive }
    return { fixed: fixedOf(schema, keys, prefix), from: end(from), to: end(to) }
  })
}

const fixedOf = ({ partitionLength }: TableSchema, keys: readonly KeyColumn[], prefix: Row): readonly Buffer[] =>
  prefix.slice(partitionLength).map((value, i) => (keys[partitionLength + i] as KeyColumn).write(value))

/**
 * A range as two that follow each other, in the order of the scan, the first of them a share of it; none if no row can be in it.
 *
 * @param clustering the key columns after those of the partition
 * @returns undefined if it cannot be cut, as a range of one key cannot
 */
export function cutKeyRange(
  clustering: readonly KeyColumn[],
  { fixed, from, to }: KeyRange,
  reverse: boolean,
  share: number,
): readonly KeyRange[] | undefined {
  const column = clustering[fixed.length]
  if (column === undefined) return undefined
  const isTurned = column.order === 'DESC' // then the server's lowest value comes last
  const range = isTurned ? { low: to, high: from } : { low: from, high: to }
  const cut = column.cut(range, share, isTurned !== reverse)
  if (cut === undefined) return undefined
  if (cut.kind === 'empty') return []
  if (cut.kind === 'value') return cutKeyRange(clustering, { fixed: [...fixed, cut.bytes], from: undefined, to: undefined }, reverse, share)
  // The point belongs to the part above it.
  const [below, above] = [
    { bytes: cut.bytes, inclusive: false },
    { bytes: cut.bytes, inclusive: true },
  ]
  const [first, second] = isTurned ? [{ fixed, from, to: above }, { fixed, from: below, to }] : [{ fixed, from, to: below }, { fixed, from: above, to }] // prettier-ignore
  return reverse ? [second, first] : [first, second]
}
