import { utf8Of } from 'rowkey/adapter'

/** The column family of all cells. */
export const familyName = 'f'
export const family: Uint8Array = utf8Of(familyName)

/** The column by which a row exists, and whose value is another one after every write. */
export const markName = 'rk_mark'
export const mark: Uint8Array = utf8Of(markName)

/**
 * HBase has rows of up to 32,767 bytes. But whoever looks for the region of a row scans the catalog of regions from the name of the table, the
 * row and 16 more bytes, and that start may not be longer either.
 */
export const maxRowkeyBytes = 32_000

/** Rows to scan, in the server's form; undefined: there can be none. */
export interface RowRange {
  /** Inclusive; undefined = from the first row of the direction. */
  readonly start: Uint8Array | undefined
  /** Exclusive; undefined = to the last one. */
  readonly stop: Uint8Array | undefined
}

/**
 * The rows from `from` (inclusive) to `to` (exclusive), as a scan in either direction asks for them. The start of a scan is inclusive and
 * its stop is exclusive, also if it is reversed: then it starts at the last possible row before `to`, and stops at the one before `from`.
 *
 * @param to null = to the end of the table
 * @param longest bytes of the longest possible row
 */
export function rowRange(
  from: Uint8Array | null,
  to: Uint8Array | null,
  reverse: boolean,
  longest: number = maxRowkeyBytes,
): RowRange | undefined {
  if (from === null) return undefined
  const cut = (bound: Uint8Array): Uint8Array => (bound.length > longest + 1 ? bound.subarray(0, longest + 1) : bound)
  // No possible rows differ only after that length.
  const low = cut(from)
  const high = to === null ? undefined : cut(to)
  if (high !== undefined && Buffer.compare(low, high) >= 0) return undefined
  if (!reverse) return { start: orOpen(low), stop: high }
  const start = high === undefined ? undefined : before(high, longest)
  if (start?.length === 0) return undefined // no row is empty
  return { start, stop: low.length === 0 ? undefined : orOpen(before(low, longest)) }
}

/** An empty bound means an open end to the server. */
const orOpen = (bound: Uint8Array): Uint8Array | undefined => (bound.length === 0 ? undefined : bound)

/** The last possible row before a bound that is not empty. One byte more than the longest row makes it a bound of its own. */
function before(bound: Uint8Array, longest: number): Uint8Array {
  const last = bound.length - 1
  if (bound[last] === 0) return bound.subarray(0, last)
  const row = new Uint8Array(longest + 1).fill(0xff)
  row.set(bound)
  row[last] = (bound[last] as number) - 1
  return row
}

/** The first possible row after another one. */
export function after(row: Uint8Array): Uint8Array {
  const next = new Uint8Array(row.length + 1)
  next.set(row)
  return next
}
