// Tested by regions.test.ts.
import { checkpointUnusable } from '@rowkey/store/adapter'
import { inCall, onTable, type TableContext } from './context.js'
import { maxRowkeyBytes } from './keys.js'
import type { ReadOptions } from '@rowkey/store/adapter'

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

/** Ranges of neighbouring regions: as many as there are regions, but at most `count`. Regions that split later do not matter. */
export async function splits(table: TableContext, count: number, { cancellation }: ReadOptions): Promise<readonly string[]> {
  const { client, server } = table
  const regions = await onTable(table, () => inCall(cancellation, (options) => client.getAllRegionLocations(server.name, options)))
  const starts = regions
    .map(({ start }) => start)
    .filter((start) => start.length > 0)
    .sort((a, b) => Buffer.compare(a, b))
  const parts = Math.min(count, starts.length + 1)
  const cuts = Array.from({ length: parts - 1 }, (_, i) => starts[Math.round(((i + 1) * (starts.length + 1)) / parts) - 1])
  return [...cuts, undefined].map((stop, i) => checkpointOf({ start: cuts[i - 1], stop }))
}
