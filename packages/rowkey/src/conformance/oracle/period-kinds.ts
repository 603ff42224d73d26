// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { date, period, timestamp, type ColumnType, type Every } from '#codec'
import type { OracleKind } from './kinds.js'
import type { Random } from './random.js'

/** How a column follows from another one of the key. */
export interface OraclePeriod {
  /** Name of the source. */
  readonly of: string
  /** The first one that contains a value of the source, as a Date. */
  begin(value: unknown): Date
  /** All from one to another one. */
  between(first: Date, last: Date): readonly Date[]
  /** The next or previous value of the source. */
  step(value: unknown, by: 1 | -1): unknown
}

const dayMs = 86_400_000
const hourMs = 3_600_000

/** The year's end with its weeks, a leap day, a short February, 1970 and a year before 1900. */
const moments = [
  ...['2026-12-31T15:59:59.999Z', '2026-12-31T16:00:00.000Z', '2026-12-31T23:30:00.000Z', '2027-01-01T00:00:00.000Z'],
  ...['2027-01-03T12:00:00.000Z', '2027-01-04T00:00:00.000Z', '2026-12-28T00:00:00.000Z', '2026-12-27T23:59:59.999Z'],
  ...['2027-02-28T23:00:00.000Z', '2027-03-01T00:00:00.000Z', '2024-02-29T05:00:00.000Z', '2024-03-01T00:00:00.001Z'],
  ...['1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '1969-12-29T00:00:00.000Z', '1969-12-31T20:30:00.000Z'],
].map((at) => Date.parse(at))

interface SourceForm {
  readonly kind: string
  readonly type: ColumnType
  of(ms: number): unknown
  ms(value: never): number
  step(value: never, by: 1 | -1): unknown
}

const sources: readonly SourceForm[] = [
  {
    kind: 'timestamp ms',
    type: timestamp('ms'),
    of: (ms) => new Date(ms),
    ms: (value: Date) => value.getTime(),
    step: (value: Date, by) => new Date(value.getTime() + by),
  },
  {
    kind: 'timestamp us',
    type: timestamp('us'),
    of: (ms) => BigInt(ms) * 1000n + 7n,
    // Down, also before 1970.
    ms: (value: bigint) => Number((value - (((value % 1000n) + 1000n) % 1000n)) / 1000n),
    step: (value: bigint, by) => value + BigInt(by),
  },
  {
    kind: 'date',
    type: date(),
    of: (ms) => new Date(ms - (((ms % dayMs) + dayMs) % dayMs)),
    ms: (value: Date) => value.getTime(),
    step: (value: Date, by) => new Date(value.getTime() + by * dayMs),
  },
]

const compareTimes = (a: Date | bigint, b: Date | bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** By the fields of a Date, while types count days. */
function beginning(every: Every, east: number, ms: number): number {
  const local = new Date(ms + east)
  if (every === 'hour') return local.setUTCMinutes(0, 0, 0) - east
  local.setUTCHours(0, 0, 0, 0)
  if (every === 'week') local.setUTCDate(local.getUTCDate() - ((local.getUTCDay() + 6) % 7))
  if (every === 'month') local.setUTCDate(1)
  if (every === 'year') local.setUTCMonth(0, 1)
  return local.getTime()
}

function following(every: Every, begin: number): number {
  const next = new Date(begin)
  if (every === 'month') return next.setUTCMonth(next.getUTCMonth() + 1)
  if (every === 'year') return next.setUTCFullYear(next.getUTCFullYear() + 1)
  return begin + (every === 'hour' ? hourMs : every === 'day' ? dayMs : 7 * dayMs)
}

/** A random source, and a period of it, for a key. */
export function randomPeriod(
  random: Random,
  of: string,
): { readonly source: OracleKind; readonly kind: OracleKind; readonly period: OraclePeriod } {
  const form = random.pick(sources)
  const every = random.pick((['hour', 'day', 'week', 'month', 'year'] as const).slice(form.kind === 'date' ? 1 : 0))
  const offset = form.kind === 'date' ? undefined : random.pick([undefined, '+08:00', '-03:30'])
  const east = offset === undefined ? 0 : offset === '+08:00' ? 8 * hourMs : -3.5 * hourMs
  // A few neighbours: ranges between the farthest have millions of hours.
  const near = random.pick([moments.slice(0, 8), moments.slice(8, 12), moments.slice(12)])
  const pool = near.map((ms) => form.of(ms))
  const begin = (value: unknown): Date => new Date(beginning(every, east, form.ms(value as never)))
  const source: OracleKind = { name: form.kind, type: form.type, pool, compare: compareTimes, isInteger: typeof pool[0] === 'bigint' }
  const kind: OracleKind = {
    name: `${every} of ${of}${offset ?? ''}`,
    type: period(every, { of, ...(offset === undefined ? {} : { offset }) }),
    pool: near.map((ms) => begin(form.of(ms))),
    compare: compareTimes,
  }
  const between = (first: Date, last: Date): readonly Date[] => {
    const all: Date[] = []
    for (let at = first.getTime(); at <= last.getTime(); at = following(every, at)) all.push(new Date(at))
    return all
  }
  return { source, kind, period: { of, begin, between, step: (value, by) => form.step(value as never, by) } }
}
