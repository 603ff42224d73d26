// Tested by regions.test.ts.
import { checkpointUnusable, type Cancellation, type ReadOptions } from 'rowkey/adapter'
import { inCall, readOn, type TableContext } from './context.js'
import { maxRowkeyBytes } from './keys.js'
import { bucketBorders, sorted } from './regions/split-keys.js'

/** Rows of a full scan: from `start` (inclusive) to `stop` (exclusive); undefined = the ends of the table. */
export interface Range {
  readonly start: Uint8Array | undefined
  readonly stop: Uint8Array | undefined
}

const text = (row: Uint8Array | undefined): string => (row === undefined ? '' : Buffer.from(row).toString('base64url'))

/** The checkpoint is the range that is left. */
export const checkpointOf = ({ start, stop }: Range): string => `${text(start)}.${text(stop)}`

/** @throws RowkeyError `CURSOR_INVALID` */
export function rangeOf(checkpoint: string): Range {
  const [, start, stop] = /^([\w-]*)\.([\w-]*)$/.exec(checkpoint) ?? []
  if (start === undefined || stop === undefined) throw checkpointUnusable('it does not contain two rowkeys')
  return { start: rowOf(start), stop: rowOf(stop) }
}

function rowOf(part: string): Uint8Array | undefined {
  if (part === '') return undefined
  const row = new Uint8Array(Buffer.from(part, 'base64url'))
  if (row.length === 0 || row.length > maxRowkeyBytes + 1) throw checkpointUnusable('it contains a rowkey that no row has')
  return row
}

/**
 * Ranges that are cut at borders of buckets, which have about equally many rows, and where there are too few of them also at those of regions. So a
 * table of one bucket and one region has one range. Regions that split later do not matter.
 */
export async function splits(table: TableContext, count: number, { cancellation }: ReadOptions): Promise<readonly string[]> {
  const { layout } = table.schema
  const all =
    layout.buckets >= count
      ? bucketBorders(layout, count)
      : sorted([...bucketBorders(layout, layout.buckets), ...(await bordersOf(table, cancellation))])
  const parts = Math.min(count, all.length + 1)
  const cuts = Array.from({ length: parts - 1 }, (_, i) => all[Math.round(((i + 1) * (all.length + 1)) / parts) - 1])
  return [...cuts, undefined].map((stop, i) => checkpointOf({ start: cuts[i - 1], stop }))
}

/** The first rows of all regions but the first one. */
async function bordersOf(table: TableContext, cancellation: Cancellation | undefined): Promise<readonly Uint8Array[]> {
  const { client, server } = table
  const regions = await readOn(table, () => inCall(cancellation, (options) => client.regions(server.name, options)))
  return regions.map(({ start }) => start).filter(({ length }) => length > 0)
}
