import type { Bound, Row, Value } from '#codec'
import type { TableSchema } from '#model'
import { orderedColumns } from './order.js'

/**
 * Full keys in the order of a scan: all combinations of the points of the key columns, or those between two positions among them. A key is
 * made when it is requested, so a page only costs its own keys, however many there are.
 */
export class KeyProduct {
  protected readonly schema: TableSchema
  /** For each key column, distinct and in key order. */
  protected readonly points: readonly (readonly Value[])[]
  private readonly from: number
  private readonly to: number
  /** How many leading columns order the keys last. */
  private readonly merged: number
  /** The columns in the order in which they order the keys. */
  protected readonly columns: readonly number[]

  constructor(schema: TableSchema, points: readonly (readonly Value[])[], merged = 0, from = 0, to: number = sizeOf(points)) {
    this.schema = schema
    this.points = points
    this.merged = merged
    this.from = from
    this.to = to
    this.columns = orderedColumns(points.length, merged)
  }

  protected get size(): number {
    return sizeOf(this.points)
  }

  get length(): number {
    return this.to - this.from
  }

  /** The keys at positions `[from, to)`, counted from the first remaining one. */
  slice(from: number, to: number): readonly Row[] {
    const length = Math.max(0, Math.min(to, this.length) - from)
    return Array.from({ length }, (_, i) => this.keyAt(this.from + from + i))
  }

  /** All keys in another order. */
  inOrder(merged: number): KeyProduct {
    return merged === this.merged ? this : this.copy(merged)
  }

  /** The keys that a scan in this direction reaches after a bound. @param bound its values in the order of the columns */
  after(bound: Bound, reverse: boolean): KeyProduct {
    const before = this.schema.layout.splitColumn === undefined ? this.countBefore(bound) : this.countByBytes(bound)
    const border = Math.min(Math.max(before, this.from), this.to)
    return reverse ? this.between(this.from, border) : this.between(border, this.to)
  }

  private between(from: number, to: number): KeyProduct {
    return this.copy(this.merged, from, to)
  }

  protected copy(merged: number, from?: number, to?: number): KeyProduct {
    return new KeyProduct(this.schema, this.points, merged, from, to)
  }

  /** The points of the columns are the digits of a key's position; the last column is the lowest digit. */
  protected keyAt(place: number): Row {
    const { points, columns } = this
    const key = new Array<Value>(points.length)
    for (let digit = points.length - 1; digit >= 0; digit--) {
      const column = columns[digit] as number
      const values = points[column] as readonly Value[]
      key[column] = values[place % values.length] as Value
      place = Math.floor(place / values.length)
    }
    return key
  }

  /** The same if keys have the order of their bytes, in which no column alone says which key comes first. They are never merged then. */
  private countByBytes(bound: Bound): number {
    const { compareBounds } = this.schema.layout
    let from = 0
    let to = this.size
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      if (compareBounds({ prefix: this.keyAt(middle), edge: 'before' }, bound) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  /** The number of combinations before a bound. */
  protected countBefore({ prefix, edge }: Bound): number {
    let count = 0
    let each = sizeOf(this.points)
    for (const [digit, value] of prefix.entries()) {
      const column = this.columns[digit] as number
      const values = this.points[column] as readonly Value[]
      const { compare } = this.schema.layout.column(column)
      const at = firstFrom(values, value, compare)
      each /= values.length
      count += at * each
      if (at === values.length || compare(values[at] as Value, value) !== 0) return count
    }
    return edge === 'before' ? count : count + each
  }
}

const sizeOf = (points: readonly (readonly Value[])[]): number => points.reduce((product, { length }) => product * length, 1)

/** The index of the first value that is not before `value`, by binary search. */
export function firstFrom<T>(values: readonly T[], value: T, compare: (a: T, b: T) => number): number {
  let from = 0
  let to = values.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (compare(values[middle] as T, value) < 0) from = middle + 1
    else to = middle
  }
  return from
}
