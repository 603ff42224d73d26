import type { Row, Value } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Slice } from '../contract/reading.js'

/** One end of a range of one column, in key order. */
export interface PieceEnd {
  readonly value: Value
  readonly inclusive: boolean
}

/** The keys that start with `prefix` and whose next column lies between two ends; without ends all that start with `prefix`. */
export interface Piece {
  readonly prefix: Row
  /** In key order: of a descending column the greatest value comes first. */
  readonly from?: PieceEnd
  readonly to?: PieceEnd
}

/**
 * For stores that take equality on leading columns and one range on the next (CQL, SQL): a slice as such pieces, in the order of the
 * scan, disjoint and together exactly the slice. At most 2n − 1 pieces for n key columns.
 *
 * Ends are in key order, also `null`, which sorts where the column says; an adapter whose native column runs descending turns the
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

/** Behind `prefix`, but in the part that both ends share plus one more column: the deepest column first. */
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

/** The column in which the ends part. Where one end is as long as what they share, it is open there. */
function between(from: End, to: End, shared: number): readonly Piece[] {
  const prefix = from.prefix.slice(0, shared)
  const low = endAt(from.prefix, shared, from.edge === 'before')
  const high = endAt(to.prefix, shared, to.edge === 'after')
  return [{ prefix, ...(low === undefined ? {} : { from: low }), ...(high === undefined ? {} : { to: high }) }]
}

function endAt(prefix: Row, at: number, inclusive: boolean): PieceEnd | undefined {
  return prefix.length === at ? undefined : { value: prefix[at] as Value, inclusive: inclusive && prefix.length === at + 1 }
}

function sharedLength({ layout }: TableSchema, a: Row, b: Row): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at < most && layout.column(at).compare(a[at] as Value, b[at] as Value) === 0) at++
  return at
}
