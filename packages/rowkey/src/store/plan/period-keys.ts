// Tested by key-product.test.ts and packages/rowkey/test/mapper/periods.test.ts.
import type { Bound, Row, Value } from '#codec'
import type { TableSchema } from '#model'
import { computedColumns, type ComputedColumn } from '#model/internal'
import { firstFrom, KeyProduct } from './key-product.js'

/** The source values of each value of a period: those of number k are `[starts[k], starts[k + 1])`. */
interface Group {
  readonly period: number
  readonly source: number
  readonly starts: readonly number[]
}

/** From one index of a column's values to another one. */
type Span = readonly [from: number, to: number]

/** The keys of instants and their periods: not all combinations, because each instant has one period. */
export class PeriodKeys extends KeyProduct {
  private readonly groups: readonly Group[]

  /** @param points of a period, exactly those of its source's points */
  constructor(schema: TableSchema, points: readonly (readonly Value[])[], merged = 0, from = 0, to: number = sizeOf(schema, points)) {
    super(schema, points, merged, from, to)
    this.groups = computedColumns(schema).map((column) => groupOf(schema, points, column))
  }

  protected override get size(): number {
    return sizeOf(this.schema, this.points)
  }

  protected override copy(merged: number, from?: number, to?: number): KeyProduct {
    return new PeriodKeys(this.schema, this.points, merged, from, to)
  }

  protected override keyAt(place: number): Row {
    const key = new Array<Value>(this.points.length)
    const digits = new Digits(this.points, this.groups, this.size)
    for (const column of this.columns) key[column] = (this.points[column] as readonly Value[])[digits.take(column, place)] as Value
    return key
  }

  protected override countBefore({ prefix, edge }: Bound): number {
    const digits = new Digits(this.points, this.groups, this.size)
    for (const [i, value] of prefix.entries()) {
      const column = this.columns[i] as number
      const { compare } = this.schema.layout.column(column)
      const values = this.points[column] as readonly Value[]
      const at = digits.enter(column, firstFrom(values, value, compare))
      if (at === undefined || compare(values[at] as Value, value) !== 0) return digits.passed
    }
    return edge === 'before' ? digits.passed : digits.passed + digits.rest
  }
}

/** Goes from the first column to the last one, and counts the keys before what it has chosen. */
class Digits {
  passed = 0
  /** The number of keys with what was chosen. */
  rest: number
  /** What is left of columns whose period or source is chosen. */
  private readonly spans: (Span | undefined)[] = []
  private readonly points: readonly (readonly Value[])[]
  private readonly groups: readonly Group[]

  constructor(points: readonly (readonly Value[])[], groups: readonly Group[], size: number) {
    this.points = points
    this.groups = groups
    this.rest = size
  }

  /** Chooses the value of the key at a place. */
  take(column: number, place: number): number {
    const [from, to] = this.spanOf(column)
    const group = this.openGroup(column)
    const unit = this.unit(column)
    const within = Math.floor((place - this.passed) / unit)
    return this.choose(column, group === undefined ? Math.min(from + within, to - 1) : lastStart(group.starts, within))
  }

  /** Chooses a value by its index; undefined if no key has it or a later one: then all keys are passed. */
  enter(column: number, index: number): number | undefined {
    const [from, to] = this.spanOf(column)
    if (index < to) return this.choose(column, Math.max(from, index))
    this.passed += this.rest
    return undefined
  }

  private choose(column: number, index: number): number {
    const [from] = this.spanOf(column)
    const group = this.openGroup(column)
    const unit = this.unit(column)
    const starts = group?.starts
    this.passed += starts === undefined ? (index - from) * unit : (starts[index] as number) * unit
    this.rest = starts === undefined ? unit : ((starts[index + 1] as number) - (starts[index] as number)) * unit
    for (const { period, source, starts: of } of this.groups) {
      if (column === period) this.spans[source] ??= [of[index] as number, of[index + 1] as number]
      else if (column === source) this.spans[period] ??= [lastStart(of, index), lastStart(of, index) + 1]
    }
    return index
  }

  /** The number of keys for one value of a column; of a period whose source is not chosen yet, for one value of the source. */
  private unit(column: number): number {
    const group = this.openGroup(column)
    const [from, to] = this.spanOf(group?.source ?? column)
    return this.rest / (to - from)
  }

  private openGroup(column: number): Group | undefined {
    return this.spans[column] === undefined ? this.groups.find(({ period }) => period === column) : undefined
  }

  private spanOf(column: number): Span {
    return this.spans[column] ?? [0, (this.points[column] as readonly Value[]).length]
  }
}

/** The number of the period that contains a source value. */
const lastStart = (starts: readonly number[], index: number): number => firstFrom(starts, index + 1, (a, b) => a - b) - 1

function groupOf(schema: TableSchema, points: readonly (readonly Value[])[], { position, source, from }: ComputedColumn): Group {
  const { compare } = schema.layout.column(position)
  const starts: number[] = []
  let last: Value | undefined
  for (const [index, value] of (points[source] as readonly Value[]).entries()) {
    const period = from(value)
    if (last === undefined || compare(last, period) !== 0) starts.push(index)
    last = period
  }
  return { period: position, source, starts: [...starts, points[source]?.length ?? 0] }
}

function sizeOf(schema: TableSchema, points: readonly (readonly Value[])[]): number {
  const periods = new Set(computedColumns(schema).map(({ position }) => position))
  return points.reduce((product, { length }, column) => (periods.has(column) ? product : product * length), 1)
}
