// Tested by keys.test.ts and conformance.test.ts.
import {
  paging,
  rowWeight,
  type NativePage,
  type PageSource,
  type ReadOptions,
  type Row,
  type Slice,
  type TableSchema,
} from 'rowkey/adapter'
import { isListUnknown, isOverTime } from './errors.js'
import { filterOf } from './filter.js'
import { rangesOf, type KeyRange } from './ranges/key-range.js'
import { readRanges, type FirstRows, type RangeReading } from './ranges/read-ranges.js'
import type { NativeRow } from './client/answers.js'
import type { TableContext } from './context.js'

/** The pages of a slice. Each continues after the last key, not by the paging state of the server: that does not say which statement it belongs to. */
export function scanSlice(table: TableContext, slice: Slice, { columns, consistency, cancellation }: ReadOptions): PageSource {
  const { schema } = table
  const reader = table.reader(columns)
  const size = new PageSize(schema)
  let filter = filterOf(table, slice.filter)
  const read = async (reading: RangeReading, ranges: readonly KeyRange[], want: number): Promise<FirstRows> => {
    if (filter === undefined) return readRanges(reading, ranges, want)
    try {
      return await readRanges({ ...reading, filter }, ranges, want)
    } catch (error) {
      if (isListUnknown(error)) table.session.filtersLists = false
      else if (!isOverTime(error)) throw error
      cancellation?.throwIfOver()
      // Pages that are not filtered find as many rows as there are, so each of them ends.
      filter = isListUnknown(error) ? filterOf(table, slice.filter) : undefined
      return read(reading, ranges, want)
    }
  }
  return paging(schema, slice, async (rest, want): Promise<NativePage> => {
    table.calls.mustBeOpen()
    const params = table.keyBytes(rest.from.prefix, schema.partitionLength, rest.bucket)
    const place = { params, isToken: false }
    const reading = { table, columns: reader.columns, place, reverse: rest.reverse, consistency, cancellation }
    const { rows: natives, calls, more, fitting } = await read(reading, rangesOf(schema, table.keys, rest), size.fits(want))
    const rows: Row[] = []
    let dead: NativeRow | undefined // the last row, if it is the remains of an expired one
    for (const native of natives) {
      const row = reader.read(native)
      if (row !== undefined) rows.push(row)
      dead = row === undefined ? native : undefined
    }
    size.learn(rows, fitting)
    const examined = natives.length
    return { rows, more, examined, cost: { calls, sent: examined }, last: dead && reader.key(dead) }
  })
}

/** Bytes of one answer. The driver keeps the whole answer in memory. */
const answerBytes = 8 << 20
/** Rows of the first answer, when the size of rows is unknown. */
const firstRows = 500

/** Tombstones that the rows of one answer may contain, half of those at which a server refuses to read: each null that a put has written is one. */
const answerNulls = 50_000

/** Limits the size of answers, by the columns of a table, by the size of the rows before, and by what a server has refused. */
export class PageSize {
  private readonly width: number
  private max: number
  private fitting = Infinity

  constructor({ columns, keyLength }: TableSchema) {
    this.width = Math.max(1, Math.floor(answerNulls / Math.max(1, columns.length - keyLength)))
    this.max = Math.min(firstRows, this.width)
  }

  fits(want: number): number {
    return Math.max(1, Math.min(want, this.max, this.fitting))
  }

  /** @param fitting what was asked for at last, if a server has refused more */
  learn(rows: readonly Row[], fitting?: number): void {
    this.fitting = fitting ?? this.fitting * 2
    if (rows.length === 0) return
    let weight = 0
    for (const row of rows) weight += rowWeight(row)
    this.max = Math.min(this.width, Math.ceil(answerBytes / Math.max(1, weight / rows.length)))
  }
}
