import type { Loaded } from './load.js'
import type { EventRows, TimelineRows } from './repositories.js'
import { keyLayout } from 'rowkey/codec'
import { bucket, text, timestamp, toHex, type ColumnType } from 'rowkey'
import { ceiling, instantOf, jsonOf, ticksOf, type Instant, type Unit } from './instant.js'

/** Milliseconds are a number, microseconds and nanoseconds a text: a number of JSON may lose their last digits. */
type Epoch = number | string

/** A row, with its instant as `ts_ms`, `ts_us` or `ts_ns`. */
interface ReportRow {
  readonly seq: number
  readonly ts_ms?: Epoch
  readonly ts_us?: Epoch
  readonly ts_ns?: Epoch
  readonly key: string
}

/** The JSON document of the job. */
export interface Report {
  /** Only if it is finer than milliseconds. */
  readonly unit?: Unit
  readonly rows: number
  readonly malformed: number
  /** Only if there are any. */
  readonly conflicts?: number
  readonly pairs: readonly { readonly host: string; readonly event: string; readonly count: number }[]
  readonly newest: readonly {
    readonly host: string
    readonly event: string
    readonly rows: readonly ReportRow[]
  }[]
  /** Epochs in `unit`. `first` and `last` are the first and the last row in the window, null if it is empty. */
  readonly window: {
    readonly from: Epoch
    readonly to: Epoch
    readonly count: number
    readonly first: Epoch | null
    readonly last: Epoch | null
  }
  /** Rows per bucket, for a hash of host and event, and for the time modulo 16. */
  readonly buckets: { readonly hash: readonly number[]; readonly modulo: readonly number[] }
}

/** Asks the store for everything the report says. */
export async function report(loaded: Loaded, events: EventRows, timeline: TimelineRows, from?: bigint, to?: bigint): Promise<Report> {
  const { unit } = loaded
  const pairs = loaded.pairs.slice(0, 3)
  const newest = []
  for (const { host, event } of pairs) {
    const rows = await events.scan({ host, event }, { limit: 10 }).toArray()
    newest.push({
      host,
      event,
      rows: rows.map(({ at, seq }) => ({
        seq,
        [`ts_${unit}`]: jsonOf(ticksOf(at), unit),
        key: toHex(events.encodeKey({ host, event, at, seq })),
      })),
    })
  }
  return {
    ...(unit === 'ms' ? {} : { unit }),
    rows: loaded.rows,
    malformed: loaded.malformed,
    ...(loaded.conflicts > 0 ? { conflicts: loaded.conflicts } : {}),
    pairs,
    newest,
    window: await windowOf(timeline, unit, windowBounds(loaded, from, to)),
    buckets: await rowsPerBucket(timeline, unit),
  }
}

interface Window {
  readonly from: bigint
  readonly to: bigint
}

/** The window asked for, in epoch nanoseconds; by default the middle tenth of the log. */
function windowBounds({ span, unit }: Loaded, from?: bigint, to?: bigint): Window {
  const { first, last } = span ?? { first: 0n, last: 0n }
  const middle = (fraction: number): bigint => first + BigInt(Math.floor(Number(last - first) * fraction))
  if (from === undefined && to === undefined) return { from: middle(0.45), to: middle(0.55) + 1n }
  const [start, end] = [from, to].map((bound) => (bound === undefined ? undefined : ceiling(bound, unit)))
  return {
    from: start ?? (end !== undefined && end < first ? end : first),
    to: end ?? (start !== undefined && start > last + 1n ? start : last + 1n),
  }
}

async function windowOf(timeline: TimelineRows, unit: Unit, { from, to }: Window): Promise<Report['window']> {
  const where = { at: { gte: instantOf(from, unit), lt: instantOf(to, unit) } }
  const [first] = await timeline.scan(where, { limit: 1 }).toArray()
  const [last] = await timeline.scan(where, { limit: 1, order: 'reverse' }).toArray()
  const epochOf = (row: typeof first): Epoch | null => (row === undefined ? null : jsonOf(ticksOf(row.at), unit))
  return {
    from: jsonOf(from, unit),
    to: jsonOf(to, unit),
    count: await timeline.scan(where).count(),
    first: epochOf(first),
    last: epochOf(last),
  }
}

const byPair = keyLayout(
  [
    ['host', text()],
    ['event', text()],
  ],
  { salt: bucket({ of: ['host', 'event'], count: 16 }) },
)
const byTime = (unit: Unit) => keyLayout([['at', timestamp(unit) as ColumnType<Instant>]], { salt: bucket({ of: 'at', modulo: 16 }) })

/** Reads every row back and counts it under both salts; the bucket is the first byte of the rowkey. */
async function rowsPerBucket(timeline: TimelineRows, unit: Unit): Promise<Report['buckets']> {
  const times = byTime(unit)
  const hash = Array.from({ length: 16 }, () => 0)
  const modulo = Array.from({ length: 16 }, () => 0)
  for await (const { host, event, at } of timeline.scan({}, { unbounded: true })) {
    add(hash, byPair.encode({ host, event }))
    add(modulo, times.encode({ at }))
  }
  return { hash, modulo }
}

function add(counts: number[], [first = 0]: Uint8Array): void {
  counts[first] = (counts[first] ?? 0) + 1
}
