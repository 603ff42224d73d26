// Tested by packages/rowkey/test/mapper/periods.test.ts.
import type { Value } from '#codec'
import type { TableSchema } from '#model'
import { computedColumns } from '#model/internal'
import type { MaybePromise, Page } from '../contract/reading.js'
import type { KeyRange, Stream } from '../plan/plan.js'
import { requestSizes, type Input } from './lane.js'
import { andThen, isPromise } from './maybe-promise.js'
import { MergeSource } from './merge-source.js'
import type { Position, RowSource } from './row-source.js'
import { noBatch, streamSource, widthAfter, type SliceOpener } from './stream-source.js'

/** The column by whose values streams can be read one after the other: a period that all of them name; -1 if there is none. */
export function periodOf(schema: TableSchema, streams: readonly Stream[], merged: number): number {
  const column = computedColumns(schema)[0]?.position ?? -1
  if (column < merged || streams.length < 2 || streams.every(({ ranges }) => ranges.length < 2)) return -1
  const { compare } = schema.layout.column(column)
  const isNamed = ({ from, to }: KeyRange): boolean =>
    from.prefix.length > column && to.prefix.length > column && compare(from.prefix[column] as Value, to.prefix[column] as Value) === 0
  return streams.every(({ ranges: [first] }) => first === undefined || isNamed(first)) ? column : -1
}

/** How the streams of one period are merged. */
interface Merging {
  readonly opener: SliceOpener
  /** How many leading columns order the rows last. */
  readonly merged: number
  readonly column: number
  readonly limit: number | undefined
  readonly exact: boolean
}

/** Streams that are merged, one period after the other: no bucket is asked for a later one before the rows of this one are read. */
export class PeriodSource implements RowSource {
  private readonly schema: TableSchema
  private readonly streams: readonly Stream[]
  private readonly merging: Merging
  /** For each stream, how many of its ranges have been opened. */
  private readonly opened: number[]
  private current: RowSource | undefined
  /** Of periods. */
  private batch = noBatch()
  private isAsync = false
  private passed: Position | undefined

  constructor(schema: TableSchema, streams: readonly Stream[], merging: Merging) {
    this.schema = schema
    this.streams = streams
    this.merging = merging
    this.opened = streams.map(() => 0)
  }

  get ended(): boolean {
    return this.current?.ended !== false && this.streams.every(({ ranges }, i) => this.opened[i] === ranges.length)
  }

  get position(): Position | undefined {
    return this.current?.position ?? this.passed
  }

  /** @throws RowkeyError `ADAPTER_FAULT` */
  next(want: number, mayExamine?: number): MaybePromise<Page | undefined> {
    if (this.current?.ended !== false) {
      if (this.ended) return undefined
      if (mayExamine === 0) return { rows: [], examined: 0 }
      this.openBatch(want)
    }
    const answer = (this.current as RowSource).next(want, mayExamine)
    this.isAsync ||= isPromise(answer)
    return andThen(answer, (page) => {
      this.batch.examined += page?.examined ?? 0
      return page ?? { rows: [], examined: 0 }
    })
  }

  close(): void {
    this.current?.close()
    for (const [i, { ranges }] of this.streams.entries()) this.opened[i] = ranges.length
  }

  private openBatch(want: number): void {
    this.passed = this.position
    const width = widthAfter(this.batch, this.isAsync, want)
    const inputs: Input[] = []
    for (let n = 0; n < width; n++) inputs.push(...this.openPeriod())
    const { opener, limit, exact } = this.merging
    this.batch = { width, want, examined: 0 }
    this.current = new MergeSource(this.schema, inputs, opener.positions, requestSizes(limit, inputs.length, exact))
  }

  /** The ranges of the next period in the order of the scan, for each stream that has some. */
  private openPeriod(): readonly Input[] {
    const { opener } = this.merging
    let first: KeyRange | undefined
    for (const i of this.streams.keys()) {
      const range = this.nextRange(i)
      if (range !== undefined && (first === undefined || this.compare(range, first) < 0)) first = range
    }
    if (first === undefined) return []
    const inputs: Input[] = []
    for (const [i, { bucket }] of this.streams.entries()) {
      const ranges: KeyRange[] = []
      for (let range = this.nextRange(i); range !== undefined && this.compare(range, first) === 0; range = this.nextRange(i)) {
        ranges.push(range)
        ;(this.opened[i] as number)++
      }
      if (opener.positions.reverse) ranges.reverse()
      if (ranges.length > 0) inputs.push({ bucket, source: streamSource(this.schema, { bucket, ranges }, opener) })
    }
    return inputs
  }

  private nextRange(stream: number): KeyRange | undefined {
    const { ranges } = this.streams[stream] as Stream
    const opened = this.opened[stream] as number
    return ranges[this.merging.opener.positions.reverse ? ranges.length - 1 - opened : opened]
  }

  /** By the columns that order rows first, up to the period. */
  private compare(a: KeyRange, b: KeyRange): number {
    const { merged, column, opener } = this.merging
    for (let at = merged; at <= column; at++) {
      const order = this.schema.layout.column(at).compare(a.from.prefix[at] as Value, b.from.prefix[at] as Value)
      if (order !== 0) return opener.positions.reverse ? -order : order
    }
    return 0
  }
}
