// Tested by table-stats.test.ts.
import { type RowLayout, toHex, type Value } from 'rowkey/codec'
import type { SchemaColumn } from 'rowkey/internal'

/** What a sample says of one key column. */
export interface ColumnStats {
  /** Different values. */
  readonly distinct: number
  /** The share of the rows with the most frequent value. */
  readonly top: number
  /**
   * How often a value is larger than one that was written clearly earlier, a fifth of the sample before it: 1 if values count up, also if rows
   * arrive a little out of order, 0.5 if they have no order, 0 if they count down.
   */
  readonly rising: number
  /** Bytes in the key, end included. */
  readonly bytes: { readonly mean: number; readonly max: number; readonly min: number }
  /** Text only: what all values start with. */
  readonly commonPrefix?: string
  /** Text only: the share of values that are whole numbers as `String()` writes them, of at most 18 digits. */
  readonly integers?: number
  /** Text only: the values, if there are at most 256. */
  readonly values?: readonly string[]
}

const maxValues = 256
const maxKept = 4096

/** Counts the values of one column. */
export class ColumnCounter {
  private readonly column: SchemaColumn
  private readonly codec: ReturnType<RowLayout['column']>
  private readonly counts = new Map<string | number | bigint | boolean | null, number>()
  /** Every n-th value, in the order of rows; n doubles when there are too many. */
  private kept: Value[] = []
  private every = 1
  private sum = 0
  private max = 0
  private min = Infinity
  private rows = 0
  private prefix: string | undefined
  private whole = 0

  constructor(column: SchemaColumn, codec: ReturnType<RowLayout['column']>) {
    this.column = column
    this.codec = codec
  }

  add(value: Value): void {
    const { length } = this.codec.encode(value)
    this.rows++
    this.sum += length
    this.max = Math.max(this.max, length)
    this.min = Math.min(this.min, length)
    const known = value instanceof Uint8Array ? toHex(value) : value
    this.counts.set(known, (this.counts.get(known) ?? 0) + 1)
    if ((this.rows - 1) % this.every === 0) this.kept.push(value)
    if (this.kept.length === maxKept) {
      this.kept = this.kept.filter((_, at) => at % 2 === 0)
      this.every *= 2
    }
    if (typeof value === 'string') this.addText(value)
  }

  private addText(value: string): void {
    this.prefix ??= value
    let at = 0
    while (at < this.prefix.length && this.prefix[at] === value[at]) at++
    this.prefix = this.prefix.slice(0, at)
    if (/^(0|-?[1-9]\d{0,17})$/.test(value)) this.whole++
  }

  private rising(): number {
    const { kept } = this
    const apart = Math.max(1, Math.floor(kept.length / 5))
    let up = 0
    let down = 0
    for (let at = apart; at < kept.length; at++) {
      const step = this.codec.compare(kept[at] as Value, kept[at - apart] as Value) * (this.column.type.desc ? -1 : 1)
      if (step > 0) up++
      else if (step < 0) down++
    }
    return up + down === 0 ? 0.5 : up / (up + down)
  }

  stats(): ColumnStats {
    const some = Math.max(1, this.rows)
    const { prefix, counts } = this
    const texts = counts.size <= maxValues ? [...counts.keys()].filter((value) => typeof value === 'string') : []
    return {
      distinct: counts.size,
      top: [...counts.values()].reduce((most, count) => Math.max(most, count), 0) / some,
      rising: this.rising(),
      bytes: { mean: this.sum / some, max: this.max, min: this.rows === 0 ? 0 : this.min },
      ...(prefix === undefined ? {} : { commonPrefix: prefix, integers: this.whole / some }),
      ...(prefix === undefined || texts.length === 0 ? {} : { values: texts.toSorted() }),
    }
  }
}
