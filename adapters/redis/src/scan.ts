// Tested by large.test.ts and conformance.test.ts.
import { paging, readStoredKey, type Conditions, type NativePage, type PageSource, type ReadOptions, type Slice } from 'rowkey/adapter'
import type { Argument } from './client/commands.js'
import type { TableContext } from './context.js'
import { rethrow } from './errors.js'
import { filterArguments, itemsArgument } from './filter.js'
import type { Sending } from './shards/shard.js'

/** A page ends after this many bytes or rows, because the server does nothing else while it reads a page. */
export const pageBytes: number = 1 << 20
export const pageRows = 4096

const cost = Object.freeze({ calls: 1 })

/** What the server sends for a read: only the rows and items that are needed. */
export function sendingOf(
  { schema, format }: TableContext,
  { columns }: Pick<ReadOptions, 'columns'>,
  filter?: Conditions,
): Sending | undefined {
  const conditions = filter === undefined ? [] : filterArguments(schema, format, filter)
  return columns === undefined && conditions.length === 0 ? undefined : { items: itemsArgument(format, columns), conditions }
}

/** The pages of a slice. The next page starts at a key, so other writes, or a slot that moves between two pages, have no effect on it. */
export function scanSlice(table: TableContext, slice: Slice, options: ReadOptions): PageSource {
  const { schema } = table
  const { rowkeyBound, partition } = schema.layout
  const reader = table.rows.readerOf(options)
  const sending = sendingOf(table, options, slice.filter)
  const shard = table.shardOf(partition(slice.bucket, slice.from.prefix))
  return paging(schema, slice, async ({ bucket, from, to, reverse }, want): Promise<NativePage> => {
    table.calls.mustBeOpen()
    const [low, high] = [rowkeyBound(bucket, from), rowkeyBound(bucket, to)]
    if (low === null) return { rows: [], more: false }
    const wanted = Math.min(Math.max(1, want), pageRows)
    try {
      const page = await shard.page({ low: atOrAbove(low), high: below(high), reverse }, { rows: wanted, bytes: pageBytes }, sending)
      const { examined, isCut, last } = page
      const rows = table.rowsOf(page, reader)
      const dropped = rows.length === examined ? undefined : last
      return { rows, more: isCut || examined === wanted, examined, last: dropped && readStoredKey(schema, dropped), cost }
    } catch (error) {
      return rethrow(schema.name, error)
    }
  })
}

/** An inclusive lower bound. The empty member, which sorts before all rows, is never in the range. */
const atOrAbove = (rowkey: Uint8Array): Argument => (rowkey.length === 0 ? '(' : marked(0x5b, rowkey))

/** An exclusive upper bound; null = none. */
const below = (rowkey: Uint8Array | null): Argument => (rowkey === null ? '+' : marked(0x28, rowkey))

/** The lower bound of everything after a row; undefined: of all rows. */
export const after = (rowkey: Uint8Array | undefined): Argument => (rowkey === undefined ? '(' : marked(0x28, rowkey))

/** The upper bound of everything up to a row. */
export const upToIncluding = (rowkey: Uint8Array): Argument => marked(0x5b, rowkey)

function marked(mark: number, rowkey: Uint8Array): Buffer {
  const bound = Buffer.allocUnsafe(1 + rowkey.length)
  bound[0] = mark
  bound.set(rowkey, 1)
  return bound
}
