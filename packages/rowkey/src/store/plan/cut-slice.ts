import type { Row, Value } from '#codec'
import type { TableSchema } from '#model'
import type { Endpoint, Slice } from '../contract/reading.js'

/** The keys that start with `prefix` and whose next column lies between two ends; without ends, all keys that start with `prefix`. */
export interface Piece {
  readonly prefix: Row
  /** In key order: in a descending column the greatest value comes first. */
  readonly from?: Endpoint
  readonly to?: Endpoint
}

/**
 * For stores that support equality on leading columns and one range on the next one (CQL, SQL): a slice cut into such pieces, in the order
 * of the scan, disjoint and together exactly the slice. At most 2n − 1 pieces for n key columns.
 *
 * Ends are in key order, including `null`, which sorts where the column says. An adapter whose native column is descending reverses the
 * operator.
 *
 * @example
 * ```ts
 * // (host, at) from ('a', 5) to the end of 'c'
 * cutSlice(schema, slice)
 * //=> [{ prefix: ['a'], from: { value: 5, inclusive: true } },
 * //    { prefix: [], from: { value: 'a', inclusive: false }, to: { value: 'c', inclusive: true } }]
 * ```
 */
export function cutSlice(schema: TableSchema, { from, to, reverse }: Slice): readonly Piece[] {
  const shared = sharedLength(schema, from.prefix, to.prefix)
  const pieces = [
    ...above(from.prefix, from.edge === 'before', shared),
    ...between(from, to, shared),
    ...below(to.prefix, to.edge === 'after', shared),
  ]
  return reverse ? pieces.reverse() : pieces
}

type End = Slice['from']

/** The pieces after the start of the slice, up to one column beyond what both ends share: the deepest column first. */
function above(prefix: Row, inclusive: boolean, shared: number): readonly Piece[] {
  const pieces: Piece[] = []
  for (let at = prefix.length - 1; at > shared; at--) {
    pieces.push({ prefix: prefix.slice(0, at), from: { value: prefix[at] as Value, inclusive: inclusive && at === prefix.length - 1 } })
  }
  return pieces
}

/** The same before an end, the deepest column last. */
function below(prefix: Row, inclusive: boolean, shared: number): readonly Piece[] {
  const pieces: Piece[] = []
  for (let at = shared + 1; at < prefix.length; at++) {
    pieces.push({ prefix: prefix.slice(0, at), to: { value: prefix[at] as Value, inclusive: inclusive && at === prefix.length - 1 } })
  }
  return pieces
}

/** The column in which the ends differ. If an end is no longer than what they share, it is open there. */
function between(from: End, to: End, shared: number): readonly Piece[] {
  const prefix = from.prefix.slice(0, shared)
  const low = endAt(from.prefix, shared, from.edge === 'before')
  const high = endAt(to.prefix, shared, to.edge === 'after')
  return [{ prefix, ...(low === undefined ? {} : { from: low }), ...(high === undefined ? {} : { to: high }) }]
}

function endAt(prefix: Row, at: number, inclusive: boolean): Endpoint | undefined {
  return prefix.length === at ? undefined : { value: prefix[at] as Value, inclusive: inclusive && prefix.length === at + 1 }
}

function sharedLength({ layout }: TableSchema, a: Row, b: Row): number {
  const max = Math.min(a.length, b.length)
  let at = 0
  while (at < max && layout.column(at).compare(a[at] as Value, b[at] as Value) === 0) at++
  return at
}
