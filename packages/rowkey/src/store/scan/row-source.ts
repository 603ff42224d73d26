// Tested by merge-source.test.ts.
import type { Bound, Row, Value } from '#codec'
import type { TableSchema } from '#model'
import type { MaybePromise, Page, PageSource } from '../contract/reading.js'
import { orderedColumns } from '../plan/order.js'
import type { KeyRange } from '../plan/plan.js'

/**
 * What the core pulls rows from: the slice of one bucket, its ranges, the merged buckets, a list of keys, a whole table. Like the
 * `PageSource` of an adapter, but it also knows where it stands.
 */
export interface RowSource<P = Position> extends PageSource {
  /** @param mayExamine about how many rows this round may read; with 0 it returns only what is in memory. Default: any number. */
  next(want: number, mayExamine?: number): MaybePromise<Page | undefined>
  /** Everything up to here has been examined, and what was found has been returned; undefined before the first row. */
  readonly position: P | undefined
  /** true when it is known that there is nothing left, which may be before `next()` returns undefined. */
  readonly ended: boolean
}

/** A position up to which everything has been examined: after a row, or at the end of a range. */
export interface Position {
  readonly bound: Bound
  /** The row, if the position is after one. */
  readonly row: Row | undefined
}

/** Positions of one scan, in its order. All sources of the scan share them. */
export class Positions {
  private readonly schema: TableSchema
  private readonly isMerged: boolean
  readonly reverse: boolean
  /** The order of rows in the scan. */
  readonly compareRows: (a: Row, b: Row) => number

  /** @param merged how many leading key columns order the rows last; then every position is after a row */
  constructor(schema: TableSchema, reverse: boolean, merged = 0) {
    const compareRows = merged === 0 ? schema.layout.compareRows : mergedOrder(schema, merged)
    this.schema = schema
    this.isMerged = merged > 0
    this.reverse = reverse
    this.compareRows = reverse ? (a, b) => compareRows(b, a) : compareRows
  }

  after(row: Row): Position {
    return { bound: { prefix: row.slice(0, this.schema.keyLength), edge: this.reverse ? 'before' : 'after' }, row }
  }

  /** The end of a range. It has no place in a merged order, where rows of other ranges come before and after it. */
  endOf({ from, to }: KeyRange): Position | undefined {
    return this.isMerged ? undefined : { bound: this.reverse ? from : to, row: undefined }
  }

  compare(a: Position, b: Position): number {
    if (a.row !== undefined && b.row !== undefined) return this.compareRows(a.row, b.row)
    const order = this.schema.layout.compareBounds(a.bound, b.bound)
    return this.reverse ? -order : order
  }

  /** Whether the scan reaches a row after a position. */
  isAfter(row: Row, position: Position): boolean {
    return position.row === undefined ? this.compare(this.after(row), position) > 0 : this.compareRows(row, position.row) > 0
  }
}

function mergedOrder({ layout, keyLength }: TableSchema, merged: number): (a: Row, b: Row) => number {
  const columns = orderedColumns(keyLength, merged).map((at) => ({ at, compare: layout.column(at).compare }))
  return (a, b) => {
    for (const { at, compare } of columns) {
      const order = compare(a[at] as Value, b[at] as Value)
      if (order !== 0) return order
    }
    return 0
  }
}
