import { Inserter, type Inserted } from './insert.js'
import type { Malformed } from './csv-records.js'
import type { Unit } from './instant.js'
import type { LogFile, LogRecord } from './read-log.js'
import type { EventRows, TimelineRows } from './repositories.js'

/** A host and one of its events, with its number of rows. */
interface Pair {
  readonly host: string
  readonly event: string
  readonly count: number
}

/** What became of a file. */
export interface Loaded {
  /** What instants are counted in. */
  readonly unit: Unit
  readonly rows: number
  /** Of these, those that an earlier start had stored. */
  readonly found: number
  readonly malformed: number
  /** The first three. */
  readonly malformedSamples: readonly Malformed[]
  readonly conflicts: number
  readonly conflictSamples: readonly Malformed[]
  /** All pairs, largest first. */
  readonly pairs: readonly Pair[]
  /** First and last instant. */
  readonly span: { readonly first: bigint; readonly last: bigint } | undefined
  readonly ms: number
}

const samples = 3

/** Records on their way at once: a durable store writes them to the disk together. */
const maxOpen = 256

/** Inserts every record into both tables. A record whose key is taken is a conflict, never an overwrite. */
export async function load(log: LogFile, events: EventRows, timeline: TimelineRows, isReused = false): Promise<Loaded> {
  const start = performance.now()
  const malformed = new Tally()
  const conflicts = new Tally()
  const pairs = new Map<string, Map<string, number>>()
  let [rows, found] = [0, 0]
  let span: Loaded['span']
  for await (const [record, inserted] of inserting(log, new Inserter(events, timeline, log.unit, isReused))) {
    if (typeof inserted !== 'string') {
      if (inserted.conflict) conflicts.add(inserted)
      else malformed.add(inserted)
    } else if (!('reason' in record)) {
      rows++
      if (inserted === 'found') found++
      count(pairs, record)
      span = including(span, record.at)
    }
  }
  return {
    unit: log.unit,
    rows,
    found,
    malformed: malformed.count,
    malformedSamples: malformed.first,
    conflicts: conflicts.count,
    conflictSamples: conflicts.first,
    pairs: sorted(pairs),
    span,
    ms: performance.now() - start,
  }
}

function including(span: Loaded['span'], at: bigint): Loaded['span'] {
  const { first, last } = span ?? { first: at, last: at }
  return at < first ? { first: at, last } : at > last ? { first, last: at } : (span ?? { first, last })
}

type Pending = readonly [LogRecord | Malformed, Promise<Inserted>]

/** Records with what became of them, in the order of the file. */
async function* inserting(log: LogFile, inserter: Inserter): AsyncGenerator<readonly [LogRecord | Malformed, Inserted]> {
  const pending: Pending[] = []
  let isOpen = false
  for await (const record of log.records) {
    const inserted = 'reason' in record ? Promise.resolve({ ...record, conflict: false }) : inserter.insert(record)
    inserted.catch(() => undefined) // it is awaited in its turn
    if (!isOpen) await inserted // the first one opens the tables; from then on inserts keep the order of the file
    isOpen = true
    pending.push([record, inserted])
    if (pending.length >= maxOpen) yield settled(pending.shift() as Pending)
  }
  for (const each of pending) yield settled(each)
}

const settled = async ([record, inserted]: Pending): Promise<readonly [LogRecord | Malformed, Inserted]> => [record, await inserted]

class Tally {
  count = 0
  readonly first: Malformed[] = []

  add({ line, reason }: Malformed): void {
    if (++this.count <= samples) this.first.push({ line, reason })
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
