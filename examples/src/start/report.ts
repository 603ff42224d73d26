import type { Loaded } from './load.js'
import type { EventRows, TimelineRows } from './repositories.js'
import { keyLayout } from '@rowkey/codec'
import { bucket, text, timestamp, toHex } from 'rowkey'

/** The JSON document of the job. */
export interface Report {
  readonly rows: number
  readonly malformed: number
  /** Only if there are any. */
  readonly conflicts?: number
  readonly pairs: readonly { readonly host: string; readonly event: string; readonly count: number }[]
  readonly newest: readonly {
    readonly host: string
    readonly event: string
    readonly rows: readonly { readonly seq: number; readonly ts_ms: number; readonly key: string }[]
  }[]
  /** `first` and `last`: epoch ms of the first and the last row in the window, null if it is empty. */
  readonly window: {
    readonly from: number
    readonly to: number
    readonly count: number
    readonly first: number | null
    readonly last: number | null
  }
  /** Rows per bucket, for a hash of host and event, and for the time modulo 16. */
  readonly buckets: { readonly hash: readonly number[]; readonly modulo: readonly number[] }
}

/** Asks the store for everything the report says. */
export async function report(loaded: Loaded, events: EventRows, timeline: TimelineRows, from?: number, to?: number): Promise<Report> {
  const pairs = loaded.pairs.slice(0, 3)
  const newest = []
  for (const { host, event } of pairs) {
    const rows = await events.scan({ host, event }, { limit: 10 }).toArray()
    newest.push({
      host,
      event,
      rows: rows.map(({ at, seq }) => ({ seq, ts_ms: at.getTime(), key: toHex(events.encodeKey({ host, event, at, seq })) })),
    })
  }
  return {
    rows: loaded.rows,
    malformed: loaded.malformed,
    ...(loaded.conflicts > 0 ? { conflicts: loaded.conflicts } : {}),
    pairs,
    newest,
    window: await windowOf(timeline, windowBounds(loaded, from, to)),
    buckets: await rowsPerBucket(timeline),
  }
}

/** The window asked for; by default the middle tenth of the log. */
function windowBounds({ span }: Loaded, from?: number, to?: number): { readonly from: number; readonly to: number } {
  const { first, last } = span ?? { first: 0, last: 0 }
  const middle = (fraction: number): number => Math.floor(first + (last - first) * fraction)
  if (from === undefined && to === undefined) return { from: middle(0.45), to: middle(0.55) + 1 }
  return { from: from ?? Math.min(first, to ?? first), to: to ?? Math.max(last + 1, from ?? last) }
}

async function windowOf(timeline: TimelineRows, { from, to }: { readonly from: number; readonly to: number }): Promise<Report['window']> {
  const where = { at: { gte: new Date(from), lt: new Date(to) } }
  const [first] = await timeline.scan(where, { limit: 1 }).toArray()
  const [last] = await timeline.scan(where, { limit: 1, reverse: true }).toArray()
  return { from, to, count: await timeline.scan(where).count(), first: first?.at.getTime() ?? null, last: last?.at.getTime() ?? null }
}

const byPair = keyLayout(
  [
    ['host', text()],
    ['event', text()],
  ],
  { salt: bucket({ of: ['host', 'event'], count: 16 }) },
)
const byTime = keyLayout([['at', timestamp('ms')]], { salt: bucket({ of: 'at', modulo: 16 }) })

/** Reads every row back and counts it under both salts; the bucket is the first byte of the rowkey. */
async function rowsPerBucket(timeline: TimelineRows): Promise<Report['buckets']> {
  const hash = Array.from({ length: 16 }, () => 0)
  const modulo = Array.from({ length: 16 }, () => 0)
  for await (const { host, event, at } of timeline.scan({}, { allowFullScan: true })) {
    add(hash, byPair.encode({ host, event }))
    add(modulo, byTime.encode({ at }))
  }
  return { hash, modulo }
}

function add(counts: number[], [first = 0]: Uint8Array): void {
  counts[first] = (counts[first] ?? 0) + 1
}
