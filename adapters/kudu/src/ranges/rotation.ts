// Tested by ranges.test.ts.
import type { TableSchema } from 'rowkey/adapter'
import { beginOf, stepped } from '../hints/calendar.js'
import { instantIn, msOf, type Interval, type Ranges, type Times } from '../hints/range-hint.js'

/** Ranges of time that a table gets and loses. */
export interface Rotation {
  readonly add: readonly Interval[]
  readonly drop: readonly Interval[]
}

/** Max ranges that one change adds: each has a tablet for each hash bucket. */
const maxAdded = 1000

/**
 * What a table lacks by now, and what it keeps no longer. It gets ranges from the end of its last one on, so that a table that was left alone for
 * months has no gap, and loses none that contains a moment it keeps. Ranges of another length that it has stay as they are.
 */
export function rotationOf(schema: TableSchema, ranges: Ranges, times: Times, existing: readonly Interval[], now: number): Rotation {
  const at = ranges.columns[0] as number
  const begin = beginOf(times.every, now)
  const there = existing
    .map((interval) => ({ interval, from: msOf(schema, at, interval.from) ?? -Infinity, to: msOf(schema, at, interval.to) ?? Infinity }))
    .sort((a, b) => a.from - b.from)
  // Of a table that has ranges before it, `from` is long past.
  const isFromOld = there.some(({ from }) => times.from !== undefined && from < beginOf(times.every, times.from))
  const earliest = times.from === undefined || isFromOld ? -Infinity : beginOf(times.every, times.from)
  // Also of a first day that is to come: a table without ranges would be one range for ever.
  const end = stepped(times.every, Math.max(begin, earliest), times.ahead + 1)
  const oldest = oldestOf(times, begin, now)
  const lastEnd = Math.max(-Infinity, ...there.map(({ to }) => to))
  const first = there.length === 0 ? (times.from ?? begin) : Math.max(earliest, Math.min(begin, lastEnd))
  const add: Interval[] = []
  // A new table has the ranges that its model asks for, also older ones: somebody may fill them, and the next rotation drops them.
  const isNew = there.length === 0 && times.from !== undefined
  let from = beginOf(times.every, oldest === undefined || isNew ? first : Math.max(first, oldest))
  // After a long time the latest ones: what is written now needs a range.
  from = Math.max(from, stepped(times.every, beginOf(times.every, end), -maxAdded))
  while (from < end) {
    const next = stepped(times.every, from, 1)
    for (const [low, high] of uncovered(from, next, there))
      add.push({ from: [instantIn(schema, at, low)], to: [instantIn(schema, at, high)] })
    from = next
  }
  const drop = oldest === undefined ? [] : there.filter(({ to }) => to <= oldest).map(({ interval }) => interval)
  return { add, drop }
}

/** Ranges that end by then are kept no longer; undefined: all are kept. */
function oldestOf({ every, keep, keepMs }: Times, begin: number, now: number): number | undefined {
  if (keepMs !== undefined) return now - keepMs
  return keep === undefined ? undefined : stepped(every, begin, -keep)
}

/** The parts of a range that others do not cover; they are in order. */
function uncovered(
  from: number,
  to: number,
  others: readonly { readonly from: number; readonly to: number }[],
): readonly (readonly [number, number])[] {
  const parts: (readonly [number, number])[] = []
  let low = from
  for (const other of others) {
    if (other.to <= low || other.from >= to) continue
    if (other.from > low) parts.push([low, other.from])
    low = Math.max(low, other.to)
  }
  if (low < to) parts.push([low, to])
  return parts
}
