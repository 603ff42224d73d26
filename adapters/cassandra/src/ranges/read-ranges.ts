import type { Cancellation, ReadOptions } from 'rowkey/adapter'
import type { NativeRow } from '../client/answers.js'
import { int32 } from '../client/native-bytes.js'
import type { TableContext } from '../context.js'
import { isOverTombstones } from '../errors.js'
import type { Filter } from '../filter.js'
import { cutKeyRange, type KeyRange } from './key-range.js'

// A server refuses a read that passes over too many tombstones: the cells of rows that have expired, the nulls of puts, rows that were deleted. A
// smaller number of rows only helps if they are in the rows that it returns. So a refused range is cut, and its parts are read one after the other.

/** Where rows are: the bytes of the bucket and the partition columns, or of a token. */
interface Place {
  readonly params: readonly Buffer[]
  readonly isToken: boolean
}

/** What is read of each range. */
export interface RangeReading {
  readonly table: TableContext
  /** The columns of the SELECT. */
  readonly columns: string
  readonly place: Place
  readonly reverse: boolean
  /** Which rows the server drops. */
  readonly filter?: Filter | undefined
  readonly consistency: ReadOptions['consistency']
  readonly cancellation: Cancellation | undefined
}

/** The first rows of some ranges. */
export interface FirstRows {
  readonly rows: readonly NativeRow[]
  /** Requests, also those that were refused. */
  readonly calls: number
  /** Whether the ranges may contain rows after these. */
  readonly more: boolean
  /** The number of rows that the last request asked for, if one was refused: the next page asks for no more. */
  readonly fitting: number | undefined
}

/** Refusals after which a read gives up. With one range between two of them, this passes over millions of tombstones. */
const maxRefusals = 1024
/** The first share that a refused range is cut to, while nothing is known of where its rows are; later it is halved. */
export const firstShare = 16

/**
 * Up to `want` rows of ranges that follow each other in the order of the scan; fewer if a request was refused.
 *
 * @throws RowkeyError `STORE_REFUSED` if not even one key can be read, or after too many refusals; the reason of the cancellation
 */
export async function readRanges(reading: RangeReading, ranges: readonly KeyRange[], want: number): Promise<FirstRows> {
  const { table, reverse, cancellation } = reading
  const clustering = table.keys.slice(table.schema.partitionLength)
  const left = ranges.toReversed()
  const rows: NativeRow[] = []
  let [calls, refusals, limit, share] = [0, 0, want, firstShare]
  const firstRows = (more: boolean): FirstRows => ({ rows, calls, more, fitting: refusals === 0 ? undefined : limit })
  for (let range = left.pop(); range !== undefined; range = left.pop()) {
    const asked = Math.min(limit, want - rows.length)
    calls++
    try {
      const found = await readRange(reading, range, asked)
      for (const row of found) rows.push(row)
      if (found.length >= asked) return firstRows(true)
      if (refusals > 0) share = 2
    } catch (error) {
      if (!isOverTombstones(error)) throw error
      const parts = cutKeyRange(clustering, range, reverse, share)
      if ((parts === undefined && asked === 1) || ++refusals > maxRefusals) throw error
      limit = Math.max(1, asked >> 3)
      left.push(...(parts ?? [range]).toReversed())
      cancellation?.throwIfOver()
    }
  }
  return firstRows(false)
}

/** The first rows of a range in the direction of the scan. */
async function readRange(
  { table, columns, place, reverse, filter, consistency }: RangeReading,
  { fixed, from, to }: KeyRange,
  want: number,
): Promise<readonly NativeRow[]> {
  const query = table.statements.scan(columns, { fixed: fixed.length, from, to }, reverse, place.isToken, filter?.text)
  const ends = [from, to].flatMap((end) => (end === undefined ? [] : [end.bytes]))
  const { rows } = await table.read(
    { query, params: [...place.params, ...fixed, ...ends, ...(filter?.params ?? []), int32(want)] },
    consistency,
  )
  return rows
}
