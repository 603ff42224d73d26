import type { Class, ConditionalMethods, Repository, TableMethods } from 'rowkey'
import { isRowkeyError } from 'rowkey'
import type { LogTimeline, LogEvent } from './models.js'
import type { Malformed } from './csv-records.js'
import type { LogFile, LogRecord } from './read-log.js'

export type EventRows = Repository<Class<LogEvent>>
export type TimelineRows = Repository<typeof LogTimeline>

/** A host and one of its events, with its number of rows. */
interface Pair {
  readonly host: string
  readonly event: string
  readonly count: number
}

/** What became of a file. */
export interface Loaded {
  readonly rows: number
  readonly malformed: number
  /** The first three. */
  readonly malformedSamples: readonly Malformed[]
  readonly conflicts: number
  readonly conflictSamples: readonly Malformed[]
  /** All pairs, largest first. */
  readonly pairs: readonly Pair[]
  /** First and last instant, epoch ms. */
  readonly span: { readonly first: number; readonly last: number } | undefined
  readonly ms: number
}

const samples = 3

/** Inserts every record into both tables. A record whose key is taken is a conflict, never an overwrite. */
export async function load(log: LogFile, events: EventRows, timeline: TimelineRows): Promise<Loaded> {
  const start = performance.now()
  const malformed = new Tally()
  const conflicts = new Tally()
  const pairs = new Map<string, Map<string, number>>()
  let rows = 0
  let [first, last] = [Infinity, -Infinity]
  for await (const record of log.records) {
    if ('reason' in record) {
      malformed.add(record)
      continue
    }
    const problem = await insert(record, events, timeline)
    if (problem !== undefined) {
      if (problem.conflict) conflicts.add(problem)
      else malformed.add(problem)
      continue
    }
    rows++
    count(pairs, record)
    first = Math.min(first, record.ms)
    last = Math.max(last, record.ms)
  }
  return {
    rows,
    malformed: malformed.count,
    malformedSamples: malformed.first,
    conflicts: conflicts.count,
    conflictSamples: conflicts.first,
    pairs: sorted(pairs),
    span: rows === 0 ? undefined : { first, last },
    ms: performance.now() - start,
  }
}

class Tally {
  count = 0
  readonly first: Malformed[] = []

  add({ line, reason }: Malformed): void {
    if (++this.count <= samples) this.first.push({ line, reason })
  }
}

/** Inserts into both tables or into none. */
async function insert(
  { line, host, event, ms, seq, texts }: LogRecord,
  events: TableMethods<Class<LogEvent>> & ConditionalMethods<Class<LogEvent>>,
  timeline: TimelineRows,
): Promise<(Malformed & { readonly conflict: boolean }) | undefined> {
  const at = new Date(ms)
  try {
    await timeline.insert({ at, host, event, seq })
    try {
      await events.insert({ host, event, at, seq, ...texts })
    } catch (error) {
      await timeline.delete({ at, host, event, seq })
      throw error
    }
    return undefined
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    return { line, reason: error.message, conflict: error.code === 'ROW_EXISTS' }
  }
}

function count(pairs: Map<string, Map<string, number>>, { host, event }: LogRecord): void {
  const events = pairs.get(host) ?? new Map<string, number>()
  if (events.size === 0) pairs.set(host, events)
  events.set(event, (events.get(event) ?? 0) + 1)
}

function sorted(pairs: ReadonlyMap<string, ReadonlyMap<string, number>>): readonly Pair[] {
  const all = [...pairs].flatMap(([host, events]) => [...events].map(([event, rows]) => ({ host, event, count: rows })))
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return all.sort((a, b) => b.count - a.count || byText(a.host, b.host) || byText(a.event, b.event))
}
