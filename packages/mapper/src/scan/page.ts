import type { Stop } from '@rowkey/store'
import type { Batch, Position } from '@rowkey/store/engine'
import type { ScanPage } from './scan-types.js'
import type { StartedScan } from './started-scan.js'

/** Why a page ends, and its cursors. */
interface PageEnds {
  readonly stop: Stop
  readonly cursor: Promise<string> | undefined
  readonly previous: Promise<string> | undefined
}

/** Reads one page and closes the scan. */
export async function readPage(scan: StartedScan, limit: number): Promise<ScanPage<object>> {
  const { run, backwards, toObject } = scan
  try {
    // Backwards, one row more than the page holds is read, so that the first page has no cursor to an empty one.
    const wanted = !backwards || scan.countsKeys ? limit : limit + 1
    const batch = await run.take(wanted)
    const taken = wanted === limit ? batch.rows : batch.rows.slice(0, limit)
    const rows = (backwards ? taken.toReversed() : taken).map(toObject)
    const ends = backwards ? endsBefore(scan, batch, limit) : endsAfter(scan, batch)
    const [cursor, previous] = await Promise.all([ends.cursor, ends.previous])
    const stats = { ...run.stats, returned: rows.length }
    return { rows, ...(cursor === undefined ? {} : { cursor }), ...(previous === undefined ? {} : { previous }), stop: ends.stop, stats }
  } finally {
    run.close()
  }
}

function endsAfter(scan: StartedScan, { position, stop }: Batch<Position>): PageEnds {
  const { resumed, canTurn } = scan
  return {
    stop,
    cursor: stop === 'exhausted' ? undefined : scan.cursorAt(position),
    previous: resumed === undefined || !canTurn ? undefined : scan.cursorTo(resumed, 'before'),
  }
}

function endsBefore(scan: StartedScan, { rows, position, stop }: Batch<Position>, limit: number): PageEnds {
  const cursor = scan.cursorTo(scan.resumed, 'after')
  if (rows.length > limit) {
    const first = rows[limit - 1] as (typeof rows)[number]
    return { stop: 'limit', cursor, previous: scan.cursorTo(scan.boundAfter(first), 'before') }
  }
  return { stop, cursor, previous: stop === 'exhausted' ? undefined : scan.cursorTo(position?.bound ?? scan.resumed, 'before') }
}
