import type { Bound, Row } from '@rowkey/codec'
import type { Stop } from '@rowkey/store'
import type { Batch, Position } from '@rowkey/store/engine'
import type { Requirements } from '../rows/requirements.js'
import type { ScanPage } from './scan-types.js'
import type { Reading, Started } from './reading.js'

/** A scan that has started after a cursor, or backwards before one. */
export interface StartedScan extends Started<Position> {
  /** Where its cursor stands; undefined = the start. */
  readonly resumed: Bound | undefined
  /** Whether the cursor is that of a previous page: rows come in the reverse order, from there towards the start. */
  readonly backwards: boolean
  /** Whether a page counts keys, not rows. */
  readonly countsKeys: boolean
  /** What rows have to meet so that the scan returns them. */
  readonly requires: Requirements
  /** Whether the store can read the rows before a position. */
  readonly canTurn: boolean
  /** The place after a row, in the direction in which it reads. */
  boundAfter(row: Row): Bound
  /** The cursor of the rows after a bound, or before it. */
  cursorTo(bound: Bound | undefined, direction: 'after' | 'before'): Promise<string>
}

/** Reads one page and closes. */
export async function readPage(reading: Reading<Position, StartedScan>, limit: number): Promise<ScanPage<object>> {
  try {
    const scan = await reading.begin()
    return scan.backwards ? await previousPage(reading, scan, limit) : await nextPage(reading, scan, limit)
  } finally {
    reading.close()
  }
}

async function nextPage(reading: Reading<Position, StartedScan>, scan: StartedScan, limit: number): Promise<ScanPage<object>> {
  const { rows, position, stop } = await reading.take(limit, limit)
  const { resumed, canTurn } = scan
  return pageOf(reading, rows, stop, {
    cursor: stop === 'exhausted' ? undefined : scan.cursorTo(position?.bound ?? resumed, 'after'),
    previous: resumed === undefined || !canTurn ? undefined : scan.cursorTo(resumed, 'before'),
  })
}

/** One row more than the page holds is read, so that the first page has no cursor to an empty one. */
async function previousPage(reading: Reading<Position, StartedScan>, scan: StartedScan, limit: number): Promise<ScanPage<object>> {
  const wanted = scan.countsKeys ? limit : limit + 1
  const batch = await reading.take(wanted, wanted)
  const rows = batch.rows.slice(0, limit)
  const isMore = rows.length < batch.rows.length
  return pageOf(reading, rows.toReversed(), isMore ? 'limit' : batch.stop, {
    cursor: scan.cursorTo(scan.resumed, 'after'),
    previous: startOf(scan, rows, batch, isMore),
  })
}

function startOf(
  scan: StartedScan,
  rows: readonly Row[],
  { position, stop }: Batch<Position>,
  isMore: boolean,
): Promise<string> | undefined {
  if (isMore) return scan.cursorTo(scan.boundAfter(rows.at(-1) as Row), 'before')
  return stop === 'exhausted' ? undefined : scan.cursorTo(position?.bound ?? scan.resumed, 'before')
}

async function pageOf(
  reading: Reading<Position, StartedScan>,
  rows: readonly Row[],
  stop: Stop,
  cursors: { readonly cursor: Promise<string> | undefined; readonly previous: Promise<string> | undefined },
): Promise<ScanPage<object>> {
  const objects = rows.map((row) => reading.toObject(row))
  const [cursor, previous] = await Promise.all([cursors.cursor, cursors.previous])
  const stats = { ...(reading.stats as ScanPage<object>['stats']), returned: rows.length }
  return { rows: objects, ...(cursor === undefined ? {} : { cursor }), ...(previous === undefined ? {} : { previous }), stop, stats }
}
